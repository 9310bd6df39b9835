import { registrationAnswer, registrationRequest } from "./agent.ts";
import { operation } from "./operation.ts";

export const registerAgent = operation({
  name: "registerAgent",
  summary: "Register an agent that has no credential yet",
  description:
    "Always makes a new identity, with a quarantine of its own to write to and a link under which its user may bind it within 24 hours. Limited per network address.",
  input: registrationRequest,
  output: registrationAnswer,
  errors: ["insufficient_scope", "quota_exceeded", "payload_too_large", "unsupported_media_type"],
  effect: "write",
  scopes: [],
  unrepeatable: true,
  rate: "registration",
  http: { method: "POST", path: "/v1/agents/register", status: 200 },
});
