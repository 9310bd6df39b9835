import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, found, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { everyRequestById } from "../support/every-route.ts";
import { fingerprint } from "../support/stored-text.ts";
import { type ClientOptions, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Given = Record<string, unknown>;
const inProject = (project_id: string) => ({ provenance: { project_id } });

const spaces: [string, NonNullable<ClientOptions["space"]>, Given[], Given[]][] = [
  [
    "a path",
    { pathPrefix: "mine" },
    [{ path: "mine" }, { path: "mine/a/b" }],
    [
      { path: "theirs" },
      { path: "mine2" },
      { path: "minefield/a" },
      { path: "a/mine" },
      { path: "m_ne" },
      { path: "Mine/a" },
    ],
  ],
  [
    "a path of metacharacters",
    { pathPrefix: "m_%" },
    [{ path: "m_%/a" }],
    [{ path: "mx%/a" }, { path: "m_y/a" }, { path: "mine" }],
  ],
  [
    "buckets",
    { buckets: ["mine", "ours"] },
    [{ bucket: "mine" }, { bucket: "ours" }],
    [{ bucket: "public" }, { bucket: "Mine" }],
  ],
  ["a project", { projects: ["mine"] }, [inProject("mine")], [inProject("theirs"), {}, inProject("Mine")]],
  [
    "all three",
    { pathPrefix: "mine", buckets: ["mine"], projects: ["mine"] },
    [{ path: "mine/a", bucket: "mine", ...inProject("mine") }],
    [
      { path: "mine/a", bucket: "mine" },
      { path: "mine/a", ...inProject("mine") },
      { bucket: "mine", ...inProject("mine") },
    ],
  ],
];

test.each(spaces)("a credential for %s sees exactly what is in it", async (_, space, inside, outside) => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const part = await world.client({ owner, space });
  const mine: string[] = [];
  for (const [n, given] of inside.entries())
    mine.push(await stored(whole, { content: `inside ${n}`, ...given }));
  const theirs: string[] = [];
  for (const [n, given] of outside.entries())
    theirs.push(await stored(whole, { content: `outside ${n}`, ...given }));
  for (const status of ["active", "%"]) {
    expect((await listed(part, { status })).sort()).toEqual(inside.map((_, n) => `inside ${n}`));
    expect((await found(part, "inside or outside", { status })).sort()).toEqual(mine.toSorted());
  }
  expect((await part.get("/v1/memories")).body.total).toBe(mine.length);
  const context = await part.post("/v1/recall/context", { query: "inside or outside", max_items: 100 });
  expect(JSON.stringify(context.body)).not.toContain("outside 0");
  for (const id of mine) expect((await part.get(`/v1/memories/${id}`)).status).toBe(200);
  const before = await fingerprint(world.service.sql);
  for (const id of theirs) {
    for (const [name, send] of Object.entries(everyRequestById(part, id))) {
      const answer = await send();
      expect([name, answer.status, answer.body.code]).toEqual([name, 404, "not_found"]);
    }
  }
  expect(await fingerprint(world.service.sql)).toBe(before);
});

test.each(spaces)("a credential for %s cannot write out of it", async (_, space, inside, outside) => {
  const owner = freshOwner();
  const part = await world.client({ owner, space });
  const id = await stored(part, inside[0]);
  const before = await fingerprint(world.service.sql);
  for (const given of outside) {
    // What is stored without a project gets the credential's own.
    if (Object.keys(given).length === 0) continue;
    if (space.projects && !("provenance" in given)) continue;
    for (const path of ["/v1/memories", "/v1/remember"])
      expectRefusal(await part.post(path, memory(given)), 403, "insufficient_scope");
    if ("provenance" in given) continue;
    expectRefusal(await part.patch(`/v1/memories/${id}`, given), 403, "insufficient_scope");
  }
  expect(await fingerprint(world.service.sql)).toBe(before);
});

test("a credential of one project stamps it on what it writes", async () => {
  const part = await world.client({ owner: freshOwner(), space: { projects: ["apollo"] } });
  const id = await stored(part);
  expect((await part.get(`/v1/memories/${id}`)).body.provenance.project_id).toBe("apollo");
});

test("a credential of several projects must name one", async () => {
  const part = await world.client({ owner: freshOwner(), space: { projects: ["apollo", "gemini"] } });
  for (const path of ["/v1/memories", "/v1/remember"]) {
    expect(faultyPlaces(await part.post(path, memory()))).toEqual(["body.project_id"]);
  }
  const named = await part.post("/v1/memories", memory({ content: "by header" }), {
    "x-project-id": "gemini",
  });
  expect((await part.get(`/v1/memories/${named.body.id}`)).body.provenance.project_id).toBe("gemini");
  const id = await stored(part, inProject("apollo"));
  expect((await part.get(`/v1/memories/${id}`)).status).toBe(200);
  expect(await listed(part)).toHaveLength(2);
});

test("a change of provenance does not move a memory to another project", async () => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const part = await world.client({ owner, space: { projects: ["mine"] } });
  const id = await stored(whole, inProject("theirs"));
  await whole.patch(`/v1/memories/${id}`, { ...inProject("mine"), merge_provenance: false });
  expectRefusal(await part.get(`/v1/memories/${id}`), 404, "not_found");
});

test("an id that is taken out of reach is refused without a word of it", async () => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const part = await world.client({ owner, space: { pathPrefix: "mine" } });
  await stored(whole, { memory_id: "taken", path: "theirs", content: "out of reach" });
  const refused = await part.post("/v1/memories", memory({ memory_id: "taken", path: "mine" }));
  expectRefusal(refused, 409, "memory_id_conflict");
  expect(JSON.stringify(refused.body)).not.toContain("out of reach");
});

test("no answer names the id of a memory out of reach: not as successor, in conflicts, in a chain or in a receipt", async () => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const part = await world.client({ owner, space: { pathPrefix: "mine" } });
  const fact = { semantic_key: "limit" };
  const mine = await stored(whole, { ...fact, path: "mine/a", content: "The limit is 5 euros." });
  const theirs = await stored(whole, {
    ...fact,
    path: "theirs",
    content: "The limit is 7 euros.",
    memory_id: "out-of-reach-1",
  });
  const other = await stored(part, { path: "mine/b", content: "The limit is 6 euros." });
  for (const answer of [
    await part.get(`/v1/memories/${mine}`),
    await part.get(`/v1/memories/${mine}/versions`),
    await part.get("/v1/memories?status=%25"),
    await part.get("/v1/memories/search?query=limit&status=%25"),
    await part.patch(`/v1/memories/${other}`, fact),
    await part.post("/v1/recall/context", { query: "limit", status: "%" }),
    await part.delete(`/v1/memories/${mine}?mode=redact`),
    await part.delete(`/v1/memories/${mine}?mode=hard_delete`),
  ]) {
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain(theirs);
  }
});

test("a receipt is read by the confined credential that got it and by no other confined one", async () => {
  const owner = freshOwner();
  const [part, other] = [
    await world.client({ owner, space: { pathPrefix: "mine" } }),
    await world.client({ owner, space: { pathPrefix: "other" } }),
  ];
  const { body } = await part.delete(`/v1/memories/${await stored(part, { path: "mine" })}?mode=hard_delete`);
  expect((await part.get(`/v1/receipts/${body.receipt.id}`)).status).toBe(200);
  expectRefusal(await other.get(`/v1/receipts/${body.receipt.id}`), 404, "not_found");
});
