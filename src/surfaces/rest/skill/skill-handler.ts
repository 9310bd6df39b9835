import type { Operation } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import { type SkillRequest, skillOperations } from "../../../contract/skill.ts";
import { runSkillOperation } from "../../../contract/skill-runtime.ts";
import type { Application } from "../../../core/application.ts";
import { invalidToken } from "../../../core/caller.ts";
import { DomainError } from "../../../core/error.ts";
import { ignoredMembers, membersBelow, type UnknownMember } from "../../../core/input/unknown-members.ts";
import { memberOfParty } from "../../../core/limits/fair-share.ts";
import { withLeastLeft } from "../../../core/limits/rate-limiter.ts";
import { operationBehind, readSkillRequest, skillCallOf } from "../../../core/skill/skill-call.ts";
import { admitAs, admitCaller, CLAIM_HEADERS, runInSlot } from "../../http/admission.ts";
import { type Handler, json, type SurfaceDependencies } from "../../http/pipeline.ts";
import { type Ignoring, idempotencyKey, inputCollector } from "../input.ts";

/** Methods that run an operation. GET returns the catalogue. */
export const SKILL_METHODS = ["POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Runs an operation of the skill runtime by its underlying operation, with the same credential check, rate limit,
 * idempotency, slot and answer as on that operation's own route. Operations that the token may not call are refused
 * before their input is validated.
 */
export function skillHandler(
  deps: SurfaceDependencies & { readonly application: Application },
): Handler<Ignoring> {
  const inputOf = inputCollector(deps, runSkillOperation);
  return async (context) => {
    const caller = await admitCaller(deps, context, null);
    // This credential is valid for one other operation only.
    if (caller.onlyFor !== null) throw invalidToken();
    const sent = await inputOf(context);
    const asked = await withPlaces(["body"], async () => readSkillRequest(sent));
    const name = operationBehind(asked.operation);
    const operation = operations[name] as unknown as Operation;
    context.operation = operation;
    const call = deps.application.permit(name, caller, {});
    context.rateLimit = withLeastLeft(context.rateLimit, await admitAs(deps, caller, operation.rate));
    const invocation = { idempotencyKey: idempotencyKey(operation, context.request.headers) };
    return withPlaces(["body", "input"], async () => {
      const skill = skillCallOf(asked.operation, caller, asked.input);
      context.ignored = [...context.ignored, ...ignoredIn(asked)];
      const output = await runInSlot(
        deps,
        context,
        operation,
        (pace) => call(skill.input, { ...invocation, pace }),
        { member: memberOfParty(caller, skill.input) },
      );
      return json(200, {
        operation: asked.operation,
        request_id: asked.request_id ?? context.requestId,
        ok: true,
        result: skill.resultOf(output),
      });
    });
  };
}

/** Returns the unknown members of the operation's input, by their place. */
function ignoredIn({ operation, input }: SkillRequest): UnknownMember[] {
  const known = { input: skillOperations[operation].input };
  return membersBelow("input", ignoredMembers(known, input));
}

/** Adds to a refusal's issues their place in the body. */
async function withPlaces<T>(root: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.issues.length === 0) throw error;
    const issues = error.issues.map(({ claim, loc, msg, type }) => ({
      loc: claim === undefined ? [...root, ...loc] : ["header", CLAIM_HEADERS[claim]],
      msg,
      type,
    }));
    throw new DomainError(error.code, error.message, { issues, cause: error });
  }
}
