/** The one place where a request's caller becomes an end user of its application. */
import type { Operation } from "../../contract/operation.ts";
import type { Owner } from "../access/credential.ts";
import { type Caller, holds } from "../caller.ts";
import { DomainError, type Issue, invalid } from "../error.ts";
import type { Ports } from "../ports.ts";
import { applicationOf } from "./application.ts";

/** An owner that does not exist and never will: an end user who has not written anything owns nothing. */
const NOBODY = "ffffffff-ffff-8fff-bfff-ffffffffffff";

type Named = Pick<Operation, "forEndUsers" | "effect">;

/**
 * Returns the caller in whose space a request takes place: the end user's, if the request names one in `user_id` or
 * `X-User-Id`, otherwise the credential's own. Besides this, a caller's owner changes only where a person erases in an
 * agent's quarantine (`core/subject/erase-subject.ts`). Rejects with
 * `validation_failed` if the two differ, or if the credential may not act for that end user.
 */
export async function callerInSpace(
  ports: Pick<Ports, "endUsers" | "store">,
  caller: Caller,
  operation: Named,
  input: unknown,
): Promise<Caller> {
  const named = namedUser(caller, operation, input);
  const application = caller.session ? memberOf(input, "application") : null;
  if (named === null && application != null)
    throw invalid(["user_id"], "must name an end user of the application");
  const acting =
    named === null
      ? caller
      : await actingFor(ports, caller, operation, { userId: named, teamId: application as string | null });
  return includesShared(input) && acting.owner.kind === "end_user"
    ? { ...acting, includesShared: true }
    : acting;
}

async function actingFor(
  ports: Pick<Ports, "endUsers" | "store">,
  caller: Caller,
  { effect }: Named,
  { userId, teamId }: { readonly userId: string; readonly teamId: string | null | undefined },
): Promise<Caller> {
  if (caller.owner.kind === "end_user") return caller;
  const application = await applicationOf(ports, caller, teamId);
  const existing = await (effect !== "read"
    ? ports.endUsers.ensure(application, userId)
    : caller.session
      ? lookedAt(ports, application, userId)
      : ports.endUsers.find(application, userId));
  return existing === null ? asEndUser(caller, userId, application) : { ...caller, owner: existing };
}

/** Returns the end user's owner for a person in the admin UI, whose looking is no activity of the end user. */
async function lookedAt(
  { endUsers }: Pick<Ports, "endUsers">,
  applicationId: string,
  userId: string,
): Promise<Owner | null> {
  const stored = await endUsers.get(applicationId, userId);
  return stored && { id: stored.ownerId, kind: "end_user", name: stored.userId, applicationId };
}

/** Returns the caller as an end user that owns nothing yet. */
export function asEndUser(caller: Caller, userId: string, application = caller.owner.id): Caller {
  if (caller.owner.kind === "end_user") return caller;
  return {
    ...caller,
    owner: { id: NOBODY, kind: "end_user", name: userId, applicationId: application },
  };
}

/**
 * Returns the end user that a request names, from its input (not necessarily validated) or its header; null if it names
 * none. Same errors as `callerInSpace`.
 */
export function namedUser(
  caller: Caller,
  { forEndUsers }: Pick<Operation, "forEndUsers">,
  input: unknown,
): string | null {
  const header = caller.userId ?? null;
  if (!forEndUsers) return header === null ? null : refusedHeader();
  const member = memberOf(input, "user_id");
  const given = typeof member === "string" ? member : null;
  if (header !== null && given !== null && header !== given)
    throw refused({ loc: ["user_id"] }, "names a different end user than X-User-Id");
  const named = given ?? header;
  if (named === null) return null;
  const why = whyNot(caller, named);
  if (why !== null) throw refused(given === null ? { claim: "userId", loc: [] } : { loc: ["user_id"] }, why);
  return named;
}

/** An operation that has nothing to do with a space, such as rotating the key, ignores no name of an end user. */
function refusedHeader(): never {
  throw refused({ claim: "userId", loc: [] }, "this operation is not about an end user: leave X-User-Id out");
}

/** Why the credential may not act for that end user; null if it may. */
function whyNot(caller: Caller, userId: string): string | null {
  const { owner, space } = caller;
  if (owner.kind === "end_user")
    return owner.name === userId
      ? null
      : "this token is confined to another end user: leave user_id and X-User-Id out";
  if (!holds(caller, "users:act"))
    return "this credential may not act for end users: that needs the scope users:act, which recollect keys create --end-users gives";
  if (space.teamId !== null)
    return "this credential is confined to a team: end users belong to the user or team whose key it is, so use the team's own key";
  return null;
}

function refused(at: Pick<Issue, "claim" | "loc">, message: string): DomainError {
  return new DomainError("validation_failed", message, {
    issues: [{ ...at, msg: message, type: "value_error" }],
  });
}

function includesShared(input: unknown): boolean {
  return memberOf(input, "include_shared") === true;
}

function memberOf(input: unknown, name: string): unknown {
  return typeof input === "object" && input !== null && Object.hasOwn(input, name)
    ? (input as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
