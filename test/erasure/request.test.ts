/** An erasure that is asked for over the network: a dry run, a confirmation, a receipt that anybody reads who knows its id. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, expectRefusal, freshOwner, listed, stored, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { openWorld, type World } from "../support/world.ts";
import { leavePerson, leaveWords } from "./stage.ts";
import { makeUnerasable } from "./stuck.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const PATH = "/v1/erasures";

/** As anybody reads it: without a credential. */
async function read(id: string) {
  const response = await world.handle(new Request(`http://localhost${PATH}/${id}`));
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const confirmed = (id: string) =>
  eventually(
    async () => (await read(id)).body,
    ({ state }) => state === "confirmed",
    60_000,
  );

test("a user ends with a dry run, the name and the plan; the receipt says what went, and names nobody", async () => {
  const word = unguessable();
  const name = `u${word}`;
  const client = await world.client({ owner: name });
  await leaveWords(client, word);
  await leavePerson(world, name, word);
  const plan = await client.post(PATH, {});
  expect(plan.status).toBe(200);
  expect(plan.body).toMatchObject({
    dry_run: true,
    kind: "user",
    owner_id: client.ownerId,
    name,
    would_remove: { memories: expect.any(Number), "auth.user": 1, agents: expect.any(Number) },
    is_repeat: false,
  });
  const { erasure_id: id, plan_hash } = plan.body;
  expect((await client.post(PATH, {})).body.erasure_id).toBe(id);
  expectRefusal(await read(id), 404, "not_found");

  const begun = await client.post(PATH, { dry_run: false, confirm: name, plan_hash });
  expect(begun.body).toMatchObject({
    dry_run: false,
    erasure_id: id,
    is_repeat: false,
    receipt: { id, state: "running", finished_at: null },
  });
  expect(JSON.stringify(begun.body)).not.toContain(word);
  expectRefusal(await client.get("/v1/memories"), 401, "invalid_token");
  expectRefusal(await client.post(PATH, { dry_run: false, confirm: name, plan_hash }), 401, "invalid_token");

  const receipt = await confirmed(id);
  expect(receipt).toMatchObject({
    id,
    kind: "user",
    owner_id: client.ownerId,
    // Vectors are made meanwhile, and need not be as many.
    removed: { ...plan.body.would_remove, embeddings: expect.any(Number) },
  });
  expect(receipt.audit_lines).toBeGreaterThan(0);
  expect(Date.parse(receipt.finished_at)).toBeGreaterThanOrEqual(Date.parse(receipt.started_at));
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  const [line] = await world.service.sql`
    select token_id, agent_id, request_id from audit_log
    where owner_id = ${client.ownerId} and operation = 'erase_owner'`;
  expect({ ...line }).toEqual({ token_id: client.tokenId, agent_id: null, request_id: null });
  // The command line finds the same one by the name.
  const [again] = await world.service.erasures.list();
  expect(again?.id).toBe(id);
});

test("nothing happens without the name and the plan of a dry run that still holds", async () => {
  const name = freshOwner();
  const client = await world.client({ owner: name });
  await stored(client, { content: "still here" });
  const { plan_hash } = (await client.post(PATH, {})).body;
  const erase = (input: object) => client.post(PATH, { dry_run: false, ...input });
  for (const [input, member] of [
    [{}, "plan_hash"],
    [{ confirm: name }, "plan_hash"],
    [{ plan_hash }, "confirm"],
    [{ plan_hash, confirm: name.toUpperCase() }, "confirm"],
    [{ plan_hash, confirm: "" }, "confirm"],
  ] as const) {
    const answer = await erase(input);
    expectRefusal(answer, 422, "validation_failed");
    expect([input, answer.body.detail[0].loc]).toEqual([input, ["body", member]]);
  }
  expectRefusal(await erase({ confirm: name, plan_hash: "of nothing" }), 409, "plan_changed");
  await stored(client, { content: "one more" });
  expectRefusal(await erase({ confirm: name, plan_hash }), 409, "plan_changed");
  // Another key of the same user has not seen the plan.
  const other = await world.client({ owner: name });
  const fresh = (await client.post(PATH, {})).body.plan_hash;
  expectRefusal(
    await other.post(PATH, { dry_run: false, confirm: name, plan_hash: fresh }),
    409,
    "plan_changed",
  );
  expect((await listed(client)).sort()).toEqual(["one more", "still here"]);
  expect(await world.service.erasures.receipt((await client.post(PATH, {})).body.erasure_id)).toBeNull();
});

test("a team ends by one of its owners, who keeps what is theirs; asked again, it says that it has begun before", async () => {
  const [word, team] = [unguessable(), freshOwner()];
  const user = await world.client({ owner: freshOwner() });
  const { team: made } = await world.service.teams.create(team, {
    id: user.ownerId,
    kind: "user",
    name: "",
  });
  await stored(user, { content: "my own", path: "own" });
  await leaveWords(await world.client({ team }), word);
  const { plan_hash, name, erasure_id: id } = (await user.post(PATH, { team_id: made.id })).body;
  expect(name).toBe(team);
  const request = { team_id: made.id, dry_run: false, confirm: team, plan_hash };
  const first = await user.post(PATH, request);
  expect(first.body).toMatchObject({ erasure_id: id, kind: "team", is_repeat: false });
  await confirmed(id);
  const second = await user.post(PATH, request);
  expect(second.body).toMatchObject({ is_repeat: true, receipt: { id, state: "confirmed" } });
  expect((await user.post(PATH, request)).body).toEqual(second.body);
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  expect(await columnsHolding(world.service.sql, team)).toEqual([]);
  expect(await listed(user)).toEqual(["my own"]);
  // To another key of the user, and to anybody else, there is no such team any more.
  const other = await world.client({ owner: freshOwner() });
  expectRefusal(await other.post(PATH, request), 404, "not_found");
});

test("the last owner of a team is told so by the dry run already", async () => {
  const name = freshOwner();
  const client = await world.client({ owner: name });
  await world.service.teams.create(freshOwner(), { id: client.ownerId, kind: "user", name });
  expectRefusal(await client.post(PATH, {}), 409, "conflict");
});

test("requests that come at once begin one erasure, and each is told of that one or of its credential's end", async () => {
  const name = freshOwner();
  const client = await world.client({ owner: name });
  await stored(client);
  const { plan_hash, erasure_id: id } = (await client.post(PATH, {})).body;
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => client.post(PATH, { dry_run: false, confirm: name, plan_hash })),
  );
  const told = answers.filter(({ status }) => status === 200);
  expect(told.length).toBeGreaterThan(0);
  for (const { body } of told) expect(body.receipt.id).toBe(id);
  for (const { status, body } of answers.filter((one) => !told.includes(one)))
    expect([status, body.code]).toEqual(status === 401 ? [401, "invalid_token"] : [404, "not_found"]);
  await confirmed(id);
  expect((await world.service.erasures.list()).filter((one) => one.id === id)).toHaveLength(1);
});

test("an erasure that fails is tried again after ever longer pauses, and meanwhile others are carried out", async () => {
  const { erasures, sql } = world.service;
  const begin = async () => {
    const name = freshOwner();
    const client = await world.client({ owner: name });
    const { id } = (await client.post("/v1/remember", { content: "It goes", path: "notes" })).body;
    return {
      memory: id as string,
      start: async () => (await erasures.begin({ kind: "user", name }))?.id ?? "",
    };
  };
  const [stuck, other] = [await begin(), await begin()];
  const makeErasable = await makeUnerasable(sql, stuck.memory);
  const pauseOf = async (id: string) => {
    const [row] = await sql`
      select extract(epoch from due_at - now())::float8 as pause from erasures where id = ${id}`;
    return row?.pause as number;
  };
  try {
    const failing = await stuck.start();
    // As if it had failed for ten minutes.
    await sql`
      update erasures set started_at = now() - interval '10 minutes', due_at = now() where id = ${failing}`;
    await eventually(
      () => pauseOf(failing),
      (pause) => pause > 500 && pause < 700,
      60_000,
    );
    expect((await confirmed(await other.start())).state).toBe("confirmed");
    await makeErasable();
    await sql`update erasures set due_at = now() where id = ${failing}`;
    expect((await confirmed(failing)).removed.memories).toBe(1);
  } finally {
    await makeErasable();
  }
}, 150_000);

test("what was broken off on the command line is finished by a server", async () => {
  const name = freshOwner();
  const client = await world.client({ owner: name });
  const items = Array.from({ length: 200 }, (_, n) => ({ content: `${n}`, path: "many" }));
  await client.post("/v1/memories/batch", { items });
  const begun = await world.service.erasures.begin({ kind: "user", name });
  const receipt = await eventually(
    () => world.service.erasures.receipt(begun?.id ?? ""),
    (one) => one?.state === "confirmed",
    60_000,
  );
  expect(receipt?.removed.memories).toBe(200);
});
