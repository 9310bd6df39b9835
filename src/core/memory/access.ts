import { joined, type OwnWords, own, quotedField, shownId, word } from "../../contract/own-words.ts";
import type { Caller } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import type { MemoryRecord, Role, SeenMemory } from "./memory-record.ts";

/**
 * True if the caller may change a memory it sees: it is not a viewer of the team, may write its bucket, and the memory
 * is not a todo or decision.
 */
export function mayChange(caller: Caller, seen: SeenMemory): boolean {
  return seen.memory.workspaceItem === null && mayWrite(caller, seen);
}

/** The same for memories of any kind. */
export function mayWrite(
  caller: Caller,
  { memory, role }: { readonly memory: Pick<MemoryRecord, "bucket">; readonly role: Role },
): boolean {
  return role !== "viewer" && mayWriteBucket(caller, memory.bucket);
}

/** Rejects with `role_forbidden` if the role in the team is read-only. */
function requireWriter(role: Role): void {
  if (role === "viewer")
    throw new DomainError(
      "role_forbidden",
      "Your role in the team, viewer, may only read. An owner or admin can change it.",
    );
}

/**
 * Rejects with `conflict` if the memory is a todo or decision. Those have operations of their own, since their text
 * follows their state.
 */
export function requireOrdinary({ workspaceItem, memoryId, projectId }: MemoryRecord): void {
  if (workspaceItem === null) return;
  throw new DomainError(
    "conflict",
    own`This memory is a ${word(workspaceItem)}, id ${shownId(memoryId)}, of the project ${shownId(projectId ?? "")}: correct it, delete it and restore it by PATCH, DELETE and POST …/restore of /v1/projects/{project_id}/${word(workspaceItem)}s/{${word(workspaceItem)}_id}, and change its state by its operations.`,
  );
}

/**
 * Rejects a write to a team that the caller is not a member of (`not_found`) or may only view (`role_forbidden`). Call
 * it before taking locks, so that a caller without access cannot make another owner's writes wait.
 */
export async function requireMember(
  transaction: { roleIn(ownerId: string): Promise<Role | null> },
  ownerId: string,
): Promise<void> {
  const role = await transaction.roleIn(ownerId);
  if (role === null) throw notFound("team");
  requireWriter(role);
}

/**
 * Rejects a change of a memory that the caller sees but may not change: `role_forbidden`, or `insufficient_scope` for
 * the ledger.
 */
export function requireChangeable(caller: Caller, { memory, role }: SeenMemory): void {
  requireWriter(role);
  requireBucket(caller, memory.bucket);
}

/** The same for a permanent removal, which only a team's owners and admins may do. */
export function requireErasable(caller: Caller, { memory, role }: SeenMemory): void {
  if (!manages(role)) {
    throw new DomainError(
      "role_forbidden",
      "Only owners and admins of the team may delete or redact for good.",
    );
  }
  requireBucket(caller, memory.bucket);
}

/** True if `requireErasable` lets the caller erase it. */
export function mayErase(caller: Caller, { memory, role }: SeenMemory): boolean {
  return manages(role) && mayWriteBucket(caller, memory.bucket);
}

/** Rejects with `role_forbidden` if the caller may not run maintenance. In a team, only owners and admins may. */
export function requireMaintainer(role: Role): void {
  if (manages(role)) return;
  throw new DomainError("role_forbidden", "Only owners and admins of the team may maintain its projects.");
}

/** True for the owner itself, and for owners and admins of a team. */
function manages(role: Role): boolean {
  return role === "self" || role === "owner" || role === "admin";
}

function mayWriteBucket(caller: Caller, bucket: string): boolean {
  return bucket !== "ledger" || caller.scopes.has("ledger:write");
}

/** Rejects with `insufficient_scope` a write to the bucket ledger without its scope. */
export function requireBucket(caller: Caller, bucket: string): void {
  if (mayWriteBucket(caller, bucket)) return;
  throw new DomainError("insufficient_scope", "Writing the bucket ledger needs the scope ledger:write.");
}

// The reach of a credential, in words. Its creator chose the names.

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

/** Rejects with `insufficient_scope` a project that is not in the credential's list, whether or not it exists. */
export function requireProject({ space: { projects } }: Caller, projectId: string): void {
  if (projects?.includes(projectId) ?? true) return;
  throw new DomainError(
    "insufficient_scope",
    own`This credential reaches only ${projectWords(projects ?? [])}.`,
  );
}

/** Rejects with `insufficient_scope` an operation on a whole workspace if the credential reaches only a part of it. */
export function requireWholeSpace({ space: { pathPrefix, buckets } }: Caller): void {
  const part = pathPrefix !== null ? pathWords(pathPrefix) : buckets && bucketWords(buckets);
  if (part === null) return;
  throw new DomainError(
    "insufficient_scope",
    own`This credential reaches only ${part}, but this operation applies to the whole project.`,
  );
}

/** True if the path equals the prefix or is below it. */
export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/**
 * Rejects with `insufficient_scope` a place outside the credential's token space. For writes only: reads simply do not
 * see such memories.
 */
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
