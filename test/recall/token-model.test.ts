/** The token model through the public surface: what it finds, when its vectors are there, and when they are gone. */
import { afterEach, describe, expect, test } from "vitest";
import { inspectDatabase } from "../../src/adapters/postgres/database/inspect.ts";
import { createPassageReader } from "../../src/adapters/postgres/recall/token-vectors.ts";
import { eventually } from "../support/processes.ts";
import { canRunTokenModel } from "../support/token-model.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0).reverse()) await world.close();
});

async function opened(env: Record<string, string> = {}): Promise<{ world: World; client: Client }> {
  const world = await openWorld(env);
  open.push(world);
  return { world, client: await world.client() };
}

const withModel = () => opened({ TOKEN_MODEL: "on" });

async function remember(client: Client, content: string): Promise<string> {
  const answer = await client.post("/v1/memories", { content, path: "notes" });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

interface Found {
  readonly id: string;
  readonly content: string;
  readonly explanation: { readonly signals: Record<string, number>; readonly reasons: string[] };
}

async function search(client: Pick<Client, "get">, query: string): Promise<Found[]> {
  const answer = await client.get(
    `/v1/memories/search?explain=true&limit=50&query=${encodeURIComponent(query)}`,
  );
  expect(answer.status).toBe(200);
  return answer.body.results;
}

const isCompared = ({ explanation }: Found) => "late" in explanation.signals;

/** Until every memory that the query finds has vectors; answers what is found. */
const compared = (client: Pick<Client, "get">, query: string) =>
  eventually("every memory to be compared by the model", async () => {
    const found = await search(client, query);
    return found.length > 0 && found.every(isCompared) ? found : undefined;
  });

/** How many rows of token vectors there are of a memory. */
async function rowsOf({ service }: World, id: string): Promise<number> {
  const [row] = await service.sql`
    select count(*)::int as count from token_vectors t join memories m on m.id = t.memory where m.memory_id = ${id}`;
  return row?.count;
}

const allRows = async ({ service }: World): Promise<number> =>
  (await service.sql`select count(*)::int as count from token_vectors`)[0]?.count;

/** What doctor says. */
const missing = async ({ service }: World) =>
  (await inspectDatabase(service.sql)).counts?.without_token_vectors;

const encoded = (world: World, id: string, count = 1) =>
  eventually("the worker to encode it", async () => (await rowsOf(world, id)) === count || undefined);

/** What a replica with the token model answers, on the database of a server without. */
async function replicaWithModel(world: World, { token }: Client): Promise<Pick<Client, "get">> {
  const handle = await world.replica({ TOKEN_MODEL: "on" });
  return {
    async get(path) {
      const answer = await handle(
        new Request(`http://127.0.0.1${path}`, { headers: { "x-api-key": token } }),
      );
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    },
  };
}

const THINGS = [
  "The physician told Paula to stop smoking.",
  "We painted the garden fence green.",
  "The printer on the second floor is out of toner.",
  "Lunch is served from noon to two.",
  "Our landlord raises the rent in spring.",
  "The bicycle needs new brake pads.",
];
const MEANT = "doctor gave advice about cigarettes";

describe.runIf(canRunTokenModel)("with the token model", () => {
  test("a worker makes vectors after the write, and a memory is found by what its words mean", async () => {
    const { client } = await withModel();
    for (const thing of THINGS) await remember(client, thing);
    const [first] = await compared(client, MEANT);
    expect(first?.content).toBe(THINGS[0]);
    expect(first?.explanation.signals.late).toBeGreaterThan(0.05);
    expect(first?.explanation.reasons).toContain(
      "+ what its words mean where they stand, compared with the query's",
    );
  });

  test("a memory that shares no word with the query rises over those that do", async () => {
    const { world, client } = await opened();
    const meant = "The man who fixed our sink can be called at home.";
    for (const content of ["We keep in touch with our friends by mail.", "The plumber left his hat here."])
      await remember(client, content);
    for (const content of [meant, ...THINGS.slice(1)]) await remember(client, content);
    const query = "How do I get in touch with the plumber?";
    const place = (found: readonly Found[]) => found.findIndex(({ content }) => content === meant);
    const without = place(await search(client, query));
    expect(place(await compared(await replicaWithModel(world, client), query))).toBeLessThan(without);
  });

  test("a context says by which weights it was ordered", async () => {
    const { client } = await withModel();
    await remember(client, THINGS[0] as string);
    const plan = (await client.post("/v1/recall/context", { query: MEANT })).body.retrieval_plan;
    expect(plan.weights).toMatchObject({ late: 0.6, dense: 0.25, lexical: 0.4 });
    expect(plan.degraded).not.toContainEqual(expect.stringContaining("token model"));
  });

  test("searches by words or by vectors alone are left to themselves", async () => {
    const { world, client } = await withModel();
    await encoded(world, await remember(client, THINGS[0] as string));
    for (const retrievers of ["lexical", "dense"]) {
      const { body } = await client.get(
        `/v1/memories/search?explain=true&query=physician&retrievers=${retrievers}`,
      );
      expect(body.results.map(isCompared)).toEqual([false]);
    }
  });

  test("each passage of a long memory has its vectors, up to a bound", async () => {
    const { world, client } = await withModel();
    const long = await remember(client, "The quarterly figures are discussed on Mondays. ".repeat(100));
    const longest = await remember(client, "Nobody has to read all of this at once. ".repeat(1500));
    await encoded(world, long, 3);
    await encoded(world, longest, 16);
  });

  test("what it knows no word of has vectors of none, and is found by its words", async () => {
    const { world, client } = await withModel();
    const id = await remember(client, "สุนัขของฉันกลัวฟ้าร้อง");
    await encoded(world, id);
    expect((await search(client, "สุนัขของฉัน")).map((hit) => hit.id)).toEqual([id]);
  });

  test("vectors go with the text that they were made of: changed, redacted, deleted for good", async () => {
    const { world, client } = await withModel();
    const ids: string[] = [];
    for (const thing of THINGS.slice(0, 3)) ids.push(await remember(client, thing));
    const [changed = "", redacted = "", deleted = ""] = ids;
    for (const id of ids) await encoded(world, id);
    const before = await world.service.sql`select vectors from token_vectors order by vectors`;

    await client.patch(`/v1/memories/${changed}`, { content: "The dentist told Paula to floss." });
    for (const [id, mode] of [
      [redacted, "redact"],
      [deleted, "hard_delete"],
    ])
      expect((await client.delete(`/v1/memories/${id}?mode=${mode}`)).status).toBe(200);
    expect(await rowsOf(world, redacted)).toBe(0);
    expect(await allRows(world)).toBeLessThanOrEqual(1);
    await encoded(world, changed);
    const after = await world.service.sql`select vectors from token_vectors`;
    expect(before.map((row) => row.vectors.toString("hex"))).not.toContain(after[0]?.vectors.toString("hex"));
  });

  test("what was written without it is encoded when it is there, and what a former model made serves until then", async () => {
    const { world, client } = await opened();
    const ids: string[] = [];
    for (const thing of THINGS) ids.push(await remember(client, thing));
    const { sql } = world.service;
    expect(await missing(world)).toBeNull();
    const [former] =
      await sql`insert into token_generations (model, dimension) values ('former', 64) returning id`;
    await sql`insert into token_vectors (owner_id, memory, generation, passage, vectors)
      select owner_id, id, ${former?.id}, 0, decode('ff', 'hex') from memories`;
    const [memory] = await sql`select id, owner_id from memories limit 1`;
    const read = createPassageReader(sql, former?.id);
    expect(await read([{ ownerId: memory?.owner_id, memory: memory?.id, passage: 0 }])).toEqual([
      Buffer.of(0xff),
    ]);

    const replica = await replicaWithModel(world, client);
    const [first] = await compared(replica, MEANT);
    expect(first?.content).toBe(THINGS[0]);
    await eventually("the former model's vectors to go", async () => {
      const [row] =
        await sql`select count(*)::int as count from token_vectors where generation = ${former?.id}`;
      return row?.count === 0 || undefined;
    });
    expect(await allRows(world)).toBe(ids.length);
    expect(await missing(world)).toBe(0);
    await sql`delete from token_vectors where memory = ${memory?.id}`;
    expect(await missing(world)).toBe(1);
    // The server without the model has its own order.
    expect((await search(client, MEANT)).some(isCompared)).toBe(false);
  });
});
