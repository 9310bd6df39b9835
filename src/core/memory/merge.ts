import { serviceMembers, storedMetadata, storedProvenance } from "../../contract/service-members.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalid } from "../error.ts";
import { isSameJson } from "../input/json.ts";
import { recurrenceIn } from "../reminder/recurrence.ts";
import type { MemoryChange, MemoryRecord } from "./memory-record.ts";
import { type CheckedMetadata, checkMetadata, instantIn, ofOtherWords } from "./metadata.ts";
import { rfc3339 } from "./present.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * The metadata after a change by this caller: merged at the top level (null deletes a key), replaced, or cleared by
 * null. `saysOtherwise`: the text changes too.
 */
export function mergedMetadata(
  caller: Caller,
  memory: MemoryRecord,
  input: { metadata?: Members | null | undefined; merge_metadata: boolean },
  saysOtherwise: boolean,
): CheckedMetadata {
  if (input.metadata === undefined) {
    const { metadata, occurredAt, dueAt } = memory;
    const kept = saysOtherwise ? ofOtherWords(metadata) : { metadata, notices: [] };
    return { ...kept, occurredAt, dueAt };
  }
  return checkMetadata(caller, {
    metadata: merged(anchored(memory, input.metadata), input.metadata, input.merge_metadata, "metadata"),
    given: input.metadata,
    before: memory.metadata,
    saysOtherwise,
  });
}

/**
 * The metadata that a change is merged into, with the start of a reminder's series. A new rule, or a rule given
 * together with a new due time, counts from the new due time. A reminder that is only postponed keeps counting from its
 * first due time.
 */
function anchored({ memoryType, metadata }: MemoryRecord, given: Members | null): Members {
  if (given === null || memoryType !== "reminder") return metadata;
  const isAnother = (name: string) =>
    name in given && !isSameJson(given[name] ?? null, metadata[name] ?? null);
  const isPutOff = "due_at" in given && instantIn(given, "due_at") !== instantIn(metadata, "due_at");
  const { recurrence_start: _, ...others } = metadata;
  if (["recurrence", "time_zone"].some((name) => isAnother(name) || (isPutOff && name in given)))
    return others;
  const series = isPutOff ? recurrenceIn(metadata) : null;
  return series === null ? metadata : { ...metadata, recurrence_start: rfc3339(series.start) };
}

/**
 * The provenance after a change. Author, project and session stay the same. `validation_failed` for each of these
 * members that the request sets to another value; sending back an answer unchanged is allowed.
 */
export function mergedProvenance(
  memory: MemoryRecord,
  input: { provenance?: Members | null | undefined; merge_provenance: boolean },
): Pick<MemoryChange, "provenance"> {
  if (input.provenance === undefined) return {};
  requireKept(memory.provenance, input.provenance ?? {});
  const next = merged(memory.provenance, input.provenance, input.merge_provenance, "provenance");
  const kept = Object.fromEntries(
    ATTRIBUTION.filter((name) => name in memory.provenance).map((name) => [name, memory.provenance[name]]),
  );
  const others = Object.fromEntries(Object.entries(next).filter(([name]) => !ATTRIBUTION.includes(name)));
  return { provenance: { ...others, ...kept } };
}

function requireKept(before: Members, given: Members): void {
  const rewritten = ATTRIBUTION.filter(
    (name) => name in given && !isSameJson(given[name] ?? null, before[name] ?? null),
  );
  if (rewritten.length === 0) return;
  const msg =
    "records who wrote the memory, and where, and cannot be changed: leave it out or send it back unchanged";
  const issues = rewritten.map((name) => ({ loc: ["provenance", name], msg, type: "value_error" }));
  throw new DomainError("validation_failed", `provenance.${rewritten.join(", ")} ${msg}`, { issues });
}

/** Members that record a memory's author, place and history. Only the service writes them. */
const ATTRIBUTION: readonly string[] = serviceMembers.provenance;

const STORED = { metadata: storedMetadata, provenance: storedProvenance };

function merged(
  before: Members,
  given: Members | null,
  merge: boolean,
  name: "metadata" | "provenance",
): Members {
  if (given === null) return {};
  const base = merge ? before : {};
  const entries = Object.entries({ ...base, ...given }).filter(([, value]) => !merge || value !== null);
  const result = Object.fromEntries(entries);
  if (!STORED[name].safeParse(result).success) throw invalid([name], "would be larger than 64 KiB of JSON");
  return result;
}
