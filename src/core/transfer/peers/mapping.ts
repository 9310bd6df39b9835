/**
 * The mapping of a store's records to memories. Counted while the store is read, whether or not anything is written.
 */
import type { SourceRecord } from "../import-memories.ts";
import type { PeerRecord } from "./peer-record.ts";

/** The memories that records of one kind became. */
export interface Mapped {
  readonly kind: string;
  readonly memory_type: string;
  readonly bucket: string;
  /** Their common path, with `/%` at the end if they differ below it. */
  readonly path: string;
  readonly memories: number;
}

/** Records of one kind that become no memory, and why. Invalid records are complaints of the import instead. */
export interface LeftOut {
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
}

export interface Mapping {
  readonly mapped: readonly Mapped[];
  readonly left_out: readonly LeftOut[];
}

export interface MappingTally {
  /** Passes the records on to an import and counts them. `importedAt`: the creation time of records that have none. */
  records(
    read: AsyncIterable<PeerRecord> | Iterable<PeerRecord>,
    importedAt: string,
  ): AsyncGenerator<SourceRecord>;
  mapping(): Mapping;
}

export function createMappingTally(): MappingTally {
  const mapped = new Map<string, Mapped>();
  const leftOut = new Map<string, LeftOut>();
  const count = ({ kind, ...record }: PeerRecord) => {
    if ("leftOut" in record) {
      const key = JSON.stringify([kind, record.leftOut]);
      leftOut.set(key, { kind, reason: record.leftOut, count: (leftOut.get(key)?.count ?? 0) + 1 });
    } else if ("value" in record) {
      const to = record.value as { memory_type: string; path: string; bucket?: string };
      const { memory_type, bucket = "public" } = to;
      const key = JSON.stringify([kind, memory_type, bucket]);
      const before = mapped.get(key);
      const path = before ? inCommon(before.path, to.path) : to.path;
      mapped.set(key, { kind, memory_type, bucket, path, memories: (before?.memories ?? 0) + 1 });
    }
  };
  return {
    async *records(read, importedAt) {
      for await (const record of read) {
        count(record);
        const { line, offset } = record;
        if ("problem" in record) yield { line, offset, problem: record.problem };
        else if ("value" in record) yield { line, offset, ...dated(record.value, importedAt) };
      }
    },
    mapping: () => ({ mapped: [...mapped.values()], left_out: [...leftOut.values()] }),
  };
}

function dated(value: Readonly<Record<string, unknown>>, importedAt: string) {
  return value.created_at === undefined
    ? { value: { ...value, created_at: importedAt }, isUndated: true }
    : { value };
}

function inCommon(before: string, path: string): string {
  if (before === path) return before;
  const [a, b] = [before.replace(/\/%$/, "").split("/"), path.split("/")];
  const length = a.findIndex((part, at) => part !== b[at]);
  return [...a.slice(0, length === -1 ? a.length : length), "%"].join("/");
}
