import { connect } from "../../src/adapters/postgres/database/client.ts";
import { merged, quantileMs, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import { fillProject } from "./fill-project.ts";
import type { HttpClient } from "./http-client.ts";
import { type Contestant, interleave } from "./interleave.ts";
import { type Home, withClients } from "./processes.ts";
import { inFloor, repeating } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const SIZES = [100, 1000, 10_000];

/** What is asked: by default lasting knowledge on what is open in the project, which must be older than what is recent. */
const BODIES: Readonly<Record<string, object>> = {
  context: {},
  "with a question": { durable_query: "Which of the notes say what was agreed?" },
  "without recall": { include_durable_context: false },
};

/**
 * The context packs of projects of several sizes, of one owner and in turns, so that they differ in nothing but the
 * project's size; with one indexed select and a route that answers the same bytes beside them.
 */
export async function measureProjects(home: Home, corpus: Corpus, seconds: number): Promise<Table> {
  const server = await home.server();
  for (const size of SIZES) await fillProject(server, corpus, projectOf(size), size);
  await settle(home);
  const floor = await home.floor(corpus);
  const turns = await withClients(server, 1, (ours) =>
    withClients(floor, 1, async (bare) => {
      const contestants: Record<string, Contestant> = {
        select: inFloor(bare[0], "/selects", (count) => ({ clients: 1, count })),
      };
      for (const [name, body] of Object.entries(BODIES))
        for (const size of SIZES)
          contestants[`${name}, ${size} items`] = repeating(ours, (client) => context(client, size, body));
      const sample = await context(ours[0], SIZES.at(-1) as number);
      await bare[0]?.post("/answers/project", JSON.parse(sample?.body.toString() ?? "null"));
      contestants["bare route, same bytes"] = repeating(bare, (client) => client?.get("/answers/project"));
      return interleave(contestants, seconds);
    }),
  );
  return tableOf(turns);
}

/** What autovacuum does within a minute or two: until then counts look every row up in the table. */
async function settle(home: Home): Promise<void> {
  const sql = connect(await home.database(), 1);
  await sql`vacuum analyze`;
  await sql.end();
}

function projectOf(size: number): string {
  return `size-${size}`;
}

function context(client: HttpClient | undefined, size: number, body: object = {}) {
  return client?.post(`/v1/projects/${projectOf(size)}/context`, body);
}

function tableOf(turns: Readonly<Record<string, Timing[]>>): Table {
  const timings = new Map(Object.entries(turns).map(([name, some]) => [name, merged(some)]));
  const p50 = (name: string) => quantileMs(timings.get(name) as Timing, 0.5);
  const rows = [...timings].map(([name, timing]) => {
    const smallest = name.replace(/\d+ items$/, `${SIZES[0]} items`);
    return [
      name,
      milliseconds(p50(name)),
      milliseconds(quantileMs(timing, 0.99)),
      name === "select" ? "" : ratio(p50(name) / p50("select")),
      name.endsWith("items") ? ratio(p50(name) / p50(smallest)) : "",
    ];
  });
  return {
    title: "Context packs of projects of one owner, one client",
    columns: ["", "p50", "p99", "of one select", `of ${SIZES[0]} items`],
    rows,
    remark: "select: one row by primary key, same driver and pool. Defaults: 100 entries, 8,000 tokens.",
  };
}
