/** The largest answer that each operation can give: none is larger than an answer may be and the one item it must have. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OperationName } from "../../src/contract/operations.ts";
import type { sessionOperations } from "../../src/contract/session-operations.ts";
import { ANSWER_BYTES, fittingStarts, jsonBytes } from "../../src/core/limits/answer-bytes.ts";
import { freshOwner, stored } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";

let world: World;
let client: Client;
let cookie: string;
beforeAll(async () => {
  world = await openWorld({ JUNK_POLICY: "allow", SECRET_POLICY: "allow" });
  const owner = await world.service.credentials.ensureOwner("user", freshOwner());
  client = await world.client({ owner: owner.name });
  cookie = await sessionOf(world, owner);
  await fill();
}, 120_000);
afterAll(() => world.close());

/** An answer's own members, beside its items, and what a thousand reduced entries must still have. */
const FRAME_BYTES = 128 * 1024;

/** An answer has room for so much, and for the one item that it must have however large that is. */
function expectBounded(answer: object, parts = 1): void {
  expect(jsonBytes(answer)).toBeLessThan(parts * ANSWER_BYTES + FRAME_BYTES + largestItem(answer));
}

/** The size of the largest entry of any list in it. */
function largestItem(answer: object): number {
  const entries = Array.isArray(answer) ? answer.map(jsonBytes) : [];
  const inner = Object.values(answer).filter((value) => typeof value === "object" && value !== null);
  const lists = Array.isArray(answer) ? [] : inner.map(largestItem);
  return Math.max(0, ...entries, ...lists);
}

const CONTENT = "\u0001".repeat(60_000);
const METADATA = { notes: "x".repeat(60_000) };
const ROOT = "/v1/projects/p";
const RUN = { actions: ["archive_stale", "purge_deleted"], target_ids: ["nothing"] };
const AGAIN = { "idempotency-key": "again" };
let changed = "";
let webhook = "";
let run = "";

/** Many of the largest, and very many with the longest names. */
async function fill(): Promise<void> {
  const { sql } = world.service;
  const provenance = { project_id: "p" };
  for (let n = 0; n < 12; n += 1)
    changed = await stored(client, {
      content: `harbour ${n} ${CONTENT}`,
      metadata: METADATA,
      path: "p",
      provenance,
    });
  for (let n = 0; n < 5; n += 1) await client.patch(`/v1/memories/${changed}`, { metadata: { n } });
  for (let n = 0; n < 5; n += 1) {
    await client.post(`${ROOT}/todos`, { content: `harbour ${n} ${CONTENT}`, metadata: METADATA });
    await client.post(`${ROOT}/decisions`, { context: `harbour ${n} ${CONTENT}`, metadata: METADATA });
  }
  const small = await stored(client, {
    content: "A berth of the harbour.",
    path: `p/${"\u0001".repeat(500)}`,
    provenance,
  });
  await sql`
    insert into memories (id, memory_id, owner_id, author_id, author_token, scope, path, bucket, memory_type, status,
      content, metadata, provenance, project_id, importance, confidence, version, created_at, updated_at)
    select gen_random_uuid(), rpad(n::text, 128, 'x'), owner_id, author_id, author_token, scope,
      'p/' || n || repeat(chr(1), 500), bucket, memory_type, status, content, metadata, provenance, project_id, importance,
      confidence, version, created_at - interval '1 year', now() - n % 2 * interval '1 year'
    from memories, generate_series(1, 4000) n where memory_id = ${small}`;
  webhook = (
    await client.post("/v1/webhooks", {
      url: `https://example.com/${"x".repeat(2000)}`,
      description: CONTENT.slice(0, 256),
    })
  ).body.id;
  // What a run of thousands of memories would have left: the same request is answered anew from it.
  run = (await client.post(`${ROOT}/maintenance/execute`, RUN, AGAIN)).body.run_id;
  await sql`
    insert into maintenance_items (action, memory_id, owner_id, place, reason, run, state, undo_state, undo_reason)
    select 'archive_stale', rpad(n::text, 128, 'x'), ${client.ownerId}, 1000 + n, 'changed', ${run},
      case when n % 2 = 0 then 'skipped' else 'failed' end, case when n % 2 = 0 then 'skipped' else 'failed' end, 'changed'
    from generate_series(1, 9000) n`;
}

type Ask = () => Promise<Answer>;
/** It answers about one memory, todo, decision or credential, or with figures. */
const ONE = "one";

const get = (path: string) => () => client.get(path);
const post = (path: string, body: unknown, headers?: Record<string, string>) => () =>
  client.post(path, body, headers);
const SEARCH = { query: "berth harbour", limit: 100, explain: true, candidate_count: 1000 };
const PACK = { query: "berth harbour", max_items: 1000, max_tokens: 50_000, limit: 1000, full: true };

/** How each operation is asked for its largest answer. A new one is not forgotten: it is missing here. */
const LARGEST: Readonly<Record<OperationName, Ask | typeof ONE>> = {
  remember: ONE,
  storeMemory: ONE,
  storeBatch: post("/v1/memories/batch", {
    items: Array.from({ length: 500 }, (_, n) => ({
      content: 1,
      bucket: n,
      memory_type: 1,
      path: 1,
      tags: 1,
    })),
  }),
  storeConversation: () =>
    client.post("/v1/conversations", {
      session_id: "s",
      messages: Array.from({ length: 500 }, () => ({ role: "system" })),
    }),
  listMemories: () => client.get("/v1/memories?limit=1000"),
  getMemory: () => client.get(`/v1/memories/${changed}`),
  listVersions: () => client.get(`/v1/memories/${changed}/versions`),
  updateMemory: () => client.patch(`/v1/memories/${changed}`, { metadata: { again: true } }),
  deleteMemory: ONE,
  forgetMemory: ONE,
  restoreMemory: ONE,
  deleteMatching: post("/v1/memories/delete", { filter: { path_under: "p" } }),
  getReceipt: ONE,
  completeReminder: ONE,
  searchMemories: get("/v1/memories/search?query=berth%20harbour&limit=100&explain=true"),
  searchMemoriesByBody: post("/v1/memories/search", SEARCH),
  recallContext: post("/v1/recall/context", PACK),
  recallWhy: () =>
    client.post("/v1/recall/why", { ...SEARCH, limit: 1000, explain: undefined, memory_id: changed }),
  recallFeedback: ONE,
  getProfile: get("/v1/profile?max_items=1000&max_tokens=50000"),
  getEvalSet: ONE,
  projectContext: post(`${ROOT}/context`, { max_items: 1000, max_tokens: 50_000, recent_hours: 8760 }),
  createTodo: ONE,
  listTodos: get(`${ROOT}/todos`),
  acceptTodo: ONE,
  assignTodo: ONE,
  blockTodo: ONE,
  unblockTodo: ONE,
  completeTodo: ONE,
  cancelTodo: ONE,
  createDecision: ONE,
  listDecisions: get(`${ROOT}/decisions`),
  resolveDecision: ONE,
  supersedeDecision: ONE,
  reopenDecision: ONE,
  getTodo: ONE,
  updateTodo: ONE,
  deleteTodo: ONE,
  restoreTodo: ONE,
  getDecision: ONE,
  updateDecision: ONE,
  deleteDecision: ONE,
  restoreDecision: ONE,
  getMaintenanceSettings: ONE,
  updateMaintenanceSettings: ONE,
  reportMaintenance: get(`${ROOT}/maintenance?scan_limit=5000`),
  executeMaintenance: post(`${ROOT}/maintenance/execute`, RUN, AGAIN),
  listMaintenanceRuns: get(`${ROOT}/maintenance/runs?limit=100`),
  undoMaintenanceRun: async () => {
    await world.service
      .sql`update maintenance_runs set status = 'undone', undone_at = now() where id = ${run}`;
    return client.post(`${ROOT}/maintenance/runs/${run}/undo`, {});
  },
  listEndUsers: get("/v1/users?limit=1000"),
  getEndUser: ONE,
  eraseEndUser: ONE,
  issueEndUserToken: ONE,
  async exportEndUser() {
    for (let n = 0; n < 20; n += 1)
      await client.post("/v1/memories", { content: `${n} ${CONTENT}`, path: "p", user_id: "ada" });
    return client.get("/v1/users/ada/export?limit=500");
  },
  listEvents: get("/v1/events?limit=500"),
  createWebhook: ONE,
  listWebhooks: get("/v1/webhooks"),
  getWebhook: ONE,
  updateWebhook: ONE,
  deleteWebhook: ONE,
  rotateWebhookSecret: ONE,
  testWebhook: ONE,
  listDeadLetters: () => client.get(`/v1/webhooks/${webhook}/dead-letters?limit=500`),
  redeliverDeadLetters: ONE,
  getAgentStatus: ONE,
  getBindStatus: ONE,
  confirmBinding: ONE,
  denyBinding: ONE,
  rotateAgentToken: ONE,
  issueSkillToken: ONE,
  rotateKey: ONE,
  eraseOwner: ONE,
  addExpense: ONE,
  listSkillOperations: get("/v1/skill/operations"),
  doctor: get("/v1/doctor"),
};

const asked = Object.entries(LARGEST).filter((entry): entry is [string, Ask] => entry[1] !== ONE);

test.each(asked)("%s: its largest answer is bounded", async (_name, ask) => {
  const { status, body } = await ask();
  expect(status).toBe(200);
  expectBounded(body);
});

/** What a page of the admin UI asks for. */
type AskOfPage = () => object;

/** The same of all that the admin UI asks for besides. */
type SessionsToo = "listMemories" | "searchMemories" | "deleteMatching" | "executeMaintenance" | "eraseOwner";

const LARGEST_OF_PAGES: Readonly<
  Record<keyof typeof sessionOperations | SessionsToo, AskOfPage | typeof ONE>
> = {
  listMemories: () => ({ limit: 1000 }),
  searchMemories: () => SEARCH,
  browsePaths: () => ({ below: "p" }),
  memoryFacets: () => ({}),
  memoryRelations: () => ({ memory_id: changed }),
  listAudit: () => ({}),
  listRecalls: () => ({ limit: 200 }),
  countRecalls: () => ({ after: "2026-01-01T00:00:00Z", before: "2027-01-01T00:00:00Z" }),
  recallActivity: () => ({ after: "2026-01-01T00:00:00Z", before: "2027-01-01T00:00:00Z" }),
  memoryRecalls: ONE,
  attention: () => ({}),
  listProjects: () => ({}),
  listRunItems: () => ({ project_id: "p", run_id: run }),
  listEvalSets: () => ({}),
  addEvalQuestions: ONE,
  removeEvalQuestions: ONE,
  listSessions: () => ({}),
  listInvitations: () => ({}),
  labCredentials: () => ({}),
  labRecall: () => ({ ...PACK, limit: 200 }),
  session: ONE,
  endSession: ONE,
  createTeam: ONE,
  listMembers: ONE,
  addMember: ONE,
  withdrawInvitation: ONE,
  acceptInvitation: ONE,
  declineInvitation: ONE,
  inviteMember: ONE,
  setMemberRole: ONE,
  removeMember: ONE,
  reviewLeaving: ONE,
  leaveTeam: ONE,
  executeMaintenance: ONE,
  labWhy: ONE,
  figures: () => ({}),
  serviceState: () => ({}),
  rateUsage: () => ({}),
  catchUpIndex: ONE,
  deleteMatching: ONE,
  restoreMemories: ONE,
  eraseSubject: () => ({ terms: ["the"] }),
  subjectErasures: () => ({}),
  stopSubjectErasure: ONE,
  alerts: () => ({}),
  setAlerts: ONE,
  listAgents: () => ({}),
  reviewAgent: ONE,
  approveAgent: ONE,
  denyAgent: ONE,
  revokeAgent: ONE,
  listCredentials: () => ({}),
  createCredential: ONE,
  rotateCredential: ONE,
  revokeCredential: ONE,
  eraseOwner: ONE,
};

const ofPages = Object.entries(LARGEST_OF_PAGES).filter(
  (entry): entry is [string, AskOfPage] => entry[1] !== ONE,
);

test.each(ofPages)("%s of a page: its largest answer is bounded", async (name, inputOf) => {
  const { status, body } = await askTrpc(world, cookie, name, inputOf());
  expect(status).toBe(200);
  // The lab shows an answer of recall, and what became of each hit.
  expectBounded(body, name === "labRecall" ? 2 : 1);
});

test("a report lists as much as fits and counts all; a run says how much it does not name", async () => {
  const report = (await client.get(`${ROOT}/maintenance?scan_limit=5000`)).body;
  const stale = report.actions.find(({ action }: { action: string }) => action === "archive_stale");
  expect(stale.items.length).toBeGreaterThan(100);
  expect(report.totals.archive_stale).toBe(stale.matched);
  expect(stale.matched).toBeGreaterThan(1000);
  const [left] = (await client.post(`${ROOT}/maintenance/execute`, RUN, AGAIN)).body.actions;
  expect(left.skipped.length + left.failed.length + left.left_out).toBe(left.matched);
  expect(left.left_out).toBeGreaterThan(0);
});

test("the beginnings of lists fit together, each as long as the others allow, in their order", () => {
  const lists = fc.array(fc.array(fc.string()), { maxLength: 6 });
  fc.assert(
    fc.property(lists, fc.nat(300), (whole, max) => {
      const fitting = fittingStarts(whole, max);
      const longest = Math.max(0, ...fitting.map(({ length }) => length));
      expect(fitting).toEqual(whole.map((list) => list.slice(0, longest)));
      const bytes = fitting.flat().reduce((sum, item) => sum + jsonBytes(item), 0);
      if (longest > 1) expect(bytes).toBeLessThanOrEqual(max);
      if (whole.some(({ length }) => length > 0)) expect(longest).toBeGreaterThan(0);
    }),
  );
});
