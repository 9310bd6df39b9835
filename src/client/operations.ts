// Made from the contract by `npm run client:types`. Do not edit.

import type { OperationTree } from "./operation-table.ts";

/** Below /v1. */
export const OPERATIONS: OperationTree = {
  agents: {
    bind: {
      "confirm-current-user": { POST: "confirmBinding once" },
      "deny-current-user": { POST: "denyBinding once" },
      status: { GET: "getBindStatus" },
    },
    register: { POST: "registerAgent once" },
    rotate: { POST: "rotateAgentToken once" },
    status: { GET: "getAgentStatus" },
  },
  conversations: { POST: "storeConversation" },
  doctor: { GET: "doctor" },
  erasures: { POST: "eraseOwner once", "{erasure_id}": { GET: "getErasure" } },
  "eval-sets": { "{name}": { GET: "getEvalSet" } },
  events: { GET: "listEvents" },
  keys: { rotate: { POST: "rotateKey once" } },
  ledger: { expenses: { POST: "addExpense" } },
  memories: {
    GET: "listMemories",
    POST: "storeMemory",
    batch: { POST: "storeBatch" },
    delete: { POST: "deleteMatching" },
    search: { GET: "searchMemories", POST: "searchMemoriesByBody read" },
    "{memory_id}": {
      DELETE: "deleteMemory",
      GET: "getMemory",
      PATCH: "updateMemory",
      forget: { POST: "forgetMemory" },
      restore: { POST: "restoreMemory" },
      versions: { GET: "listVersions" },
    },
  },
  profile: { GET: "getProfile" },
  projects: {
    "{project_id}": {
      context: { POST: "projectContext read" },
      decisions: {
        GET: "listDecisions",
        POST: "createDecision",
        "{decision_id}": {
          DELETE: "deleteDecision",
          GET: "getDecision",
          PATCH: "updateDecision",
          reopen: { POST: "reopenDecision" },
          resolve: { POST: "resolveDecision" },
          restore: { POST: "restoreDecision" },
          supersede: { POST: "supersedeDecision" },
        },
      },
      maintenance: {
        GET: "reportMaintenance",
        execute: { POST: "executeMaintenance" },
        runs: { GET: "listMaintenanceRuns", "{run_id}": { undo: { POST: "undoMaintenanceRun" } } },
        settings: { GET: "getMaintenanceSettings", PATCH: "updateMaintenanceSettings" },
      },
      todos: {
        GET: "listTodos",
        POST: "createTodo",
        "{todo_id}": {
          DELETE: "deleteTodo",
          GET: "getTodo",
          PATCH: "updateTodo",
          accept: { POST: "acceptTodo" },
          assign: { POST: "assignTodo" },
          block: { POST: "blockTodo" },
          cancel: { POST: "cancelTodo" },
          complete: { POST: "completeTodo" },
          restore: { POST: "restoreTodo" },
          unblock: { POST: "unblockTodo" },
        },
      },
    },
  },
  recall: {
    context: { POST: "recallContext read" },
    feedback: { POST: "recallFeedback" },
    why: { POST: "recallWhy read" },
  },
  receipts: { "{receipt_id}": { GET: "getReceipt" } },
  remember: { POST: "remember" },
  reminders: { "{reminder_id}": { complete: { POST: "completeReminder" } } },
  skill: { operations: { GET: "listSkillOperations" }, tokens: { POST: "issueSkillToken once" } },
  users: {
    GET: "listEndUsers",
    "{user_id}": {
      DELETE: "eraseEndUser once",
      GET: "getEndUser",
      export: { GET: "exportEndUser" },
      tokens: { POST: "issueEndUserToken once" },
    },
  },
  webhooks: {
    GET: "listWebhooks",
    POST: "createWebhook once",
    "{webhook_id}": {
      DELETE: "deleteWebhook",
      GET: "getWebhook",
      PATCH: "updateWebhook",
      "dead-letters": { GET: "listDeadLetters" },
      redeliver: { POST: "redeliverDeadLetters" },
      "rotate-secret": { POST: "rotateWebhookSecret once" },
      test: { POST: "testWebhook once" },
    },
  },
};

/** Members that are sent as headers. */
export const HEADER_MEMBERS: Readonly<Record<string, string>> = {
  last_event_id: "Last-Event-ID",
  if_match: "If-Match",
};
