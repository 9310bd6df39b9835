import { describe, expect, test } from "vitest";
import { operationList, routeGroups } from "../../../src/contract/operations.ts";
import { openApiDocument } from "../../../src/surfaces/rest/openapi/document.ts";
import { world } from "./world.ts";

/** Method, path, status of success, operation. The pin: what clients rely on. */
const ROUTES = [
  ["POST", "/v1/remember", 201, "remember"],
  ["POST", "/v1/memories", 201, "storeMemory"],
  ["GET", "/v1/memories", 200, "listMemories"],
  ["POST", "/v1/memories/batch", 200, "storeBatch"],
  ["POST", "/v1/memories/delete", 200, "deleteMatching"],
  ["GET", "/v1/memories/search", 200, "searchMemories"],
  ["POST", "/v1/memories/search", 200, "searchMemoriesByBody"],
  ["GET", "/v1/recall", 200, "searchMemories"],
  ["POST", "/v1/conversations", 200, "storeConversation"],
  ["GET", "/v1/memories/{memory_id}", 200, "getMemory"],
  ["PATCH", "/v1/memories/{memory_id}", 200, "updateMemory"],
  ["DELETE", "/v1/memories/{memory_id}", 200, "deleteMemory"],
  ["POST", "/v1/memories/{memory_id}/forget", 200, "forgetMemory"],
  ["POST", "/v1/memories/{memory_id}/restore", 200, "restoreMemory"],
  ["GET", "/v1/memories/{memory_id}/versions", 200, "listVersions"],
  ["GET", "/v1/receipts/{receipt_id}", 200, "getReceipt"],
  ["POST", "/v1/reminders/{reminder_id}/complete", 200, "completeReminder"],
  ["POST", "/v1/recall/context", 200, "recallContext"],
  ["POST", "/v1/recall/why", 200, "recallWhy"],
  ["POST", "/v1/recall/feedback", 200, "recallFeedback"],
  ["GET", "/v1/profile", 200, "getProfile"],
  ["GET", "/v1/eval-sets/{name}", 200, "getEvalSet"],
  ["POST", "/v1/projects/{project_id}/context", 200, "projectContext"],
  ["POST", "/v1/projects/{project_id}/todos", 200, "createTodo"],
  ["GET", "/v1/projects/{project_id}/todos", 200, "listTodos"],
  ["POST", "/v1/projects/{project_id}/todos/{todo_id}/accept", 200, "acceptTodo"],
  ["POST", "/v1/projects/{project_id}/todos/{todo_id}/assign", 200, "assignTodo"],
  ["POST", "/v1/projects/{project_id}/todos/{todo_id}/block", 200, "blockTodo"],
  ["POST", "/v1/projects/{project_id}/todos/{todo_id}/unblock", 200, "unblockTodo"],
  ["POST", "/v1/projects/{project_id}/todos/{todo_id}/complete", 200, "completeTodo"],
  ["POST", "/v1/projects/{project_id}/todos/{todo_id}/cancel", 200, "cancelTodo"],
  ["GET", "/v1/projects/{project_id}/todos/{todo_id}", 200, "getTodo"],
  ["PATCH", "/v1/projects/{project_id}/todos/{todo_id}", 200, "updateTodo"],
  ["DELETE", "/v1/projects/{project_id}/todos/{todo_id}", 200, "deleteTodo"],
  ["POST", "/v1/projects/{project_id}/todos/{todo_id}/restore", 200, "restoreTodo"],
  ["POST", "/v1/projects/{project_id}/decisions", 200, "createDecision"],
  ["GET", "/v1/projects/{project_id}/decisions", 200, "listDecisions"],
  ["POST", "/v1/projects/{project_id}/decisions/{decision_id}/resolve", 200, "resolveDecision"],
  ["POST", "/v1/projects/{project_id}/decisions/{decision_id}/supersede", 200, "supersedeDecision"],
  ["POST", "/v1/projects/{project_id}/decisions/{decision_id}/reopen", 200, "reopenDecision"],
  ["GET", "/v1/projects/{project_id}/decisions/{decision_id}", 200, "getDecision"],
  ["PATCH", "/v1/projects/{project_id}/decisions/{decision_id}", 200, "updateDecision"],
  ["DELETE", "/v1/projects/{project_id}/decisions/{decision_id}", 200, "deleteDecision"],
  ["POST", "/v1/projects/{project_id}/decisions/{decision_id}/restore", 200, "restoreDecision"],
  ["GET", "/v1/projects/{project_id}/maintenance/settings", 200, "getMaintenanceSettings"],
  ["PATCH", "/v1/projects/{project_id}/maintenance/settings", 200, "updateMaintenanceSettings"],
  ["GET", "/v1/projects/{project_id}/maintenance", 200, "reportMaintenance"],
  ["POST", "/v1/projects/{project_id}/maintenance/execute", 200, "executeMaintenance"],
  ["GET", "/v1/projects/{project_id}/maintenance/runs", 200, "listMaintenanceRuns"],
  ["POST", "/v1/projects/{project_id}/maintenance/runs/{run_id}/undo", 200, "undoMaintenanceRun"],
  ["GET", "/v1/events", 200, "listEvents"],
  ["POST", "/v1/webhooks", 201, "createWebhook"],
  ["GET", "/v1/webhooks", 200, "listWebhooks"],
  ["GET", "/v1/webhooks/{webhook_id}", 200, "getWebhook"],
  ["PATCH", "/v1/webhooks/{webhook_id}", 200, "updateWebhook"],
  ["DELETE", "/v1/webhooks/{webhook_id}", 200, "deleteWebhook"],
  ["POST", "/v1/webhooks/{webhook_id}/rotate-secret", 200, "rotateWebhookSecret"],
  ["POST", "/v1/webhooks/{webhook_id}/test", 200, "testWebhook"],
  ["GET", "/v1/webhooks/{webhook_id}/dead-letters", 200, "listDeadLetters"],
  ["POST", "/v1/webhooks/{webhook_id}/redeliver", 200, "redeliverDeadLetters"],
  ["POST", "/v1/agents/register", 200, "registerAgent"],
  ["GET", "/v1/agents/status", 200, "getAgentStatus"],
  ["GET", "/v1/agents/bind/status", 200, "getBindStatus"],
  ["POST", "/v1/agents/bind/confirm-current-user", 200, "confirmBinding"],
  ["POST", "/v1/agents/bind/deny-current-user", 200, "denyBinding"],
  ["POST", "/v1/agents/rotate", 200, "rotateAgentToken"],
  ["POST", "/v1/skill/tokens", 201, "issueSkillToken"],
  ["POST", "/v1/keys/rotate", 200, "rotateKey"],
  ["POST", "/v1/erasures", 200, "eraseOwner"],
  ["GET", "/v1/erasures/{erasure_id}", 200, "getErasure"],
  ["GET", "/v1/users", 200, "listEndUsers"],
  ["GET", "/v1/users/{user_id}", 200, "getEndUser"],
  ["DELETE", "/v1/users/{user_id}", 200, "eraseEndUser"],
  ["POST", "/v1/users/{user_id}/tokens", 201, "issueEndUserToken"],
  ["GET", "/v1/users/{user_id}/export", 200, "exportEndUser"],
  ["POST", "/v1/ledger/expenses", 201, "addExpense"],
  ["GET", "/v1/skill/operations", 200, "listSkillOperations"],
  ["GET", "/v1/doctor", 200, "doctor"],
] as const;

/** What each operation needs at least. */
const BODIES: Record<string, object> = {
  createWebhook: { url: "https://hooks.example/" },
  remember: { content: "a", path: "p" },
  storeMemory: { content: "a", path: "p" },
  storeBatch: { items: [{}] },
  storeConversation: { session_id: "s", messages: [{}] },
  deleteMatching: { filter: { path: "p" } },
  searchMemoriesByBody: { query: "q" },
  recallContext: { query: "q" },
  recallWhy: { query: "q", memory_id: "m" },
  recallFeedback: { memory_id: "m", helpful: true },
  createTodo: { content: "c" },
  assignTodo: { assignee_agent_id: "a" },
  blockTodo: { reason: "r" },
  createDecision: { context: "c" },
  resolveDecision: { resolution: "r" },
  supersedeDecision: { context: "c" },
  updateMaintenanceSettings: {},
  executeMaintenance: { actions: ["archive_stale"], confirm_all_matching: true },
  registerAgent: { entry_type: "cli", client_name: "c", installation_fingerprint: "f" },
  confirmBinding: { confirmation_token: "t" },
  addExpense: { item: "i", amount: 1 },
};

test.each(ROUTES)("%s %s answers %i", async (method, template, status, name) => {
  const kind = operationList.find((operation) => operation.name === name)?.kinds?.[0];
  const { calls, send } = world(kind ? { kind } : {});
  const path = template.replace(/\{\w+\}/g, "mem-1") + (name === "searchMemories" ? "?query=q" : "");
  const body = BODIES[name];
  const response = await send(method, path, body ? { body } : {});
  expect([response.status, calls.map((call) => call.name)]).toEqual([status, [name]]);
});

test("there are no other routes below /v1", () => {
  const { paths } = openApiDocument(routeGroups);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const below = described.filter((route) => route.includes("/v1/"));
  const routes = ROUTES.map(([method, path]) => `${method} ${path}`);
  // Which operation it carries out, its body says.
  expect(below.sort()).toEqual([...routes, "POST /v1/skill/operations"].sort());
});

describe("a path that is known", () => {
  test.each([
    ["PUT", "/v1/memories", "GET, HEAD, POST"],
    ["OPTIONS", "/v1/memories", "GET, HEAD, POST"],
    ["DELETE", "/v1/memories/search", "GET, HEAD, POST"],
    ["PATCH", "/v1/memories/batch", "POST"],
    ["POST", "/v1/memories/mem-1", "DELETE, GET, HEAD, PATCH"],
    ["POST", "/healthz", "GET, HEAD"],
    ["GET", "/v1/recall/context", "POST"],
    ["HEAD", "/v1/recall/context", "POST"],
    ["PROPFIND", "/", "GET, HEAD"],
  ])("refuses %s %s and says what is allowed", async (method, path, allow) => {
    const response = await world().send(method, path, { key: null });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")?.split(", ").sort().join(", ")).toBe(allow);
    if (method !== "HEAD") expect((await response.json()).code).toBe("method_not_allowed");
  });
});

test.each([
  "/nowhere",
  "/v1",
  "/v1/",
  "/v1/nowhere",
  "/v1/memories/a/b/c",
  "//v1/memories",
  "/v1/memories//versions",
])("%s is nowhere", async (path) => {
  const response = await world().send("GET", path);
  expect([response.status, await response.json()]).toEqual([
    404,
    { detail: "There is nothing at this address. /docs lists what there is.", code: "not_found" },
  ]);
});

test.each([
  ["POST", "/v1/rember", "/v1/remember"],
  ["GET", "/v1/memory", "/v1/memories"],
  ["POST", "/v1/memories/secret-id/forgt", "/v1/memories/{memory_id}/forget"],
  ["POST", "/remember", "/v1/remember"],
  ["GET", "/memories/secret-id", "/v1/memories/{memory_id}"],
  ["POST", "/rember", "/v1/remember"],
  ["POST", "/v1/project/apollo/todos", "/v1/projects/{project_id}/todos"],
])("%s %s is told the nearest address, and nothing of its own", async (method, path, meant) => {
  const response = await world().send(method, `${path}?query=secret`);
  expect([response.status, (await response.json()).detail]).toEqual([
    404,
    `There is nothing at this address. Did you mean ${meant}? /docs lists what there is.`,
  ]);
});

test.each([
  "http://a/v1/memories?limit=3",
  "http://api/v1/memories?limit=3",
  "http://api.example.org:1/v1/memories?limit=3",
])("the host's length does not matter: %s", async (url) => {
  const { calls, fetch } = world({ deps: { allowedHosts: [new URL(url).hostname] } });
  const response = await fetch(new Request(url, { headers: { authorization: "bearer rck_test" } }));
  expect([response.status, calls[0]?.input.limit]).toEqual([200, 3]);
});
