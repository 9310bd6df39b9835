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
 * Metadata after a change by this caller: merged at the top level (null deletes a key) or replaced; null clears it.
 * `saysOtherwise`: the change is one of the words, too.
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
 * The metadata that a change is merged into, with what the series of a reminder counts from. A new rule, or one that is
 * given with a new time, counts from the new due time; a reminder that is only put off keeps counting from its first one.
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
 * Provenance after a change. Author, project and session stay: a change does not rewrite authorship. `validation_failed` for
 * every such member with another value than it has; a client may send back an answer unchanged.
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
    "says who wrote the memory, and where: it stays as it is, so leave it out or send it back unchanged";
  const issues = rewritten.map((name) => ({ loc: ["provenance", name], msg, type: "value_error" }));
  throw new DomainError("validation_failed", `provenance.${rewritten.join(", ")} ${msg}`, { issues });
}

/** Members that name the author and place of a memory, and its fate: only the service writes them. */
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
