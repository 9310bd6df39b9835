import * as key from "./key.ts";
import { operation } from "./operation.ts";

export const rotateKey = operation({
  name: "rotateKey",
  summary: "Replace the key used for this request",
  description:
    "The new key has the same access and the same expiry. The old one stays valid for the overlap, so that requests in flight still succeed; an overlap of 0 ends it at once. If the answer was lost, ask again with the old key during the overlap, before the new key has been used: the first new key is revoked, and the deadline stays the same.",
  input: key.rotateKeyRequest,
  output: key.rotateKeyAnswer,
  errors: ["conflict", "payload_too_large", "unsupported_media_type"],
  effect: "write",
  scopes: [],
  kinds: ["api_key", "skill"],
  unrepeatable: true,
  rate: null,
  http: { method: "POST", path: "/v1/keys/rotate", status: 200 },
});
