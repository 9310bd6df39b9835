import { afterAll, beforeAll, expect, test } from "vitest";
import { teamRoles } from "../../src/contract/scope.ts";
import type { Role } from "../../src/core/access/team-store.ts";
import { found, freshOwner, memory } from "../support/acting.ts";
import { createRandom, type Random, RUNS, runs, SEED } from "../support/random.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Teams and memories as plain maps: who is what, and what belongs to whom. */
class Model {
  readonly #roles = new Map<string, Map<string, Role>>();
  /** Live ones: the id of each, and its owner. */
  readonly memories = new Map<string, string>();

  role(teamId: string, userId: string): Role | undefined {
    return this.#roles.get(teamId)?.get(userId);
  }

  /** False where the team would be left without an owner; then nothing changes. */
  setRole(teamId: string, userId: string, role: Role | null): boolean {
    const members = this.#roles.get(teamId) ?? new Map<string, Role>();
    const isLast = [...members.values()].filter((one) => one === "owner").length === 1;
    if (members.get(userId) === "owner" && role !== "owner" && isLast) return false;
    if (role === null) members.delete(userId);
    else members.set(userId, role);
    this.#roles.set(teamId, members);
    return true;
  }

  /** What the key may do in an owner's memories. */
  reach(key: Key, ownerId: string): Role | "self" | undefined {
    if (key.teamId !== null && key.teamId !== ownerId) return undefined;
    return ownerId === key.client.ownerId ? "self" : this.role(ownerId, key.client.ownerId);
  }

  visibleTo(key: Key): string[] {
    return [...this.memories].flatMap(([id, owner]) => (this.reach(key, owner) ? [id] : [])).sort();
  }
}

/** A key of a user, for all it reaches or for one team. */
interface Key {
  readonly client: Client;
  readonly teamId: string | null;
}

interface Play {
  readonly model: Model;
  readonly keys: readonly Key[];
  readonly teamIds: readonly string[];
}

const MEMORIES_MAX = 60;

async function changeRole(random: Random, { model, keys, teamIds }: Play): Promise<void> {
  const { teams } = world.service;
  const [teamId, userId] = [random.pick(teamIds), random.pick(keys).client.ownerId];
  const role = random.pick([...teamRoles, null, null]);
  const before = model.role(teamId, userId);
  const isAllowed = model.setRole(teamId, userId, role);
  const change = role === null ? teams.remove(teamId, userId) : teams.setRole(teamId, userId, role);
  const expected =
    role === null
      ? before !== undefined
      : before === undefined
        ? "added"
        : before === role
          ? "unchanged"
          : "changed";
  if (isAllowed) expect(await change).toBe(expected);
  else await expect(change).rejects.toMatchObject({ code: "conflict" });
}

async function write(random: Random, { model, teamIds }: Play, key: Key): Promise<void> {
  const teamId = random.pick([null, ...teamIds]);
  const owner = teamId ?? key.teamId ?? key.client.ownerId;
  const reach = model.reach(key, owner);
  const path = random.pick(["/v1/memories", "/v1/remember"]);
  const answer = await key.client.post(path, memory({ team_id: teamId }));
  const expected = reach === undefined ? 404 : reach === "viewer" ? 403 : 201;
  expect([teamId, key.teamId, reach, answer.status]).toEqual([teamId, key.teamId, reach, expected]);
  if (expected === 201) model.memories.set(answer.body.id, owner);
}

/** What is done about one memory, and whether it takes an admin; what is forgotten is gone from the model. */
const acts: readonly {
  needsAdmin: boolean;
  forgets: boolean;
  send: (client: Client, id: string) => Promise<Answer>;
}[] = [
  {
    needsAdmin: false,
    forgets: false,
    send: (client, id) => client.patch(`/v1/memories/${id}`, { importance: Math.random() }),
  },
  { needsAdmin: false, forgets: true, send: (client, id) => client.delete(`/v1/memories/${id}`) },
  {
    needsAdmin: true,
    forgets: true,
    send: (client, id) => client.delete(`/v1/memories/${id}?mode=hard_delete`),
  },
];

async function act(random: Random, { model }: Play, key: Key): Promise<void> {
  const ids = [...model.memories.keys()];
  if (ids.length === 0) return;
  const id = random.pick(ids);
  const reach = model.reach(key, model.memories.get(id) as string);
  const read = await key.client.get(`/v1/memories/${id}`);
  expect([reach, read.status]).toEqual([reach, reach ? 200 : 404]);
  const { needsAdmin, forgets, send } = random.pick(acts);
  const answer = await send(key.client, id);
  const isForbidden = reach === "viewer" || (needsAdmin && reach === "member");
  const expected = reach === undefined ? 404 : isForbidden ? 403 : 200;
  expect([needsAdmin, reach, answer.status]).toEqual([needsAdmin, reach, expected]);
  if (expected === 200 && forgets) model.memories.delete(id);
}

async function look({ model }: Play, key: Key): Promise<void> {
  const expected = model.visibleTo(key);
  const list = await key.client.get("/v1/memories?limit=1000");
  expect(list.body.memories.map(({ id }: { id: string }) => id).sort()).toEqual(expected);
  expect(list.body.total).toBe(expected.length);
  expect((await found(key.client, "staging database")).sort()).toEqual(expected);
  const { body } = await key.client.post("/v1/recall/context", { query: "staging database", max_items: 100 });
  for (const { id } of body.items) expect(expected).toContain(id);
}

test(
  `whatever roles become, every key sees and does what the model says (seed ${SEED})`,
  async () => {
    const { teams } = world.service;
    const random = createRandom(SEED);
    const [names, model] = [Array.from({ length: 3 }, freshOwner), new Model()];
    const whole = await Promise.all(names.map((owner) => world.client({ owner })));
    const teamIds: string[] = [];
    for (const [n, name] of names.slice(0, 2).entries()) {
      const owner = { id: (whole[n] as Client).ownerId, kind: "user", name } as const;
      const { team } = await teams.create(freshOwner(), owner);
      model.setRole(team.id, owner.id, "owner");
      teamIds.push(team.id);
    }
    const keys: Key[] = whole.map((client) => ({ client, teamId: null }));
    for (const owner of names)
      for (const teamId of teamIds)
        keys.push({ client: await world.client({ owner, space: { teamId } }), teamId });
    const play = { model, keys, teamIds };
    for (let step = 0; step < runs(300); step++) {
      const [key, what] = [random.pick(keys), random.below(10)];
      if (what < 3) await changeRole(random, play);
      else if (what < 6 && model.memories.size < MEMORIES_MAX) await write(random, play, key);
      else await act(random, play, key);
      if (step % 10 === 0) await look(play, random.pick(keys));
    }
    for (const key of keys) await look(play, key);
  },
  120_000 * RUNS,
);
