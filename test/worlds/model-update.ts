import {
  type Credential,
  find,
  holds,
  homeTeam,
  idOf,
  isBelow,
  isLive,
  isTeam,
  type Memory,
  type Model,
  type OwnerName,
  roleOf,
  sees,
  shownStatus,
  stateOf,
  whyNotIn,
  whyNotWrite,
} from "./model.ts";
import { successorOf } from "./model-create.ts";
import type { Change, Target } from "./step.ts";
import { asItStands, NOT_SUPERSEDED, settle } from "./supersession.ts";
import { brief, refused, same, type Told } from "./told.ts";

/** Changes the model as a PATCH should change the world; answers where the service disagrees, or null. */
export function playUpdate(
  model: Model,
  credential: Credential,
  target: Target,
  wanted: Change,
  { body }: Told,
): string | null {
  if (credential.isEnded) return refused(body, ["invalid_token"]);
  const asksLedger = wanted.bucket === "ledger" && !holds(credential, "ledger:write");
  if (asksLedger || !holds(credential, "memory:update")) return refused(body, ["insufficient_scope"]);
  const memory = meantBy(model, credential, idOf(model, target), wanted);
  if (!memory || memory.status === "soft_deleted") return refused(body, ["not_found"]);
  const why = whyNotWrite(model, credential, memory);
  if (memory.status === "redacted") why.push("conflict");
  const { to, refusals } = destination(model, credential, memory, wanted);
  why.push(...refusals);
  const successor = wanted.supersededBy
    ? (presentSuccessor(model, credential, memory, wanted.supersededBy) ??
      successorOf(model, credential, to, wanted.supersededBy))
    : null;
  if (wanted.supersededBy && (successor === null || successor.serial === memory.serial))
    why.push("validation_failed");
  let next: Memory = { ...updated(memory, wanted, successor), owner: to, writes: memory.writes + 1 };
  if (isInTheWay(model, memory, next)) why.push("conflict");
  if (!isInSpace(credential, next)) why.push("insufficient_scope");
  if (why.length > 0) return refused(body, why);
  model.memories.set(memory.serial, next);
  settle(model);
  next = model.memories.get(memory.serial) as Memory;
  if (body.code !== undefined) return `a change should be done, was ${brief(body)}`;
  if (!holds(credential, "memory:read"))
    return same(body, { id: next.id, status: shownStatus(next) }, "a change");
  if (body.content !== next.content || body.metadata?.tag !== next.tag || body.id !== next.id)
    return `a change of ${next.id} (${next.tag}) was answered ${brief(body)}`;
  return conflictsFault(model, credential, next, body.conflicts ?? []);
}

/**
 * A PATCH that names a team means the memory there, where there is one; with a scope, which may be a move, the caller's own
 * comes first.
 */
function meantBy(model: Model, credential: Credential, id: string, wanted: Change): Memory | null {
  const first = find(model, credential, id);
  if (wanted.scope !== undefined && first !== null && !isTeam(first.owner)) return first;
  const inTeam = [...model.memories.values()].find(
    (memory) => memory.id === id && memory.owner === wanted.team && sees(model, credential, memory),
  );
  return inTeam ?? first;
}

/** Whose the memory is to be, and why it may not be. A team alone moves nothing. */
function destination(
  model: Model,
  credential: Credential,
  memory: Memory,
  { scope, team }: Change,
): { to: OwnerName; refusals: string[] } {
  const stays = (...refusals: string[]) => ({ to: memory.owner, refusals });
  const isOfTeam = team === undefined || (isTeam(memory.owner) && team === memory.owner);
  if (scope === undefined) return isOfTeam ? stays() : stays("validation_failed");
  if (isOfTeam && (scope === "team") === isTeam(memory.owner)) return stays();
  const home = homeTeam(credential);
  const isContradiction = scope === "private" ? home !== null || team !== undefined : home === null && !team;
  if (isContradiction) return stays("validation_failed");
  const to = scope === "private" ? credential.owner : (team ?? (home as OwnerName));
  if (home !== null && to !== home) return stays("not_found");
  const isTaken = roleOf(model, credential, memory.owner) === "member" && memory.author !== credential.owner;
  const refusals = [
    ...(isTaken ? ["role_forbidden"] : []),
    ...(scope === "team" ? whyNotIn(model, credential, to) : []),
  ];
  return { to, refusals };
}

/** A chain that would be split, or an id or a live memory of the same fact in the new space. */
function isInTheWay(model: Model, memory: Memory, next: Memory): boolean {
  if (memory.owner === next.owner) return false;
  const others = [...model.memories.values()];
  const staysSuperseded =
    next.supersededBy !== null &&
    next.supersededBy === memory.supersededBy &&
    model.memories.has(next.supersededBy);
  const isFactOf = (other: Memory) =>
    isLive(next) &&
    isLive(other) &&
    next.key !== null &&
    other.key === next.key &&
    other.project === next.project &&
    other.bucket === next.bucket;
  return (
    staysSuperseded ||
    others.some((other) => other.supersededBy === memory.serial) ||
    others.some((other) => other.owner === next.owner && (other.id === memory.id || isFactOf(other)))
  );
}

/** The one that supersedes it already: naming it again changes nothing. */
function presentSuccessor(
  model: Model,
  credential: Credential,
  memory: Memory,
  target: Target,
): Memory | null {
  if (memory.status !== "superseded" || memory.supersededBy === null) return null;
  const successor = model.memories.get(memory.supersededBy);
  const isIt = successor !== undefined && successor.id === idOf(model, target);
  return isIt && sees(model, credential, successor) ? successor : null;
}

function updated(stored: Memory, wanted: Change, successor: Memory | null): Memory {
  const memory = asItStands(stored);
  const isOther = wanted.status !== undefined && wanted.status !== memory.status;
  const next = {
    // Only another status ends what its row says of a successor that has given way.
    ...(isOther || successor ? memory : stored),
    past: [...memory.past, stateOf(memory)],
    tag: wanted.tag,
    content: wanted.content ?? memory.content,
    path: wanted.path ?? memory.path,
    bucket: wanted.bucket ?? memory.bucket,
    type: wanted.type ?? memory.type,
    key: wanted.key === undefined ? memory.key : wanted.key,
    ...(isOther ? { status: wanted.status as Memory["status"] } : {}),
    isExpired: wanted.isExpired ?? memory.isExpired,
  };
  if (successor) return { ...next, ...NOT_SUPERSEDED, status: "superseded", supersededBy: successor.serial };
  const isRevived =
    memory.status === "superseded" && (wanted.supersededBy === null || wanted.status !== undefined);
  return isRevived ? { ...next, status: wanted.status ?? "active", ...NOT_SUPERSEDED } : next;
}

function isInSpace({ space, scopes }: Credential, { path, bucket, project }: Memory): boolean {
  return (
    (space.pathPrefix === null || isBelow(path, space.pathPrefix)) &&
    (space.buckets === null || space.buckets.includes(bucket)) &&
    (space.projects === null || (project !== null && space.projects.includes(project))) &&
    (bucket !== "ledger" || scopes.includes("ledger:write"))
  );
}

/** Conflicts name live memories of the same owner that the credential sees, and all that share the key. */
function conflictsFault(
  model: Model,
  credential: Credential,
  memory: Memory,
  conflicts: readonly { id: string; reason: string }[],
): string | null {
  const others = [...model.memories.values()].filter(
    (other) =>
      other.owner === memory.owner &&
      other.serial !== memory.serial &&
      isLive(other) &&
      other.project === memory.project &&
      sees(model, credential, other),
  );
  const unknown = conflicts.filter(({ id }) => !others.some((other) => other.id === id));
  if (unknown.length > 0) return `a change names conflicts it should not: ${JSON.stringify(unknown)}`;
  const sameKey = others.filter(
    (other) => memory.key !== null && other.key === memory.key && other.bucket === memory.bucket,
  );
  const missing = sameKey.filter((other) => !conflicts.some(({ id }) => id === other.id));
  return missing.length > 0 ? `a change does not name the conflicts ${missing.map(({ id }) => id)}` : null;
}
