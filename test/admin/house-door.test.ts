/** What a session is told of the house, and whom it concerns: figures, the service's state, the audit log. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sessionServiceOperations } from "../../src/contract/session-service-operations.ts";
import type { Owner } from "../../src/core/access/credential.ts";
import { bind, register } from "../agents/agents.ts";
import { unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf, type TrpcReply } from "../support/trpc.ts";
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

const house = (
  who: Person,
  name: keyof typeof sessionServiceOperations,
  input: object = {},
): Promise<TrpcReply> => askTrpc(world, who.cookie, name, input);

async function remember(who: Person, given: object): Promise<string> {
  const reply = await askTrpc(world, who.cookie, "remember", { path: "notes", ...given });
  expect(reply.status).toBe(200);
  return reply.body.result.data.id;
}

async function teamOf(
  owner: Person,
  ...others: readonly (readonly [Person, "admin" | "member" | "viewer"])[]
) {
  const { teams } = world.service;
  const { team } = await teams.create(unguessable("team"), owner.owner);
  for (const [{ owner }, role] of others) await teams.add(team.id, owner.id, role);
  return team.id;
}

const codeOf = (reply: TrpcReply) => reply.body.error?.data.code ?? null;

test("the audit log tells everybody of their own, page by page, and by operation, memory and time", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const first = await remember(ada, { content: "The staging database is db-1" });
  const second = await remember(ada, { content: "Lunch is at noon" });
  const secret = await remember(bob, { content: "Nobody else's" });
  await askTrpc(world, ada.cookie, "deleteMemory", { memory_id: second });
  const audit = async (input: object) => (await house(ada, "listAudit", input)).body.result.data;
  const all = await audit({});
  sessionServiceOperations.listAudit.output.parse(all);
  const told = all.lines.map(({ operation, memory_id }: { operation: string; memory_id: string }) => [
    operation,
    memory_id,
  ]);
  expect(told.slice(0, 3)).toEqual([
    ["soft_delete", second],
    ["create", second],
    ["create", first],
  ]);
  expect(all.lines[0].token).toMatchObject({ kind: "session" });
  expect(all.lines[0]).toMatchObject({ person: ada.owner.name, agent_name: null });
  expect((await audit({ person: ada.owner.name })).lines.length).toBeGreaterThan(2);
  expect((await audit({ person: bob.owner.name })).lines).toEqual([]);
  expect(JSON.stringify(all)).not.toContain(secret);
  expect(JSON.stringify(all)).not.toContain("Lunch");
  const paged: string[] = [];
  for (let cursor: string | null = null, page = 0; page < 20; page += 1) {
    const { lines, next_cursor } = await audit({ limit: 1, cursor });
    paged.push(...lines.map(({ id }: { id: string }) => id));
    cursor = next_cursor;
    if (cursor === null) break;
  }
  expect(paged).toEqual(all.lines.map(({ id }: { id: string }) => id));
  // Numbers count the lines of everybody; these say nothing of how many there are.
  for (const id of paged) expect(id).toMatch(/^[\w-]{22}$/);
  for (const cursor of ["7", "AAAAAAAAAAAAAAAAAAAAAA"])
    expect((await house(ada, "listAudit", { cursor })).status).toBe(422);
  expect((await audit({ operation: "create" })).lines).toHaveLength(2);
  expect((await audit({ memory_id: second })).lines).toHaveLength(2);
  expect((await audit({ memory_id: secret })).lines).toEqual([]);
  expect((await audit({ agent_id: "nobody" })).lines).toEqual([]);
  const objects = await Promise.all(
    ["record", "access", "workspace"].map(async (object) => (await audit({ object, limit: 1000 })).lines),
  );
  expect(
    objects
      .flat()
      .map(({ id }) => id)
      .sort(),
  ).toEqual((await audit({ limit: 1000 })).lines.map(({ id }: { id: string }) => id).sort());
  expect(objects[0].every(({ memory_id }: { memory_id: string | null }) => memory_id !== null)).toBe(true);
  const { at } = all.lines[0];
  expect((await audit({ before: "2020-01-01T00:00:00Z" })).lines).toEqual([]);
  expect((await audit({ after: at })).lines[0].at).toBe(at);
});

test("the audit log names the agent whose credential it was", async () => {
  const ada = await person();
  const client = await bind(world, await register(world, { client_name: "Coder" }), ada.owner);
  await client.post("/v1/remember", { content: "Written by an agent", path: "notes" });
  const { lines } = (await house(ada, "listAudit", { operation: "create" })).body.result.data;
  expect(lines).toMatchObject([{ agent_name: "Coder", agent_id: expect.any(String) }]);
});

test("a team's audit log is for its admins; its figures and state are for its members, and for nobody else", async () => {
  const [owner, admin, member, viewer, stranger] = (await Promise.all(Array.from({ length: 5 }, person))) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ];
  const team_id = await teamOf(owner, [admin, "admin"], [member, "member"], [viewer, "viewer"]);
  const found = async (name: keyof typeof sessionServiceOperations) =>
    Promise.all(
      [owner, admin, member, viewer, stranger].map(async (who) =>
        codeOf(await house(who, name, { team_id })),
      ),
    );
  expect(await found("listAudit")).toEqual([null, null, "role_forbidden", "role_forbidden", "not_found"]);
  expect(await found("catchUpIndex")).toEqual([null, null, "role_forbidden", "role_forbidden", "not_found"]);
  expect(await found("serviceState")).toEqual([null, null, null, null, "not_found"]);
  expect(await found("figures")).toEqual([null, null, null, null, "not_found"]);
});

test("the service's state names what it stands on, and counts nobody else's memories", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  await remember(ada, { content: "One of mine" });
  await remember(bob, { content: "One of his" });
  await remember(bob, { content: "Another of his" });
  const { body } = await house(ada, "serviceState");
  const state = sessionServiceOperations.serviceState.output.parse(body.result.data);
  expect(state.dependencies).toContainEqual({ name: "postgres", is_needed: true, why: null });
  expect(state.embeddings.filter(({ is_current }) => is_current)).toMatchObject([{ of: 1 }]);
});

test("what a workspace's index lacks is made up for by its own, once, with a line in the audit log", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const [mine, gone] = [
    await remember(ada, { content: "One of mine" }),
    await remember(ada, { content: "Forgotten" }),
  ];
  const his = await remember(bob, { content: "One of his" });
  await askTrpc(world, ada.cookie, "deleteMemory", { memory_id: gone });
  await withoutVectors(ada, bob);
  await setAside(ada, bob);
  const ask = async () =>
    sessionServiceOperations.catchUpIndex.output.parse((await house(ada, "catchUpIndex")).body.result.data);
  expect(await ask()).toEqual({ embedding: 1, retried: 1, truncated: false });
  // Nobody has done it yet: asked again it is the same work, and not a second time.
  expect(await ask()).toEqual({ embedding: 0, retried: 0, truncated: false });
  expect(await waitingOf(ada)).toEqual([
    { memory_id: null, set_aside: null },
    { memory_id: mine, set_aside: null },
  ]);
  expect(await waitingOf(bob)).toEqual([{ memory_id: null, set_aside: "mapper_parsing_exception" }]);
  const { lines } = (await house(ada, "listAudit", { operation: "catch_up_index" })).body.result.data;
  expect(lines.map(({ detail }: { detail: object }) => detail)).toEqual([
    { embedding: 0, retried: 0 },
    { embedding: 1, retried: 1 },
  ]);
  expect(lines[0].token).toMatchObject({ kind: "session" });
  expect(JSON.stringify(lines)).not.toContain(his);
  await world.service.sql`delete from outbox where set_aside = 'mapper_parsing_exception'`;
});

/** As if a worker had just taken all that is theirs and were busy, so that what is queued can be looked at. */
async function withoutVectors(...people: readonly Person[]): Promise<void> {
  const owners = people.map(({ owner }) => owner.id);
  const { sql } = world.service;
  await sql`
    insert into outbox_owners (owner_id, lease, leased_until)
    select id, gen_random_uuid(), now() + interval '1 hour' from owners where id = any(${owners})
    on conflict (owner_id) do update set lease = excluded.lease, leased_until = excluded.leased_until`;
  await sql`delete from outbox where owner_id = any(${owners})`;
  await sql`delete from embeddings where memory in (select id from memories where owner_id = any(${owners}))`;
}

/** A removal that the index has refused, so that nothing else is to be done for its memory. */
async function setAside(...people: readonly Person[]): Promise<void> {
  for (const { owner } of people)
    await world.service.sql`
      insert into outbox (owner_id, memory, revision, kind, set_aside, available_at, queued_at)
      values (${owner.id}, gen_random_uuid(), 1, 'remove', 'mapper_parsing_exception', 'infinity', now())`;
}

const waitingOf = ({ owner }: Person) =>
  world.service.sql`
    select m.memory_id, o.set_aside from outbox o left join memories m on m.id = o.memory
    where o.owner_id = ${owner.id} order by o.id`;

test("figures are the owner's own, in the steps of the range that is asked for", async () => {
  const ada = await person();
  await remember(ada, { content: "Counted" });
  const day = sessionServiceOperations.figures.output.parse((await house(ada, "figures")).body.result.data);
  expect(day).toMatchObject({ range: "day", resolution: "minute", memories: 1 });
  const quarter = await house(ada, "figures", { range: "quarter" });
  expect(quarter.body.result.data).toMatchObject({ range: "quarter", resolution: "hour" });
  expect(codeOf(await house(ada, "figures", { range: "year" }))).toBe("validation_failed");
});

test("what waits is counted over what the session sees: conflicts by their fact, reminders and todos past their time", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const crew = await teamOf(ada, [bob, "viewer"]);
  const past = "2020-01-01T00:00:00Z";
  const reminder = { memory_type: "reminder", metadata: { due_at: past } };
  const due = await remember(ada, { content: "Renew the certificate", ...reminder });
  await remember(ada, {
    content: "Much later",
    memory_type: "reminder",
    metadata: { due_at: "2999-01-01T00:00:00Z" },
  });
  const todo = async (content: string) =>
    (
      await askTrpc(world, ada.cookie, "createTodo", {
        project_id: "apollo",
        content,
        due_at: "2021-01-01T00:00:00Z",
      })
    ).body.result.data.todo_id;
  const late = await todo("Ship it");
  const dropped = await todo("Not needed any more");
  await askTrpc(world, ada.cookie, "cancelTodo", {
    project_id: "apollo",
    todo_id: dropped,
    reason: "Nobody wants it",
  });
  const one = await remember(ada, { content: "The port is 5432", semantic_key: "port" });
  const other = await remember(ada, { content: "The port of the database is 6432" });
  await remember(ada, { content: "The port is 7432", semantic_key: "port", project_id: "apollo" });
  await remember(ada, { content: "Of the crew", team_id: crew, ...reminder });
  const before = await house(ada, "attention");
  expect(before.body.result.data).toMatchObject({ conflicts: 0, conflicting: [] });
  await askTrpc(world, ada.cookie, "updateMemory", { memory_id: other, semantic_key: "port" });
  const { data } = (await house(ada, "attention")).body.result;
  sessionServiceOperations.attention.output.parse(data);
  expect(data).toMatchObject({
    conflicts: 2,
    conflicting: [one, other],
    overdue_reminders: 1,
    overdue_todos: 1,
  });
  expect(data.overdue).toMatchObject([
    { id: due, kind: "reminder", content: "Renew the certificate", project_id: null },
    { id: late, kind: "todo", content: "Ship it", project_id: "apollo" },
  ]);
  const ofCrew = (await house(bob, "attention", { team_id: crew })).body.result.data;
  expect(ofCrew).toMatchObject({ conflicts: 0, overdue_reminders: 1, overdue_todos: 0 });
  expect((await house(bob, "attention")).body.result.data).toMatchObject({
    overdue_reminders: 0,
    overdue: [],
  });
});

test("the rate limits of a credential are told as they stand, and looking at them costs a credential nothing", async () => {
  const limited = await openWorld({ RATE_LIMIT_ENABLED: "true", RATE_LIMIT_READS: "77" });
  onTestFinished(() => limited.close());
  const owner = await limited.service.credentials.ensureOwner("user", unguessable("person"));
  const cookie = await sessionOf(limited, owner);
  const usage = async () => (await askTrpc(limited, cookie, "rateUsage", {})).body.result.data;
  const issue = async (name: string) => {
    const space = { teamId: null, projects: null, pathPrefix: null, buckets: null };
    const given = { kind: "api_key", ownerId: owner.id, name, scopes: ["memory:read"] } as const;
    return limited.service.credentials.issue({ ...given, space, expiresAt: null });
  };
  const [robot, gone] = [await issue("robot"), await issue("gone")];
  await limited.service.credentials.revoke(gone.credential.tokenId);
  const { tokenId } = robot.credential;
  const usedBy = async (id: string) => {
    const { credentials } = sessionServiceOperations.rateUsage.output.parse(await usage());
    return credentials.find(({ credential_id }) => credential_id === id);
  };
  expect(await usage()).toMatchObject({
    is_limited: true,
    window_seconds: 60,
    limits: [
      { category: "data", limit: 600 },
      { category: "read", limit: 77 },
      { category: "write", limit: 180 },
    ],
  });
  // To look at it counts for the session that looks, and for nothing else.
  expect(await usedBy(tokenId)).toEqual({ credential_id: tokenId, counted_as: tokenId, used: [0, 0, 0] });
  expect(await usedBy(gone.credential.tokenId)).toBeUndefined();
  const listed = (await usage()).credentials.map(({ used }: { used: number[] }) => used[0]);
  expect(Math.max(...listed)).toBeGreaterThan(0);
  // A window may end between the request and the look: then once more.
  await expect
    .poll(
      async () => {
        await limited.withToken(robot.secret).get("/v1/memories?limit=1");
        const [data = 0, read, write] = (await usedBy(tokenId))?.used ?? [];
        return data > 0 && read === data && write === 0;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  expect((await house(await person(), "rateUsage")).body.result.data).toMatchObject({
    is_limited: false,
    limits: [],
  });
});
