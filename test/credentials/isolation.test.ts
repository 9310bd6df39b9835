import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, unguessable } from "../support/acting.ts";
import { OwnerModel, type Said } from "../support/owner-model.ts";
import { createRandom, type Random, RUNS, runs, SEED } from "../support/random.ts";
import { type Answer, type Client, type ClientOptions, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A credential at work: what it may see, what it writes where, and the words its answers must not hold. */
interface Actor {
  readonly client: Client;
  readonly model: OwnerModel;
  readonly sees: (said: Said) => boolean;
  readonly places: readonly Pick<Said, "path" | "project">[];
  /** The marker of whatever is written at a place. */
  readonly marker: (place: Pick<Said, "path" | "project">) => string;
  readonly forbidden: readonly string[];
  /** Whether a change can move a memory to another of the places. */
  readonly canMove: boolean;
}

const IDS = ["m0", "m1", "m2", "m3", "m4", "m5"];

async function step(random: Random, actor: Actor): Promise<void> {
  const { client, model } = actor;
  const known = model.ids();
  const id = known.length > 0 && random.below(5) > 0 ? random.pick(known) : random.pick([...IDS, "unknown"]);
  const isSeen = () => {
    const memory = model.get(id);
    return memory !== undefined && actor.sees(memory);
  };
  const expectStatus = (answer: Answer, status: number) => {
    expectClean(actor, answer);
    expect([id, model.get(id)?.status, answer.status, answer.body.code]).toEqual([
      id,
      model.get(id)?.status,
      status,
      answer.body.code,
    ]);
  };
  const what = random.below(14);
  if (what < 6) return create(random, actor);
  if (what === 6) {
    const place = actor.canMove ? random.pick(actor.places) : null;
    const marker = actor.marker(place ?? model.get(id) ?? random.pick(actor.places));
    const change = { content: `edit ${random.below(4)} ${marker}`, ...(place ? { path: place.path } : {}) };
    const answer = await client.patch(`/v1/memories/${id}`, { ...change, metadata: { marker } });
    return expectStatus(answer, isSeen() ? model.update(id, change) : 404);
  }
  if (what === 7)
    return expectStatus(await client.delete(`/v1/memories/${id}`), isSeen() ? model.softDelete(id) : 404);
  if (what === 8)
    return expectStatus(await client.post(`/v1/memories/${id}/restore`), isSeen() ? model.restore(id) : 404);
  if (what === 9)
    return expectStatus(
      await client.delete(`/v1/memories/${id}?mode=hard_delete`),
      isSeen() ? model.hardDelete(id) : 404,
    );
  if (what === 10)
    return expectStatus(
      await client.post(`/v1/memories/${id}/forget`, { mode: "redact" }),
      isSeen() ? model.redact(id) : 404,
    );
  if (what === 11)
    expectStatus(
      await client.get(`/v1/memories/${id}`),
      isSeen() && model.get(id)?.status !== "soft_deleted" ? 200 : 404,
    );
  if (what === 12) expectClean(actor, await client.get(`/v1/memories/${id}/versions`));
  if (what === 13)
    expectClean(actor, await client.post("/v1/recall/why", { query: "fact edit", memory_id: id }));
}

async function create(random: Random, actor: Actor): Promise<void> {
  const place = random.pick(actor.places);
  const marker = actor.marker(place);
  const said: Said = {
    ...place,
    content: `fact ${random.below(4)} ${marker}`,
    bucket: random.pick(["b0", "b1"]),
    key: random.pick([null, null, "k0", "k1"]),
  };
  const id = random.below(2) === 0 ? random.pick(IDS) : null;
  const remembers = random.below(2) === 0;
  const expected = actor.model.create(said, id, remembers, actor.sees);
  const answer = await actor.client.post(remembers ? "/v1/remember" : "/v1/memories", {
    content: said.content,
    path: said.path,
    bucket: said.bucket,
    semantic_key: said.key,
    memory_id: id,
    metadata: { marker },
    ...(said.project === null ? {} : { provenance: { project_id: said.project } }),
  });
  expectClean(actor, answer);
  expect([said, id, remembers, answer.status]).toEqual([said, id, remembers, expected.status]);
  if (expected.status !== 201) return;
  expect([...answer.body.superseded].sort()).toEqual([...expected.superseded].sort());
  if (expected.id !== null) expect(answer.body.id).toBe(expected.id);
  else actor.model.made(answer.body.id, said, expected.superseded);
}

/** No answer may hold a word of what the credential may not see. */
function expectClean({ forbidden }: Actor, answer: Answer): void {
  expect(answer.status).toBeLessThan(500);
  const text = JSON.stringify(answer.body) + JSON.stringify([...answer.headers]);
  for (const word of forbidden) expect(text).not.toContain(word);
}

/** Everything that reads many at once agrees with the model and holds nothing of anybody else. */
async function look(actor: Actor): Promise<void> {
  const { client, model } = actor;
  const expected = model
    .live(actor.sees)
    .map(({ id, content }) => [id, content])
    .sort();
  const list = await client.get("/v1/memories?limit=1000");
  expectClean(actor, list);
  expect(
    list.body.memories.map((item: { id: string; content: string }) => [item.id, item.content]).sort(),
  ).toEqual(expected);
  expect(list.body.total).toBe(expected.length);
  const search = await client.get("/v1/memories/search?query=fact+edit&limit=100&explain=true");
  expectClean(actor, search);
  // Near the limit some are left out, but nothing is answered that is not there.
  const live = new Map(model.live(actor.sees).map(({ id, content }) => [id, content]));
  for (const { id, content } of search.body.results) expect([id, live.get(id)]).toEqual([id, content]);
  for (const path of [
    "/v1/memories?status=%25",
    "/v1/memories?status=soft_deleted",
    "/v1/memories/search?query=fact&status=%25&limit=100",
    `/v1/memories/search?query=fact&limit=100&as_of=${new Date(Date.now() - 50).toISOString()}`,
  ])
    expectClean(actor, await client.get(path));
  expectClean(
    actor,
    await client.post("/v1/recall/context", {
      query: "which fact was edited?",
      max_items: 100,
      max_tokens: 5000,
    }),
  );
  expectClean(actor, await client.post("/v1/memories/delete", { filter: { path: "%" } }));
}

async function play(actors: readonly Actor[], steps: number): Promise<void> {
  const random = createRandom(SEED);
  for (let n = 0; n < steps; n++) {
    const actor = random.pick(actors);
    await step(random, actor);
    if (n % 16 === 0) await look(random.pick(actors));
  }
  for (const actor of actors) await look(actor);
}

test(
  `two owners with the same ids, paths and keys never meet (seed ${SEED})`,
  async () => {
    const actors: Actor[] = [];
    const markers = [unguessable("one"), unguessable("two")];
    for (const [n, marker] of markers.entries()) {
      const client = await world.client({ owner: freshOwner() });
      actors.push({
        client,
        model: new OwnerModel(),
        sees: () => true,
        places: [
          { path: "p/q", project: null },
          { path: "p", project: "apollo" },
        ],
        marker: () => marker,
        forbidden: [markers[1 - n] as string],
        canMove: false,
      });
    }
    const [one, two] = actors as [Actor, Actor];
    await play(
      [
        { ...one, forbidden: [...one.forbidden, two.client.ownerId] },
        { ...two, forbidden: [...two.forbidden, one.client.ownerId] },
      ],
      runs(400),
    );
  },
  120_000 * RUNS,
);

const isIn = ({ path }: Pick<Said, "path">) => path === "in" || path.startsWith("in/");

test.each<[string, NonNullable<ClientOptions["space"]>, Actor["places"], Actor["sees"], boolean]>([
  [
    "a path",
    { pathPrefix: "in" },
    [
      { path: "in/a", project: null },
      { path: "in", project: null },
      { path: "out", project: null },
      { path: "inner", project: null },
    ],
    isIn,
    true,
  ],
  [
    "a project",
    { projects: ["in"] },
    [
      { path: "p", project: "in" },
      { path: "p", project: "out" },
      { path: "p", project: null },
    ],
    ({ project }) => project === "in",
    false,
  ],
])(
  `a credential confined to %s never meets the rest of its owner (seed ${SEED})`,
  async (_, space, places, sees, canMove) => {
    const owner = freshOwner();
    const model = new OwnerModel();
    const [inside, outside] = [unguessable("inside"), unguessable("outside")];
    const marker = (place: Pick<Said, "path" | "project">) => (sees(place as Said) ? inside : outside);
    const whole: Actor = {
      client: await world.client({ owner }),
      model,
      sees: () => true,
      places,
      marker,
      forbidden: [],
      canMove,
    };
    const part: Actor = {
      client: await world.client({ owner, space }),
      model,
      sees,
      places: places.filter((place) => sees(place as Said)),
      marker,
      forbidden: [outside],
      canMove,
    };
    await play([whole, part], runs(200));
  },
  120_000 * RUNS,
);
