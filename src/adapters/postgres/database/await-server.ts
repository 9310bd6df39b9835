import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "./client.ts";
import { explainDatabaseFailure, isPassing } from "./failure.ts";

const WITHIN_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Resolves when the database takes statements. A server that is at its limit, still starts, or is a replica that may be
 * promoted is asked again for a minute; anything else rejects at once, since it may be an address that is wrong.
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
