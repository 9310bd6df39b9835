import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { register } from "../agents/agents.ts";
import { faultyPlaces, freshOwner, stored, unguessable } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { idsIn, type Pack, packOf, WIDE } from "./pack.ts";
import { freshProject, ok, type WorkspaceClient, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
let project: string;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: freshOwner() });
  project = freshProject();
});
afterAll(() => world.close());

const pack = (body = {}, headers: Record<string, string> = {}) =>
  packOf(client, project, { ...WIDE, ...body }, headers);
const of = (all: Pack, domain: string, id: string) => all[domain].find((entry: Pack) => entry.id === id);

describe("the next pack has the state of now, and no former one", () => {
  let ours: WorkspaceClient;
  beforeAll(() => {
    ours = workspaceOf(client, project, "agent-a");
  });

  test.each(["complete", "cancel"])("of a todo, after each step up to %s", async (end) => {
    const [word, reason] = [unguessable("word"), unguessable("because")];
    const { todo_id } = await ok(ours.todo({ content: `Rotate ${word}.`, priority: "urgent" }));
    const steps: [string, object | undefined, string][] = [
      ["accept", undefined, "accepted"],
      ["block", { reason }, "blocked"],
      ["unblock", undefined, "accepted"],
    ];
    for (const [operation, body, status] of steps) {
      await ok(ours.act(todo_id, operation, body as never));
      expect(of(await pack(), "action_items", todo_id)).toMatchObject({ status });
    }
    await ok(ours.act(todo_id, end, end === "cancel" ? { reason: "no" } : { note: "yes" }));
    const after = await pack();
    expect(idsIn(after, "action_items")).not.toContain(todo_id);
    expect(after.suggested_next_actions.map(({ id }: Pack) => id)).not.toContain(todo_id);
    for (const { ids } of after.governance_caveats) expect(ids).not.toContain(todo_id);
    const mine = after.agent_states.find(({ agent_id }: Pack) => agent_id === "agent-a");
    expect(mine).toMatchObject({ open_todos: 0, blocked_todos: 0 });
    expect(JSON.stringify(after)).not.toMatch(
      new RegExp(`Todo \\((open|accepted|blocked)[^)]*\\): Rotate ${word}`),
    );
  });

  test("of a decision that is resolved, reopened and superseded", async () => {
    const [word, first] = [unguessable("word"), unguessable("first")];
    const { decision_id } = await ok(ours.decision({ context: `Which ${word}?`, impact_level: "critical" }));
    await ok(ours.decide(decision_id, "resolve", { resolution: first }));
    expect(of(await pack(), "decisions", decision_id)).toMatchObject({ status: "resolved" });
    await ok(ours.decide(decision_id, "reopen"));
    const open = await pack();
    expect(of(open, "decisions", decision_id)).toMatchObject({ status: "proposed" });
    expect(of(open, "decisions", decision_id).text ?? "").not.toContain(first);
    const [, next] = await ok(ours.decide(decision_id, "supersede", { context: "Another matter." }));
    const after = await pack();
    expect(idsIn(after, "decisions")).toContain(next.decision_id);
    expect(idsIn(after, "decisions")).not.toContain(decision_id);
    expect(idsIn(after, "durable_context")).not.toContain(decision_id);
    for (const domain of ["decisions", "recent_memories", "durable_context", "action_items"] as const)
      expect(JSON.stringify(after[domain])).not.toContain(word);
  });

  const memory = (word: string, more = {}) => ({
    content: `The ${word} is on shelf nine.`,
    provenance: { project_id: project },
    ...more,
  });
  const ends: [string, (id: string) => Promise<unknown>][] = [
    ["a soft delete", (id) => client.delete(`/v1/memories/${id}`)],
    ["a hard delete", (id) => client.delete(`/v1/memories/${id}?mode=hard_delete`)],
    ["redaction", (id) => client.delete(`/v1/memories/${id}?mode=redact`)],
    ["archiving", (id) => client.patch(`/v1/memories/${id}`, { status: "archived" })],
    ["expiry", (id) => client.patch(`/v1/memories/${id}`, { expires_at: "2021-01-01T00:00:00Z" })],
    ["other content", (id) => client.patch(`/v1/memories/${id}`, { content: "Something else." })],
  ];
  test.each(ends)("of a memory, after %s", async (_, end) => {
    const word = unguessable("word");
    const id = await stored(client, memory(word));
    const asked = { durable_query: `Where is the ${word}?` };
    expect((await pack(asked)).context_text).toContain(word);
    await end(id);
    expect(JSON.stringify(await pack(asked))).not.toContain(word);
    expect(JSON.stringify(await pack())).not.toContain(word);
  });

  test("of a fact that a newer one superseded", async () => {
    const [old, now, key] = [unguessable("old"), unguessable("new"), unguessable("key")];
    await stored(client, memory(old, { semantic_key: key }));
    await stored(client, memory(now, { semantic_key: key }));
    const text = JSON.stringify(await pack({ durable_query: `What is on shelf nine? ${old}` }));
    expect(text).toContain(now);
    expect(text).not.toContain(old);
  });

  test("of a reminder that is completed, or not due yet", async () => {
    const due = { memory_type: "reminder", metadata: { due_at: "2021-01-01T00:00:00Z" } };
    const id = await stored(client, memory(unguessable("due"), due));
    const later = await stored(
      client,
      memory(unguessable("later"), { ...due, metadata: { due_at: "2999-01-01T00:00:00Z" } }),
    );
    const before = await pack();
    expect(of(before, "action_items", id)).toMatchObject({ kind: "reminder", overdue: true });
    expect(idsIn(before, "action_items")).not.toContain(later);
    expect(before.project_state.reminders.upcoming).toBeGreaterThan(0);
    await client.post(`/v1/reminders/${id}/complete`);
    const after = await pack();
    expect(idsIn(after, "action_items")).not.toContain(id);
    expect(after.project_state.reminders.due).toBe(before.project_state.reminders.due - 1);
  });
});

describe("working memories of a session", () => {
  const working = (word: string, session: string | null, more = {}) => ({
    content: `Now sorting ${word}.`,
    memory_type: "working",
    status: "started",
    provenance: { project_id: project, ...(session === null ? {} : { session_id: session }) },
    ...more,
  });

  test("show to every session, marked where they are of another one, or to their own where it asks for that", async () => {
    const [mine, theirs, nobodys] = ["mine", "theirs", "nobodys"].map(unguessable) as [
      string,
      string,
      string,
    ];
    await stored(client, working(mine, "s-mine"));
    await stored(client, working(theirs, "s-theirs"));
    await stored(client, working(nobodys, null));
    const durable_query = `sorting ${mine} ${theirs} ${nobodys}`;
    const shown = async (body: object, session: string | null) => {
      const headers: Record<string, string> = session === null ? {} : { "x-session-id": session };
      const text = JSON.stringify(await pack({ ...body, durable_query }, headers));
      // The query itself is not answered; only what is stored can say these words.
      return [mine, theirs, nobodys].map((word) => text.includes(word));
    };
    for (const session of ["s-mine", "s-theirs", null])
      expect(await shown({}, session)).toEqual([true, true, true]);
    for (const include_other_sessions of [true, false])
      expect(await shown({ include_other_sessions }, "s-mine")).toEqual([true, true, true]);
    expect(await shown({ sessions: "own" }, "s-mine")).toEqual([true, false, true]);
    expect(await shown({ sessions: "own" }, "s-theirs")).toEqual([false, true, true]);
    const all = await pack({ durable_query }, { "x-session-id": "s-mine" });
    expect(all.context_text).toMatch(/from session "s-theirs"/);
    expect(all.context_text).not.toMatch(/from session "s-mine"/);
    expect(all.project_scope).toMatchObject({ session_id: "s-mine", sessions: "all" });
    expect(all.project_scope.narrowed_by).not.toContain("session");
    const own = await pack({ sessions: "own" }, { "x-session-id": "s-mine" });
    expect(own.project_scope).toMatchObject({ sessions: "own", include_other_sessions: false });
    expect(own.project_scope.narrowed_by).toContain("session");
  });

  test("asked for by a request that names no session, they are 422", async () => {
    const refused = await client.post(`/v1/projects/${project}/context`, { sessions: "own" });
    expect([refused.status, refused.body.code]).toEqual([422, "validation_failed"]);
    expect(faultyPlaces(refused)).toEqual(["header.x-session-id"]);
  });
});

test("a temporary agent's pack is of its quarantine, whatever it names", async () => {
  const secret = unguessable("secret");
  const theirs = workspaceOf(client, project);
  await ok(theirs.todo({ content: secret }));
  const agent = await register(world);
  const mine = unguessable("mine");
  await ok(workspaceOf(agent.client, project).todo({ content: mine }));
  const own = await packOf(agent.client, project, WIDE);
  expect(own.action_items).toHaveLength(1);
  expect(own.context_text).toContain(mine);
  expect(JSON.stringify(own)).not.toContain(secret);
  expect(JSON.stringify(await pack())).not.toContain(mine);
});

test("a viewer reads a team's pack, and no next action is one that the viewer may not call", async () => {
  const team = await world.client({ team: freshOwner() });
  const viewer = await world.client({ owner: freshOwner() });
  await world.service.sql`
    insert into team_members (team_id, user_id, role) values (${team.ownerId}, ${viewer.ownerId}, 'viewer')`;
  const there = freshProject();
  const ours = workspaceOf(team, there);
  await ok(ours.todo({ priority: "urgent", due_at: "2021-01-01T00:00:00Z" }));
  await ok(ours.decision({ impact_level: "critical" }));
  const team_id = team.ownerId;
  expect((await packOf(team, there, WIDE)).suggested_next_actions.length).toBeGreaterThan(0);
  const seen = await packOf(viewer, there, { ...WIDE, team_id });
  expect(seen.action_items).toHaveLength(1);
  expect(
    seen.suggested_next_actions.filter(({ tool }: Pack) => /accept|resolve|complete/.test(tool ?? "")),
  ).toEqual([]);
  const reader = await world.client({ team: freshOwner(), scopes: ["memory:read"] });
  expect((await packOf(reader, there, WIDE)).suggested_next_actions).toEqual([]);
  await world.service.sql`delete from team_members where user_id = ${viewer.ownerId}`;
  const gone = await viewer.post(`/v1/projects/${there}/context`, { team_id });
  expect(JSON.stringify(gone.body)).not.toContain("Rotate");
});

test("knowledge asked for by name needs its scope; a member it must not be asked of is not written", async () => {
  const plain = await world.client({ owner: freshOwner(), scopes: ["memory:read", "memory:write"] });
  const refused = await plain.post(`/v1/projects/${project}/context`, { bucket: "knowledge" });
  expect(refused).toMatchObject({ status: 403, body: { code: "knowledge_scope_required" } });
  const writer = await world.client({ owner: freshOwner(), scopes: ["memory:write"] });
  const blind = await writer.post(`/v1/projects/${project}/context`, {});
  expect(blind).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
});

test("reading a pack changes nothing that is stored", async () => {
  const rows = () =>
    world.service.sql`select (to_jsonb(m) - 'changed_xid')::text as row from memories m order by id`;
  const before = await rows();
  await pack({ durable_query: "What is on the shelf?" });
  expect(await rows()).toEqual(before);
});
