import { z } from "zod";
import { registrationAnswer, registrationRequest } from "./agent.ts";
import { erasure, erasureMember } from "./erasure.ts";
import { operation } from "./operation.ts";

export const registerAgent = operation({
  name: "registerAgent",
  summary: "Register an agent that has no credential yet",
  description:
    "Every registration creates a new agent with its own quarantine, and a link at which its user can bind it within 24 hours. Limited per network address.",
  input: registrationRequest,
  output: registrationAnswer,
  errors: ["insufficient_scope", "quota_exceeded", "payload_too_large", "unsupported_media_type"],
  effect: "write",
  scopes: [],
  unrepeatable: true,
  rate: "registration",
  http: { method: "POST", path: "/v1/agents/register", status: 200 },
});

export const getErasure = operation({
  name: "getErasure",
  summary: "Read the receipt of an erasure",
  description:
    "Needs no credential, because whoever was erased no longer has one: knowing the id is enough. The receipt holds ids and numbers, no names and no content.",
  input: z.object(erasureMember),
  output: erasure,
  errors: ["not_found"],
  effect: "read",
  scopes: [],
  rate: "read",
  http: { method: "GET", path: "/v1/erasures/{erasure_id}", status: 200 },
});
