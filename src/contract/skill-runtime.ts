import { operation } from "./operation.ts";
import { SKILL_PATH, skillAnswer, skillRequest } from "./skill.ts";

/**
 * How the skill runtime is asked to carry out one of its operations: a way to them, and none of them itself. Scope, rate
 * limit, effect and errors are those of the operation that is named.
 */
export const runSkillOperation = operation({
  name: "runSkillOperation",
  summary: "Carry out an operation of the skill runtime",
  description:
    "Whatever the method, but GET, which answers the catalogue. Scope, rate limit and refusals are those of the operation that is named; `GET /v1/skill/operations` says which of them the token may call. An `Idempotency-Key` holds for the operation that is named, as on its own route.",
  input: skillRequest,
  output: skillAnswer,
  errors: [
    "not_found",
    "conflict",
    "role_forbidden",
    "quota_exceeded",
    "secret_detected",
    "memory_id_conflict",
    "knowledge_scope_required",
    "invalid_transition",
    "dependency_incomplete",
    "payload_too_large",
    "unsupported_media_type",
  ],
  effect: "write",
  scopes: [],
  rate: null,
  http: { method: "POST", path: SKILL_PATH, status: 200 },
});
