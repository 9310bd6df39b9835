import { setTimeout as sleep } from "node:timers/promises";
import type { Migration, Way } from "./migration-file.ts";
import { type Session, transaction } from "./migration-session.ts";

/** A value below every key of a type. */
const BEFORE_ALL: Readonly<Record<string, string>> = {
  uuid: "00000000-0000-0000-0000-000000000000",
  bigint: "-9223372036854775808",
};

const KEYS_FIRST = 500;
const KEYS_MIN = 50;
const KEYS_MAX = 20_000;
/** Target duration of a batch: its rows stay locked for as long. */
const BATCH_MS = 200;
const TELL_EVERY_MS = 10_000;

type Batches = Extract<Way, { kind: "batches" }>;

/**
 * Runs the migration's one statement for the rows of some keys at a time, `key > $1 and key <= $2`, from the lowest key to the
 * highest, each in a transaction that notes its progress. An interrupted migration continues after the last noted key.
 */
export async function inBatches(session: Session, { name, sql }: Migration, way: Batches): Promise<void> {
  const { connection, log } = session;
  const type = await keyType(session, way);
  const [noted] = await connection`select done_to, rows_done from migration_steps where name = ${name}`;
  let doneTo = (noted?.done_to as string | null | undefined) ?? BEFORE_ALL[type] ?? "";
  let rows = Number(noted?.rows_done ?? 0);
  let keys = KEYS_FIRST;
  let toldAt = performance.now();
  for (;;) {
    const upTo = await nextKey(session, way, { doneTo, type, keys });
    if (upTo === null) break;
    const began = performance.now();
    let count = 0;
    await transaction(session, name, async () => {
      ({ count } = await connection.unsafe(sql, [doneTo, upTo]));
      await connection`
        insert into migration_steps (name, done_to, rows_done) values (${name}, ${upTo}, ${rows + count})
        on conflict (name) do update
          set done_to = excluded.done_to, rows_done = excluded.rows_done, updated_at = now()`;
    });
    rows += count;
    doneTo = upTo;
    const took = performance.now() - began;
    keys = Math.round(Math.min(KEYS_MAX, Math.max(KEYS_MIN, keys * Math.min(2, BATCH_MS / took))));
    if (performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now();
      log(`Migration ${name}: ${rows} rows of ${way.table} so far.`);
    }
    // Leaves half of the time to others.
    await sleep(took);
  }
  if (rows > 0) log(`Migration ${name}: ${rows} rows of ${way.table}.`);
}

/** The highest of the next keys; null if there are none. */
async function nextKey(
  { connection }: Session,
  { table, key }: Batches,
  { doneTo, type, keys }: { doneTo: string; type: string; keys: number },
): Promise<string | null> {
  const [row] = await connection.unsafe(
    `select ${key}::text as key from (
       select ${key} from ${table} where ${key} > $1::text::${type} order by ${key} limit ${keys}
     ) next order by next.${key} desc limit 1`,
    [doneTo],
  );
  return (row?.key as string | undefined) ?? null;
}

async function keyType({ connection }: Session, { table, key }: Batches): Promise<string> {
  const [row] = await connection`
    select format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${table}) and attname = ${key} and not attisdropped`;
  const type = row?.type as string | undefined;
  if (type === undefined || !Object.hasOwn(BEFORE_ALL, type))
    throw new Error(`A migration goes through ${table} by ${key}, which is no uuid and no bigint of it.`);
  return type;
}
