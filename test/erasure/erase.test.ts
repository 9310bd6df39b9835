import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eraseOwner } from "../../src/core/access/erasure.ts";
import { eventually, expectRefusal, freshOwner, listed, stored, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { openWorld, type World } from "../support/world.ts";
import { allRows, erase, leavePerson, leaveWords } from "./stage.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Tables that say, by ids alone, that there was something: for indexes to learn of it, for the log, and as receipts. */
const TRACES = ["audit_log", "erasures", "outbox", "outbox_owners", "tombstones"];
/** Tables of what counts requests and times, and of what is noted some seconds later. */
const PASSING = [
  "recalls",
  "rate_windows",
  "auth.attempts",
  "owner_usage",
  "service_secrets",
  "event_inbox",
  "event_log",
  "events",
  "figures",
  "memory_count_changes",
  "memory_counts",
];

/** The worker still makes vectors of what was taken over. */
async function allEmbedded(): Promise<void> {
  await vi.waitFor(async () => {
    const [row] = await world.service.sql`
      select count(*)::int as waiting from memories m
      where status <> 'redacted' and not exists (select from embeddings e where e.memory = m.id)`;
    expect(row?.waiting).toBe(0);
  }, 30_000);
}

test("of an erased user no table holds anything, the preview counts what goes, and others have what they had", async () => {
  const [word, others] = [unguessable(), unguessable()];
  const bystander = await world.client({ owner: freshOwner() });
  await leaveWords(bystander, others);
  await leavePerson(world, freshOwner(), unguessable());
  await allEmbedded();
  const before = await allRows(world.service.sql);

  const name = `u${word}`;
  const client = await world.client({ owner: name });
  await leaveWords(client, word);
  await leavePerson(world, name, word);
  // Otherwise the search below would prove nothing.
  const held = await columnsHolding(world.service.sql, word);
  for (const column of [
    "memories.content",
    "memory_versions.state",
    "audit_log.agent_id",
    "user.email",
    "agents.client",
  ])
    expect(held).toContain(column);

  await allEmbedded();
  const preview = await world.service.erasures.preview({ kind: "user", name });
  const receipt = await erase(world, "user", name);
  expect(receipt.removed).toEqual(preview);
  for (const table of [
    "memories",
    "embeddings",
    "todos",
    "decisions",
    "receipts",
    "idempotency_keys",
    "tokens",
    "agents",
    "auth.user",
    "auth.oauthConsent",
  ])
    expect([table, receipt.removed[table] ?? 0]).not.toEqual([table, 0]);
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  const after = await allRows(world.service.sql);
  // Apps are anybody's: one that nobody has let in goes by itself.
  for (const table of [...before.keys()].filter((one) => ![...TRACES, ...PASSING].includes(one)))
    if (table !== 'auth."oauthClient"') expect([table, after.get(table)]).toEqual([table, before.get(table)]);
  for (const line of before.get("audit_log") ?? []) expect(after.get("audit_log")).toContain(line);
  expect(await listed(bystander)).toContain(`Now The 1. word is ${others}.`);
});

test("the credentials of an erased user are worth nothing, and the name is free for somebody else", async () => {
  const name = freshOwner();
  const client = await world.client({ owner: name });
  await stored(client, { content: "mine" });
  const first = await erase(world, "user", name);
  expectRefusal(await client.get("/v1/memories"), 401, "invalid_token");
  expect(await erase(world, "user", name)).toEqual({ ...first, state: expect.any(String) });
  const next = await world.client({ owner: name });
  expect(next.ownerId).not.toBe(client.ownerId);
  expect(await listed(next)).toEqual([]);
  const second = await erase(world, "user", name);
  expect(second.id).not.toBe(first.id);
  await expect(erase(world, "user", freshOwner())).rejects.toMatchObject({ code: "not_found" });
});

test("what a user wrote in a team stays, and nothing says any more who wrote it; what was the user's before it came there goes", async () => {
  const [word, claimed, former] = [unguessable(), unguessable("agent-"), unguessable()];
  const [name, team] = [freshOwner(), freshOwner()];
  const colleague = await world.client({ owner: freshOwner() });
  const leaver = await world.client({ owner: name });
  const { teams, sql } = world.service;
  const { team: made } = await teams.create(team, { id: colleague.ownerId, kind: "user", name: "" });
  await teams.add(made.id, leaver.ownerId, "admin");
  const headers = {
    "x-agent-id": claimed,
    "x-agent-name": claimed,
    "x-agent-instance": claimed,
    "x-request-id": claimed,
  };
  const inTeam = { scope: "team", team_id: made.id, path: "shared" };
  const kept = await leaver.post("/v1/remember", { content: `In the team: ${word}`, ...inTeam }, headers);
  await leaver.patch(`/v1/memories/${kept.body.id}`, { content: `Later in the team: ${word}` }, headers);
  const moved = await leaver.post("/v1/remember", { content: `Before: ${former}`, path: "own" }, headers);
  await leaver.patch(`/v1/memories/${moved.body.id}`, { content: "harmless" }, headers);
  await leaver.patch(`/v1/memories/${moved.body.id}`, { scope: "team", team_id: made.id }, headers);
  const todo = await leaver.post("/v1/projects/p/todos", { content: "to do", team_id: made.id }, headers);
  const accepted = await leaver.post(`/v1/projects/p/todos/${todo.body.todo_id}/accept`, undefined, headers);
  const decision = await leaver.post(
    "/v1/projects/p/decisions",
    { context: "so?", team_id: made.id },
    headers,
  );
  const resolved = await leaver.post(
    `/v1/projects/p/decisions/${decision.body.decision_id}/resolve`,
    { resolution: "so" },
    headers,
  );
  const settled = await leaver.patch(
    "/v1/projects/p/maintenance/settings",
    { stale_after_days: 30, team_id: made.id },
    headers,
  );
  expect([accepted, resolved, settled].map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await columnsHolding(sql, claimed)).toContain("todos.accepted_by");
  expect(await columnsHolding(sql, former)).toContain("memory_versions.state");

  await erase(world, "user", name);
  for (const gone of [claimed, former, leaver.ownerId.toLowerCase()])
    expect([
      gone,
      (await columnsHolding(sql, gone)).filter(
        (column) => !/^(audit_log|erasures|outbox|tombstones)\.(owner_id|detail)$/.test(column),
      ),
    ]).toEqual([gone, []]);
  expect(await columnsHolding(sql, claimed)).toEqual([]);
  const texts = await listed(colleague, { team_id: made.id });
  expect(texts).toEqual(expect.arrayContaining([`Later in the team: ${word}`, "harmless"]));
  const item = (await colleague.get(`/v1/memories/${kept.body.id}`)).body;
  expect(item.boundary).toMatchObject({ relation: "unattributed", memory_agent_id: null });
  expect((await colleague.get(`/v1/projects/p/todos?team_id=${made.id}`)).status).toBe(200);
  expect((await colleague.get(`/v1/memories/${kept.body.id}/versions`)).status).toBe(200);
});

test("of an erased team no table holds anything; its members keep what is theirs", async () => {
  const [word, team] = [unguessable(), freshOwner()];
  const member = await world.client({ owner: freshOwner() });
  const { teams, sql } = world.service;
  const { team: made } = await teams.create(team, { id: member.ownerId, kind: "user", name: "" });
  await stored(member, { content: "my own", path: "own" });
  await leaveWords(await world.client({ team }), word);
  // Through a member, whose stored answers tell of the team's memories, but under a name that is the member's.
  await member.post(
    "/v1/projects/p/todos",
    { content: `todo ${word}`, team_id: made.id },
    { "idempotency-key": "k" },
  );
  const confined = await world.client({ owner: freshOwner(), space: { teamId: made.id } });
  const receipt = await erase(world, "team", team);
  expect(receipt.removed).toMatchObject({ team_members: 1 });
  expect(await columnsHolding(sql, word)).toEqual([]);
  expect(await columnsHolding(sql, team)).toEqual([]);
  expectRefusal(await confined.get("/v1/memories"), 401, "invalid_token");
  expect(await listed(member)).toEqual(["my own"]);
  expectRefusal(await member.get(`/v1/projects/p/todos?team_id=${made.id}`), 404, "not_found");
});

test("what is broken off goes on with the same call, also by two at once, and counts everything once", async () => {
  const name = freshOwner();
  const client = await world.client({ owner: name });
  for (const batch of [1, 2]) {
    const items = Array.from({ length: 400 }, (_, n) => ({ content: `${batch}/${n}`, path: "many" }));
    expect((await client.post("/v1/memories/batch", { items })).status).toBe(200);
  }
  const { erasures, sql } = world.service;
  const preview = await erasures.preview({ kind: "user", name });
  const broken = new AbortController();
  const settle = async () => {};
  const first = eraseOwner(
    erasures,
    { kind: "user", name },
    { settle, signal: broken.signal, onProgress: () => broken.abort() },
  );
  await expect(first).rejects.toThrow();
  expect((await erasures.list())[0]).toMatchObject({ state: "running", removed: { memories: 500 } });
  const [left] = await sql`select count(*)::int as rows from memories where owner_id = ${client.ownerId}`;
  expect(left?.rows).toBe(300);
  const [one, other] = await Promise.all([erase(world, "user", name), erase(world, "user", name)]);
  expect(one.id).toBe(other.id);
  expect(one.removed).toEqual(preview);
  expect(one.removed.memories).toBe(800);
  await eventually(
    () => erasures.receipt(one.id),
    (receipt) => receipt?.state === "confirmed",
  );
});

test("writes that come while their owner is erased are refused, and leave nothing", async () => {
  const name = freshOwner();
  const client = await world.client({ owner: name });
  await stored(client);
  let isOver = false;
  const statuses = new Set<number>();
  const writing = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !isOver; n += 1)
      statuses.add((await client.post("/v1/memories", { content: `${writer}/${n}`, path: "late" })).status);
  });
  await erase(world, "user", name);
  isOver = true;
  await Promise.all(writing);
  expect([...statuses].filter((status) => ![201, 401].includes(status))).toEqual([]);
  const [left] = await world.service.sql`select from memories where owner_id = ${client.ownerId}`;
  expect(left).toBeUndefined();
});

test("the last owner of a team is not erased, and nothing is changed", async () => {
  const name = freshOwner();
  const client = await world.client({ owner: name });
  await world.service.teams.create(freshOwner(), { id: client.ownerId, kind: "user", name });
  await stored(client, { content: "still here" });
  await expect(erase(world, "user", name)).rejects.toMatchObject({ code: "conflict" });
  expect(await listed(client)).toEqual(["still here"]);
});

test("an agent of an erased team is revoked, and its user keeps what it wrote elsewhere", async () => {
  const team = freshOwner();
  const user = await world.client({ owner: freshOwner() });
  const { team: made } = await world.service.teams.create(team, { id: user.ownerId, kind: "user", name: "" });
  const { bind, register } = await import("../agents/agents.ts");
  const agent = await register(world);
  const formal = await bind(world, agent, { id: user.ownerId, kind: "user", name: "" }, { teamId: made.id });
  await erase(world, "team", team);
  expectRefusal(await formal.get("/v1/memories"), 401, "invalid_token");
  const [row] = await world.service.sql`select status, approved_by from agents where id = ${agent.id}`;
  expect({ ...row }).toEqual({ status: "revoked", approved_by: user.ownerId });
});

test("every table says whose its rows are: by a reference that is deleted with the owner, or by a column owner_id", async () => {
  const { dependentsOf, tablesWithOwner, WITH_THEIR_ROW } = await import(
    "../../src/adapters/postgres/erasure/dependents.ts"
  );
  const { sql } = world.service;
  const reached = new Set(await tablesWithOwner(sql, WITH_THEIR_ROW));
  for (const table of ["owners", "memories", 'auth."user"'])
    for (const one of await dependentsOf(sql, { table, condition: "true" })) reached.add(one.table);
  const all = [...(await allRows(sql)).keys()];
  // Nobody's: settings of the service, counters by hashes that end in minutes, apps, models, indexes.
  const nobodys = [
    "event_log",
    'auth."oauthClientAssertion"',
    'auth."oauthResource"',
    "auth.attempts",
    "auth.jwks",
    "auth.verification",
    "counted_kinds",
    "embedding_generations",
    // Goes with its memory, by the trigger that notes events.
    "event_instants",
    "index_generations",
    "migration_steps",
    "migrations",
    "record_incarnations",
    "rate_windows",
    "service_secrets",
    "token_generations",
  ];
  expect(all.filter((table) => !reached.has(table)).sort()).toEqual(nobodys.sort());
});
