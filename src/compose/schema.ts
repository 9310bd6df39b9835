import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { migrate } from "../adapters/postgres/database/migrate.ts";
import { inspectMigrations, requireKnown } from "../adapters/postgres/database/migrations-applied.ts";

export interface SchemaOptions {
  /** Whether this program may change the schema itself. */
  readonly migrates: boolean;
  /** A server waits until the schema is migrated; a tool throws an error that asks for it. */
  readonly role: "server" | "tool";
  readonly log: (message: string) => void;
  /** Called with the reason, whenever it changes, why a server is not ready yet. */
  readonly waiting: (why: string) => void;
}

/** How soon a server notices that the schema is up to date. */
const LOOK_EVERY_MS = 1000;

/**
 * Resolves once this program can use the schema. Rejects if it is too new, and in a tool if it is too old and may not
 * be migrated.
 */
export async function schemaIsReady(sql: Sql, options: SchemaOptions): Promise<void> {
  const { migrates, role, log, waiting } = options;
  if (migrates) {
    await migrate(sql, {
      log(line) {
        log(line);
        waiting("The database schema is being brought up to date.");
      },
    });
    return;
  }
  for (let told = ""; ; await sleep(LOOK_EVERY_MS)) {
    const state = await inspectMigrations(sql);
    requireKnown(state);
    if (state.missing.length === 0) return;
    const why = `The database schema lacks ${state.missing.join(", ")}: run \`recollect migrate\` as the role that owns it.`;
    if (role === "tool") throw new Error(why);
    waiting("The database schema is not up to date yet.");
    if (told !== why) log(`${why} Waiting for it.`);
    told = why;
  }
}
