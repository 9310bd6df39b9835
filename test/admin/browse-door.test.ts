/** Looking through memories at the admin UI's door: by every filter, what there is to filter by, and only what one may see. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { everyOperation } from "../../src/contract/operations.ts";
import type { Owner } from "../../src/core/access/credential.ts";
import { unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Person {
  readonly owner: Owner;
  readonly cookie: string;
}

async function person(): Promise<Person> {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  return { owner, cookie: await sessionOf(world, owner) };
}

type Name =
  | "listMemories"
  | "searchMemories"
  | "browsePaths"
  | "memoryFacets"
  | "memoryRelations"
  | "deleteMatching"
  | "restoreMemories";

const ask = ({ cookie }: Person, name: Name, input: object) => askTrpc(world, cookie, name, input);

/** The schema of the answer to a session. */
function outputOf(operation: { output: z.ZodType; session?: { output?: z.ZodType } }): z.ZodType {
  return operation.session?.output ?? operation.output;
}

async function answer(who: Person, name: Name, input: object) {
  const { status, body } = await ask(who, name, input);
  expect([status, body.error]).toEqual([200, undefined]);
  outputOf(everyOperation[name]).parse(body.result.data);
  return body.result.data;
}

async function remember({ cookie }: Person, more: object): Promise<string> {
  const given = { content: unguessable("x"), path: "notes", dedupe: false, ...more };
  return (await askTrpc(world, cookie, "remember", given)).body.result.data.id;
}

const codeOf = (reply: { body: { error?: { data: { code: string } } } }) =>
  reply.body.error?.data.code ?? null;
const idsOf = (memories: readonly { id: string }[]) => memories.map(({ id }) => id).sort();

test("the list, the search and the removal take the same filters: path, agent, days, and some by their ids", async () => {
  const ada = await person();
  const byBot = { provenance: { agent_id: "bot-7" } };
  const first = await remember(ada, { content: "The tea is green", path: "kitchen/tea", ...byBot });
  const second = await remember(ada, { content: "The tea is black", path: "kitchen", bucket: "old" });
  const third = await remember(ada, { content: "The tea is gone", path: "kitchenette" });
  await world.service
    .sql`update memories set created_at = '2026-01-05T12:00:00Z' where memory_id = ${second}`;
  const days = { created_from: "2026-01-05T00:00:00Z", created_before: "2026-01-06T00:00:00Z" };
  for (const [filter, expected] of [
    [{}, [first, second, third]],
    [{ path_under: "kitchen" }, [first, second]],
    [{ agent_id: "bot-7" }, [first]],
    [days, [second]],
    [{ created_from: "2026-01-06T00:00:00Z" }, [first, third]],
    [{ memory_ids: [first, third, "nowhere"] }, [first, third]],
    [{ memory_ids: [first, second], bucket: "old" }, [second]],
  ] as const) {
    const own = { scope: "private", ...filter };
    const listed = await answer(ada, "listMemories", own);
    expect([idsOf(listed.memories), listed.total]).toEqual([[...expected].sort(), expected.length]);
    const found = await answer(ada, "searchMemories", { ...own, query: "tea", limit: 100 });
    expect(idsOf(found.results)).toEqual([...expected].sort());
    const counted = await answer(ada, "deleteMatching", { filter: own });
    expect([counted.matched, counted.memory_ids.sort()]).toEqual([expected.length, [...expected].sort()]);
  }
});

test("paths are opened part by part, and labels counted, of what the person sees alone", async () => {
  const [ada, bob, eve] = await Promise.all([person(), person(), person()]);
  const { team } = await world.service.teams.create(unguessable("team"), ada.owner);
  await world.service.teams.add(team.id, bob.owner.id, "viewer");
  const ofTeam = { team_id: team.id };
  await remember(ada, { ...ofTeam, path: "projects/apollo/deploys" });
  await remember(ada, { ...ofTeam, path: "projects/apollo" });
  await remember(ada, { ...ofTeam, path: "projects/100%_sure", bucket: "old", memory_type: "procedural" });
  await remember(ada, { ...ofTeam, path: "notes", provenance: { agent_id: "bot-7" } });
  await remember(ada, { path: "private" });
  const paths = async (who: Person, below?: string) =>
    (await answer(who, "browsePaths", { ...ofTeam, ...(below && { below }) })).paths;
  expect(await paths(bob)).toEqual([
    { name: "notes", path: "notes", memories: 1, has_below: false },
    { name: "projects", path: "projects", memories: 3, has_below: true },
  ]);
  expect(await paths(bob, "projects")).toEqual([
    { name: "100%_sure", path: "projects/100%_sure", memories: 1, has_below: false },
    { name: "apollo", path: "projects/apollo", memories: 2, has_below: true },
  ]);
  expect(await paths(bob, "projects/apollo")).toMatchObject([{ name: "deploys", memories: 1 }]);
  expect(await answer(bob, "memoryFacets", ofTeam)).toMatchObject({
    bucket: [
      { value: "public", memories: 3 },
      { value: "old", memories: 1 },
    ],
    agent: [
      { value: "", memories: 3 },
      { value: "bot-7", memories: 1 },
    ],
  });
  for (const name of ["browsePaths", "memoryFacets"] as const) {
    const { recalls_kept_days: _, ...found } = await answer(eve, name, ofTeam);
    expect(Object.values(found).flat().filter(Boolean)).toEqual([]);
  }
  await world.service.teams.remove(team.id, bob.owner.id);
  expect(await paths(bob)).toEqual([]);
});

test("each facet is counted whatever is chosen of it, and several values of each narrow lists, searches and removals", async () => {
  const ada = await person();
  const own = { scope: "private" };
  const day = 86_400_000;
  const later = (days: number) => new Date(Date.now() + days * day).toISOString();
  const ids = [
    await remember(ada, { content: "The tea is green", project_id: "kitchen", memory_type: "procedural" }),
    await remember(ada, {
      content: "The tea is black",
      bucket: "old",
      metadata: { authority: "observation" },
    }),
    await remember(ada, {
      content: "The tea is cold",
      provenance: { agent_id: "bot-7" },
      expires_at: later(3),
    }),
    await remember(ada, { content: "The tea is out", project_id: "kitchen", status: "archived" }),
  ];
  await world.service
    .sql`update memories set updated_at = now() - interval '10 days' where memory_id = ${ids[1] as string}`;
  const counts = async (one_of?: object, more?: object) => {
    const input = { ...own, ...(one_of && { one_of }), ...more };
    const { incomplete, recalls_kept_days, ...facets } = await answer(ada, "memoryFacets", input);
    expect(incomplete).toEqual([]);
    expect(recalls_kept_days).toBe(14);
    return Object.fromEntries(
      Object.entries(facets as Record<string, { value: string; memories: number }[]>).map(
        ([facet, values]) => [
          facet,
          Object.fromEntries(values.map(({ value, memories }) => [value, memories])),
        ],
      ),
    );
  };
  expect(await counts()).toEqual({
    project: { "": 2, kitchen: 1 },
    type: { semantic: 2, procedural: 1 },
    bucket: { public: 2, old: 1 },
    agent: { "": 2, "bot-7": 1 },
    authority: { "": 2, observation: 1 },
    changed: { day: 2, month: 1 },
    expires: { "": 2, week: 1 },
    status: { active: 3, archived: 1 },
  });
  expect(await counts({ type: ["procedural"], bucket: ["public"] })).toMatchObject({
    type: { semantic: 1, procedural: 1 },
    bucket: { public: 1 },
    project: { kitchen: 1 },
    status: { active: 1 },
  });
  expect(await counts({}, { status: "archived" })).toMatchObject({
    project: { kitchen: 1 },
    status: { active: 3, archived: 1 },
  });
  for (const [one_of, expected] of [
    [{ project: ["", "kitchen"], type: ["procedural"] }, [0]],
    [{ bucket: ["old", "public"], agent: [""] }, [0, 1]],
    [{ authority: ["observation", "directive"] }, [1]],
    [{ changed: ["month", "older"] }, [1]],
    [{ expires: ["past", "week"] }, [2]],
    [{ project: [""] }, [1, 2]],
  ] as const) {
    const those = expected.map((at) => ids[at] as string).sort();
    const listed = await answer(ada, "listMemories", { ...own, one_of });
    expect([idsOf(listed.memories), listed.total]).toEqual([those, those.length]);
    const found = await answer(ada, "searchMemories", { ...own, one_of, query: "tea", limit: 100 });
    expect(idsOf(found.results)).toEqual(those);
    const removed = await answer(ada, "deleteMatching", { filter: { ...own, one_of } });
    expect(removed.memory_ids.sort()).toEqual(those);
  }
  expect(codeOf(await ask(ada, "listMemories", { one_of: { size: ["large"] } }))).toBe("validation_failed");
  expect(codeOf(await ask(ada, "listMemories", { one_of: { type: [] } }))).toBe("validation_failed");
});

test("a facet is counted exactly up to 10,000 memories; of more, the newest 10,000 are, and it says so", async () => {
  const [ada, bob] = [await person(), await person()];
  await remember(bob, { project_id: "garden" });
  const oldest = await remember(ada, { memory_type: "procedural", project_id: "kitchen" });
  const { sql } = world.service;
  await sql`update memories set created_at = now() - interval '1 year' where memory_id = ${oldest}`;
  await sql`
    insert into memories (id, memory_id, owner_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, metadata, provenance, importance, confidence, version, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid()::text, owner_id, author_id, author_token, scope, path, bucket, 'semantic',
      status, 'Number ' || n, metadata, provenance, importance, confidence, version, now(), updated_at
    from memories, generate_series(1, 9999) n where memory_id = ${oldest}`;
  const counts = (one_of?: object) => answer(ada, "memoryFacets", one_of ? { one_of } : {});
  const semantic = { value: "semantic", memories: 9999 };
  const procedural = { value: "procedural", memories: 1 };
  expect(await counts()).toMatchObject({ type: [semantic, procedural], incomplete: [] });

  await remember(ada, { bucket: "new" });
  const bounded = await counts();
  expect(bounded).toMatchObject({
    project: [{ value: "", memories: 10_000 }],
    type: [{ value: "semantic", memories: 10_000 }],
    bucket: [
      { value: "public", memories: 9999 },
      { value: "new", memories: 1 },
    ],
    status: [{ value: "active", memories: 10_000 }],
  });
  expect(bounded.incomplete.sort()).toEqual(
    Object.keys(bounded)
      .filter((name) => !["incomplete", "recalls_kept_days"].includes(name))
      .sort(),
  );
  // What is chosen of one facet leaves few for the others, but not for itself.
  expect(await counts({ project: ["kitchen"] })).toMatchObject({
    project: [{ value: "", memories: 10_000 }],
    type: [procedural],
    status: [{ value: "active", memories: 1 }],
    incomplete: ["project"],
  });
  expect(await answer(bob, "memoryFacets", {})).toMatchObject({
    project: [{ value: "garden", memories: 1 }],
    incomplete: [],
  });
});

test("a list is sorted by each of its fields, either way, page by page", async () => {
  const ada = await person();
  const own = { scope: "private" };
  const texts = ["beta", "Alpha", "gamma"];
  for (const [at, content] of texts.entries())
    await remember(ada, {
      content,
      path: `p/${at}`,
      memory_type: ["semantic", "procedural", "episodic"][at],
      importance: [0.2, 0.9, 0.5][at],
      confidence: [0.9, 0.1, 0.5][at],
    });
  const { memories } = await answer(ada, "listMemories", own);
  const beta = memories.find(({ content }: { content: string }) => content === "beta");
  await world.service
    .sql`update memories set updated_at = now() + interval '1 minute' where memory_id = ${beta.id}`;
  const listed = async (order: object) =>
    (await answer(ada, "listMemories", { ...own, ...order })).memories.map(
      ({ content }: { content: string }) => content,
    );
  for (const [sort, expected] of [
    ["stored", ["gamma", "Alpha", "beta"]],
    ["changed", ["beta", "gamma", "Alpha"]],
    ["content", ["gamma", "beta", "Alpha"]],
    ["path", ["gamma", "Alpha", "beta"]],
    ["type", ["beta", "Alpha", "gamma"]],
    ["importance", ["Alpha", "gamma", "beta"]],
    ["confidence", ["beta", "gamma", "Alpha"]],
  ] as const) {
    expect(await listed({ sort })).toEqual(expected);
    expect(await listed({ sort, ascending: true })).toEqual(expected.toReversed());
    expect(await listed({ sort, offset: 1, limit: 1 })).toEqual([expected[1]]);
  }
  const page = await answer(ada, "listMemories", { ...own, sort: "path", limit: 2 });
  expect([page.total, page.next_cursor]).toEqual([3, null]);
  const { next_cursor: cursor } = await answer(ada, "listMemories", { ...own, limit: 2 });
  expect(codeOf(await ask(ada, "listMemories", { ...own, sort: "path", cursor }))).toBe("validation_failed");
});

test("a memory is told with those it succeeded, conflicts with, absorbed and was recalled with, as far as they are seen", async () => {
  const [ada, bob, eve] = await Promise.all([person(), person(), person()]);
  const { team } = await world.service.teams.create(unguessable("team"), ada.owner);
  await world.service.teams.add(team.id, bob.owner.id, "viewer");
  const ofTeam = { team_id: team.id };
  const gate = { ...ofTeam, semantic_key: "gate.code" };
  const first = await remember(ada, { ...gate, content: "The gate code is 1234" });
  const second = await remember(ada, { ...gate, content: "The gate code is 9876" });
  const twin = await remember(ada, { ...ofTeam, content: "The gate has a code" });
  const beside = await remember(ada, { ...ofTeam, content: "The gate is green" });
  const hidden = await remember(ada, { content: "The gate is mine" });
  const { sql } = world.service;
  await sql`update memories set status = 'superseded', superseded_by = ${second} where memory_id = ${twin}`;
  await sql`update memories set provenance = provenance || jsonb_build_object('merged_from', jsonb_build_array(jsonb_build_object('id', ${twin}::text))) where memory_id = ${second}`;
  const rival = await remember(ada, {
    ...gate,
    content: "The gate code is 5555",
    semantic_key: "other.code",
  });
  await sql`update memories set semantic_key = 'gate.code' where memory_id = ${rival}`;
  const together =
    await sql`select array_agg(id) as ids from memories where memory_id in (${second}, ${beside}, ${hidden})`;
  for (let times = 0; times < 2; times++)
    await sql`
      insert into recalls (id, owner_id, at, operation, question, outcome, memories, ms, token_id)
      values (gen_random_uuid(), ${ada.owner.id}, now(), 'search', 'gate', 'found', ${together[0]?.ids}, 5, gen_random_uuid())`;
  const relations = async (who: Person, memory_id: string) =>
    (await answer(who, "memoryRelations", { memory_id })).relations.map(
      ({ kind, id, recalls }: Record<string, unknown>) => [kind, id, recalls],
    );
  expect(await relations(bob, second)).toEqual([
    ["conflicts_with", rival, null],
    ["merged_from", twin, null],
    ["supersedes", first, null],
    ["recalled_with", beside, 2],
  ]);
  expect(await relations(bob, first)).toEqual([
    ["superseded_by", second, null],
    ["same_fact", rival, null],
  ]);
  expect(await relations(ada, second)).toContainEqual(["recalled_with", hidden, 2]);
  expect(codeOf(await ask(eve, "memoryRelations", { memory_id: second }))).toBe("not_found");
});

test("what was removed is named, and comes back but for what cannot", async () => {
  const ada = await person();
  const ids = [await remember(ada, {}), await remember(ada, {}), await remember(ada, {})];
  const filter = { memory_ids: ids.slice(0, 2) };
  const { plan_hash } = await answer(ada, "deleteMatching", { filter });
  const removed = await answer(ada, "deleteMatching", { filter, dry_run: false, plan_hash });
  expect([removed.changed, removed.memory_ids.sort()]).toEqual([2, ids.slice(0, 2).sort()]);
  const back = await answer(ada, "restoreMemories", { memory_ids: [...ids, "nowhere"] });
  expect(back.restored.sort()).toEqual(ids.slice(0, 2).sort());
  expect(back.refused.map(({ id }: { id: string }) => id)).toEqual([ids[2], "nowhere"]);
});

test("a viewer looks through a team's memories, and removes and restores none", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const { team } = await world.service.teams.create(unguessable("team"), ada.owner);
  await world.service.teams.add(team.id, bob.owner.id, "viewer");
  const id = await remember(ada, { team_id: team.id });
  const filter = { team_id: team.id, memory_ids: [id] };
  expect((await answer(bob, "listMemories", filter)).total).toBe(1);
  expect(codeOf(await ask(bob, "deleteMatching", { filter }))).toBe("role_forbidden");
  await askTrpc(world, ada.cookie, "deleteMemory", { memory_id: id });
  const { restored, refused } = await answer(bob, "restoreMemories", { memory_ids: [id] });
  expect([restored, refused.length]).toEqual([[], 1]);
});
