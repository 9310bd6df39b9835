import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshOwner, stored } from "../support/acting.ts";
import { createRandom, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, ok, takenBy, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const TODOS = runs(60);
/** Times that agents meet in a race for a few items. */
const ROUNDS = runs(30);
const AGENTS = Array.from({ length: 32 }, (_, at) => `agent-${at}`);

/** As clients do, it asks again where the server has too much to do. */
async function accept(mine: ReturnType<typeof workspaceOf>, id: string) {
  for (;;) {
    const answer = await mine.act(id, "accept");
    if (answer.body.code !== "overloaded") return answer;
  }
}

async function deadlocks(): Promise<number> {
  await world.service.sql`select pg_stat_force_next_flush()`;
  const [row] = await world.service.sql`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`;
  return row?.count as number;
}

test(
  `32 agents race for ${TODOS} todos: each is accepted once, nobody's word is lost, nobody waits for each other`,
  async () => {
    const project = freshProject();
    const ours = workspaceOf(client, project);
    const ids: string[] = [];
    for (let at = 0; at < TODOS; at += 1) ids.push((await ok(ours.todo({ content: `Todo ${at}` }))).todo_id);
    const random = createRandom(SEED);
    const outcomes = await Promise.all(
      AGENTS.map(async (agent) => {
        const mine = workspaceOf(client, project, agent);
        const order = ids.toSorted(() => random.next() - 0.5);
        const won: string[] = [];
        for (const id of order) {
          const { status, body } = await accept(mine, id);
          expect([200, "already_accepted"]).toContain(status === 200 ? 200 : body.code);
          if (status === 200) won.push(id);
        }
        return { agent, won };
      }),
    );
    const winners = new Map(outcomes.flatMap(({ agent, won }) => won.map((id) => [id, agent] as const)));
    expect(outcomes.reduce((sum, { won }) => sum + won.length, 0)).toBe(TODOS);
    expect(winners.size).toBe(TODOS);
    for (const todo of await ok(ours.todos())) {
      expect(todo).toMatchObject({ status: "accepted", accepted_by_agent_id: winners.get(todo.todo_id) });
      expect(todo.audit_trail.map((line: { operation: string }) => line.operation)).toEqual([
        "create",
        "accept",
      ]);
    }
    expect(await deadlocks()).toBe(0);
  },
  10 * 60_000,
);

test(
  `SEED ${SEED}: whatever agents do at once, trails stay whole and agree with the state and with recall`,
  async () => {
    const random = createRandom(SEED);
    const project = freshProject();
    const ours = workspaceOf(client, project);
    const todos: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      const depends_on = todos.filter(() => random.next() < 0.3);
      todos.push((await ok(ours.todo({ depends_on }))).todo_id);
    }
    const decisions = [(await ok(ours.decision())).decision_id];
    const answered = new Map<string, number>();
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const mine = workspaceOf(client, project, `agent-${at % 4}`);
        for (let step = 0; step < runs(60); step += 1) {
          const members = {
            assignee_agent_id: `agent-${random.below(4)}`,
            reason: "r",
            resolution: "r",
            context: "c",
          };
          const isTodo = random.next() < 0.7;
          const id = random.pick(isTodo ? todos : decisions);
          const operation = random.pick(
            isTodo
              ? ["accept", "assign", "block", "unblock", "accept", "assign", "block", "unblock", "complete"]
              : ["resolve", "reopen", "resolve", "reopen", "supersede"],
          );
          const body = takenBy(isTodo ? "todo" : "decision", operation, members);
          const answer = await (isTodo ? mine.act(id, operation, body) : mine.decide(id, operation, body));
          const outcome = answer.status === 200 ? operation : answer.body.code;
          answered.set(outcome, (answered.get(outcome) ?? 0) + 1);
          expect([200, 409]).toContain(answer.status);
          if (operation === "supersede" && answer.status === 200) decisions.push(answer.body[1].decision_id);
        }
      }),
    );
    const all = [...(await ok(ours.todos())), ...(await ok(ours.decisions()))];
    expect(all).toHaveLength(todos.length + decisions.length);
    for (const item of all) {
      const ends = [null, ...item.audit_trail.map((line: { to: string }) => line.to)];
      expect(item.audit_trail.map((line: { from: string }) => line.from)).toEqual(ends.slice(0, -1));
      expect(ends.at(-1)).toBe(item.status);
      const recalled = await client.get(`/v1/memories/${item.todo_id ?? item.decision_id}`);
      const { todo_status, decision_status } = recalled.body.metadata;
      expect(todo_status ?? decision_status).toBe(item.status);
      expect(recalled.headers.get("etag")).toBe(item.etag);
      if (item.status === "accepted") expect(item.accepted_by_agent_id).not.toBeNull();
      if (item.status === "superseded") expect(decisions).toContain(item.superseded_by);
    }
    const heads = all.filter(({ decision_id, status }) => decision_id && status !== "superseded");
    expect(heads).toHaveLength(1);
    expect(answered.size).toBeGreaterThan(4);
    expect(await deadlocks()).toBe(0);
  },
  10 * 60_000,
);

/** A workspace of the client's own, or of a team whose todos have the ids of memories that a member has in other projects. */
async function circling(where: "own" | "team") {
  if (where === "own") {
    const ours = workspaceOf(client, freshProject());
    return { ours, todo: async () => (await ok(ours.todo())).todo_id };
  }
  const team = await world.client({ team: freshOwner() });
  const member = await world.client({ owner: freshOwner() });
  await world.service.teams.setRole(team.ownerId, member.ownerId, "member");
  const ours = workspaceOf(member, freshProject());
  return {
    ours,
    async todo() {
      const { todo_id } = await ok(ours.todo({ team_id: team.ownerId }));
      const provenance = { project_id: freshProject() };
      await stored(member, { memory_id: todo_id, content: `Notes on ${todo_id}.`, provenance });
      return todo_id;
    },
  };
}

describe.each([
  ["the caller's own", "own"],
  ["a team's, by ids that the caller's memories of other projects have too", "team"],
] as const)("of dependencies that would close a circle, given at once, one is refused: %s", (_, where) => {
  test(
    "each on the next one; nobody deadlocks",
    async () => {
      const { ours, todo } = await circling(where);
      const before = await deadlocks();
      for (let round = 0; round < ROUNDS; round += 1) {
        const ids: string[] = [];
        for (let at = 0; at < 4; at += 1) ids.push(await todo());
        const answers = await Promise.all(
          ids.map((id, at) => ours.item("todo").correct(id, { depends_on: [ids[(at + 1) % ids.length]] })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422]);
        // So all of them can be done, in some order.
        for (const _ of ids) for (const id of ids) await ours.act(id, "complete");
        for (const id of ids)
          expect(await ok(ours.item("todo").read(id))).toMatchObject({ status: "completed" });
      }
      expect(await deadlocks()).toBe(before);
    },
    10 * 60_000,
  );

  test("each on one that the other is not about", async () => {
    const { ours, todo } = await circling(where);
    const needs = (id: string, other: string) => ours.item("todo").correct(id, { depends_on: [other] });
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a, b, c, d] = [await todo(), await todo(), await todo(), await todo()];
      await ok(needs(b, c));
      await ok(needs(d, a));
      const answers = await Promise.all([needs(a, b), needs(c, d)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });
});

test(
  "a dependency that is deleted while what needs it is completed, or is named, leaves either done or refused",
  async () => {
    const ours = workspaceOf(client, freshProject());
    for (const mode of ["soft_delete", "redact", "hard_delete"])
      for (let round = 0; round < ROUNDS; round += 1) {
        const { todo_id: needed } = await ok(ours.todo());
        const { todo_id: id } = await ok(ours.todo({ depends_on: [needed] }));
        const { todo_id: other } = await ok(ours.todo());
        const [completed, removed, named, made] = await Promise.all([
          ours.act(id, "complete"),
          ours.item("todo").remove(needed, `?mode=${mode}`),
          ours.item("todo").correct(other, { depends_on: [needed] }),
          ours.todo({ depends_on: [needed] }),
        ]);
        expect(removed.status).toBe(200);
        expect([200, "dependency_incomplete"]).toContain(
          completed.status === 200 ? 200 : completed.body.code,
        );
        for (const { status } of [named, made]) expect([200, 422]).toContain(status);
        if (completed.status !== 200) await ok(ours.act(id, "complete"));
        await ok(ours.act(other, "complete"));
      }
  },
  10 * 60_000,
);
