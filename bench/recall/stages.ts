import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspectDatabase } from "../../src/adapters/postgres/database/inspect.ts";
import { readConfig } from "../../src/compose/config.ts";
import { openService, type Service } from "../../src/compose/service.ts";
import { recallContextRequest, searchRequest } from "../../src/contract/recall.ts";
import { scopes } from "../../src/contract/scope.ts";
import { type Caller, callerOf } from "../../src/core/caller.ts";
import type { Ports } from "../../src/core/ports.ts";
import { recallContext } from "../../src/core/recall/recall-context.ts";
import { searchMemories } from "../../src/core/recall/search.ts";
import { CANDIDATES_DEFAULT } from "../../src/recall/index/in-memory/retrieval.ts";
import { analyseQuery } from "../../src/recall/index/query.ts";
import type { CandidateSet } from "../../src/recall/index/recall-index.ts";
import { isNeighbour, proposalsOf } from "../../src/recall/ranking/proposals.ts";
import { rank } from "../../src/recall/ranking/rank.ts";
import { milliseconds, type Table } from "../speed/table.ts";
import { askedAfter, type DataSet, type Memory, type Query, type Space } from "./data-set.ts";
import type { IndexName } from "./in-process.ts";

/** The stages of a recall, in their order, and what each line of the table says. */
const STAGES = {
  analysed: "analysed",
  words: "proposed by words",
  vector: "proposed by vector",
  exact: "proposed by what the query quotes or identifies",
  newest: "proposed as one of the newest",
  neighbours: "proposed as a neighbour alone",
  proposed: "proposed",
  ranked50: "ranked, among the first 50",
  ranked: "ranked, among the first 10",
  read: "read, among the first 10",
  searched: "a search as a whole",
  packed: "packed",
} as const;
type Stage = keyof typeof STAGES;

/** Of each stage, what part of each query's relevant memories is still there, and how long each query took. */
interface StageFigures {
  readonly shares: ReadonlyMap<Stage, readonly number[]>;
  readonly milliseconds: ReadonlyMap<Stage, readonly number[]>;
  /** What answered, and how often. */
  readonly engines: ReadonlyMap<string, number>;
}

class Figures implements StageFigures {
  readonly shares = new Map<Stage, number[]>();
  readonly milliseconds = new Map<Stage, number[]>();
  readonly engines = new Map<string, number>();

  share(stage: Stage, found: ReadonlySet<string>, relevant: readonly string[]): void {
    add(this.shares, stage, relevant.filter((id) => found.has(id)).length / relevant.length);
  }

  async time<T>(stage: Stage, work: () => T | Promise<T>): Promise<T> {
    const start = performance.now();
    const made = await work();
    add(this.milliseconds, stage, performance.now() - start);
    return made;
  }
}

function add(to: Map<Stage, number[]>, stage: Stage, value: number): void {
  const values = to.get(stage) ?? [];
  values.push(value);
  to.set(stage, values);
}

/**
 * Follows the relevant memories of a data set through the service's own code, in this process, on a database of its own:
 * stores each space in order, and asks each query when as much is stored as it says. With the token model, when its vectors
 * are made.
 */
export async function measureStages(
  index: IndexName,
  data: DataSet,
  { hasTokens }: { hasTokens: boolean },
): Promise<StageFigures> {
  const folder = await mkdtemp(join(tmpdir(), "recollect-stages-"));
  try {
    const service = await openService(settings(index, folder, hasTokens), {
      role: "server",
      log: () => {},
      report: (error) => console.error(error),
    });
    try {
      return await followed(service, index, data);
    } finally {
      await service.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function settings(index: IndexName, folder: string, hasTokens: boolean) {
  const engine = Object.entries(process.env).filter(([name]) => name.startsWith("ELASTICSEARCH_"));
  if (index === "elasticsearch" && engine.length === 0)
    throw new Error("ELASTICSEARCH_URL must name a node.");
  return readConfig({
    APP_ENV: "test",
    DATA_DIR: folder,
    LOG_LEVEL: "error",
    TOKEN_MODEL: hasTokens ? "on" : "off",
    ...(index === "elasticsearch" ? Object.fromEntries(engine) : {}),
  });
}

async function followed(service: Service, index: IndexName, data: DataSet): Promise<StageFigures> {
  const caller = await someCaller(service);
  await isReady(service, caller, index);
  const figures = new Figures();
  for (const space of data.spaces) {
    console.error(`${data.name} (${data.license}): ${space.space}, ${space.queries.length} queries`);
    await followSpace(service, caller, space, figures);
  }
  return figures;
}

async function someCaller({ credentials, ports }: Service): Promise<Caller> {
  const owner = await credentials.ensureOwner("user", "bench");
  const { secret } = await credentials.issue({
    kind: "api_key",
    ownerId: owner.id,
    name: null,
    scopes: Object.keys(scopes) as (keyof typeof scopes)[],
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    expiresAt: null,
  });
  const credential = await credentials.authenticate(secret);
  if (credential === null) throw new Error("The key that was made is not known.");
  const claims = {
    agentId: null,
    agentName: null,
    agentInstance: null,
    sessionId: null,
    taskId: null,
    projectId: null,
  };
  return callerOf(credential, claims, { requestId: "bench", hash: ports.hash });
}

const READY_WITHIN_MS = 60_000;

/** A new service makes the search engine's index first, and is answered for until then. */
async function isReady({ application }: Service, caller: Caller, index: IndexName): Promise<void> {
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
    const answer = await application.call("recallContext", caller, { query: "ready" });
    if ("retrieval_plan" in answer && answer.retrieval_plan.engine === index) return;
  }
  throw new Error(`${index} does not answer.`);
}

async function followSpace(service: Service, caller: Caller, space: Space, figures: Figures): Promise<void> {
  const idOf = new Map<string, string>();
  const asked = space.queries.filter(({ relevant }) => relevant.length > 0);
  for (let stored = 0; stored <= space.memories.length; stored += 1) {
    for (const query of asked.filter((one) => askedAfter(one, space) === stored)) {
      await areEncoded(service);
      const relevant = query.relevant.map((ref) => idOf.get(ref) ?? ref);
      await follow(service.ports, caller, { space, query, relevant }, figures);
    }
    const memory = space.memories[stored];
    if (memory) idOf.set(memory.ref, await store(service, caller, space, memory));
  }
}

/** Resolves when nothing waits for a model; at once where there is none. */
async function areEncoded({ sql, ports }: Service): Promise<void> {
  while ((await inspectDatabase(sql)).counts?.without_token_vectors) await sleep(20);
  if (ports.serving().multilingual === null) return;
  const waiting = () => sql`select from embeddings where multilingual is null limit 1`;
  while ((await waiting()).length > 0) await sleep(20);
}

async function store(
  { application }: Service,
  caller: Caller,
  space: Space,
  memory: Memory,
): Promise<string> {
  const { id } = await application.call("storeMemory", caller, {
    content: memory.content,
    path: `bench/${space.space}`,
    source: memory.speaker,
    metadata: { occurred_at: memory.created_at },
    provenance: { session_id: memory.session },
  });
  return id;
}

/** One query, by the code that answers a search and a context, each of whose parts is watched. */
async function follow(
  ports: Ports,
  caller: Caller,
  { space, query, relevant }: { space: Space; query: Query; relevant: readonly string[] },
  figures: Figures,
): Promise<void> {
  const asked = { query: query.query, path: `bench/${space.space}` };
  const analysis = await figures.time("analysed", () => analyseQuery(asked.query, ports.lexicon));
  const watched = watch(ports, figures);
  const search = searchRequest.parse({ ...asked, limit: 10 });
  const { results } = await figures.time("searched", () => searchMemories(watched.ports, caller, search));
  const set = watched.proposed();
  figures.engines.set(set.engine, (figures.engines.get(set.engine) ?? 0) + 1);
  followProposals(analysis, set, relevant, figures);
  const ranked = await figures.time("ranked", () => rank(analysis, set));
  const first = (count: number) => new Set(ranked.slice(0, count).map(({ id }) => id));
  figures.share("ranked50", first(50), relevant);
  figures.share("ranked", first(10), relevant);
  figures.share("read", new Set(results.map(({ id }) => id)), relevant);
  const context = recallContextRequest.parse(asked);
  const { items } = await figures.time("packed", () => recallContext(ports, caller, context));
  figures.share("packed", new Set(items.map(({ id }) => id)), relevant);
}

function followProposals(
  query: ReturnType<typeof analyseQuery>,
  set: CandidateSet,
  relevant: readonly string[],
  figures: Figures,
): void {
  const proposals = [...proposalsOf(query, set, CANDIDATES_DEFAULT)];
  const those = (is: (proposal: (typeof proposals)[number][1]) => boolean) =>
    new Set(proposals.filter(([, proposal]) => is(proposal)).map(([id]) => id));
  figures.share(
    "words",
    those(({ words }) => words !== null),
    relevant,
  );
  figures.share(
    "vector",
    those(({ vector }) => vector !== null),
    relevant,
  );
  figures.share(
    "exact",
    those(({ exact }) => exact !== null),
    relevant,
  );
  figures.share(
    "newest",
    those(({ isNewest }) => isNewest),
    relevant,
  );
  figures.share("neighbours", those(isNeighbour), relevant);
  figures.share(
    "proposed",
    those(() => true),
    relevant,
  );
}

/** The same ports, with a watch on what the index proposes and on what is read. */
function watch(ports: Ports, figures: Figures): { ports: Ports; proposed(): CandidateSet } {
  let proposed: CandidateSet | null = null;
  const { store } = ports;
  return {
    proposed() {
      if (proposed === null) throw new Error("Nothing was asked of the index.");
      return proposed;
    },
    ports: {
      ...ports,
      serving() {
        const serving = ports.serving();
        const candidates: typeof serving.index.candidates = async (request, signal) => {
          proposed = await figures.time("proposed", () => serving.index.candidates(request, signal));
          return proposed;
        };
        return { ...serving, index: { ...serving.index, candidates } };
      },
      store: {
        ...store,
        readMatching: (...asked) => figures.time("read", () => store.readMatching(...asked)),
      },
    },
  };
}

/** A row for each stage. */
export function stageTable(name: string, index: IndexName, figures: StageFigures): Table {
  const engines = [...figures.engines].map(([engine, count]) => `${engine} (${count})`).join(", ");
  return {
    title: `${name}, ${index}`,
    columns: ["stage", "of the relevant", "p50", "p95"],
    rows: (Object.keys(STAGES) as Stage[]).map((stage) => {
      const shares = figures.shares.get(stage) ?? [];
      const times = (figures.milliseconds.get(stage) ?? []).toSorted((a, b) => a - b);
      const quantile = (of: number) => times[Math.floor(of * (times.length - 1))];
      return [
        STAGES[stage],
        shares.length === 0 ? "" : `${((100 * sum(shares)) / shares.length).toFixed(1)} %`,
        ...[0.5, 0.95].map((of) => (times.length === 0 ? "" : milliseconds(quantile(of) as number))),
      ];
    }),
    remark: `answered by: ${engines}`,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
