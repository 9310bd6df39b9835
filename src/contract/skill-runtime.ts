import { operation } from "./operation.ts";
import { SKILL_PATH, skillAnswer, skillRequest } from "./skill.ts";

/**
 * Runs an operation of the skill runtime by name. It only dispatches: scope, rate limit, effect and errors are those of
 * the named operation.
 */
export const runSkillOperation = operation({
  name: "runSkillOperation",
  summary: "Run an operation of the skill runtime",
  description:
    "Any method but GET runs an operation; GET returns the catalogue, which says what the token may call. Scope, rate limit and errors are those of the operation that you name, and an `Idempotency-Key` works as on its own route.",
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
