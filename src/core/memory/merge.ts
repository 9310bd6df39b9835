import { jsonObject } from "../../contract/primitives.ts";
import { invalid } from "../error.ts";
import { BY_SERVICE } from "./attribution.ts";
import type { MemoryChange, MemoryRecord } from "./memory-record.ts";
import { type CheckedMetadata, checkMetadata } from "./metadata.ts";

type Members = Readonly<Record<string, unknown>>;

/** Metadata after a change: merged at the top level (null deletes a key) or replaced; null clears it. */
export function mergedMetadata(
  memory: MemoryRecord,
  input: { metadata?: Members | null | undefined; merge_metadata: boolean },
): CheckedMetadata {
  if (input.metadata === undefined)
    return { metadata: memory.metadata, occurredAt: memory.occurredAt, dueAt: memory.dueAt, notices: [] };
  return checkMetadata(
    merged(restarted(memory.metadata, input.metadata), input.metadata, input.merge_metadata, "metadata"),
  );
}

/** Another rule counts from when the reminder is due then, not from when it was due first. */
function restarted(before: Members, given: Members | null): Members {
  const isRestarted = given !== null && ("recurrence" in given || "time_zone" in given);
  const { recurrence_start: _, ...others } = before;
  return isRestarted ? others : before;
}

/**
 * Provenance after a change. What says who wrote the memory, and in which project and session, stays:
 * a change does not rewrite authorship.
 */
export function mergedProvenance(
  memory: MemoryRecord,
  input: { provenance?: Members | null | undefined; merge_provenance: boolean },
): Pick<MemoryChange, "provenance"> {
  if (input.provenance === undefined) return {};
  const next = merged(memory.provenance, input.provenance, input.merge_provenance, "provenance");
  const kept = Object.fromEntries(
    ATTRIBUTION.filter((name) => name in memory.provenance).map((name) => [name, memory.provenance[name]]),
  );
  const others = Object.fromEntries(Object.entries(next).filter(([name]) => !ATTRIBUTION.includes(name)));
  return { provenance: { ...others, ...kept } };
}

const ATTRIBUTION = [
  "project_id",
  "session_id",
  "task_id",
  "agent_id",
  "agent_name",
  "agent_instance_id_hash",
  ...BY_SERVICE,
];

function merged(before: Members, given: Members | null, merge: boolean, name: string): Members {
  if (given === null) return {};
  const base = merge ? before : {};
  const entries = Object.entries({ ...base, ...given }).filter(([, value]) => !merge || value !== null);
  const result = Object.fromEntries(entries);
  if (!jsonObject.safeParse(result).success)
    throw invalid(["body", name], "would be larger than 64 KiB of JSON");
  return result;
}
