import type { Cell } from "./cells.ts";
import type { Target } from "./targets.ts";

type Input = Record<string, unknown>;

/** What a request asks for, besides who asks: the memory it is about, and a text that nothing else has. */
export interface Asking {
  readonly cell: Cell;
  readonly target: Target;
  readonly unique: string;
}

/** Where a new memory is to go, so that the request itself says whose it will be. */
function destination({ cell, target }: Asking): Input {
  if (cell.relation.whose === "own") return cell.holder === "team" ? {} : { scope: "private" };
  return { team_id: target.ownerId };
}

const place = (asking: Asking): Input => ({
  content: `A new one: ${asking.unique}.`,
  path: "in/new",
  bucket: asking.target.bucket,
  memory_type: asking.target.memoryType,
  provenance: { project_id: "in" },
  ...destination(asking),
});

const byId = ({ target }: Asking): Input => ({ memory_id: target.memoryId });
const inMode = (asking: Asking): Input => ({ ...byId(asking), mode: asking.cell.rule.mode });
const asked = ({ target }: Asking): Input => ({ query: target.word, path: target.path });
const nothing = (): Input => ({});

const placeInProject = ({ cell, target, unique }: Asking, words: string): Input => ({
  project_id: "in",
  [words]: `A new one: ${unique}.`,
  path: "in/new",
  bucket: target.bucket,
  ...destination({ cell, target, unique }),
});
const inTeam = ({ cell, target }: Asking): Input => ({
  project_id: "in",
  ...(cell.relation.whose === "own" ? {} : { team_id: target.ownerId }),
});
/** The same, for a credential of one team too: it means its team where it names none. */
const inProject = (asking: Asking): Input =>
  asking.cell.position.confinement === "team"
    ? { project_id: "in", team_id: asking.target.ownerId }
    : inTeam(asking);
const todo = ({ target }: Asking): Input => ({ project_id: "in", todo_id: target.memoryId });
const decision = ({ target }: Asking): Input => ({ project_id: "in", decision_id: target.memoryId });

/** None: what a credential may do with its own is asked of each kind and set of scopes apart from memories. */
const webhook = (): Input => ({ webhook_id: "00000000-0000-4000-8000-000000000000" });

const endUser = (): Input => ({ user_id: "ada" });

/** A number of days that no other request near it has. */
export function daysOf({ unique }: Pick<Asking, "unique">): number {
  return 1 + (Number(unique.replace(/\D/g, "")) % 3650);
}

/** A request of every operation. Those of the contract that are not here fail the tests. */
export const inputs: Readonly<Record<string, (asking: Asking) => Input>> = {
  remember: place,
  storeMemory: place,
  storeBatch: (asking) => ({ items: [place(asking)] }),
  storeConversation: (asking) => ({
    session_id: asking.unique,
    messages: [{ speaker: "ada", text: `A new one: ${asking.unique}.` }],
    path: "in/new",
    bucket: asking.target.bucket,
    project_id: "in",
    ...destination(asking),
  }),
  listMemories: ({ target }) => ({
    path: target.path,
    status: target.state === "soft_deleted" ? target.state : "%",
  }),
  getMemory: byId,
  listVersions: byId,
  updateMemory: (asking) => ({ ...byId(asking), metadata: { touched: asking.unique } }),
  deleteMemory: inMode,
  forgetMemory: inMode,
  restoreMemory: byId,
  deleteMatching: ({ cell, target }) => ({
    filter: { path: target.path, ...(cell.relation.role === null ? {} : { team_id: target.ownerId }) },
    mode: cell.rule.mode,
  }),
  getReceipt: ({ target }) => ({ receipt_id: target.receiptId }),
  completeReminder: ({ target }) => ({ reminder_id: target.memoryId }),
  searchMemories: asked,
  searchMemoriesByBody: asked,
  recallContext: (asking) => ({
    ...asked(asking),
    include_knowledge: asking.cell.scopes.includes("knowledge:read"),
  }),
  recallWhy: (asking) => ({ ...byId(asking), ...asked(asking) }),
  recallFeedback: (asking) => ({ ...byId(asking), helpful: true }),
  getProfile: (asking) => ({
    ...(asking.cell.relation.whose === "own" ? {} : { team_id: asking.target.ownerId }),
    max_items: 1000,
    max_tokens: 50_000,
    include_knowledge: asking.cell.scopes.includes("knowledge:read"),
  }),
  getEvalSet: ({ cell, target }) => ({
    name: target.word,
    ...(cell.relation.whose === "own" ? {} : { team_id: target.ownerId }),
  }),
  projectContext: (asking) => ({
    ...inTeam(asking),
    durable_query: asking.target.word,
    max_items: 1000,
    max_tokens: 50_000,
  }),
  createTodo: (asking) => placeInProject(asking, "content"),
  listTodos: inTeam,
  acceptTodo: todo,
  assignTodo: (asking) => ({ ...todo(asking), assignee_agent_id: "somebody" }),
  blockTodo: (asking) => ({ ...todo(asking), reason: "a reason" }),
  unblockTodo: todo,
  completeTodo: todo,
  cancelTodo: todo,
  getTodo: todo,
  updateTodo: (asking) => ({ ...todo(asking), metadata: { touched: asking.unique } }),
  deleteTodo: (asking) => ({ ...todo(asking), mode: asking.cell.rule.mode }),
  restoreTodo: todo,
  createDecision: (asking) => placeInProject(asking, "context"),
  listDecisions: inTeam,
  resolveDecision: (asking) => ({ ...decision(asking), resolution: "So be it." }),
  supersedeDecision: (asking) => ({ ...decision(asking), context: `A new one: ${asking.unique}.` }),
  reopenDecision: decision,
  getDecision: decision,
  updateDecision: (asking) => ({ ...decision(asking), metadata: { touched: asking.unique } }),
  deleteDecision: (asking) => ({ ...decision(asking), mode: asking.cell.rule.mode }),
  restoreDecision: decision,
  getMaintenanceSettings: inProject,
  updateMaintenanceSettings: (asking) => ({ ...inProject(asking), stale_after_days: daysOf(asking) }),
  reportMaintenance: (asking) => ({ ...inProject(asking), scan_limit: 5000 }),
  executeMaintenance: (asking) => ({
    ...inProject(asking),
    actions: ["archive_stale"],
    target_ids: [asking.target.memoryId],
  }),
  listMaintenanceRuns: inProject,
  undoMaintenanceRun: (asking) => ({ ...inProject(asking), run_id: asking.target.runId }),
  listEvents: ({ target }) => ({ memory_id: target.memoryId, limit: 1 }),
  createWebhook: () => ({ url: "https://hooks.example/" }),
  listWebhooks: nothing,
  getWebhook: webhook,
  updateWebhook: (asking) => ({ ...webhook(), description: asking.unique }),
  deleteWebhook: webhook,
  rotateWebhookSecret: webhook,
  testWebhook: webhook,
  listDeadLetters: webhook,
  redeliverDeadLetters: webhook,
  getAgentStatus: nothing,
  getBindStatus: nothing,
  confirmBinding: () => ({ confirmation_token: "not the one" }),
  denyBinding: nothing,
  rotateAgentToken: nothing,
  issueSkillToken: nothing,
  rotateKey: nothing,
  eraseOwner: nothing,
  listEndUsers: nothing,
  getEndUser: endUser,
  eraseEndUser: endUser,
  issueEndUserToken: endUser,
  exportEndUser: endUser,
  addExpense: (asking) => ({
    item: `A new one: ${asking.unique}.`,
    amount: "1",
    path: "in/new",
    provenance: { project_id: "in" },
    ...destination(asking),
  }),
  listSkillOperations: nothing,
  doctor: nothing,
  getErasure: () => ({ erasure_id: "00000000-0000-4000-8000-000000000000" }),
  registerAgent: ({ unique }) => ({
    entry_type: "test",
    client_name: "A test",
    installation_fingerprint: unique,
  }),
};
