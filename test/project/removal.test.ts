import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/contract/scope.ts";
import { DECISION_MEMBERS, TODO_MEMBERS } from "../../src/core/project/item-members.ts";
import {
  eventually,
  expectRefusal,
  faultyPlaces,
  found,
  freshOwner,
  unguessable,
} from "../support/acting.ts";
import { columnsHolding, columnsOfWords } from "../support/stored-text.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { packOf, WIDE } from "./pack.ts";
import { freshProject, NEEDS, ok, saying, type WorkspaceClient, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const ITEMS = ["todo", "decision"] as const;
type Item = (typeof ITEMS)[number];
const ERASING = ["hard_delete", "redact"] as const;

const create = async (ours: WorkspaceClient, item: Item, given: Record<string, unknown> = {}) =>
  (await ok(ours[item](given)))[`${item}_id`] as string;
const list = (ours: WorkspaceClient, item: Item, query = "") => ok(ours[`${item}s`](query));

describe.each(ITEMS)("a %s", (item) => {
  test("that is soft-deleted is gone from everywhere, and comes back as it was", async () => {
    const client = await world.client({ owner: freshOwner() });
    const project = freshProject();
    const ours = workspaceOf(client, project, "a");
    const word = unguessable();
    const id = await create(ours, item, {
      ...saying(item, `Do ${word}.`),
      due_at: "2021-01-01T00:00:00Z",
    });
    const before = await ok(ours.item(item).read(id));
    const { remove, restore, read, correct } = ours.item(item);
    const answer = await ok(remove(id, "?reason=by+mistake"));
    expect(answer).toEqual({ id, mode: "soft_delete", status: "soft_deleted", reversible: true });
    for (const query of ["", `?status=${before.status}`]) expect(await list(ours, item, query)).toEqual([]);
    expect(await found(client, word)).toEqual([]);
    const pack = await packOf(client, project, { ...WIDE, durable_query: word });
    expect(JSON.stringify(pack)).not.toContain(word);
    expect(JSON.stringify(pack)).not.toContain(id);
    expect(JSON.stringify([pack.project_state.todos, pack.project_state.decisions])).not.toMatch(/[1-9]/);
    for (const refused of [
      await read(id),
      await correct(id, { metadata: { a: 1 } }),
      item === "todo" ? await ours.act(id, "accept") : await ours.decide(id, "resolve", NEEDS.resolve),
    ])
      expectRefusal(refused, 404, "not_found");
    expect(await ok(remove(id))).toEqual(answer);
    const repeated = await ok(remove(id, "?reason=again"));
    expect(repeated).toEqual({ ...answer, reason: expect.stringContaining("nothing was changed") });
    const restored = await ok(restore(id));
    expect(await ok(read(id))).toEqual(restored);
    const { audit_trail, etag, updated_at, ...rest } = restored;
    const { audit_trail: earlier, etag: _, updated_at: __, ...was } = before;
    expect(rest).toEqual(was);
    expect(audit_trail).toMatchObject([
      ...earlier,
      {
        operation: "delete",
        from: before.status,
        to: before.status,
        actor: { agent_id: "a" },
        note: "by mistake",
      },
      { operation: "restore", from: before.status, to: before.status, note: null },
    ]);
    expect(etag).not.toBe(before.etag);
    expect(updated_at >= before.updated_at).toBe(true);
    expect(await list(ours, item)).toEqual([restored]);
    expect(await found(client, word)).toEqual([id]);
    expectRefusal(await restore(id), 409, "not_restorable");
    const again = await packOf(client, project, { ...WIDE, durable_query: word });
    expect(JSON.stringify(again)).toContain(word);
  });

  test.each(ERASING)("that is erased by %s leaves no word in any table, and a receipt", async (mode) => {
    const owner = await world.client({ owner: freshOwner() });
    const project = freshProject();
    const ours = workspaceOf(owner, project, "the-agent");
    const word = unguessable();
    const id = await wordy(owner, project, item, word);
    expect(await columnsHolding(world.service.sql, word)).toEqual(
      expect.arrayContaining([
        "memories.content",
        ...WORDY[item],
        "idempotency_keys.answer",
        "workspace_events.note",
      ]),
    );
    const answer = await ok(ours.item(item).remove(id, `?mode=${mode}&reason=${word}`));
    expect(answer).toEqual({
      id,
      mode,
      status: mode === "redact" ? "redacted" : "hard_deleted",
      reversible: false,
      reason: expect.stringContaining("not kept"),
      receipt: {
        id: expect.any(String),
        state: expect.any(String),
        digest: expect.any(String),
        removed: expect.objectContaining({ memories: 1 }),
        remaining: [],
      },
    });
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
    const receipt = await eventually(
      () => owner.get(`/v1/receipts/${answer.receipt.id}`),
      ({ body }) => body.state === "confirmed",
    );
    expect(receipt.body).toEqual({ ...answer.receipt, state: "confirmed" });
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
    expect(await list(ours, item)).toEqual([]);
    expect(await found(owner, word)).toEqual([]);
    const pack = await packOf(owner, project, { ...WIDE, durable_query: word });
    expect(JSON.stringify(pack)).not.toContain(id);
    expect(JSON.stringify([pack.project_state.todos, pack.project_state.decisions])).not.toMatch(/[1-9]/);
    expectRefusal(
      await ours.item(item).restore(id),
      mode === "redact" ? 409 : 404,
      mode === "redact" ? "not_restorable" : "not_found",
    );
  });

  test("that is redacted keeps its id and who did what, says nothing, and changes no more", async () => {
    const owner = await world.client({ owner: freshOwner() });
    const project = freshProject();
    const ours = workspaceOf(owner, project, "the-agent");
    const id = await wordy(owner, project, item, unguessable());
    const before = (await list(ours, item)).find((one: Record<string, string>) => one[`${item}_id`] === id);
    await ok(ours.item(item).remove(id, "?mode=redact"));
    const redacted = await ok(ours.item(item).read(id));
    expect(redacted).toMatchObject({
      content: "[redacted]",
      status: before.status,
      extra_metadata: {},
      source_memory_id: null,
      due_at: null,
      redacted_at: expect.any(String),
    });
    const steps = (trail: Record<string, unknown>[]) => trail.map(({ operation }) => operation);
    expect(steps(redacted.audit_trail)).toEqual([...steps(before.audit_trail), "redact"]);
    for (const line of redacted.audit_trail) expect(line.note).toBeNull();
    const { correct, remove, restore, read } = ours.item(item);
    expectRefusal(await correct(id, { metadata: { a: 1 } }), 409, "conflict");
    const step = item === "todo" ? ours.act(id, "cancel") : ours.decide(id, "supersede", NEEDS.supersede);
    expectRefusal(await step, 409, "conflict");
    await ok(remove(id));
    expectRefusal(await read(id), 404, "not_found");
    await ok(restore(id));
    expect(await ok(read(id))).toMatchObject({ content: "[redacted]", redacted_at: redacted.redacted_at });
    expect(await list(ours, item)).toEqual([]);
    await ok(remove(id, "?mode=hard_delete"));
    expectRefusal(await read(id), 404, "not_found");
  });

  test("that was created with an Idempotency-Key is not made again after it was erased, and its answer says nothing", async () => {
    const word = unguessable();
    const base = `/v1/projects/${freshProject()}/${item}s`;
    const body = saying(item, `Do ${word}.`);
    const key = { "idempotency-key": `key-${word}` };
    const made = await client.post(base, body, key);
    const id = made.body[`${item}_id`];
    for (const mode of ERASING.toReversed()) {
      expect((await client.delete(`${base}/${id}?mode=${mode}`)).status).toBe(200);
      const again = await client.post(base, body, key);
      expect(again).toMatchObject({ status: 200, body: { [`${item}_id`]: id, status: made.body.status } });
      expect(JSON.stringify(again.body)).not.toContain(word);
    }
    expect((await client.get(base)).body).toEqual([]);
  });

  test("is removed by the scope of the mode, and shown to nobody who may not read", async () => {
    const owner = freshOwner();
    const project = freshProject();
    const whole = workspaceOf(await world.client({ owner }), project);
    const narrow: Record<string, Scope> = {
      soft_delete: "memory:delete",
      redact: "memory:redact",
      hard_delete: "memory:hard_delete",
    };
    for (const [mode, scope] of Object.entries(narrow)) {
      const id = await create(whole, item);
      for (const [other, held] of Object.entries(narrow)) {
        if (other === mode) continue;
        const theirs = workspaceOf(await world.client({ owner, scopes: [held, "memory:read"] }), project);
        for (const named of [id, "unknown"])
          expectRefusal(await theirs.item(item).remove(named, `?mode=${mode}`), 403, "insufficient_scope");
      }
      const theirs = workspaceOf(await world.client({ owner, scopes: [scope] }), project);
      expectRefusal(await theirs.item(item).remove("unknown", `?mode=${mode}`), 404, "not_found");
      expect((await ok(theirs.item(item).remove(id, `?mode=${mode}`))).id).toBe(id);
    }
    const id = await create(whole, item);
    await ok(whole.item(item).remove(id));
    const restorer = workspaceOf(await world.client({ owner, scopes: ["memory:restore"] }), project);
    expect(Object.keys(await ok(restorer.item(item).restore(id))).toSorted()).toEqual(
      [`${item}_id`, "project_id", "status"].toSorted(),
    );
    expect(faultyPlaces(await whole.item(item).remove(id, "?mode=burn"))).toEqual(["query.mode"]);
    expectRefusal(await whole.item(item).remove(id, "", { "if-match": '"x-1"' }), 412, "precondition_failed");
  });

  test("of a team is soft-deleted by its members, and erased by its owners and admins alone", async () => {
    const project = freshProject();
    const team = await world.client({ team: freshOwner() });
    const join = async (role: string) => {
      const member = await world.client({ owner: freshOwner() });
      await world.service.sql`
        insert into team_members (team_id, user_id, role) values (${team.ownerId}, ${member.ownerId}, ${role})`;
      return workspaceOf(member, project);
    };
    const [admin, member, viewer] = [await join("admin"), await join("member"), await join("viewer")];
    const id = await create(member, item, { team_id: team.ownerId });
    expectRefusal(await viewer.item(item).remove(id), 403, "role_forbidden");
    expectRefusal(await viewer.item(item).correct(id, { metadata: { a: 1 } }), 403, "role_forbidden");
    await ok(member.item(item).remove(id));
    expectRefusal(await viewer.item(item).restore(id), 403, "role_forbidden");
    await ok(member.item(item).restore(id));
    for (const mode of ERASING.toReversed()) {
      expectRefusal(await member.item(item).remove(id, `?mode=${mode}`), 403, "role_forbidden");
      await ok(admin.item(item).remove(id, `?mode=${mode}`));
    }
  });

  test("is not there for another owner, by any route", async () => {
    const project = freshProject();
    const ours = workspaceOf(client, project);
    const id = await create(ours, item);
    await ok(ours.item(item).remove(await create(ours, item)));
    const before = await list(ours, item);
    const stranger = workspaceOf(await world.client({ owner: freshOwner() }), project).item(item);
    for (const refused of [
      await stranger.read(id),
      await stranger.correct(id, { metadata: { a: 1 } }),
      await stranger.restore(id),
      ...(await Promise.all(
        ["", "?mode=redact", "?mode=hard_delete"].map((mode) => stranger.remove(id, mode)),
      )),
    ])
      expectRefusal(refused, 404, "not_found");
    expect(await list(ours, item)).toEqual(before);
    // Nor under the address of the other kind, or of another project.
    const other = item === "todo" ? "decision" : "todo";
    expectRefusal(await ours.item(other).remove(id), 404, "not_found");
    expectRefusal(await workspaceOf(client, freshProject()).item(item).remove(id), 404, "not_found");
  });
});

/** All but the agent that acts, and the reason of a todo that is blocked no more: each holds the word of a wordy item. */
const WORDY: Readonly<Record<Item, readonly string[]>> = {
  todo: columnsOfWords("todos", TODO_MEMBERS, ["acceptedBy", "blockedReason"]),
  decision: columnsOfWords("decisions", DECISION_MEMBERS, ["resolvedBy"]),
};

/** An item that has left a word wherever it can. */
async function wordy(owner: Client, project: string, item: Item, word: string): Promise<string> {
  const base = `/v1/projects/${project}/${item}s`;
  const headers = {
    "x-agent-id": "the-agent",
    "x-agent-name": word,
    "x-session-id": word,
    "x-task-id": word,
  };
  let key = 0;
  const keyed = () => ({ ...headers, "idempotency-key": `${word}-${key++}` });
  const said = {
    metadata: { title: word, rationale: word, [word]: word, occurred_at: "2020-01-01T00:00:00Z" },
    source_memory_id: word,
    due_at: "2030-01-01T00:00:00Z",
  };
  const post = async (path: string, body: Record<string, unknown>) => {
    const answer = await owner.post(base + path, body, keyed());
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  if (item === "decision") {
    const made = await post("", {
      ...said,
      context: `Which ${word}?`,
      options: [word],
      proposed_by_agent_id: word,
    });
    const id = made.decision_id;
    await post(`/${id}/resolve`, { resolution: `This: ${word}.` });
    await post(`/${id}/reopen`, {});
    await ok(owner.patch(`${base}/${id}`, { context: `Which ${word}, again?` }, headers));
    await post(`/${id}/resolve`, { resolution: `That: ${word}.` });
    await ok(owner.delete(`${base}/${id}?reason=${word}`, headers));
    await post(`/${id}/restore`, {});
    return id;
  }
  const made = await post("", { ...said, content: `Do ${word}.`, assignee_agent_id: word });
  const id = made.todo_id;
  await post(`/${id}/assign`, { assignee_agent_id: `${word}-2` });
  await post(`/${id}/block`, { reason: word });
  await ok(owner.patch(`${base}/${id}`, { content: `Do ${word} now.` }, headers));
  await post(`/${id}/unblock`, {});
  await post(`/${id}/complete`, { note: word });
  await ok(owner.delete(`${base}/${id}?reason=${word}`, headers));
  await post(`/${id}/restore`, {});
  return id;
}

test.each([
  ["assigned", []],
  ["accepted", ["accept"]],
  ["blocked", ["accept", "block"]],
  ["cancelled", ["cancel"]],
] as const)("a todo that is %s can be redacted", async (status, steps) => {
  const ours = workspaceOf(client, freshProject(), "b");
  const id = await create(ours, "todo", { assignee_agent_id: "b" });
  for (const step of steps) await ok(ours.act(id, step, NEEDS[step]));
  await ok(ours.item("todo").remove(id, "?mode=redact"));
  expect(await ok(ours.item("todo").read(id))).toMatchObject({
    content: "[redacted]",
    status,
    blocked_reason: null,
    cancel_reason: null,
  });
});

test.each(["soft_delete", "redact", "hard_delete"])(
  "a dependency that is gone by %s counts as cancelled: it holds nobody up and is nowhere shown as unfinished",
  async (mode) => {
    const project = freshProject();
    const ours = workspaceOf(client, project);
    const needed = await create(ours, "todo", { priority: "low" });
    const id = await create(ours, "todo", { depends_on: [needed] });
    const another = await create(ours, "todo", { depends_on: [needed] });
    await ok(ours.item("todo").remove(needed, `?mode=${mode}`));
    expect((await ok(ours.item("todo").read(id))).depends_on).toEqual(mode === "redact" ? [needed] : []);
    const pack = await packOf(client, project, WIDE);
    expect(pack.action_items.map((one: { id: string }) => one.id)).toEqual([id, another]);
    expect(JSON.stringify(pack.suggested_next_actions)).not.toContain(needed);
    expect(await ok(ours.act(id, "complete"))).toMatchObject({ status: "completed" });
    if (mode !== "soft_delete") return;
    await ok(ours.item("todo").restore(needed));
    expect((await ok(ours.item("todo").read(another))).depends_on).toEqual([needed]);
    expectRefusal(await ours.act(another, "complete"), 409, "dependency_incomplete");
  },
);

test("what is deleted is no dependency to name, and no decision to supersede", async () => {
  const ours = workspaceOf(client, freshProject());
  for (const mode of ["soft_delete", "hard_delete"]) {
    const gone = await create(ours, "todo");
    await ok(ours.item("todo").remove(gone, `?mode=${mode}`));
    expect(faultyPlaces(await ours.todo({ depends_on: [gone] }))).toEqual(["body.depends_on.0"]);
  }
  for (const mode of ["soft_delete", "redact", "hard_delete"]) {
    const gone = await create(ours, "decision");
    await ok(ours.item("decision").remove(gone, `?mode=${mode}`));
    expect(faultyPlaces(await ours.decision({ supersedes: gone }))).toEqual(["body.supersedes"]);
  }
});

test("a deleted todo waits for nobody: what waits for it alone presses no more", async () => {
  const ours = workspaceOf(client, freshProject());
  const needed = await create(ours, "todo", { priority: "normal" });
  const waiting = await Promise.all(
    [1, 2, 3].map(() => create(ours, "todo", { depends_on: [needed], priority: "high" })),
  );
  const order = async () => (await list(ours, "todo")).map((todo: { todo_id: string }) => todo.todo_id);
  expect((await order())[0]).toBe(needed);
  for (const id of waiting.slice(0, 2)) await ok(ours.item("todo").remove(id));
  expect(await order()).toEqual([waiting[2], needed]);
});

test.each(["soft_delete", "redact", "hard_delete"])(
  "of a chain of decisions one goes by %s: the others stay as they are, and the receipt names them",
  async (mode) => {
    const ours = workspaceOf(client, freshProject());
    const first = await create(ours, "decision");
    const [, second] = await ok(ours.decide(first, "supersede", { context: "Again?" }));
    const [, third] = await ok(ours.decide(second.decision_id, "supersede", { context: "And again?" }));
    const answer = await ok(ours.item("decision").remove(second.decision_id, `?mode=${mode}`));
    if (mode !== "soft_delete")
      expect(answer.receipt.remaining.toSorted()).toEqual([first, third.decision_id].toSorted());
    const link = mode === "redact" ? second.decision_id : null;
    expect(await ok(ours.item("decision").read(first))).toMatchObject({
      status: "superseded",
      superseded_by: link,
    });
    expect(await ok(ours.item("decision").read(third.decision_id))).toMatchObject({
      status: "proposed",
      supersedes: link,
    });
    if (mode !== "soft_delete") return;
    await ok(ours.item("decision").restore(second.decision_id));
    expect(await ok(ours.item("decision").read(first))).toMatchObject({ superseded_by: second.decision_id });
  },
);

test.each(ERASING)(
  "of a supersession under an Idempotency-Key no word is kept once either goes by %s",
  async (mode) => {
    const project = freshProject();
    const ours = workspaceOf(client, project);
    for (const gone of [0, 1]) {
      const word = unguessable();
      const old = await create(ours, "decision", saying("decision", `Which ${word}?`));
      const supersede = () =>
        ours.decide(old, "supersede", saying("decision", `Which ${word}, again?`), {
          "idempotency-key": word,
        });
      const decisions = await ok(supersede());
      for (const at of [gone, 1 - gone]) {
        await ok(ours.item("decision").remove(decisions[at].decision_id, `?mode=${mode}`));
        expect(await ok(supersede())).toEqual(
          decisions.map(({ decision_id, status }: Record<string, string>) => ({
            decision_id,
            project_id: project,
            status,
          })),
        );
      }
      expect(await columnsHolding(world.service.sql, word)).toEqual([]);
    }
  },
);

test("maintenance leaves alone what is deleted, and purges it when its time has come", async () => {
  const project = freshProject();
  const ours = workspaceOf(client, project);
  const [todo, decision] = [await create(ours, "todo"), await create(ours, "decision")];
  const kept = await create(ours, "todo");
  await ok(ours.act(todo, "complete"));
  for (const [item, id] of [
    ["todo", todo],
    ["decision", decision],
  ] as const)
    await ok(ours.item(item).remove(id));
  await world.service
    .sql`update memories set updated_at = now() - interval '400 days' where project_id = ${project}`;
  await world.service.sql`update todos set ended_at = now() - interval '400 days' where id::text = ${todo}`;
  const base = `/v1/projects/${project}/maintenance`;
  const report = await ok(client.get(base));
  expect(report.totals).toMatchObject({ archive_stale: 0, purge_deleted: 2 });
  const run = await ok(
    client.post(`${base}/execute`, { actions: ["purge_deleted"], confirm_all_matching: true }),
  );
  expect(run.actions[0]).toMatchObject({ changed: 2, failed: [], skipped: [] });
  for (const [item, id] of [
    ["todo", todo],
    ["decision", decision],
  ] as const)
    expectRefusal(await ours.item(item).restore(id), 404, "not_found");
  await ok(ours.item("todo").read(kept));
});

test("an overdue todo that is deleted is nobody's to hurry about", async () => {
  const project = freshProject();
  const ours = workspaceOf(client, project);
  const id = await create(ours, "todo", { due_at: "2021-01-01T00:00:00Z" });
  const notes = async () => (await ok(client.get(`/v1/projects/${project}/maintenance`))).notes;
  expect(await notes()).toHaveLength(1);
  await ok(ours.item("todo").remove(id));
  expect(await notes()).toEqual([]);
});
