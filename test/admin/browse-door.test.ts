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
  | "browseLabels"
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
  expect(await answer(bob, "browseLabels", ofTeam)).toMatchObject({
    buckets: [
      { value: "public", memories: 3 },
      { value: "old", memories: 1 },
    ],
    agents: [{ value: "bot-7", memories: 1 }],
  });
  for (const name of ["browsePaths", "browseLabels"] as const)
    expect(
      Object.values(await answer(eve, name, ofTeam))
        .flat()
        .filter(Boolean),
    ).toEqual([]);
  await world.service.teams.remove(team.id, bob.owner.id);
  expect(await paths(bob)).toEqual([]);
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
