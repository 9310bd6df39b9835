import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedDatabaseError } from "./errors.ts";
import { username } from "./initialise-cluster.ts";

export const database = "recollect";

const pollMs = 20;
const progressEveryMs = 5_000;
/** Recovery after a crash replays at most about `max_wal_size`; a slow disk may need minutes for that. */
const patienceMs = 300_000;

const missingDatabase = "3D000";
const alreadyExists = "42P04";
const startingUp = "57P03";

/**
 * Waits until the server answers on its socket, and creates our database if it lacks it.
 *
 * @returns Undefined when it is ready, or the exit status if it ended before.
 */
export async function ensureDatabase(
  { socket }: DataFolder,
  exited: Promise<number>,
  log: (message: string) => void,
): Promise<number | undefined> {
  let status: number | undefined;
  void exited.then((code) => {
    status = code;
  });
  const startedAt = Date.now();
  let toldAt = startedAt;
  while (status === undefined) {
    if (await isReady(socket)) return undefined;
    const now = Date.now();
    if (now - startedAt > patienceMs) {
      throw new EmbeddedDatabaseError(
        `The embedded database does not answer after ${patienceMs / 60_000} minutes: look at its log, and start again.`,
      );
    }
    if (now - toldAt > progressEveryMs) {
      log("Waiting for the embedded database; it may be recovering after a crash.");
      toldAt = now;
    }
    await sleep(pollMs);
  }
  return status;
}

async function isReady(socket: string): Promise<boolean> {
  const answer = await run(socket, database, "select 1");
  if (answer !== missingDatabase) return answer === "done";
  const created = await run(socket, "postgres", `create database ${database}`);
  return created === "done" || created === alreadyExists;
}

/** Runs one statement on a connection of its own; "done", or the code of a failure that is worth waiting out. */
async function run(socket: string, name: string, statement: string): Promise<string> {
  const sql = postgres({ path: socket, database: name, username, max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
    return "done";
  } catch (failure) {
    const { code } = failure as { code?: string };
    const passing = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "CONNECTION_CLOSED", startingUp];
    if (code !== undefined && [...passing, missingDatabase, alreadyExists].includes(code)) return code;
    throw failure;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
