/** The recall log: what was asked and what came, for whom it may be shown, and until when. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRecallLogStore } from "../../src/adapters/postgres/recall/recall-log.ts";
import { recallLogOperations } from "../../src/contract/recall-log-operations.ts";
import { recallOutcomes } from "../../src/contract/recall-outcome.ts";
import { type LoggedRecall, WaitingRecalls } from "../../src/core/recall/recall-log.ts";
import { stored, unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** What is noted is written within ten seconds. */
const WRITTEN_WITHIN_MS = 30_000;

async function person() {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  const client = await world.client({ owner: owner.name });
  const cookie = await sessionOf(world, owner);
  const ask = async (name: keyof typeof recallLogOperations, input: object = {}) => {
    const { body } = await askTrpc(world, cookie, name, input);
    return recallLogOperations[name].output.parse(body.result.data) as never;
  };
  const questions = async (input: object = {}): Promise<string[]> => {
    const { recalls } = (await ask("listRecalls", input)) as { recalls: { question: string }[] };
    return recalls.map(({ question }) => question);
  };
  return { owner, cookie, client, ask, questions };
}

const search = (client: Client, query: string) =>
  client.get(`/v1/memories/search?query=${encodeURIComponent(query)}`);

test("each recall is there with what was asked, what came and how it was answered, for nobody else", {
  timeout: 60_000,
}, async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const id = await stored(ada.client, { content: "The staging database is db-1 in Vienna" });
  await search(ada.client, "staging database");
  await ada.client.post("/v1/recall/context", { query: "Where is the staging database?" });
  await ada.client.post("/v1/recall/context", { query: "Who is the minister of agriculture of Peru?" });
  await search(ada.client, "which host has ghp_16C7e42F292c6912E7710c838347Ae178B4a");
  await search(bob.client, "anything of Bob's");

  await expect.poll(() => ada.questions(), { timeout: WRITTEN_WITHIN_MS }).toHaveLength(4);
  const { recalls } = (await ada.ask("listRecalls")) as {
    recalls: {
      id: string;
      question: string;
      outcome: string;
      operation: string;
      credential: { id: string };
      memory_ids: string[];
      tokens: number | null;
    }[];
  };
  const [secret, foreign, context, searched] = recalls;
  const searchedWith = searched?.credential.id;
  expect(searched).toMatchObject({ operation: "search", outcome: "found", memory_ids: [id], tokens: null });
  expect(context).toMatchObject({ operation: "context", memory_ids: [id], tokens: expect.any(Number) });
  expect(["answered", "partial"]).toContain(context?.outcome);
  expect(foreign).toMatchObject({ outcome: "none", memory_ids: [] });
  expect(secret?.question).not.toContain("16C7e42F292c6912E7710c838347Ae178B4a");
  expect(await ada.questions({ question: "MINISTER" })).toEqual([foreign?.question]);
  expect(await ada.questions({ outcome: "found" })).toContain(searched?.question);
  expect(await ada.questions({ slower_than_ms: 3_600_000 })).toEqual([]);
  expect(await ada.questions({ credential_id: searchedWith })).toHaveLength(4);
  expect(await ada.questions({ credential_id: randomUUID() })).toEqual([]);
  const { sql } = world.service;
  // One of them was yesterday.
  await sql`update recalls set at = at - interval '1 day' where id = ${searched?.id ?? ""}`;
  const memories = (await ada.ask("memoryRecalls", { memory_ids: [id], by_day: true })) as {
    memories: { id: string; recalls: number; days: number[] }[];
  };
  expect(memories.memories).toMatchObject([{ id, recalls: expect.any(Number) }]);
  const days = memories.memories[0]?.days ?? [];
  expect(days.length).toBeGreaterThan(2);
  const total = memories.memories[0]?.recalls ?? 0;
  expect(days.slice(-3)).toEqual([0, 1, total - 1]);
  expect(await ada.ask("memoryRecalls", { memory_ids: [id] })).toMatchObject({ memories: [{ days: [] }] });
  expect(memories.memories[0]?.recalls).toBeGreaterThanOrEqual(2);

  expect(await bob.questions()).not.toContain(searched?.question);
  expect(await bob.ask("memoryRecalls", { memory_ids: [id] })).toMatchObject({ memories: [] });

  // What is permanently removed takes the questions with it that it came for.
  await ada.client.delete(`/v1/memories/${id}?mode=hard_delete`);
  const left = await ada.questions();
  expect(left).not.toContain(searched?.question);
  expect(left).toContain(foreign?.question);
});

test("the memories that came are listed by their ids, todos among them", async () => {
  const ada = await person();
  const id = await stored(ada.client, { content: "The staging database is db-1" });
  const todo = await ada.client.post("/v1/projects/apollo/todos", { content: "Move the staging database" });
  const ids = [id, todo.body.todo_id as string];
  const listed = async (input: object): Promise<string[]> => {
    const { body } = await askTrpc(world, ada.cookie, "listMemories", { ...input, status: "%" });
    return body.result.data.memories.map((one: { id: string }) => one.id).sort();
  };
  expect(await listed({ memory_ids: ids })).toEqual(ids.sort());
  expect(await listed({})).toEqual([id]);
});

const internalId = async (id: string): Promise<string> => {
  const [row] = await world.service.sql`select id from memories where memory_id = ${id}`;
  return row?.id as string;
};

test("memories are listed by how often they came, and those that never did, of what the person sees alone", async () => {
  const [ada, bob, eve] = await Promise.all([person(), person(), person()]);
  const { team } = await world.service.teams.create(unguessable("team"), ada.owner);
  await world.service.teams.add(team.id, bob.owner.id, "viewer");
  const ofTeam = { team_id: team.id };
  const often = await stored(ada.client, { ...ofTeam, content: "The gateway is in Vienna" });
  const once = await stored(ada.client, { ...ofTeam, content: "The gateway has two racks" });
  const never = await stored(ada.client, { ...ofTeam, content: "Lunch is at noon" });
  const own = await stored(ada.client, { content: "My own gateway is in Graz" });
  const [first, second, ofAda] = await Promise.all([often, once, own].map(internalId));
  const store = createRecallLogStore(world.service.sql);
  await store.add([
    recallOf({ ownerId: ada.owner.id, memories: [first, second, ofAda] as string[] }),
    recallOf({ ownerId: bob.owner.id, memories: [first] as string[] }),
  ]);
  const listed = async ({ cookie }: typeof ada, input: object): Promise<[string[], number]> => {
    const { body } = await askTrpc(world, cookie, "listMemories", input);
    const { memories, total } = body.result.data;
    return [memories.map(({ id }: { id: string }) => id), total];
  };
  const mostRecalled = { recalled: true, sort: "recalls" };
  for (const one of [ada, bob]) {
    expect(await listed(one, { ...ofTeam, ...mostRecalled })).toEqual([[often, once], 2]);
    expect(await listed(one, { ...ofTeam, ...mostRecalled, limit: 1 })).toEqual([[often], 2]);
    expect(await listed(one, { ...ofTeam, recalled: false })).toEqual([[never], 1]);
    expect(await listed(one, { ...ofTeam, sort: "recalls", ascending: true })).toEqual([
      [never, once, often],
      3,
    ]);
  }
  expect((await listed(ada, mostRecalled))[0]).toContain(own);
  expect((await listed(bob, mostRecalled))[0]).not.toContain(own);
  for (const filter of [mostRecalled, { recalled: false }, { sort: "recalls" }])
    expect(await listed(eve, { ...ofTeam, ...filter })).toEqual([[], 0]);
  const facets = await askTrpc(world, bob.cookie, "memoryFacets", { ...ofTeam, recalled: false });
  expect(facets.body.result.data.status).toMatchObject([{ value: "active", memories: 1 }]);
  const plan = await askTrpc(world, ada.cookie, "deleteMatching", { filter: { ...ofTeam, recalled: false } });
  expect(plan.body.result.data.memory_ids).toEqual([never]);
  const search = { ...ofTeam, query: "gateway", recalled: true };
  const { body } = await askTrpc(world, ada.cookie, "searchMemories", search);
  expect(body.result.data.results.map(({ id }: { id: string }) => id).sort()).toEqual([often, once].sort());
});

test("the activity of each caller is what the list has, by the step and by what came", async () => {
  const ada = await person();
  const bob = await person();
  const store = createRecallLogStore(world.service.sql);
  const [tokenId, other] = [randomUUID(), randomUUID()];
  const at = (day: number) => Date.parse("2026-03-01T12:00:00Z") + day * 86_400_000;
  const asked = { ownerId: ada.owner.id, tokenId };
  await store.add([
    recallOf({ ...asked, at: at(0), agentId: "bot-7" }),
    recallOf({ ...asked, at: at(6), agentId: "bot-7", outcome: "none" }),
    recallOf({ ...asked, at: at(6), outcome: "found" }),
    recallOf({ ...asked, at: at(7), agentId: "bot-7" }),
    recallOf({ ownerId: bob.owner.id, at: at(0), tokenId: other }),
  ]);
  const range = { after: "2026-03-01T00:00:00Z", before: "2026-03-08T00:00:00Z" };
  const counts = { answered: 0, partial: 0, found: 0, none: 0 };
  const credential = { id: tokenId, kind: null, name: null };
  expect(await ada.ask("recallActivity", range)).toEqual({
    callers: [
      {
        ...{ credential, agent_id: "bot-7", agent_name: null, recalls: [1, 0, 0, 0, 0, 0, 1] },
        ...{ ...counts, answered: 1, none: 1 },
      },
      {
        ...{ credential, agent_id: null, agent_name: null, recalls: [0, 0, 0, 0, 0, 0, 1] },
        ...{ ...counts, found: 1 },
      },
    ],
  });
  expect(await bob.ask("recallActivity", range)).toMatchObject({ callers: [{ credential: { id: other } }] });
});

function recallOf(given: Partial<LoggedRecall> & Pick<LoggedRecall, "ownerId">): LoggedRecall {
  return {
    id: randomUUID(),
    at: Date.now(),
    operation: "context",
    question: "asked",
    outcome: "answered",
    memories: [],
    tokens: 10,
    tokensMax: 1500,
    ms: 5,
    tokenId: randomUUID(),
    agentId: null,
    projectId: null,
    ...given,
  };
}

const everything = {
  after: null,
  before: null,
  outcome: null,
  agentId: null,
  tokenId: null,
  projectId: null,
  question: null,
  slowerThanMs: null,
};

test("steps count what the list has, whatever the range and the outcomes", async () => {
  const store = createRecallLogStore(world.service.sql);
  const begin = Date.parse("2026-03-01T00:00:00Z");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ second: fc.nat(5000), outcome: fc.constantFrom(...recallOutcomes) }), {
        maxLength: 20,
      }),
      fc.integer({ min: 1, max: 4000 }),
      fc.nat(5000),
      async (asked, stepSeconds, lastSecond) => {
        const owner = await world.service.credentials.ensureOwner("user", unguessable("steps"));
        await store.add(
          asked.map(({ second, outcome }) =>
            recallOf({ ownerId: owner.id, at: begin + second * 1000, outcome }),
          ),
        );
        const filter = { ...everything, ownerId: owner.id, after: begin, before: begin + lastSecond * 1000 };
        const steps = await store.steps(filter, stepSeconds * 1000);
        for (const outcome of recallOutcomes) {
          const counted = steps.reduce((sum, step) => sum + step[outcome], 0);
          expect(counted).toBe(
            asked.filter((one) => one.outcome === outcome && one.second < lastSecond).length,
          );
        }
      },
    ),
    { numRuns: 20 },
  );
});

test("half of the recalls took at most p50, and all but one in twenty at most p95", async () => {
  const store = createRecallLogStore(world.service.sql);
  const owner = await world.service.credentials.ensureOwner("user", unguessable("latency"));
  const filter = { ...everything, ownerId: owner.id };
  expect(await store.latency(filter)).toBeNull();
  const slow = recallOf({ ownerId: owner.id, outcome: "none", ms: 900 });
  await store.add([
    ...Array.from({ length: 19 }, (_, n) => recallOf({ ownerId: owner.id, ms: n + 1 })),
    slow,
  ]);
  expect(await store.latency(filter)).toEqual({ p50_ms: 10, p95_ms: 19 });
  expect(await store.latency({ ...filter, outcome: "none" })).toEqual({ p50_ms: 900, p95_ms: 900 });
});

test("of an owner or a memory that is gone nothing is added, and what is old goes", async () => {
  const store = createRecallLogStore(world.service.sql);
  const owner = await world.service.credentials.ensureOwner("user", unguessable("gone"));
  const day = 24 * 3_600_000;
  const there = recallOf({ ownerId: owner.id });
  await store.add([
    there,
    recallOf({ ownerId: randomUUID() }),
    recallOf({ ownerId: owner.id, memories: [randomUUID()] }),
    recallOf({ ownerId: owner.id, at: Date.now() - 15 * day }),
  ]);
  await store.sweep(14);
  const rows = await world.service.sql`select id from recalls where owner_id = ${owner.id}`;
  expect(rows.map(({ id }) => id)).toEqual([there.id]);
});

test("without days to keep it nothing is noted, and a flood drops the oldest", () => {
  const secrets = world.service.ports.secrets;
  const off = new WaitingRecalls(0);
  off.note(recallOf({ ownerId: "a" }));
  expect(off.take(secrets)).toEqual([]);
  const on = new WaitingRecalls(14);
  for (let n = 0; n < 12_000; n += 1) on.note(recallOf({ ownerId: "a", ms: n }));
  const taken = on.take(secrets);
  expect(taken.length).toBeLessThanOrEqual(5000);
  expect(taken.at(-1)?.ms).toBe(11_999);
  expect(on.take(secrets)).toEqual([]);
});
