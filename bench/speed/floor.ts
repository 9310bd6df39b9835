import { createHash } from "node:crypto";
import { Elysia } from "elysia";
import { uuidv7 } from "uuidv7";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { createBuiltinEmbedder, loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { createCredentialStore } from "../../src/adapters/postgres/access/credential-store.ts";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { ensureGeneration } from "../../src/adapters/postgres/recall/embeddings.ts";
import { createSystemOfRecord } from "../../src/adapters/postgres/system-of-record.ts";
import { createSecretScanner } from "../../src/adapters/secret-scan/create-secret-scanner.ts";
import { storeRequest } from "../../src/contract/memory.ts";
import { type Caller, callerOf } from "../../src/core/caller.ts";
import { RecentAnswers } from "../../src/core/memory/recent-answers.ts";
import { askOf, type PreparedWrite, prepareWrite } from "../../src/core/memory/remember.ts";
import { closedLoop, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import { fillSqlite, type SqliteSearch } from "./sqlite.ts";

/** The driver's pool has as many connections as the service's own. */
const CONNECTIONS = 16;
const NO_CLAIMS = {
  agentId: null,
  agentName: null,
  agentInstance: null,
  sessionId: null,
  taskId: null,
  projectId: null,
};

/** How a slice is asked for. */
export interface FloorSlice {
  readonly clients: number;
  readonly count: number;
  /** Number of the first memory that is written. */
  readonly from?: number;
}

/**
 * The floors in a bare process of their own: the statements of a write without the service around them, one read by
 * primary key, a search in SQLite's full text, and a route that does nothing but answer. They are asked for over HTTP, at
 * the URL on the first line of stdout. Its database is that of the server on the same data folder.
 */
export async function runFloor(dataDir: string, corpus: Corpus, key: string): Promise<void> {
  const database = await openEmbeddedPostgres({ dataDir, role: "tool", log: () => {} });
  const sql = connect(database.connection, CONNECTIONS);
  const embedder = createBuiltinEmbedder(await loadLexicon());
  const store = createSystemOfRecord(sql, await ensureGeneration(sql, embedder.generation));
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const credential = await createCredentialStore(sql).authenticate(key);
  if (!credential) throw new Error("The floor's key is not valid.");
  const caller = callerOf(credential, NO_CLAIMS, { requestId: "floor", hash });
  const secrets = { scanner: createSecretScanner(), policy: "mask" } as const;
  const handedOut = new RecentAnswers({ hash, clock: Date.now, key: "floor" });
  const junk = { policy: "keep_out", handedOut } as const;
  const ports = { store, embedder, clock: Date.now, newId: uuidv7, hash, secrets, junk };
  const ids = (await sql`select id from memories order by seq limit 10000`).map((row) => row.id as string);
  const answers = new Map<string, unknown>();

  /** All that needs no statement is done before the clock starts. `dedupe`: as if it were remembered, and not stored. */
  async function writes({ clients, count, from = 0 }: FloorSlice, dedupe: boolean): Promise<Timing> {
    const prepared: PreparedWrite[] = [];
    for (let number = from; number < from + count; number += 1) {
      prepared.push(await prepareWrite(ports, caller, storeRequest.parse(corpus.memory(number)), dedupe));
    }
    return closedLoop(clients, count, () => writeOne(caller, prepared.pop() as PreparedWrite));
  }

  async function writeOne(by: Caller, write: PreparedWrite): Promise<void> {
    const { memory, vector, locks, isIndependent } = write;
    await store.transaction(by, async (transaction) => {
      transaction.lock(locks);
      if (!isIndependent) await transaction.existing(memory, askOf(write));
      await transaction.insert(memory, vector);
    });
  }

  let next = 0;
  async function selects({ clients, count }: FloorSlice): Promise<Timing> {
    return closedLoop(clients, count, async () => {
      const id = ids[(next++ * 7919) % ids.length] as string;
      await sql`select id, memory_id, content, path, metadata, created_at from memories where id = ${id}`;
    });
  }

  const sqlite = new Map<number, Promise<SqliteSearch>>();
  async function searchSqlite(size: number, slice: FloorSlice): Promise<Timing> {
    const filled = sqlite.get(size) ?? fillSqlite(corpus, size);
    sqlite.set(size, filled);
    return (await filled)(slice);
  }

  const app = new Elysia({ serve: { idleTimeout: 240 } })
    .post("/writes", ({ body }) => writes(body as FloorSlice, false))
    .post("/remembered", ({ body }) => writes(body as FloorSlice, true))
    .post("/selects", ({ body }) => selects(body as FloorSlice))
    .post("/sqlite/:size", ({ params, body }) => searchSqlite(Number(params.size), body as FloorSlice))
    .post("/answers/:name", ({ params, body }) => {
      answers.set(params.name, body);
      return { kept: true };
    })
    .get("/answers/:name", ({ params }) => answers.get(params.name))
    .listen({ port: 0, hostname: "127.0.0.1" });
  console.log(`http://127.0.0.1:${app.server?.port}`);
}
