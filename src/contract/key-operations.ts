import * as key from "./key.ts";
import { operation } from "./operation.ts";

export const rotateKey = operation({
  name: "rotateKey",
  summary: "Replace the key that asks",
  description:
    "The new key may do what the old one may, and ends when that would have ended. The old one stays valid for the overlap, so that nothing under way is cut off; with 0 it ends at once. Within the overlap, and until the new key was used, the old one may ask again, for an answer that was lost: then the first answer's key ends, and the deadline stays.",
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
