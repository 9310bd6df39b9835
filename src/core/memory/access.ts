import { joined, type OwnWords, own, quotedField, shownId, word } from "../../contract/own-words.ts";
import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import type { MemoryRecord, Role, SeenMemory } from "./memory-record.ts";

/**
 * True where the caller may change a memory it sees: it is no viewer of the team, may write its bucket, and the memory is
 * no todo or decision of a project.
 */
export function mayChange(caller: Caller, seen: SeenMemory): boolean {
  return seen.memory.workspaceItem === null && mayWrite(caller, seen);
}

/** The same for whatever kind of memory it is. */
export function mayWrite(
  caller: Caller,
  { memory, role }: { readonly memory: Pick<MemoryRecord, "bucket">; readonly role: Role },
): boolean {
  return role !== "viewer" && mayWriteBucket(caller, memory.bucket);
}

/** Refuses with `role_forbidden` where the role in the team only reads. */
function requireWriter(role: Role): void {
  if (role === "viewer")
    throw new DomainError(
      "role_forbidden",
      "Your role in the team, viewer, may read, not write. An owner or admin can change it.",
    );
}

/** Refuses with `conflict` to change or remove a todo or decision as if it were any memory: its text follows its state. */
export function requireOrdinary({ workspaceItem, memoryId, projectId }: MemoryRecord): void {
  if (workspaceItem === null) return;
  throw new DomainError(
    "conflict",
    own`This memory is a ${word(workspaceItem)}, id ${shownId(memoryId)}, of the project ${shownId(projectId ?? "")}: correct it, delete it and restore it by PATCH, DELETE and POST …/restore of /v1/projects/{project_id}/${word(workspaceItem)}s/{${word(workspaceItem)}_id}, and change its state by its operations.`,
  );
}

/**
 * Refuses a write to a team that the caller is no member of (`not_found`) or only views (`role_forbidden`). It comes
 * before the locks: nobody may make another owner's writes wait.
 */
export async function requireMember(
  transaction: { roleIn(ownerId: string): Promise<Role | null> },
  ownerId: string,
): Promise<void> {
  const role = await transaction.roleIn(ownerId);
  if (role === null) throw notFound("team");
  requireWriter(role);
}

/** Refuses a change of a memory that the caller sees: `role_forbidden`, or `insufficient_scope` for the ledger. */
export function requireChangeable(caller: Caller, { memory, role }: SeenMemory): void {
  requireWriter(role);
  requireBucket(caller, memory.bucket);
}

/** The same for a permanent removal, which in a team is for its owners and admins. */
export function requireErasable(caller: Caller, { memory, role }: SeenMemory): void {
  if (!manages(role)) {
    throw new DomainError(
      "role_forbidden",
      "Only owners and admins of the team may delete or redact for good.",
    );
  }
  requireBucket(caller, memory.bucket);
}

/** Refuses with `role_forbidden` who may not maintain: in a team that is for its owners and admins. */
export function requireMaintainer(role: Role): void {
  if (manages(role)) return;
  throw new DomainError("role_forbidden", "Only owners and admins of the team may maintain its projects.");
}

/** True for a caller's own owner, and for who runs the team. */
function manages(role: Role): boolean {
  return role === "self" || role === "owner" || role === "admin";
}

function mayWriteBucket(caller: Caller, bucket: string): boolean {
  return bucket !== "ledger" || caller.scopes.has("ledger:write");
}

/** Refuses with `insufficient_scope` to write the bucket ledger without its scope. */
export function requireBucket(caller: Caller, bucket: string): void {
  if (mayWriteBucket(caller, bucket)) return;
  throw new DomainError("insufficient_scope", "Writing the bucket ledger needs the scope ledger:write.");
}

// The reach of a credential, in words. The names are its creator's.

const NAME_LENGTH_MAX = 128;
const PATH_LENGTH_MAX = 200;

function pathWords(pathPrefix: string): OwnWords {
  return own`paths below ${quotedField(pathPrefix, PATH_LENGTH_MAX) ?? own`""`}`;
}

function bucketWords(buckets: readonly string[]): OwnWords {
  return own`the buckets ${joined(buckets.map((bucket) => quotedField(bucket, NAME_LENGTH_MAX)))}`;
}

function projectWords(projects: readonly string[]): OwnWords {
  return own`the projects ${joined(projects.map(shownId))}`;
}

/** Refuses with `insufficient_scope` a project that the credential's list does not hold, whatever there is in it. */
export function requireProject({ space: { projects } }: Caller, projectId: string): void {
  if (projects?.includes(projectId) ?? true) return;
  throw new DomainError(
    "insufficient_scope",
    own`This credential reaches only ${projectWords(projects ?? [])}.`,
  );
}

/** Refuses with `insufficient_scope` what is about a whole workspace to a credential that reaches a part of it. */
export function requireWholeSpace({ space: { pathPrefix, buckets } }: Caller): void {
  const part = pathPrefix !== null ? pathWords(pathPrefix) : buckets && bucketWords(buckets);
  if (part === null) return;
  throw new DomainError(
    "insufficient_scope",
    own`This credential reaches only ${part}, and this is about the whole project.`,
  );
}

/** True where the path is the prefix or lies below it. */
export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Refuses with `insufficient_scope` what the credential's token space does not reach. For writes; reads just do not see it. */
export function requireInSpace(
  caller: Caller,
  place: { path: string; bucket: string; projectId: string | null },
): void {
  const { projects, pathPrefix, buckets } = caller.space;
  const why =
    pathPrefix !== null && !isBelow(place.path, pathPrefix)
      ? pathWords(pathPrefix)
      : buckets !== null && !buckets.includes(place.bucket)
        ? bucketWords(buckets)
        : projects !== null && (place.projectId === null || !projects.includes(place.projectId))
          ? projectWords(projects)
          : null;
  if (why) throw new DomainError("insufficient_scope", own`This credential reaches only ${why}.`);
  requireBucket(caller, place.bucket);
}
