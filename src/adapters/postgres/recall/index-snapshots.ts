import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { Incarnations } from "../../../core/projection/incarnation.ts";
import type { PackedIndex } from "../../../recall/index/in-memory/index-snapshot.ts";
import type { IndexSnapshots, StoredIndex } from "../../../recall/index/index-snapshots.ts";
import type { Sql, TransactionSql } from "../database/client.ts";
import { stamp } from "../database/incarnation.ts";
import { parsedCursor, writtenCursor } from "./index-feed.ts";

/** Bytes of a row. */
const PART_BYTES = 1024 * 1024;

/** The first part of a stored index, in JSON after its CRC-32. The other parts are the columns. */
interface Head {
  readonly cursor: string;
  /** See `IndexSnapshotOptions`. */
  readonly analysis: string;
  readonly description: string;
  /** Length and CRC-32 of the columns. */
  readonly length: number;
  readonly checksum: number;
}

const CHECKSUM_BYTES = 4;

export interface IndexSnapshotOptions {
  readonly generation: number;
  readonly incarnations: Incarnations;
  /** Identifies how texts are read. Indexes that were read in another way are ignored. */
  readonly analysis: () => Promise<string>;
}

/**
 * Stores owners' indexes in the record's database, in the table `index_snapshots`. Triggers remove them in the
 * transaction that erases, moves or redacts a memory. An empty first part announces an index that is being made, so
 * that an erasure meanwhile removes it as well. Both take the owner's lock: erasures share it until they commit, and a
 * snapshot is announced and completed only while nobody has it.
 */
export function createIndexSnapshots(
  sql: Sql,
  { generation, incarnations, analysis }: IndexSnapshotOptions,
): IndexSnapshots {
  return {
    async load(ownerId) {
      const [row] = await sql`
        select snapshot, bytes, ${stamp(sql)} as stamp from index_snapshots
        where owner_id = ${ownerId} and generation = ${generation} and part = 0 and length(bytes) > 0`;
      if (row === undefined) return null;
      const { snapshot: id, stamp: now } = row as { snapshot: string; stamp: string };
      const head = headIn(Buffer.from(row.bytes as Uint8Array));
      if (head?.analysis !== (await analysis())) return null;
      const { incarnation, xmin } = parsedCursor(head.cursor);
      if (incarnation !== (await incarnations.current()).id) return null;
      const bytes = await readParts(sql, { ownerId, generation, id }, head.length);
      if (bytes === null || crc32(bytes) !== head.checksum) return null;
      // The stored index was committed after it had read, and survives no crash that its transaction id does not. So
      // after a restart of Postgres too, no id from before `xmin` is assigned again.
      return {
        id,
        cursor: writtenCursor({ incarnation, xmin, stamp: now }),
        description: head.description,
        bytes,
      } satisfies StoredIndex;
    },
    async idOf(ownerId) {
      const [row] = await sql`
        select snapshot from index_snapshots
        where owner_id = ${ownerId} and generation = ${generation} and part = 0 and length(bytes) > 0`;
      return (row?.snapshot as string | undefined) ?? null;
    },
    async begin(ownerId) {
      const key: SnapshotKey = { ownerId, generation, id: randomUUID() };
      const isBegun = await sql.begin(async (tx) => {
        if (!(await tryLock(tx, ownerId))) return false;
        // Another that was announced is given up, as one whose server has died must be.
        await tx`
          delete from index_snapshots
          where owner_id = ${ownerId} and generation = ${generation} and part = 0 and length(bytes) = 0`;
        await insertPart(tx, key, 0, Buffer.alloc(0));
        return true;
      });
      if (!isBegun) return null;
      return {
        id: key.id,
        async store(packed, cursor) {
          const first = firstPart(packed, { cursor, analysis: await analysis() });
          return sql.begin((tx) => store(tx, key, first, packed.columns)).catch(unlessGone);
        },
      };
    },
  };
}

interface SnapshotKey {
  readonly ownerId: string;
  readonly generation: number;
  readonly id: string;
}

function firstPart({ description, columns }: PackedIndex, made: Pick<Head, "cursor" | "analysis">): Buffer {
  const head: Head = {
    ...made,
    description,
    length: columns.reduce((sum, column) => sum + column.length, 0),
    checksum: columns.reduce((sum, column) => crc32(column, sum), 0),
  };
  const text = Buffer.from(JSON.stringify(head));
  const part = Buffer.alloc(CHECKSUM_BYTES + text.length);
  part.writeUInt32LE(crc32(text));
  part.set(text, CHECKSUM_BYTES);
  return part;
}

/** Returns null if the part is damaged. */
function headIn(part: Buffer): Head | null {
  const text = part.subarray(CHECKSUM_BYTES);
  if (part.length < CHECKSUM_BYTES || crc32(text) !== part.readUInt32LE()) return null;
  return JSON.parse(text.toString()) as Head;
}

/** Thrown to roll back what was stored for nothing. */
class SnapshotGone extends Error {
  override readonly name = "SnapshotGone";
}

function unlessGone(error: unknown): false {
  if (error instanceof SnapshotGone) return false;
  throw error;
}

async function store(
  tx: TransactionSql,
  key: SnapshotKey,
  first: Buffer,
  columns: PackedIndex["columns"],
): Promise<true> {
  let part = 0;
  for (const column of columns)
    for (let at = 0; at < column.length; at += PART_BYTES)
      await insertPart(tx, key, ++part, column.subarray(at, at + PART_BYTES));
  // The lock is taken last, so that erasures do not wait while the parts are written.
  if (!(await tryLock(tx, key.ownerId))) throw new SnapshotGone();
  const completed = await tx`
    update index_snapshots set bytes = ${first}
    where owner_id = ${key.ownerId} and generation = ${key.generation} and snapshot = ${key.id} and part = 0`;
  if (completed.count === 0) throw new SnapshotGone();
  await tx`
    delete from index_snapshots
    where owner_id = ${key.ownerId} and (generation, snapshot) <> (${key.generation}::int, ${key.id}::uuid)`;
  return true;
}

async function tryLock(tx: TransactionSql, ownerId: string): Promise<boolean> {
  const [row] = await tx`select pg_try_advisory_xact_lock(index_snapshot_lock(${ownerId})) as is_ours`;
  return row?.is_ours === true;
}

async function insertPart(
  tx: TransactionSql,
  { ownerId, generation, id }: SnapshotKey,
  part: number,
  bytes: Uint8Array,
): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  await tx`
    insert into index_snapshots (owner_id, generation, snapshot, part, bytes)
    values (${ownerId}, ${generation}, ${id}, ${part}, ${buffer})`;
}

/** Reads the parts after the first; null if they are not as long as they should be. */
async function readParts(
  sql: Sql,
  { ownerId, generation, id }: SnapshotKey,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(length);
  let end = 0;
  // In a transaction, because the driver refuses other statements on a connection that copies.
  await sql.begin(async (tx) => {
    const [row] = await tx`
      select format(
        'copy (select bytes from index_snapshots
          where owner_id = %L and generation = %L and snapshot = %L and part > 0 order by part)
        to stdout (format binary)', ${ownerId}::text, ${generation}::int, ${id}::text) as copy`;
    await copyValues(await tx.unsafe(row?.copy as string).readable(), (some) => {
      if (end + some.length <= length) bytes.set(some, end);
      end += some.length;
    });
  });
  return end === length ? bytes : null;
}

/** Bytes before the first row: a signature, flags and the length of an extension, which is 0. */
const COPY_HEADER_BYTES = 11 + 4 + 4;
/** Bytes before each value: the number of the row's columns, and the value's length. */
const VALUE_HEADER_BYTES = 2 + 4;

/** Passes on the values of a copy of one column in Postgres's binary format, piece by piece. */
async function copyValues(copy: Readable, onBytes: (some: Uint8Array) => void): Promise<void> {
  let header = Buffer.alloc(0);
  let headerLength = COPY_HEADER_BYTES + VALUE_HEADER_BYTES;
  let missing = 0;
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; ) {
      if (missing > 0) {
        const some = chunk.subarray(at, at + missing);
        onBytes(some);
        missing -= some.length;
        at += some.length;
        continue;
      }
      // The end of the copy is shorter than a header.
      const some = chunk.subarray(at, at + headerLength - header.length);
      header = Buffer.concat([header, some]);
      at += some.length;
      if (header.length < headerLength) continue;
      missing = header.readInt32BE(headerLength - 4);
      header = Buffer.alloc(0);
      headerLength = VALUE_HEADER_BYTES;
    }
  }
  // The driver pauses its socket when the stream is full, and leaves it paused if the stream ends then. The connection's
  // next statement would never be answered.
  copy._read(0);
}
