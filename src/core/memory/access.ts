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
  if (role === "viewer") throw new DomainError("role_forbidden", "A viewer of the team may read, not write.");
}

/** Refuses with `conflict` to change or remove a todo or decision as if it were any memory: its text follows its state. */
export function requireOrdinary({ workspaceItem, memoryId, projectId }: MemoryRecord): void {
  if (workspaceItem === null) return;
  throw new DomainError(
    "conflict",
    `This memory is a ${workspaceItem} of the project ${projectId}: correct it, delete it and restore it by PATCH, DELETE and POST …/restore of /v1/projects/${projectId}/${workspaceItem}s/${memoryId}, and change its state by its operations.`,
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

/** Refuses with `insufficient_scope` a project that the credential's list does not hold, whatever there is in it. */
export function requireProject({ space: { projects } }: Caller, projectId: string): void {
  if (projects?.includes(projectId) ?? true) return;
  throw new DomainError(
    "insufficient_scope",
    `This credential reaches only the projects ${projects?.join(", ")}.`,
  );
}

/** Refuses with `insufficient_scope` what is about a whole workspace to a credential that reaches a part of it. */
export function requireWholeSpace({ space: { pathPrefix, buckets } }: Caller): void {
  const part =
    pathPrefix !== null ? `paths below ${pathPrefix}` : buckets && `the buckets ${buckets.join(", ")}`;
  if (part === null) return;
  throw new DomainError(
    "insufficient_scope",
    `This credential reaches only ${part}, and this is about the whole project.`,
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
      ? `paths below ${pathPrefix}`
      : buckets !== null && !buckets.includes(place.bucket)
        ? `the buckets ${buckets.join(", ")}`
        : projects !== null && (place.projectId === null || !projects.includes(place.projectId))
          ? `the projects ${projects.join(", ")}`
          : null;
  if (why) throw new DomainError("insufficient_scope", `This credential reaches only ${why}.`);
  requireBucket(caller, place.bucket);
}
