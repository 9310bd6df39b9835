import type { Session } from "./migration-session.ts";

const TELL_EVERY_MS = 10_000;

/**
 * Runs the statements one after the other, each in its own transaction, while others read and write. Indexes of an
 * earlier attempt are kept if they are complete, and dropped otherwise.
 */
export async function concurrently(
  session: Session,
  name: string,
  statements: readonly string[],
): Promise<void> {
  const { connection } = session;
  for (const statement of statements) {
    const index = /^create (?:unique )?index concurrently (?:if not exists )?([a-z0-9_]+) on /i.exec(
      statement,
    )?.[1];
    const state = index === undefined ? "none" : await stateOf(session, index);
    if (state === "whole") continue;
    if (state === "broken off") await connection.unsafe(`drop index concurrently ${index}`);
    await told(session, name, () => connection.unsafe(dropIfThere(statement)));
  }
}

/** An earlier attempt may have dropped the index already. */
function dropIfThere(statement: string): string {
  return statement.replace(/^drop index concurrently (?!if exists )/i, "drop index concurrently if exists ");
}

async function stateOf({ connection }: Session, index: string): Promise<"none" | "whole" | "broken off"> {
  const [row] =
    await connection`select indisvalid as is_whole from pg_index where indexrelid = to_regclass(${index})`;
  if (row === undefined) return "none";
  return row.is_whole ? "whole" : "broken off";
}

/** Runs the work, and logs the progress of an index every ten seconds. */
async function told(session: Session, name: string, work: () => PromiseLike<unknown>): Promise<void> {
  let isAsking = false;
  const telling = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void tell(session, name).finally(() => {
      isAsking = false;
    });
  }, TELL_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(telling);
  }
}

async function tell({ pool, log }: Session, name: string): Promise<void> {
  try {
    const [row] = await pool`
      select phase, tuples_done, tuples_total, nullif(current_locker_pid, 0) as waits_for
      from pg_stat_progress_create_index where datname = current_database() limit 1`;
    if (row === undefined) return;
    const waits =
      row.waits_for === null ? "" : `; it waits for process ${row.waits_for} and blocks no other process`;
    log(`Migration ${name}: ${row.phase}, ${row.tuples_done} of ${row.tuples_total} rows${waits}.`);
  } catch {
    // The work continues without a progress report.
  }
}
