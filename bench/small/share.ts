import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { TEAM_LIMITS } from "../../src/core/access/team-store.ts";
import { quantile } from "../speed/closed-loop.ts";
import { Corpus } from "../speed/corpus.ts";
import { Home, type Running } from "../speed/processes.ts";
import { milliseconds, ratio, render } from "../speed/table.ts";
import { bench } from "./bench.ts";
import { CHANGED_OFTEN, LARGEST_PATH, WORST } from "./worst.ts";

const HELP = `Measures what one tenant at its limit leaves of the service to another.

  npm run bench:share -- [--seconds 30] [--minutes 5] [--memories 2000] [--connections 32] [--teams ${TEAM_LIMITS.joinedMax}] [--only ${Object.keys(WORST).join(",")}] [--end-users]

With --end-users both are end users of one application, not two tenants.

One tenant sends the worst requests there are from so many connections, as many as its limits let in. Another recalls
once a second, and a probe asks for /healthz five times a second. They are measured by themselves first, for a third of
the time. Progress goes to stderr, the table to stdout.
`;

const RECALL_EVERY_MS = 1000;
const PROBE_EVERY_MS = 200;
/** At rest, so that there is a p99 worth the name: nobody else is disturbed by it. */
const REST_EVERY_MS = 250;

interface Options {
  readonly seconds: number;
  readonly memories: number;
  readonly connections: number;
  /** As many as a user may be in. More are made past that bound, in the database. */
  readonly teams: number;
  readonly only: readonly string[];
  readonly endUsers: boolean;
}

/** Headers that say who asks. */
type Party = Readonly<Record<string, string>>;

/** One request from start to end; how long it took, and what came of it. */
async function timed(url: string, init: RequestInit = {}): Promise<{ ms: number; status: number }> {
  const startedAt = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  return { ms: performance.now() - startedAt, status: response.status };
}

/** Asks at a fixed pace until told to stop, each time whether or not the last was answered. */
function atPace(everyMs: number, ask: () => Promise<{ ms: number; status: number }>) {
  const answers: { ms: number; status: number }[] = [];
  const open = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const asked = ask().then((answer) => answers.push(answer));
    open.add(asked);
    asked.finally(() => open.delete(asked)).catch(() => {});
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(open);
    return answers;
  };
}

const post = (party: Party, body: unknown): RequestInit => ({
  method: "POST",
  headers: { ...party, "content-type": "application/json" },
  body: JSON.stringify(body),
});

const BATCH_ITEMS = 200;

async function fillWithin({ url }: Running, party: Party, corpus: Corpus, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH_ITEMS) {
    const items = Array.from({ length: Math.min(BATCH_ITEMS, count - from) }, (_, at) =>
      corpus.memory(from + at),
    );
    const { status } = await timed(`${url}/v1/memories/batch`, post(party, { items }));
    if (status !== 200) throw new Error(`Storing a batch was answered ${status}.`);
  }
}

/** The second tenant and the probe, for so long. */
async function observe({ url }: Running, party: Party, corpus: Corpus, everyMs: number, seconds: number) {
  let number = 0;
  const recalls = atPace(everyMs, () =>
    timed(`${url}/v1/recall/context`, post(party, { query: corpus.query(number++) })),
  );
  const probes = atPace(PROBE_EVERY_MS, () => timed(`${url}/healthz`));
  await sleep(seconds * 1000);
  return { recalls: await recalls(), probes: await probes() };
}

const STREAMS = 256;
const STREAMS_PER_KEY = 8;
const LARGE_MEMORIES = 60;
const VERSIONS = 200;
const LARGEST = `a fact about the harbour ${"\u0001".repeat(60_000)}`;

/** As many rows as one tenant may have of each kind. Past limits of requests, in the database. */
async function multiply(server: Running, home: Home, party: Party, teams: number): Promise<void> {
  const store = (body: object) => timed(`${server.url}/v1/memories`, post(party, body));
  await store({ memory_id: CHANGED_OFTEN, content: LARGEST, path: "p" });
  for (let at = 0; at < LARGE_MEMORIES; at += 1)
    await store({ content: `${at} ${LARGEST}`, path: LARGEST_PATH });
  const sql = connect(await home.database(), 1);
  await sql`update memories set revision = ${VERSIONS + 1} where memory_id = ${CHANGED_OFTEN}`;
  await sql`
    insert into memory_versions (owner_id, memory, revision, state, valid_to)
    select m.owner_id, m.id, n, to_jsonb(m), now() from memories m, generate_series(1, ${VERSIONS}) n
    where m.memory_id = ${CHANGED_OFTEN}`;
  await sql`
    with made as (
      insert into owners (id, kind, name) select gen_random_uuid(), 'team', 'team ' || n from generate_series(1, ${teams}) n
      returning id
    )
    insert into team_members (team_id, user_id, role)
    select made.id, o.id, 'member' from made, owners o where o.kind = 'user' and o.name = 'attacker'`;
  await sql`vacuum analyze`;
  await sql.end();
}

/** Takes a place for good, if there is one. */
async function openStream({ url }: Running, party: Party, signal: AbortSignal): Promise<void> {
  const headers = { ...party, accept: "text/event-stream" };
  const response = await fetch(`${url}/v1/events`, { headers, signal });
  const read = async () => {
    for await (const _ of response.body ?? []);
  };
  read().catch(() => {});
}

/** Sends the worst from each connection, one request after the other, until told to stop. */
function attack(server: Running, party: Party, connections: number, name: string) {
  const statuses = new Map<number, number>();
  let isOver = false;
  const send = WORST[name] as (typeof WORST)[string];
  let number = 0;
  const done = Promise.all(
    Array.from({ length: connections }, async () => {
      while (!isOver) {
        const { path, body } = send(number++);
        const request = body === undefined ? { headers: party } : post(party, body);
        const { status } = await timed(`${server.url}${path}`, request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 429 || status === 503) await sleep(1000);
      }
    }),
  );
  return async () => {
    isOver = true;
    await done;
    return statuses;
  };
}

async function run(options: Options, home: Home): Promise<void> {
  const { seconds, memories, connections, only } = options;
  const server = await home.server({ RATE_LIMIT_ENABLED: "true" });
  const asking = (name: string): Party =>
    options.endUsers
      ? { "x-api-key": home.key("application", ["--end-users"]), "x-user-id": name }
      : { "x-api-key": home.key(name) };
  const [attacker, other] = [asking("attacker"), asking("other")];
  const corpus = new Corpus();
  console.error(`filling two tenants with ${memories} and 500 memories`);
  await fillWithin(server, attacker, corpus, memories);
  await fillWithin(server, other, corpus, 500);
  console.error("multiplying what the first one has: versions, large memories, teams, streams");
  await multiply(server, home, attacker, options.endUsers ? 0 : options.teams);
  const keys = Array.from({ length: STREAMS / STREAMS_PER_KEY }, () => asking("attacker"));
  const streams = new AbortController();
  await Promise.all(
    keys.flatMap((key) =>
      Array.from({ length: STREAMS_PER_KEY }, () => openStream(server, key, streams.signal)),
    ),
  );
  await observe(server, other, corpus, REST_EVERY_MS, 3);
  console.error("at rest");
  const rest = await observe(server, other, corpus, REST_EVERY_MS, seconds / 3);
  const restMs = rest.recalls.map(({ ms }) => ms);
  const rows: string[][] = [rowOf("at rest", restMs, restMs, rest, new Map())];
  for (const name of only) {
    console.error(`beside: ${name}`);
    // The window of the last one is over.
    await sleep(60_000 - (Date.now() % 60_000) + 500);
    const stop = attack(server, attacker, connections, name);
    await sleep(1000);
    const beside = await observe(server, other, corpus, RECALL_EVERY_MS, seconds / only.length);
    rows.push(
      rowOf(
        `beside ${name}`,
        restMs,
        beside.recalls.map(({ ms }) => ms),
        beside,
        await stop(),
      ),
    );
  }
  streams.abort();
  process.stdout.write(
    render({
      title: `Another tenant's recall beside one at its limit, ${connections} connections`,
      columns: [
        "",
        "p50",
        "p99",
        "p50 / rest",
        "p99 / rest",
        "slowest probe",
        "refused",
        "the one at its limit",
      ],
      rows,
    }),
  );
}

function rowOf(
  name: string,
  rest: readonly number[],
  recalls: readonly number[],
  seen: Awaited<ReturnType<typeof observe>>,
  statuses: ReadonlyMap<number, number>,
): string[] {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(recalls, share)) as [number, number];
  const refused = [...seen.recalls, ...seen.probes].filter(({ status }) => status !== 200).length;
  return [
    name,
    milliseconds(p50),
    milliseconds(p99),
    ratio(p50 / quantile(rest, 0.5)),
    ratio(p99 / quantile(rest, 0.99)),
    milliseconds(Math.max(...seen.probes.map(({ ms }) => ms))),
    String(refused),
    [...statuses].map(([status, count]) => `${count} × ${status}`).join(", "),
  ];
}

const DEFAULTS = {
  seconds: 30,
  minutes: 0,
  memories: 2000,
  connections: 32,
  teams: TEAM_LIMITS.joinedMax,
  only: Object.keys(WORST).join(","),
  "end-users": false,
};

export const program = bench(HELP, DEFAULTS, async ({ minutes, "end-users": endUsers, ...given }) => {
  const only = given.only.split(",");
  for (const name of only)
    if (!Object.hasOwn(WORST, name))
      throw new Error(`--only must be some of ${Object.keys(WORST).join(", ")}.`);
  const home = new Home();
  try {
    await run({ ...given, seconds: minutes > 0 ? 60 * minutes : given.seconds, only, endUsers }, home);
  } finally {
    await home.remove();
  }
});
