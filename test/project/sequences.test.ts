/** Random steps of several agents against the plain model. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom, type Random, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { WorkspaceModel } from "./model.ts";
import { freshProject, ok, saying, takenBy, workspaceOf } from "./workspace.ts";

const SEQUENCES = runs(120);
/** So many sequences at once: each has a project of its own. */
const AT_ONCE = 8;
const STEPS = 14;
const MINUTES = 60 * 60_000;

const AGENTS = ["a", "b", "c"];
const TODO_STEPS = ["accept", "assign", "block", "unblock", "complete", "cancel"];
const DECISION_STEPS = ["resolve", "supersede", "reopen"];
const MODES = ["soft_delete", "soft_delete", "redact", "hard_delete"] as const;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

test(
  `${SEQUENCES} random sequences of several agents do what the tables say`,
  async () => {
    const seeds = Array.from({ length: SEQUENCES }, (_, at) => SEED + at).values();
    const play = async () => {
      for (const seed of seeds) await playSequence(seed);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, play));
  },
  MINUTES,
);

async function playSequence(seed: number): Promise<void> {
  const random = createRandom(seed);
  const model = new WorkspaceModel();
  const project = freshProject();
  const ids = { todos: [] as string[], decisions: [] as string[] };
  const told: string[] = [`RECOLLECT_SEED=${seed} RECOLLECT_RUNS=0.001`];
  for (let step = 0; step < STEPS; step += 1) {
    const who = random.pick(AGENTS);
    const ours = workspaceOf(client, project, who);
    const isTodo = random.next() < 0.7;
    const known = isTodo ? ids.todos : ids.decisions;
    const isNew = known.length === 0 || random.next() < 0.15;
    if (isNew) told.push(`${who} adds a ${isTodo ? "todo" : "decision"}`);
    if (isNew && isTodo) {
      const assignee = random.next() < 0.3 ? random.pick(AGENTS) : null;
      const dependsOn = somePlaces(random, model);
      const depends_on = dependsOn.map((at) => ids.todos[at]);
      const { todo_id } = await ok(ours.todo({ assignee_agent_id: assignee, depends_on }));
      ids.todos.push(todo_id);
      model.addTodo(assignee, dependsOn);
    } else if (isNew) {
      ids.decisions.push((await ok(ours.decision())).decision_id);
      model.addDecision();
    } else if (random.next() < 0.35) await correctOrRemove({ random, model, ids, told, who, ours, isTodo });
    else await takeStep({ random, model, ids, told, who, ours, isTodo });
  }
  await compare(workspaceOf(client, project), model, ids, told);
}

interface Playing {
  readonly random: Random;
  readonly model: WorkspaceModel;
  readonly ids: { readonly todos: string[]; readonly decisions: string[] };
  readonly told: string[];
  readonly who: string;
  readonly ours: ReturnType<typeof workspaceOf>;
  readonly isTodo: boolean;
}

async function takeStep({ random, model, ids, told, who, ours, isTodo }: Playing): Promise<void> {
  const known = isTodo ? ids.todos : ids.decisions;
  const place = random.below(known.length);
  const id = known[place] as string;
  const operation = random.pick(isTodo ? TODO_STEPS : DECISION_STEPS);
  const assignee = random.pick(AGENTS);
  const words = `words ${random.below(1000)}`;
  told.push(`${who}: ${operation} ${isTodo ? "todo" : "decision"} ${place} ${assignee}`);
  const body = takenBy(isTodo ? "todo" : "decision", operation, {
    assignee_agent_id: assignee,
    reason: words,
    resolution: words,
    context: words,
  });
  const answer = await (isTodo ? ours.act(id, operation, body) : ours.decide(id, operation, body));
  const expected = isTodo
    ? model.todoStep(place, operation, who, assignee)
    : model.decisionStep(place, operation, words);
  const got = answer.status === 200 ? 200 : answer.body.code;
  expect(got, told.join("\n")).toBe(expected);
  if (operation === "supersede" && got === 200) ids.decisions.push(answer.body[1].decision_id);
}

/** Todos that can be depended on. */
function somePlaces(random: Random, model: WorkspaceModel): number[] {
  return model.todos.map((_, at) => at).filter((at) => model.isThere("todos", at) && random.next() < 0.3);
}

async function correctOrRemove({ random, model, ids, told, who, ours, isTodo }: Playing): Promise<void> {
  const kind = isTodo ? "todos" : "decisions";
  const place = random.below(ids[kind].length);
  const id = ids[kind][place] as string;
  const item = isTodo ? "todo" : "decision";
  const { correct, remove, restore } = ours.item(item);
  const words = `words ${random.next()}`;
  const steps = {
    correct: () => [correct(id, saying(item, words)), model.correct(kind, place)] as const,
    depend: () => {
      const named = somePlaces(random, model);
      return [
        correct(id, { depends_on: named.map((at) => ids.todos[at]) }),
        model.dependOn(place, named),
      ] as const;
    },
    remove: () => {
      const mode = random.pick(MODES);
      return [remove(id, `?mode=${mode}`), model.remove(kind, place, mode)] as const;
    },
    restore: () => [restore(id), model.restore(kind, place)] as const,
  };
  const names = ["correct", "remove", "restore", ...(isTodo ? ["depend"] : [])] as (keyof typeof steps)[];
  const name = random.pick(names);
  told.push(`${who}: ${name} ${isTodo ? "todo" : "decision"} ${place}`);
  const [asked, expected] = steps[name]();
  const answer = await asked;
  expect(answer.status === 200 ? 200 : answer.body.code, told.join("\n")).toBe(expected);
}

/** All that is there is as the model has it, and recall says the same. */
async function compare(
  ours: ReturnType<typeof workspaceOf>,
  model: WorkspaceModel,
  ids: Playing["ids"],
  told: readonly string[],
): Promise<void> {
  const todos = await ok(ours.todos());
  expect(todos, told.join("\n")).toHaveLength(model.todos.filter(({ gone }) => gone === null).length);
  await compareGone(ours, model, ids, told);
  for (const [place, id] of ids.todos.entries()) {
    if (model.todos[place]?.gone !== null) continue;
    const todo = todos.find((one: { todo_id: string }) => one.todo_id === id);
    const { status, assignee, acceptedBy, dependsOn, lines } = model.todos[
      place
    ] as (typeof model.todos)[number];
    const is = {
      status: todo.status,
      assignee: todo.assignee_agent_id,
      acceptedBy: todo.accepted_by_agent_id,
      dependsOn: todo.depends_on,
      lines: todo.audit_trail.length,
      recalled: (await client.get(`/v1/memories/${id}`)).body.metadata.todo_status,
    };
    expect(is, told.join("\n")).toEqual({
      status,
      assignee,
      acceptedBy,
      dependsOn: dependsOn.filter((at) => model.isThere("todos", at)).map((at) => ids.todos[at]),
      lines,
      recalled: status,
    });
    expectConnected(todo.audit_trail, status);
  }
  const decisions = await ok(ours.decisions());
  expect(decisions).toHaveLength(model.decisions.filter(({ gone }) => gone === null).length);
  for (const [place, id] of ids.decisions.entries()) {
    if (model.decisions[place]?.gone !== null) continue;
    const decision = decisions.find((one: { decision_id: string }) => one.decision_id === id);
    const { status, resolution, supersededBy, lines } = model.decisions[
      place
    ] as (typeof model.decisions)[number];
    expect(decision, told.join("\n")).toMatchObject({
      status,
      resolution,
      superseded_by:
        supersededBy === null || !model.isThere("decisions", supersededBy)
          ? null
          : ids.decisions[supersededBy],
    });
    expect(decision.audit_trail).toHaveLength(lines);
    expectConnected(decision.audit_trail, status);
  }
}

/** What is redacted is read and says nothing, what is deleted is not there; neither is in recall. */
async function compareGone(
  ours: ReturnType<typeof workspaceOf>,
  model: WorkspaceModel,
  ids: Playing["ids"],
  told: readonly string[],
): Promise<void> {
  for (const kind of ["todos", "decisions"] as const)
    for (const [place, { gone, status, lines }] of model[kind].entries()) {
      if (gone === null) continue;
      const { status: code, body } = await ours
        .item(kind === "todos" ? "todo" : "decision")
        .read(ids[kind][place] as string);
      const is = code === 200 ? [body.content, body.status, body.audit_trail.length] : code;
      expect(is, told.join("\n")).toEqual(gone === "redact" ? ["[redacted]", status, lines] : 404);
    }
}

/** Each line begins where the one before it ended, the first at nothing and the last where it stands. */
function expectConnected(trail: readonly { from: string | null; to: string }[], status: string): void {
  const ends = [null, ...trail.map(({ to }) => to)];
  expect(trail.map(({ from }) => from)).toEqual(ends.slice(0, -1));
  expect(ends.at(-1)).toBe(status);
}
