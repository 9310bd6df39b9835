/** Everything about one person is erased, wherever the operator may erase, and nothing of anybody else. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { takeOwnerLocks } from "../../src/adapters/postgres/database/locks.ts";
import { subjectOperations } from "../../src/contract/subject-operations.ts";
import type { Owner } from "../../src/core/access/credential.ts";
import { approve, register } from "../agents/agents.ts";
import { workspaceOf } from "../project/workspace.ts";
import { eventually, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";
import { makeUnerasable } from "./stuck.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The body of an answer that is no refusal. */
async function carriedOut(answer: Promise<Answer>) {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: status === 201 ? 201 : 200 });
  return body;
}

const { output } = subjectOperations.eraseSubject;
const { output: list } = subjectOperations.subjectErasures;

async function person() {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("operator"));
  const cookie = await sessionOf(world, owner);
  const ask = (input: object) => askTrpc(world, cookie, "eraseSubject", input);
  const look = async (input: object) => output.parse((await ask(input)).body.result.data);
  const erasures = async () =>
    list.parse((await askTrpc(world, cookie, "subjectErasures", {})).body.result.data).erasures;
  const askFor = (name: string, input: object) => askTrpc(world, cookie, name, input);
  return { owner, client: await world.client({ owner: owner.name }), ask, askFor, look, erasures };
}

type Person = Awaited<ReturnType<typeof person>>;

/** Erases what is found, and waits until the server has done it. */
async function eraseAll(by: Person, input: object) {
  const { plan_hash } = await by.look(input);
  const { erasure_id } = await by.look({ ...input, dry_run: false, plan_hash });
  return finished(by, erasure_id);
}

async function finished(by: Pick<Person, "erasures">, id: string | null) {
  const done = await eventually(
    async () => (await by.erasures()).find((one) => one.id === id),
    (one) => one !== undefined && one.finished_at !== null,
    60_000,
  );
  return { ...done, receipts: done?.receipts.length ?? 0 };
}

const remember = async (client: Pick<Client, "post">, content: string, more: object = {}): Promise<string> =>
  (await carriedOut(client.post("/v1/remember", { content, path: "notes", dedupe: false, ...more }))).id;

/** A memory in each state that hides it from lists, and one that says it in an earlier version alone. */
async function plantInStates(client: Client, name: string, more: object = {}): Promise<void> {
  const forgotten = await remember(client, `${name} was here, forgotten`, more);
  await client.delete(`/v1/memories/${forgotten}`);
  const key = unguessable("key");
  await remember(client, `${name} lives in Graz`, { ...more, semantic_key: key });
  await remember(client, "Nobody lives in Linz", { ...more, semantic_key: key });
  const corrected = await remember(client, `${name} is wrong here`, more);
  await client.patch(`/v1/memories/${corrected}`, { content: "Corrected since" });
  await remember(client, "Expires", {
    ...more,
    metadata: { contact: { names: [name] } },
    expires_at: new Date(Date.now() + 1000).toISOString(),
  });
}

async function plantItems(client: Client, name: string, more: object = {}): Promise<void> {
  const items = workspaceOf(client, "apollo");
  const { todo_id } = await carriedOut(items.todo({ content: `Call ${name}`, ...more }));
  await carriedOut(items.todo({ content: "After the call", depends_on: [todo_id], ...more }));
  const called = await carriedOut(items.todo({ content: "Ask for the address", ...more }));
  await carriedOut(items.act(called.todo_id, "accept"));
  await carriedOut(items.act(called.todo_id, "complete", { note: `${name} gave it` }));
  await carriedOut(items.decision({ context: `Hire ${name.toUpperCase()}?`, ...more }));
  const other = await carriedOut(items.decision({ context: "Which room?", ...more }));
  await carriedOut(
    items.decide(other.decision_id, "resolve", {
      resolution: `The large one, as ${name} said`,
    }),
  );
}

test("a person in three workspaces, in 311 memories, todos, decisions, versions and a quarantine is gone from all of them", {
  timeout: 300_000,
}, async () => {
  const operator = await person();
  const name = `Ada ${unguessable("Lovelace")}`;
  const mail = `${unguessable("ada")}@example.com`;
  const { teams } = world.service;
  const { team } = await teams.create(unguessable("team"), operator.owner);
  const boss = await person();
  const led = await teams.create(unguessable("led"), boss.owner);
  await teams.add(led.team.id, operator.owner.id, "admin");

  const batch = (of: number, from: number, more: object = {}) =>
    Array.from({ length: of }, (_, n) => ({
      content: `Note ${from + n}: ${n % 2 ? name : name.toUpperCase()} of Frankfurt`,
      path: `notes/${from + n}`,
      ...more,
    }));
  for (let at = 0; at < 300; at += 100)
    await carriedOut(operator.client.post("/v1/memories/batch", { items: batch(100, at) }));
  await carriedOut(
    operator.client.post("/v1/memories/batch", { items: batch(11, 300, { team_id: team.id }) }),
  );
  await remember(operator.client, `Write to ${mail}`);
  await plantInStates(operator.client, name);
  await plantItems(operator.client, name);
  await plantInStates(operator.client, name, { team_id: led.team.id });
  await plantItems(operator.client, name, { team_id: led.team.id });
  const agent = await register(world);
  await remember(agent.client, `The agent met ${name}`);
  await approve(world, agent, operator.owner);
  await operator.client.get(`/v1/memories/search?query=${encodeURIComponent(`Who is ${name}?`)}`);
  await operator.client.get(`/v1/memories/search?query=${encodeURIComponent(`Nothing of ${mail}`)}`);

  // Of others: the same person in a stranger's space, in a team that the operator only reads, and a longer name.
  const stranger = await person();
  const kept = await remember(stranger.client, `A stranger knows ${name}`);
  const read = await teams.create(unguessable("read"), boss.owner);
  await teams.add(read.team.id, operator.owner.id, "member");
  const read_ = await remember(boss.client, `The boss notes ${name}`, { team_id: read.team.id });
  const longer = await remember(operator.client, `${name}son is somebody else`);

  const terms = [name, mail];
  await expect
    .poll(async () => (await operator.look({ terms })).workspaces[0]?.questions, { timeout: 30_000 })
    .toBe(2);
  const seen = await operator.look({ terms });
  const workspaces = Object.fromEntries(seen.workspaces.map((one) => [one.name, one]));
  expect(workspaces[operator.owner.name]).toMatchObject({
    ...{ kind: "own", memories: 305, todos: 2, decisions: 2, earlier_only: 1 },
  });
  expect(workspaces[operator.owner.name]?.hidden).toBeGreaterThanOrEqual(2);
  expect(workspaces[team.name]).toMatchObject({ kind: "team", memories: 11, todos: 0 });
  expect(workspaces[led.team.name]).toMatchObject({ kind: "team", memories: 4, todos: 2, decisions: 2 });
  expect(seen.workspaces.at(-1)).toMatchObject({ kind: "quarantine", memories: 1 });
  expect(seen.not_searched).toMatchObject([{ name: read.team.name, role: "member" }]);
  expect(seen.terms).toEqual([
    { term: name, records: seen.found - 1 },
    { term: mail, records: 1 },
  ]);
  expect(seen).toMatchObject({
    found: 305 + 4 + 11 + 4 + 4 + 1,
    near: 1,
    erasure_id: null,
    has_more_lines: true,
  });
  expect(seen.near_lines).toMatchObject([{ id: longer }]);
  // Every line can be looked at, page by page.
  const lines = [];
  for (let more = true; more; ) {
    const page = await operator.look({ terms, skip: lines.length });
    lines.push(...page.lines);
    more = page.has_more_lines;
  }
  expect(new Set(lines.map(({ workspace_id, id }) => workspace_id + id)).size).toBe(seen.found);
  for (const { excerpt, terms: contained } of lines)
    expect(contained.map((term) => term.toLowerCase())).toContain(
      excerpt.match.toLowerCase().replaceAll("-", " "),
    );

  const { erased, receipts } = await eraseAll(operator, { terms });
  expect(erased).toBe(seen.found);
  expect(receipts).toBeGreaterThanOrEqual(4);
  expect(await operator.look({ terms })).toMatchObject({ found: 0, near: 1 });
  for (const text of [`${name} lives`, `${name} was here`, `Call ${name}`, mail, `of ${name}`])
    expect(await columnsHolding(world.service.sql, text)).toEqual([]);
  expect(await columnsHolding(world.service.sql, name)).toEqual(["memories.content"]);
  const { body: search } = await operator.client.get(
    `/v1/memories/search?query=${encodeURIComponent(name)}&limit=100`,
  );
  expect(JSON.stringify(search).split(name)).toHaveLength(2 + 1);
  // The one whose name is longer, a stranger's and that of the team that the operator only reads.
  expect((await operator.client.get(`/v1/memories/${longer}`)).status).toBe(200);
  expect((await stranger.client.get(`/v1/memories/${kept}`)).status).toBe(200);
  expect((await boss.client.get(`/v1/memories/${read_}`)).status).toBe(200);
  await eventually(
    () => world.service.sql`select from receipts where pending > 0`,
    (open) => open.length === 0,
  );
});

test("single records are left out, and what was looked at is what is erased", async () => {
  const operator = await person();
  const name = unguessable("Grace");
  const [one, other, third] = [
    await remember(operator.client, `${name} one`),
    await remember(operator.client, `${name} other`),
    await remember(operator.client, `${name} third`),
  ];
  const leave_out = [{ workspace_id: operator.owner.id, id: one }];
  const seen = await operator.look({ terms: [name], leave_out });
  expect(seen).toMatchObject({ found: 3, left_out: 1 });
  expect(seen.lines.filter(({ is_left_out }) => is_left_out)).toMatchObject([{ id: one }]);

  const run = { terms: [name], leave_out, dry_run: false, plan_hash: seen.plan_hash };
  await operator.client.patch(`/v1/memories/${other}`, { content: `${name} other, changed` });
  expect((await operator.ask(run)).body.error.data.code).toBe("plan_changed");
  const again = await operator.look({ terms: [name] });
  const fourth = await remember(operator.client, `${name} fourth`);
  expect((await operator.ask({ ...run, plan_hash: again.plan_hash })).body.error.data.code).toBe(
    "plan_changed",
  );
  expect(await eraseAll(operator, { terms: [name], leave_out })).toMatchObject({ erased: 3 });
  const status = async (id: string) => (await operator.client.get(`/v1/memories/${id}`)).status;
  expect([await status(one), await status(other), await status(third), await status(fourth)]).toEqual([
    200, 404, 404, 404,
  ]);
});

test("a chain of superseded memories goes in several batches of one plan", async () => {
  const operator = await person();
  const name = unguessable("Chain");
  const values = Array.from({ length: 230 }, (_, n) => ({
    content: `${name} value ${n}`,
    path: "notes",
    semantic_key: "address",
  }));
  for (const items of [values.slice(0, 100), values.slice(100, 200), values.slice(200)])
    await carriedOut(operator.client.post("/v1/memories/batch", { items }));
  expect(await eraseAll(operator, { terms: [name] })).toMatchObject({ erased: 230, receipts: 2 });
  expect(await columnsHolding(world.service.sql, name)).toEqual([]);
}, 120_000);

test("terms without two letters or digits, and a run without a plan, are refused at their place", async () => {
  const operator = await person();
  const refusal = async (input: object) => (await operator.ask(input)).body.error.data;
  expect(await refusal({ terms: ["Ada", "!!x"] })).toMatchObject({
    code: "validation_failed",
    issues: [{ loc: ["terms", 1] }],
  });
  expect(await refusal({ terms: ["Ada"], dry_run: false })).toMatchObject({
    code: "validation_failed",
    issues: [{ loc: ["plan_hash"] }],
  });
});

test("what changes after an erasure has begun stays and is counted, and nobody else sees the erasure", async () => {
  const [operator, other] = [await person(), await person()];
  const { sql } = world.service;
  const name = unguessable("Mary");
  const [same, changed, deleted] = [
    await remember(operator.client, `${name} same`),
    await remember(operator.client, `${name} changed`),
    await remember(operator.client, `${name} deleted`),
  ];
  const { plan_hash } = await operator.look({ terms: [name] });
  // The server cannot begin before these are changed.
  const begun = await sql.begin(async (tx) => {
    await takeOwnerLocks(tx, [operator.owner.id]);
    const { erasure_id } = await operator.look({ terms: [name], dry_run: false, plan_hash });
    await tx`update memories set content = 'Changed since' where memory_id = ${changed}`;
    await tx`delete from memories where memory_id = ${deleted}`;
    return erasure_id;
  });
  expect(await finished(operator, begun as unknown as string)).toMatchObject({
    ...{ records: 3, erased: 1, skipped: 2, receipts: 1 },
  });
  const status = async (id: string) => (await operator.client.get(`/v1/memories/${id}`)).status;
  expect([await status(same), await status(changed)]).toEqual([404, 200]);
  expect(await other.erasures()).toEqual([]);
  expect(await columnsHolding(sql, `${name} same`)).toEqual([]);
  expect(await sql`select from subject_erasure_records where workspace_id = ${operator.owner.id}`).toEqual(
    [],
  );
});

test("an erasure that fails in one workspace erases in the others, says why and when it is tried again, and can be ended", async () => {
  const [operator, other] = [await person(), await person()];
  const { teams, sql } = world.service;
  const { team } = await teams.create(unguessable("team"), operator.owner);
  const name = unguessable("Emmy");
  const stuck = await remember(operator.client, `${name} cannot be erased`);
  const theirs = await remember(operator.client, `${name} of the team`, { team_id: team.id });
  // In the owner's own space, which comes first.
  const makeErasable = await makeUnerasable(sql, stuck);
  try {
    const { plan_hash } = await operator.look({ terms: [name] });
    const { erasure_id } = await operator.look({ terms: [name], dry_run: false, plan_hash });
    const attempts = async (n: number) =>
      eventually(
        async () => (await operator.erasures())[0],
        (one) => (one?.failing?.attempts ?? 0) >= n,
        60_000,
      );
    const first = await attempts(1);
    const pauseOf = (erasure: typeof first) =>
      Date.parse(erasure?.failing?.next_attempt_at as string) - Date.now();
    expect(first).toMatchObject({ id: erasure_id, records: 2, erased: 1, skipped: 0, finished_at: null });
    expect(first?.failing).toEqual({
      attempts: 1,
      reason: "An unexpected error (XX001): the server's log has more.",
      next_attempt_at: expect.any(String),
    });
    const status = async (id: string) => (await operator.client.get(`/v1/memories/${id}`)).status;
    expect([await status(stuck), await status(theirs)]).toEqual([200, 404]);
    // Each pause is twice as long as the one before, so the next attempts need not be waited for.
    await sql`update subject_erasures set failures = 8, due_at = now() where id = ${erasure_id}`;
    expect(pauseOf(await attempts(9))).toBeGreaterThan(2_000_000);
    const stop = (by: Person) => by.askFor("stopSubjectErasure", { erasure_id });
    expect((await stop(other)).body.error.data.code).toBe("not_found");
    expect((await stop(operator)).body.result.data).toEqual({ stopped: true });
    expect((await stop(operator)).body.error.data.code).toBe("not_found");
    expect(await operator.erasures()).toMatchObject([
      { erased: 1, skipped: 1, was_stopped: true, failing: null, finished_at: expect.any(String) },
    ]);
    expect(await status(stuck)).toBe(200);
    expect(await sql`select from subject_erasure_records where erasure = ${erasure_id}`).toEqual([]);
  } finally {
    await makeErasable();
  }
}, 120_000);

test("an operator who is no admin any more when the server comes to a team erases nothing there", async () => {
  const [boss, operator] = [await person(), await person()];
  const { teams, sql } = world.service;
  const { team } = await teams.create(unguessable("team"), boss.owner);
  await teams.add(team.id, operator.owner.id, "admin");
  const name = unguessable("Lise");
  const theirs = await remember(boss.client, `${name} of the team`, { team_id: team.id });
  const { plan_hash } = await operator.look({ terms: [name] });
  const begun = await sql.begin(async (tx) => {
    await takeOwnerLocks(tx, [team.id]);
    const { erasure_id } = await operator.look({ terms: [name], dry_run: false, plan_hash });
    await tx`update team_members set role = 'member' where team_id = ${team.id} and user_id = ${operator.owner.id}`;
    return erasure_id;
  });
  expect(await finished(operator, begun as unknown as string)).toMatchObject({ erased: 0, skipped: 1 });
  expect((await boss.client.get(`/v1/memories/${theirs}`)).status).toBe(200);
});

test("no operator reaches what another one has, whatever their roles", async () => {
  const name = unguessable("Everywhere");
  const people = await Promise.all([person(), person(), person(), person()]);
  const owners: Owner[] = people.map(({ owner }) => owner);
  const roles = ["owner", "admin", "member", "viewer"] as const;
  const teams = [];
  for (const [n, owner] of owners.entries()) {
    const { team } = await world.service.teams.create(unguessable("team"), owner);
    const others = owners.map((each, at) => ({
      each,
      role: roles[(at - n + 4) % 4] as (typeof roles)[number],
    }));
    for (const { each, role } of others)
      if (each !== owner) await world.service.teams.add(team.id, each.id, role);
    const client = people[n]?.client as Client;
    await remember(client, `${name} at home`);
    await remember(client, `${name} in a team`, { team_id: team.id });
    teams.push(team);
  }
  const first = people[0] as Awaited<ReturnType<typeof person>>;
  const seen = await first.look({ terms: [name] });
  // Their own, that of the team they own, and that of the team they are an admin of.
  expect(seen.found).toBe(3);
  expect(seen.not_searched).toHaveLength(2);
  expect(await eraseAll(first, { terms: [name] })).toMatchObject({ erased: 3 });
  const left = await world.service.sql`select owner_id from memories where content like ${`${name}%`}`;
  const isReached = (id: string) =>
    [first.owner.id, ...seen.workspaces.map(({ workspace_id }) => workspace_id)].includes(id);
  expect(left).toHaveLength(5);
  expect(left.filter(({ owner_id }) => isReached(owner_id))).toEqual([]);
});
