import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "./client.ts";
import { explainDatabaseFailure, isPassing } from "./failure.ts";

const WITHIN_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Resolves when the database accepts statements. If the server is at its limit, is still starting, or is a replica that
 * may be promoted, retries for a minute. Any other error rejects at once, since the address may be wrong.
 */
export async function awaitServer(sql: Sql, log: (message: string) => void): Promise<void> {
  const until = performance.now() + WITHIN_MS;
  let said = "";
  for (;;) {
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (!isPassing(error, false) || performance.now() > until) throw error;
      const why = explainDatabaseFailure(error) ?? "The database takes no connection.";
      if (why !== said) log(`${why} The start waits for it, for a minute at most.`);
      said = why;
    }
    await sleep(PAUSE_MS);
  }
}
