import { parentPort, workerData } from "node:worker_threads";
import { uuidv7 } from "uuidv7";
import { createElasticsearchClient } from "../../src/adapters/elasticsearch/client.ts";
import { createSearchEngine } from "../../src/adapters/elasticsearch/search-engine.ts";
import { loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { databaseIdentity } from "../../src/adapters/postgres/database/service-secret.ts";
import { createIndexGenerations } from "../../src/adapters/postgres/recall/index-generations.ts";
import { createIndexSource } from "../../src/adapters/postgres/recall/index-source.ts";
import { createOutbox } from "../../src/adapters/postgres/recall/outbox.ts";
import { project } from "../../src/core/projection/project.ts";
import type { SecondWorker } from "./workers.ts";

/** Does outbox lines as another server's worker would, in a thread of its own, until it is ended. */
const { connection, place, alias } = workerData as SecondWorker;
const LINES_PER_ROUND = 2000;
const IDLE_MS = 200;
const RENEW_EVERY_MS = 3000;

const sql = connect(connection);
const lexicon = await loadLexicon();
const client = createElasticsearchClient({
  nodes: [place.node],
  auth: place.auth,
  ca: null,
  requestTimeoutMs: 30_000,
});
const engine = createSearchEngine({
  client,
  alias,
  lexicon,
  replicas: null,
  database: await databaseIdentity(sql),
});
const [newest] = await sql`select max(id) as id from embedding_generations`;
const generation = newest?.id as number;
const outbox = createOutbox(sql, { generation, hasEngine: true });
/** Every memory has its vector. */
const lexiconEmbedder = {
  generation: { provider: "builtin", model: "none", dimension: lexicon.dimension },
  embed: () => Promise.reject(new Error("Nothing is to be embedded.")),
} as never;
const ports = {
  source: createIndexSource(sql, generation),
  embedder: lexiconEmbedder,
  index: { refresh: async () => {} },
  search: { engine, generations: createIndexGenerations(sql) },
  clock: Date.now,
  newId: uuidv7,
};
parentPort?.postMessage("ready");
for (;;) {
  const { lease, lines } = await outbox.claim(LINES_PER_ROUND);
  if (lines.length > 0) {
    const renewing = setInterval(() => void outbox.renew(lease), RENEW_EVERY_MS);
    const { outcomes } = await project(ports, lines);
    await outbox.settle(lease, outcomes);
    clearInterval(renewing);
    parentPort?.postMessage(lines.length);
  }
  if (lines.length < LINES_PER_ROUND) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
}
