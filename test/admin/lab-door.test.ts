/** The recall lab at its door: it shows what a credential's recall shows, and nothing that its person could not see alone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Owner } from "../../src/core/access/credential.ts";
import { memory, unguessable } from "../support/acting.ts";
import { rotating } from "../support/random.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { type Client, type ClientOptions, everyScope, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ALL = { query: "heron", limit: 200, max_items: 200, max_tokens: 50_000, bucket: "%" };

interface Person {
  readonly owner: Owner;
  readonly cookie: string;
  readonly key: Client;
}

async function person(): Promise<Person> {
  const name = unguessable("person");
  const owner = await world.service.credentials.ensureOwner("user", name);
  return { owner, cookie: await sessionOf(world, owner), key: await world.client({ owner: name }) };
}

const codeOf = (reply: { body: { error?: { data: { code: string } } } }) =>
  reply.body.error?.data.code ?? null;

const lab = ({ cookie }: Person, as: string | null, input: object = ALL) =>
  askTrpc(world, cookie, "labRecall", { ...input, as });

const why = ({ cookie }: Person, as: string | null, memory_id: string, input: object = ALL) =>
  askTrpc(world, cookie, "labWhy", { ...input, as, memory_id });

/** What a key may read, whatever it asks for. */
async function seenBy(key: Pick<Client, "get">): Promise<Set<string>> {
  const { body, status } = await key.get("/v1/memories?limit=200");
  expect(status).toBe(200);
  return new Set(body.memories.map(({ id }: { id: string }) => id));
}

async function seenByPerson({ cookie }: Person): Promise<Set<string>> {
  const { body } = await askTrpc(world, cookie, "listMemories", { limit: 200 });
  return new Set(body.result.data.memories.map(({ id }: { id: string }) => id));
}

const PLACES = [
  { path: "notes" },
  { path: "ops/deploy", project_id: "apollo" },
  { path: "ops", project_id: "zeus", bucket: "work" },
  { path: "opsx", bucket: "private-notes" },
  { path: "handbook", memory_type: "knowledge", bucket: "knowledge" },
];

const SPACES: readonly Pick<ClientOptions, "space" | "scopes">[] = [
  {},
  { scopes: ["memory:read"] },
  { space: { projects: ["apollo"] } },
  { space: { pathPrefix: "ops" } },
  { space: { buckets: ["work", "knowledge"] } },
  { space: { projects: ["apollo", "zeus"], pathPrefix: "ops", buckets: ["work"] }, scopes: ["memory:read"] },
];

test("for every credential the lab shows just what it and its person both may read, and no word of anything else", async () => {
  const [operator, other] = [await person(), await person()];
  const { teams } = world.service;
  const made = async (owner: Owner, name: string) => (await teams.create(unguessable(name), owner)).team;
  const [managed, viewed, foreign] = [
    await made(operator.owner, "managed"),
    await made(other.owner, "viewed"),
    await made(other.owner, "foreign"),
  ];
  await teams.add(managed.id, other.owner.id, "member");
  await teams.add(viewed.id, operator.owner.id, "viewer");
  const teamKey = (team: Owner, more: ClientOptions = {}) => world.client({ ...more, team: team.name });
  const teamKeys = [await teamKey(managed), await teamKey(viewed), await teamKey(foreign)];

  const tags = new Map<string, string>();
  const store = async (key: Client, more: object) => {
    const tag = unguessable("tag");
    const { status, body } = await key.post("/v1/memories", memory({ content: `A heron ${tag}`, ...more }));
    expect([status, body.detail]).toEqual([201, undefined]);
    tags.set(body.id, tag);
  };
  for (const place of PLACES) {
    await store(operator.key, place);
    await store(other.key, place);
    await store(other.key, { ...place, scope: "team", team_id: managed.id });
    for (const key of teamKeys) await store(key, place);
  }
  // What is a team's own and no member's: its keys see it, and nobody who manages them.
  const own = await Promise.all(teamKeys.slice(0, 1).map(async (key) => [...(await seenBy(key))]));
  const hidden = own.flat().filter((_, at) => at % 2 === 0);
  const { sql } = world.service;
  await sql`update memories set scope = 'private' where memory_id = any(${hidden})`;
  const byPerson = await seenByPerson(operator);
  expect(hidden.filter((id) => byPerson.has(id))).toEqual([]);
  expect(hidden.length).toBeGreaterThan(2);
  expect(byPerson.size).toBeGreaterThanOrEqual(3 * PLACES.length);

  const keys = [operator.key];
  for (const narrowed of SPACES) {
    keys.push(await world.client({ owner: operator.owner.name, ...narrowed }));
    keys.push(
      await world.client({
        owner: operator.owner.name,
        scopes: narrowed.scopes ?? everyScope,
        space: { ...narrowed.space, teamId: managed.id },
      }),
    );
    keys.push(
      await world.client({
        owner: operator.owner.name,
        scopes: narrowed.scopes ?? everyScope,
        space: { ...narrowed.space, teamId: viewed.id },
      }),
    );
    keys.push(await teamKey(managed, narrowed));
  }
  for (const key of rotating(keys, 1 / 3)) {
    const byKey = await seenBy(key);
    const both = [...byKey].filter((id) => byPerson.has(id)).sort();
    const include_knowledge = (await key.get("/v1/memories?limit=1&bucket=knowledge")).status === 200;
    const asked = { ...ALL, include_knowledge };
    const reply = await lab(operator, key.tokenId, asked);
    expect(reply.status).toBe(200);
    const { hits, answer } = reply.body.result.data;
    expect(hits.map(({ id }: { id: string }) => id).sort()).toEqual(both);
    for (const [id, tag] of tags)
      if (!both.includes(id))
        expect([reply.text.includes(tag), reply.text.includes(id)]).toEqual([false, false]);
    // Every hit is where the pack has it, or has a reason.
    const places = new Map(answer.items.map(({ id }: { id: string }, at: number) => [id, at + 1]));
    for (const hit of hits) expect([hit.id, hit.place]).toEqual([hit.id, places.get(hit.id) ?? null]);
  }
  // One credential of each sort is asked about every memory that there is, or some of them.
  for (const key of [keys[1], keys[6], keys[8], keys.at(-1)] as Client[]) {
    const byKey = await seenBy(key);
    for (const [id, tag] of rotating([...tags], 1 / 4)) {
      const reply = await why(operator, key.tokenId, id);
      if (!byPerson.has(id))
        expect([id, codeOf(reply), reply.text.includes(tag)]).toEqual([id, "not_found", false]);
      else {
        const { hidden_by, why: answer } = reply.body.result.data;
        expect([id, hidden_by.length > 0, answer === null]).toEqual([id, !byKey.has(id), !byKey.has(id)]);
      }
    }
  }
}, 120_000);

test("nobody looks by what is not theirs to manage, by what has ended, or by a credential that may not recall", async () => {
  const [operator, other] = [await person(), await person()];
  const { teams, credentials } = world.service;
  const { team } = await teams.create(unguessable("team"), other.owner);
  await teams.add(team.id, operator.owner.id, "member");
  const ofTeam = await world.client({ team: team.name });
  const ended = await world.client({ owner: operator.owner.name });
  await credentials.revoke(ended.tokenId);
  const expired = await world.client({ owner: operator.owner.name, expiresAt: Date.now() - 1000 });
  const writer = await world.client({ owner: operator.owner.name, scopes: ["memory:write"] });
  const listed = async () => {
    const { body } = await askTrpc(world, operator.cookie, "labCredentials", {});
    return body.result.data.credentials.map(({ token_id }: { token_id: string }) => token_id).sort();
  };
  expect(await listed()).toEqual([operator.key.tokenId, writer.tokenId].sort());
  for (const id of [other.key.tokenId, ofTeam.tokenId, ended.tokenId, expired.tokenId, team.id])
    expect(codeOf(await lab(operator, id))).toBe("not_found");
  const session = (await credentials.list()).find(
    ({ owner, kind }) => kind === "session" && owner.id === operator.owner.id,
  );
  expect(codeOf(await lab(operator, session?.tokenId ?? ""))).toBe("not_found");
  expect(codeOf(await lab(operator, writer.tokenId))).toBe("insufficient_scope");
  expect(codeOf(await lab({ ...operator, cookie: "" }, operator.key.tokenId))).toBe("invalid_token");
  await teams.setRole(team.id, operator.owner.id, "admin");
  expect((await lab(operator, ofTeam.tokenId)).status).toBe(200);
  expect(await listed()).toContain(ofTeam.tokenId);
  await teams.remove(team.id, operator.owner.id);
  expect(codeOf(await lab(operator, ofTeam.tokenId))).toBe("not_found");
});

test("what the lab shows is what the credential's own recall answers, with the pack's own reasons", async () => {
  const operator = await person();
  const say = async (content: string, more: object = {}) =>
    (await operator.key.post("/v1/memories", memory({ content, ...more }))).body.id as string;
  for (const words of [
    "is called Ada",
    "drinks tea at noon",
    "has two dogs",
    "sails on Sundays",
    "reads by lamp",
  ])
    await say(`The keeper of the lighthouse ${words}`);
  const long = await say(`The lighthouse ${"stands on a rock and is white. ".repeat(40)}`);
  const noise = await say("Payroll closes on the last Friday of the month.", { importance: 0 });
  const gone = await say("The lighthouse burned down");
  await operator.key.delete(`/v1/memories/${gone}`);
  const asked = { query: "who keeps the lighthouse?", max_items: 3, max_tokens: 120 };
  const { body: real } = await operator.key.post("/v1/recall/context", asked);
  const { body } = await lab(operator, operator.key.tokenId, asked);
  const { answer, hits } = body.result.data;
  expect(answer.context_text).toBe(real.context_text);
  expect(answer.budget).toEqual(real.budget);
  type Hit = { id: string; place: number | null; outcome: string; because: string; value: number };
  const packed = hits.filter(({ place }: Hit) => place !== null);
  expect(packed.map(({ id }: Hit) => id).sort()).toEqual(real.items.map(({ id }: Hit) => id).sort());
  for (const hit of hits as Hit[]) {
    const { body: told } = await why(operator, operator.key.tokenId, hit.id, asked);
    const { why: reason } = told.result.data;
    expect([hit.id, reason.found]).toEqual([hit.id, hit.place !== null]);
    expect(reason.reasons.at(-1)).toBe(hit.because);
  }
  const outcomes = new Set(hits.map(({ outcome }: Hit) => outcome));
  expect(outcomes.has("item_limit") || outcomes.has("token_budget")).toBe(true);
  expect(hits.map(({ id }: Hit) => id)).toContain(long);
  const ofNoise = hits.find(({ id }: Hit) => id === noise);
  if (ofNoise !== undefined) expect(ofNoise).toMatchObject({ outcome: "noise", place: null, value: 0 });
  expect((await why(operator, operator.key.tokenId, gone, asked)).body.result.data).toMatchObject({
    memory: { status: "soft_deleted" },
    hidden_by: [expect.stringContaining("forgotten")],
    why: null,
  });
});
