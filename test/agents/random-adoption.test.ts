/** Random agents that write hostile things, random grants, and a small model of its own that says what comes of it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "../../src/contract/scope.ts";
import type { Approval } from "../../src/core/agent/agent-claims.ts";
import { maintainerOf } from "../project/maintenance.ts";
import { ok, workspaceOf } from "../project/workspace.ts";
import { memory, unguessable } from "../support/acting.ts";
import { createRandom, type Random, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { type Registered, register, user } from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const WORLDS = runs(60);
const PROJECTS = ["p0", "p1", null] as const;
const KEYS = ["k0", "k1", null, null] as const;
const TEXTS = ["The heron database is called db-2.", "The heron password is in the blue safe."];
const PAST = "2020-01-01T00:00:00.000Z";
const FUTURE = "2099-01-01T00:00:00.000Z";

type Project = (typeof PROJECTS)[number];

/** Something that the agent wrote, as the model knows it. */
interface Thing {
  readonly kind: "memory" | "todo" | "decision";
  readonly id: string;
  /** In all its texts, and nowhere else. */
  readonly word: string;
  readonly project: Project;
  readonly key: string | null;
  /** Places in the list of what it is linked to. */
  readonly links: readonly number[];
}

interface Grant {
  readonly scopes: readonly Scope[];
  readonly projects: readonly string[] | null;
  readonly role: "none" | "member" | "viewer";
  readonly discards: boolean;
}

function hostile(random: Random): Record<string, unknown> {
  const some = { review_after: PAST, last_verified_at: FUTURE, due_at: PAST, recurrence: "FREQ=DAILY" };
  const { dimension, model } = world.service.ports.embedder.generation;
  const vector = Array.from({ length: dimension }, (_, n) => (n % 7) - 3);
  return {
    importance: random.pick([0, 0.5, 1]),
    confidence: random.pick([0.5, 1]),
    memory_type: random.pick(["semantic", "reminder", "working", "knowledge"]),
    metadata: random.pick([{}, some, { ...some, adopted_from: { forged: true } }]),
    ...(random.below(3) === 0 ? { embedding: vector, embedding_model: model } : {}),
  };
}

/** The agent writes; the model notes what it wrote and what hangs together. */
async function writeThings(agent: Registered, random: Random): Promise<Thing[]> {
  const things: Thing[] = [];
  const count = 4 + random.below(8);
  for (let n = 0; n < count; n += 1) {
    const word = unguessable();
    const project = random.pick(PROJECTS);
    const which = random.below(4);
    const work = workspaceOf(agent.client, project ?? "p0");
    if (which === 0) {
      const before = things.findLastIndex(
        ({ kind, project: its }) => kind === "todo" && its === (project ?? "p0"),
      );
      const isLinked = before >= 0 && random.below(2) === 0;
      const body = await ok(
        work
          .todo({
            content: `Do ${word}.`,
            priority: random.pick(["low", "normal", "high", "urgent"]),
            ...(random.below(2) === 0 ? { due_at: PAST, assignee_agent_id: "the-deployer" } : {}),
            ...(isLinked ? { depends_on: [things[before]?.id] } : {}),
          })
          .then((answer) => ({ ...answer, status: answer.status === 201 ? 200 : answer.status })),
      );
      things.push({
        kind: "todo",
        id: body.todo_id,
        word,
        project: project ?? "p0",
        key: null,
        links: isLinked ? [before] : [],
      });
    } else if (which === 1) {
      const impact_level = random.pick(["low", "critical"]);
      const { body } = await work.decision({ context: `Decide ${word}.`, impact_level, due_at: PAST });
      things.push({
        kind: "decision",
        id: body.decision_id,
        word,
        project: project ?? "p0",
        key: null,
        links: [],
      });
    } else {
      const key = random.pick(KEYS);
      // A newer one of the same key supersedes those before it.
      const links = things.flatMap((one, at) =>
        key !== null && one.key === key && one.project === project ? [at] : [],
      );
      const { status, body } = await agent.client.post(
        "/v1/memories",
        memory({
          ...hostile(random),
          content: `${random.pick(TEXTS)} ${word}`,
          ...(project === null ? {} : { project_id: project }),
          ...(key === null ? {} : { semantic_key: key }),
        }),
      );
      // Without knowledge:read it cannot supersede what it wrote as knowledge.
      if (status === 409) continue;
      expect({ status, body }).toMatchObject({ status: 201 });
      if (random.below(4) === 0)
        await agent.client.patch(`/v1/memories/${body.id}`, {
          importance: 1,
          metadata: { review_after: PAST },
        });
      things.push({ kind: "memory", id: body.id, word, project, key, links });
    }
  }
  return things;
}

/** What the specification says moves: what the grant would have let it write, and of what is linked all or nothing. */
function movesBy(grant: Grant, things: readonly Thing[]): boolean[] {
  const { scopes, projects, role, discards } = grant;
  const may = !discards && role !== "viewer" && scopes.includes("memory:write");
  const moves = things.map(({ project }) => {
    if (projects === null || !may) return may;
    // With one project, what names none comes to lie there; with several it would have been refused.
    return project === null ? projects.length === 1 : projects.includes(project);
  });
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const [at, { links }] of things.entries())
      for (const other of links)
        if (moves[at] !== moves[other]) {
          moves[at] = moves[other] = false;
          isStable = false;
        }
  }
  return moves;
}

/** Everything that a person is shown by any read. */
async function allReads(key: Client, teamId: string | null, ids: readonly string[]): Promise<string> {
  const query = encodeURIComponent("heron database password");
  const team = teamId === null ? "" : `?team_id=${teamId}`;
  const answers = await Promise.all([
    key.get("/v1/memories?status=%25&limit=1000"),
    key.get(`/v1/memories?status=%25&limit=1000&bucket=knowledge`),
    key.get(`/v1/memories/search?query=${query}&limit=100&status=%25`),
    key.post("/v1/recall/context", { query: "heron database password", max_items: 200, max_tokens: 50_000 }),
    ...["p0", "p1"].flatMap((project) => [
      key.get(`/v1/projects/${project}/todos${team}`),
      key.get(`/v1/projects/${project}/decisions${team}`),
      key.post(`/v1/projects/${project}/context`, { max_tokens: 50_000, ...(teamId && { team_id: teamId }) }),
      key.get(`/v1/projects/${project}/maintenance${team}`),
    ]),
    ...ids.flatMap((id) => [
      key.get(`/v1/memories/${id}`),
      key.get(`/v1/memories/${id}/versions`),
      key.get(`/v1/projects/p0/todos/${id}`),
      key.get(`/v1/projects/p1/decisions/${id}`),
    ]),
  ]);
  return JSON.stringify(answers.map(({ body }) => body));
}

async function ownMemories(key: Client, teamId: string | null, random: Random): Promise<string[]> {
  const place = teamId === null ? {} : { team_id: teamId, scope: "team" };
  const ids: string[] = [];
  for (const project of PROJECTS)
    for (const content of TEXTS) {
      const key_ = random.pick(KEYS);
      const answer = await key.post(
        "/v1/memories",
        memory({
          ...place,
          content,
          importance: 0.1,
          ...(project === null ? {} : { project_id: project }),
          ...(key_ === null ? {} : { semantic_key: `${key_}` }),
        }),
      );
      expect(answer.status).toBe(201);
      ids.push(answer.body.id);
    }
  return ids;
}

const stateOf = async (key: Client, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => ok(key.get(`/v1/memories/${id}`))));

test.each(Array.from({ length: WORLDS }, (_, n) => SEED + n))(
  "what moves is what the grant allows, and nothing of the owner's loses its place (seed %i)",
  async (seed) => {
    const random = createRandom(seed);
    const owner = await user(world);
    const key = await world.client({ owner: owner.name });
    const grant: Grant = {
      scopes: random.pick<readonly Scope[]>([
        ["memory:read"],
        ["memory:read", "memory:write"],
        ["memory:read", "memory:write", "knowledge:read", "ledger:write"],
        ["memory:write"],
        ["memory:read", "memory:update", "memory:delete"],
      ]),
      projects: random.pick([null, null, ["p0"], ["p0", "p1"], ["p9"]]),
      role: random.pick(["none", "none", "member", "viewer"]),
      discards: random.below(6) === 0,
    };
    const founder = await user(world);
    const team =
      grant.role === "none" ? null : (await world.service.teams.create(unguessable("t"), founder)).team;
    // A viewer may approve no writing; made one afterwards, it counts as of the confirmation.
    if (team) await world.service.teams.setRole(team.id, owner.id, "member");
    const teamId = team?.id ?? null;
    const own = await ownMemories(key, teamId, random);
    const agent = await register(world);
    const things = await writeThings(agent, random);
    const before = await stateOf(key, own);

    const approval: Approval = { ...grant, teamId, projects: grant.projects };
    const { agentClaims, teams } = world.service;
    const approved = await agentClaims.approve(owner, agent.code, approval);
    if (team && grant.role === "viewer") await teams.setRole(team.id, owner.id, "viewer");
    const confirmed = await agent.client.post("/v1/agents/bind/confirm-current-user", {
      confirmation_token: approved.confirmationToken,
    });
    expect(confirmed).toMatchObject({ status: 200, body: { status: "bound" } });

    const moves = movesBy(grant, things);
    const shown = await allReads(
      key,
      teamId,
      things.map(({ id }) => id),
    );
    const seen = things.map(({ word }) => shown.includes(word));
    expect({ grant, seen }).toEqual({ grant, seen: moves });
    expect(await stateOf(key, own)).toEqual(before);

    const lies = (project: Project) => project ?? (grant.projects?.length === 1 ? grant.projects[0] : null);
    for (const [at, thing] of things.entries()) {
      if (!moves[at]) continue;
      if (thing.kind === "todo") {
        const todo = await ok(
          workspaceOf(key, thing.project as string)
            .item("todo")
            .read(thing.id),
        );
        expect(["low", "normal"]).toContain(todo.priority);
        expect(todo).toMatchObject({ due_at: null, assignee_agent_id: null, status: "open" });
      } else if (thing.kind === "memory") {
        const adopted = await ok(key.get(`/v1/memories/${thing.id}`));
        expect(adopted.importance).toBeLessThanOrEqual(0.5);
        for (const name of ["review_after", "last_verified_at", "due_at", "recurrence"])
          expect(adopted.metadata).not.toHaveProperty(name);
        const isOwners = before.some(
          (mine) =>
            thing.key !== null &&
            mine.semantic_key === thing.key &&
            (mine.provenance.project_id ?? null) === lies(thing.project),
        );
        // Of what lay in two projects and comes to lie in one, what lay there before keeps its key.
        const isStatedThere = things.some(
          (other, n) =>
            moves[n] &&
            other.key === thing.key &&
            other.project !== thing.project &&
            other.project === lies(thing.project),
        );
        expect(adopted.semantic_key).toBe(isOwners || isStatedThere ? null : thing.key);
        expect(adopted.provenance.adopted_from).toMatchObject({ agent_id: agent.id });
      }
    }
    if (grant.role === "viewer") return;

    // Maintenance merges nothing of the owner's into what was adopted, and what the owner says again is its own.
    if (grant.role === "none")
      for (const project of ["p0", "p1"]) {
        const { execute } = maintainerOf(key, project);
        await ok(execute({ actions: ["merge_duplicates"], confirm_all_matching: true }));
      }
    const adoptedIds = new Set(things.map(({ id }) => id));
    for (const mine of await stateOf(key, own)) expect(adoptedIds).not.toContain(mine.superseded_by);
    const [said] = things.filter((thing, at) => moves[at] && thing.kind === "memory" && thing.key === null);
    if (said === undefined) return;
    const { content, path, memory_type, bucket } = await ok(key.get(`/v1/memories/${said.id}`));
    const place = teamId === null ? {} : { team_id: teamId, scope: "team" };
    const project = lies(said.project);
    const again = {
      content,
      path,
      memory_type,
      bucket,
      ...place,
      ...(project === null ? {} : { project_id: project }),
    };
    expect((await key.post("/v1/remember", again)).body).toMatchObject({ deduplicated: false });
  },
);
