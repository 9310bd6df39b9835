import { jsonObject } from "../../contract/primitives.ts";
import type { Caller } from "../caller.ts";
import { isSameJson } from "../canonical-json.ts";
import { invalid } from "../error.ts";
import { requireInSpace } from "../memory/access.ts";
import type { MemoryChange, MemoryRecord } from "../memory/memory-record.ts";
import { mergedMetadata } from "../memory/merge.ts";

/** What of any todo or decision a request corrects. What is not given stays; null clears. */
export interface Correction {
  readonly bucket?: string | undefined;
  readonly path?: string | undefined;
  readonly source_memory_id?: string | null | undefined;
  readonly due_at?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  readonly merge_metadata: boolean;
}

/** What todos and decisions say alike. */
interface Common {
  readonly dueAt: number | null;
  readonly sourceMemoryId: string | null;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The corrected members, what the memory is changed to besides its words, and what the answer must say of it. */
interface Corrected {
  readonly common: Common;
  readonly place: Required<Pick<MemoryChange, "bucket" | "path" | "occurredAt">>;
  readonly notices: readonly string[];
}

/** `insufficient_scope` for a place outside the credential's token space, `validation_failed` for metadata as for memories. */
export function corrected(
  caller: Caller,
  memory: MemoryRecord,
  { dueAt, sourceMemoryId, extra }: Common,
  input: Correction,
): Corrected {
  const { metadata, occurredAt, notices } = mergedMetadata({ ...memory, metadata: extra }, input);
  // All of it is the caller's: what the service says of the state is kept apart.
  if (!jsonObject.safeParse(metadata).success)
    throw invalid(["metadata"], "would be larger than 64 KiB of JSON");
  const place = { bucket: input.bucket ?? memory.bucket, path: input.path ?? memory.path, occurredAt };
  requireInSpace(caller, { ...memory, ...place });
  return {
    common: {
      dueAt: input.due_at === undefined ? dueAt : input.due_at === null ? null : Date.parse(input.due_at),
      sourceMemoryId: input.source_memory_id === undefined ? sourceMemoryId : input.source_memory_id,
      extra: metadata,
    },
    place,
    notices,
  };
}

/** What was archived stays so: its words are corrected, not brought back. */
export function keptArchived({ status }: MemoryRecord): Pick<MemoryChange, "status"> {
  return status === "archived" ? { status } : {};
}

/** The members that can be corrected, with their names in the contract. */
const NAMES = {
  content: "content",
  context: "context",
  options: "options",
  priority: "priority",
  impactLevel: "impact_level",
  dueAt: "due_at",
  sourceMemoryId: "source_memory_id",
  extra: "metadata",
  bucket: "bucket",
  path: "path",
} as const;

export type Correctable = (typeof NAMES)[keyof typeof NAMES];

/** Which members of the second are others than those of the first. */
export function differing(before: object, after: object): Correctable[] {
  const [was, is] = [before, after] as Readonly<Record<string, unknown>>[];
  return (Object.keys(NAMES) as (keyof typeof NAMES)[])
    .filter((name) => is && name in is && !isSameJson(is[name], was?.[name]))
    .map((name) => NAMES[name]);
}
