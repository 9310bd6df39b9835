import { authorities } from "../../contract/memory.ts";
import { instant } from "../../contract/primitives.ts";
import { invalid } from "../error.ts";

/** Metadata as it will be stored, with what the service read in it and what it changed. */
export interface CheckedMetadata {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly occurredAt: number | null;
  readonly dueAt: number | null;
  /** What was changed, for the answer; empty where nothing was. */
  readonly notices: readonly string[];
}

const INSTANTS = ["occurred_at", "due_at", "review_after", "last_verified_at"] as const;

type Instant = (typeof INSTANTS)[number];

/** Members by which the service weighs a memory, or acts on it when their time comes: for who answers for it to set. */
export const GUIDING_MEMBERS = [
  "authority",
  "due_at",
  "recurrence",
  "recurrence_start",
  "time_zone",
  "review_after",
  "last_verified_at",
] as const;

/** An instant in metadata, in milliseconds since the epoch; null where there is none. For metadata that was never checked, too. */
export function instantIn(metadata: Readonly<Record<string, unknown>>, name: Instant): number | null {
  if (typeof metadata[name] !== "string") return null;
  const value = instant.safeParse(metadata[name]);
  return value.success ? Date.parse(value.data) : null;
}

/**
 * Checks the members the service gives a meaning to; the others are the caller's own.
 * `verified` and `directive` speak for a person, so a credential alone cannot claim them: they become `observation`.
 */
export function checkMetadata(metadata: Readonly<Record<string, unknown>>): CheckedMetadata {
  for (const name of INSTANTS) {
    const value = metadata[name];
    if (value !== undefined && value !== null && !instant.safeParse(value).success) {
      throw invalid(
        ["metadata", name],
        "must be an RFC 3339 time with its offset, such as 2026-01-31T09:00:00Z",
      );
    }
  }
  const instants = {
    occurredAt: instantIn(metadata, "occurred_at"),
    dueAt: instantIn(metadata, "due_at"),
  };
  const authority = metadata.authority;
  if (authority === undefined || authority === null) return { metadata, ...instants, notices: [] };
  if (!(authorities as readonly unknown[]).includes(authority)) {
    throw invalid(["metadata", "authority"], `must be one of ${authorities.join(", ")}`);
  }
  if (authority === "observation" || authority === "inference") return { metadata, ...instants, notices: [] };
  return {
    metadata: { ...metadata, authority: "observation" },
    ...instants,
    notices: [
      `metadata.authority was lowered to observation: only a signed-in user can vouch as ${authority}`,
    ],
  };
}
