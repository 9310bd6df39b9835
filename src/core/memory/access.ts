import type { Caller } from "../caller.ts";
import { DomainError } from "../error.ts";
import type { Standing } from "./memory-record.ts";

/** True where that standing may write: everybody but a viewer. */
export function mayWrite(standing: Standing): boolean {
  return standing !== "viewer";
}

/** Refuses with `role_forbidden` where the role in the team only reads. */
export function requireWriter(standing: Standing): void {
  if (!mayWrite(standing))
    throw new DomainError("role_forbidden", "A viewer of the team may read, not write.");
}

/** Refuses with `role_forbidden` unless the caller is the owner, or owner or admin of the team. */
export function requireEraser(standing: Standing): void {
  if (standing === "self" || standing === "owner" || standing === "admin") return;
  throw new DomainError(
    "role_forbidden",
    "Only owners and admins of the team may delete or redact for good.",
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
  if (place.bucket === "ledger" && !caller.scopes.has("ledger:write")) {
    throw new DomainError("insufficient_scope", "Writing the bucket ledger needs the scope ledger:write.");
  }
}
