import { operationList } from "../../src/contract/operations.ts";
import type { World } from "../support/world.ts";
import { type Cell, named } from "./cells.ts";
import { doors, type Reply, UNKNOWN_TOOL } from "./doors.ts";
import { expectedOf, mayCall } from "./expectation.ts";
import { daysOf, inputs } from "./inputs.ts";
import type { Rules } from "./rules.ts";
import { makeAnew, recorded, type Target, type Targets } from "./targets.ts";

export interface Ground {
  readonly world: World;
  readonly rules: Rules;
  readonly targets: Targets;
}

/** So many requests at once: as many as there are connections to the database. */
const AT_ONCE = 8;

let asked = 0;

/**
 * Sends every cell and answers in words what is not as the page says: the outcome, what was shown, what became of the
 * record. Refusals go together, as they change nothing; what is allowed goes one by one over a memory as at first.
 */
export async function disagreements(ground: Ground, cells: readonly Cell[]): Promise<string[]> {
  const groups = new Map<Target, Foretold[]>();
  await inParallel(cells, async (cell) => {
    const target = await ground.targets.target(cell);
    const group = groups.get(target) ?? [];
    group.push({ cell, expected: foretold(ground.rules, cell) });
    groups.set(target, group);
  });
  const found: string[] = [];
  await inParallel(lanesOf(groups), async (lane) => {
    for (const [target, group] of lane) {
      found.push(...(await refusedTogether(ground, target, group.filter(isHarmless))));
      for (const each of group.filter((one) => !isHarmless(one)))
        found.push(...(await allowedAlone(ground, target, each.cell)));
    }
  });
  return found;
}

interface Foretold {
  readonly cell: Cell;
  readonly expected: string;
}

function isHarmless({ cell, expected }: Foretold): boolean {
  return expected !== "allowed" || cell.rule.capacity === "read";
}

/** What may be asked at once: every target by itself, but where they share their owner's project, one after the other. */
function lanesOf(groups: ReadonlyMap<Target, Foretold[]>): (readonly [Target, Foretold[]])[][] {
  const lanes = new Map<Target | string, (readonly [Target, Foretold[]])[]>();
  for (const [target, group] of groups) {
    const isOfProject = group.some(({ cell }) => cell.rule.actsOn === "a whole project");
    const lane = isOfProject ? target.ownerId : target;
    lanes.set(lane, [...(lanes.get(lane) ?? []), [target, group]]);
  }
  return [...lanes.values()];
}

/** What a door says of the outcome: MCP does not know a tool that its caller may not call. */
function foretold(rules: Rules, cell: Cell): string {
  // A tool with modes is offered for any of them.
  const modes = rules.operations.filter(({ operation }) => operation === cell.rule.operation);
  const isOffered = modes.some((rule) => mayCall(rules, rule, cell.kind, cell.scopes));
  return cell.door === "MCP" && !isOffered ? UNKNOWN_TOOL : expectedOf(rules, cell);
}

async function refusedTogether(
  ground: Ground,
  target: Target,
  group: readonly { cell: Cell; expected: string }[],
): Promise<string[]> {
  if (group.length === 0) return [];
  const before = await recorded(ground.world, target);
  const uniques: string[] = [];
  const found: string[] = [];
  for (const { cell, expected } of group) {
    const unique = `unique${asked++}`;
    uniques.push(unique);
    const { outcome, reply } = await ask(ground, cell, target, unique);
    if (outcome !== expected) found.push(`${named(cell)}: ${expected} was foretold, ${outcome} answered`);
    if (
      reply.text.includes(target.secret) &&
      (expected !== "allowed" || !cell.scopes.includes("memory:read"))
    )
      found.push(`${named(cell)}: the answer shows the memory`);
  }
  const after = await recorded(ground.world, target);
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    found.push(`${group[0] ? named(group[0].cell) : ""} and the like: a refused request changed the memory`);
    // What follows is about the memory as it was at first.
    await makeAnew(target);
  }
  if (await isAnyWritten(ground.world, uniques))
    found.push(`${group[0] ? named(group[0].cell) : ""} and the like: a refused request wrote a memory`);
  return found;
}

async function allowedAlone(ground: Ground, target: Target, cell: Cell): Promise<string[]> {
  const before = await recorded(ground.world, target);
  const unique = `unique${asked++}`;
  const { outcome, reply } = await ask(ground, cell, target, unique);
  const effect = await effectOf(ground.world, cell, target, before, unique);
  const found: string[] = [];
  if (outcome !== "allowed") found.push(`${named(cell)}: allowed was foretold, ${outcome} answered`);
  else if (effect !== null) found.push(`${named(cell)}: allowed, but ${effect}`);
  if (!cell.scopes.includes("memory:read") && reply.text.includes(target.secret))
    found.push(`${named(cell)}: the answer shows the memory to who may not read`);
  if (!["place", "the ledger"].includes(cell.rule.actsOn)) await makeAnew(target);
  return found;
}

async function ask(ground: Ground, cell: Cell, target: Target, unique: string) {
  const operation = operationList.find(({ name }) => name === cell.rule.operation);
  const input = inputs[cell.rule.operation]?.({ cell, target, unique });
  const door = doors[cell.door];
  if (!operation || !input || !door) throw new Error(`nothing asks for ${named(cell)}`);
  const secret = await ground.targets.secret(cell);
  const reply = await door(ground.world, secret, operation, input);
  const plan = cell.rule.operation === "deleteMatching" ? reply.body.plan_hash : undefined;
  if (plan === undefined || reply.body.matched === 0)
    return { outcome: outcomeOf(cell, target, reply), reply };
  const done = await door(ground.world, secret, operation, { ...input, dry_run: false, plan_hash: plan });
  return { outcome: outcomeOf(cell, target, done), reply: done };
}

/** An answer as one of the page's outcomes. */
function outcomeOf(cell: Cell, target: Target, { code, body }: Reply): string {
  if (code !== null) return code;
  const { operation, capacity } = cell.rule;
  if (capacity === "read") {
    const shown = reads[operation];
    if (!shown) throw new Error(`nothing says what ${operation} is to show`);
    return shown(body, target, cell);
  }
  switch (operation) {
    case "storeConversation":
      return body.results[0].reason ?? "allowed";
    case "storeBatch":
      return body.results[0].error?.code ?? "allowed";
    case "deleteMatching":
      return body.matched === 1 ? "allowed" : body.matched === 0 ? "not_found" : `${body.matched} matched`;
    case "executeMaintenance":
    case "undoMaintenanceRun":
      return body.actions[0].skipped[0]?.reason ?? "allowed";
    default:
      // What a write has done is looked for in the record.
      return "allowed";
  }
}

type Shown = (body: Reply["body"], target: Target, cell: Cell) => string;

/** What the answer of each read shows of what was asked for. Those of the page that are not here fail the tests. */
export const reads: Readonly<Record<string, Shown>> = {
  listMemories: ({ memories }, target) => isAmong(memories, target),
  getMemory: showsText,
  listVersions: showsText,
  getReceipt: ({ id }, { receiptId }) => (id === receiptId ? "allowed" : "another receipt"),
  searchMemories: ({ results }, target) => isAmong(results, target),
  searchMemoriesByBody: ({ results }, target) => isAmong(results, target),
  recallContext: ({ items }, target) => isAmong(items, target),
  recallWhy: ({ id, found }, { memoryId }) =>
    id === memoryId && found ? "allowed" : "not found by its search",
  // At MCP the text alone has contents.
  getProfile: ({ items, context_text }, { memoryId, secret }) =>
    items.some(({ id }: { id: string }) => id === memoryId) && context_text.includes(secret)
      ? "allowed"
      : "not_found",
  getEvalSet: ({ questions }, { memoryId }) =>
    questions.some(({ relevant }: { relevant: string[] }) => relevant.includes(memoryId))
      ? "allowed"
      : "not_found",
  projectContext: ({ recent_memories, durable_context }, target) =>
    isAmong(
      [...recent_memories, ...durable_context]
        // What another section shows in full is named here without its text.
        .flatMap(({ id, text }) => (typeof text === "string" ? [{ id, content: text }] : [])),
      target,
    ),
  listTodos: (body, target) => isAmong(listOf(body.todos ?? body, "todo_id"), target),
  getTodo: showsText,
  listDecisions: (body, target) => isAmong(listOf(body.decisions ?? body, "decision_id"), target),
  getDecision: showsText,
  listEvents: ({ events }, { memoryId }) =>
    events.some(({ data }: { data: { id: string } }) => data.id === memoryId) ? "allowed" : "not_found",
  getMaintenanceSettings: (settings, target, cell) => areOfWorkspace([settings], target, cell),
  reportMaintenance: ({ actions }, { memoryId }) => {
    const items: { id: string }[] = actions.flatMap((action: { items: unknown }) => action.items);
    return items.some(({ id }) => id === memoryId) ? "allowed" : "not_found";
  },
  listMaintenanceRuns: areOfWorkspace,
};

function showsText(body: unknown, { secret }: Target): string {
  return JSON.stringify(body).includes(secret) ? "allowed" : "nothing of it shown";
}

function areOfWorkspace(
  answered: readonly { project_id: string; team_id: string | null }[],
  { ownerId }: Target,
  { holder, relation }: Cell,
): string {
  const team = holder === "team" || relation.role !== null ? ownerId : null;
  const isOfIt = answered.every(({ project_id, team_id }) => project_id === "in" && team_id === team);
  return isOfIt ? "allowed" : "another workspace";
}

function listOf(items: readonly Record<string, string>[], id: string) {
  return items.map((item) => ({ id: item[id] as string, content: item.content as string }));
}

function isAmong(items: readonly { id: string; content: string }[], target: Target): string {
  const item = items.find(({ id }) => id === target.memoryId);
  return item?.content.includes(target.secret) ? "allowed" : "not_found";
}

/** What is wrong with what an allowed request has done, or null. */
async function effectOf(
  world: World,
  { rule }: Cell,
  target: Target,
  before: Awaited<ReturnType<typeof recorded>>,
  unique: string,
): Promise<string | null> {
  if (["place", "the ledger"].includes(rule.actsOn)) return placed(world, rule, target, unique);
  if (rule.actsOn === "a whole project") return set(world, target, unique);
  const after = await recorded(world, target);
  const statuses: Readonly<Record<string, string | undefined>> = {
    soft_delete: "soft_deleted",
    redact: "redacted",
    hard_delete: undefined,
    completeReminder: "completed",
    restoreMemory: "active",
    restoreTodo: "active",
    restoreDecision: "active",
    acceptTodo: "started",
    completeTodo: "completed",
    cancelTodo: "completed",
    supersedeDecision: "superseded",
    executeMaintenance: "archived",
    undoMaintenanceRun: "active",
  };
  const key = rule.mode || rule.operation;
  const isAsMeant = key in statuses ? after?.status === statuses[key] : after?.status === before?.status;
  const hasChanged = after === null || after.revision > (before?.revision ?? 0);
  return isAsMeant && hasChanged ? null : `the memory is ${JSON.stringify(after)}`;
}

/** The words of a todo or decision without how it stands, and of an expense without its amount and day. */
const WORDS = "regexp_replace(content, '^(Todo|Decision) [(][^)]*[)]: |: 1[.]00 USD, [0-9-]{10}$', '')";

/** A new memory is of the owner, the project and the bucket that were asked for. */
async function placed(
  { service: { sql } }: World,
  { operation }: Cell["rule"],
  target: Target,
  unique: string,
): Promise<string | null> {
  const type = { createTodo: "todo", createDecision: "decision", addExpense: "expense" }[operation];
  const typeOfMessages = operation === "storeConversation" ? "episodic" : null;
  const rows = await sql`
    select id, owner_id, project_id, bucket, memory_type from memories
    where ${sql.unsafe(WORDS)} = ${`A new one: ${unique}.`}`;
  // A project's list has no pages: without what it is not about it stays short.
  if (type) await sql`delete from memories where id = any(${rows.map(({ id }) => id as string)})`;
  const found = rows.map(({ id: _, ...row }) => row);
  const expected = [
    {
      owner_id: target.ownerId,
      project_id: "in",
      bucket: type === "expense" ? "ledger" : target.bucket,
      memory_type: type ?? typeOfMessages ?? target.memoryType,
    },
  ];
  return JSON.stringify(found) === JSON.stringify(expected)
    ? null
    : `what was written is ${JSON.stringify(found)}`;
}

/** The project's settings are those that were asked for. */
async function set({ service: { sql } }: World, { ownerId }: Target, unique: string): Promise<string | null> {
  const [row] = await sql`
    select stale_after_days from maintenance_settings where owner_id = ${ownerId} and project_id = 'in'`;
  return row?.stale_after_days === daysOf({ unique }) ? null : `the settings are ${JSON.stringify(row)}`;
}

async function isAnyWritten({ service: { sql } }: World, uniques: readonly string[]): Promise<boolean> {
  const contents = uniques.map((unique) => `A new one: ${unique}.`);
  const [row] = await sql`
    select exists (select from memories where ${sql.unsafe(WORDS)} = any(${contents})) as is_any`;
  return Boolean(row?.is_any);
}

/** Works through all of them, so many at a time. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
