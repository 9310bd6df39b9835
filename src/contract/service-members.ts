import { z } from "zod";
import { jsonObject } from "./primitives.ts";

/** Members of provenance that only the service writes: callers cannot forge them. */
export const ofServiceAlone = [
  "repeated_by",
  "merged_from",
  "adopted_from",
  "imported",
  "changed_by",
] as const;

/** The member of provenance that names the last person in a team, other than the author, to change the memory. */
export const CHANGED_BY = "changed_by" satisfies (typeof ofServiceAlone)[number];

/** The member of metadata that says who confirmed `last_verified_at`, and its only value. */
export const verifiedBy = "last_verified_by";
export const VOUCHED = "person";

/**
 * Members that the service writes into a caller's metadata and provenance. The service's and the caller's parts have
 * separate size limits, so that a full memory can still be completed, merged, adopted, changed, exported and imported.
 */
export const serviceMembers = {
  metadata: [
    // Reminders. `due_at` is included because completing a recurring reminder moves it.
    "completed_at",
    "completion_note",
    "due_at",
    "recurrence_start",
    "adopted_from",
    verifiedBy,
    // Todos and decisions. Recall shows their current state.
    "todo_status",
    "todo_priority",
    "assignee_agent_id",
    "accepted_by_agent_id",
    "blocked_reason",
    "ended_at",
    "decision_status",
    "impact_level",
    "proposed_by_agent_id",
    "resolved_by_agent_id",
    "resolved_at",
  ],
  provenance: [
    "project_id",
    "session_id",
    "task_id",
    "agent_id",
    "agent_name",
    "agent_instance_id_hash",
    ...ofServiceAlone,
  ],
} as const;

/** One of the two objects that the service writes into. */
export type SharedObject = keyof typeof serviceMembers;
export type ServiceMember<Name extends SharedObject> = (typeof serviceMembers)[Name][number];

type Members = Readonly<Record<string, unknown>>;

/** Splits the object into the service's members and the caller's. */
export function partsOf(name: SharedObject, object: Members): { service: Members; caller: Members } {
  const names: readonly string[] = serviceMembers[name];
  const part = (isPart: (member: string) => boolean) =>
    Object.fromEntries(Object.entries(object).filter(([member]) => isPart(member)));
  return {
    service: part((member) => names.includes(member)),
    caller: part((member) => !names.includes(member)),
  };
}

/** A stored object. The caller's members and the service's members are each at most 64 KiB of JSON. */
function shared(name: SharedObject) {
  return z
    .custom<Record<string, unknown>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      { error: "must be a JSON object", abort: true },
    )
    .superRefine((value, context) => {
      // Fast path: usually both parts together are within the limit of one.
      if (jsonObject.safeParse(value).success) return;
      for (const part of Object.values(partsOf(name, value))) {
        const issue = jsonObject.safeParse(part).error?.issues[0];
        if (issue) context.addIssue({ code: "custom", message: issue.message });
      }
    })
    .meta({ type: "object", additionalProperties: true });
}

export const storedMetadata = shared("metadata");
export const storedProvenance = shared("provenance");
