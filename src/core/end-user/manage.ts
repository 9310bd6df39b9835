/** An application lists, erases and exports its end users, and issues their tokens. */
import type { OutputOf } from "../../contract/operations.ts";
import { endUserScopes } from "../../contract/scope.ts";
import type { ErasedOwner } from "../access/erasure.ts";
import { begunAnswer, planChanged } from "../access/request-erasure.ts";
import { narrowedScopes, narrowedSpace } from "../agent/tokens.ts";
import { type Caller, requireScope } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { itemsThatFit } from "../limits/answer-bytes.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import { lineOf } from "../transfer/lines.ts";
import type { UseCase } from "../use-case.ts";
import { applicationOf } from "./application.ts";
import type { StoredEndUser } from "./end-user-store.ts";

type EndUserPorts = Pick<
  Ports,
  "endUsers" | "erasures" | "store" | "hash" | "keys" | "agents" | "clock" | "endUserExport"
>;

export const listEndUsers: UseCase<EndUserPorts, "listEndUsers"> = async (ports, caller, input) => {
  const application = await applicationOf(ports, caller, input.team_id);
  const { limit, cursor = null, prefix = null } = input;
  const found = await ports.endUsers.list(application, { limit: limit + 1, after: cursor, prefix });
  const page = found.slice(0, limit);
  return {
    users: page.map(present),
    next_cursor: found.length > limit ? (page.at(-1)?.userId ?? null) : null,
  };
};

export const getEndUser: UseCase<EndUserPorts, "getEndUser"> = async (ports, caller, input) =>
  present(await found(ports, await applicationOf(ports, caller, input.team_id), input.user_id));

/**
 * Issues a token confined to an end user, who is created if new. `validation_failed` at the member that exceeds the
 * requesting credential.
 */
export const issueEndUserToken: UseCase<EndUserPorts, "issueEndUserToken"> = async (ports, caller, input) => {
  const application = await applicationOf(ports, caller, input.team_id);
  const scopes = narrowedScopes(caller, input.scopes ?? null).filter((scope) =>
    endUserScopes.includes(scope),
  );
  const space = narrowedSpace(caller.space, input);
  const owner = await ports.endUsers.ensure(application, input.user_id);
  const asked = ports.clock() + input.expires_in_seconds * 1000;
  const expiresAt = Math.min(asked, (await ports.agents.tokenExpiry(caller.tokenId)) ?? asked);
  const { credential, secret } = await ports.keys.issue(
    {
      kind: "end_user",
      ownerId: owner.id,
      name: input.name ?? null,
      scopes,
      space,
      expiresAt,
      issuedBy: caller.tokenId,
    },
    caller.requestId,
  );
  return {
    id: credential.tokenId,
    token: secret,
    user_id: owner.name,
    scopes,
    projects: space.projects && [...space.projects],
    path_prefix: space.pathPrefix,
    buckets: space.buckets && [...space.buckets],
    expires_at: rfc3339(expiresAt),
  };
};

/** Previews or begins the erasure of an end user. Same rules as for other owners, except that the path names it. */
export const eraseEndUser: UseCase<EndUserPorts, "eraseEndUser"> = async (ports, caller, input) => {
  const applicationId = await applicationOf(ports, caller, input.team_id);
  requireScope(caller, ["memory:hard_delete"]);
  requireUnconfined(caller);
  const erased: ErasedOwner = { kind: "end_user", name: input.user_id, applicationId };
  const stored = await ports.endUsers.get(applicationId, input.user_id);
  if (stored === null) {
    const receipt = await ports.erasures.latestOf(erased);
    if (receipt === null) throw notFound("end user");
    return begunAnswer(input, receipt, true);
  }
  const owner = { ...erased, id: stored.ownerId };
  if (!input.dry_run && !input.plan_hash) throw invalid(["plan_hash"], "must be the plan_hash of a dry run");
  const rows = await ports.erasures.preview(owner);
  if (rows === null) throw notFound("end user");
  // The plan is of this end user, not of a number of rows: it may write on, and what it writes goes as well.
  const planHash = ports.hash(JSON.stringify([caller.tokenId, owner.id]));
  if (input.dry_run)
    return {
      dry_run: true,
      erasure_id: await ports.erasures.idFor(stored.ownerId),
      kind: "end_user",
      owner_id: stored.ownerId,
      name: input.user_id,
      would_remove: { ...rows },
      plan_hash: planHash,
      is_repeat: false,
    };
  if (planHash !== input.plan_hash) throw planChanged();
  const receipt = await ports.erasures.begin(owner, { tokenId: caller.tokenId, ownerId: applicationId });
  if (receipt === null) throw notFound("end user");
  return begunAnswer(input, receipt, false);
};

/** Returns a page of an end user's data as lines of an export. */
export const exportEndUser: UseCase<EndUserPorts, "exportEndUser"> = async (ports, caller, input) => {
  const application = await applicationOf(ports, caller, input.team_id);
  requireScope(caller, ["memory:read"]);
  requireUnconfined(caller);
  const { ownerId } = await found(ports, application, input.user_id);
  const { limit, cursor = null } = input;
  const { pieces, isLast } = await ports.endUserExport.page(ownerId, {
    limit,
    after: cursor,
    now: ports.clock(),
    withKnowledge: caller.scopes.has("knowledge:read"),
  });
  const lines = pieces.map(({ exported }) => exported.map((one) => ({ ...lineOf(one) })));
  const fitting = itemsThatFit(lines);
  const isCut = fitting.length < lines.length || !isLast;
  return {
    lines: fitting.flat(),
    next_cursor: isCut ? (pieces[fitting.length - 1]?.memory ?? null) : null,
  };
};

function present({ userId, memories, firstSeen, lastActive }: StoredEndUser): OutputOf<"getEndUser"> {
  return {
    user_id: userId,
    memories,
    first_seen: rfc3339(firstSeen),
    last_active: rfc3339(lastActive),
  };
}

async function found(
  { endUsers }: Pick<EndUserPorts, "endUsers">,
  application: string,
  userId: string,
): Promise<StoredEndUser> {
  const user = await endUsers.get(application, userId);
  if (user === null) throw notFound("end user");
  return user;
}

function requireUnconfined({ space }: Caller): void {
  if (Object.values(space).every((limit) => limit === null)) return;
  throw new DomainError(
    "insufficient_scope",
    "This needs a key that is not confined to projects, buckets or a path.",
  );
}
