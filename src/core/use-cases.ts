import type { AnyOperationName, VisitorOperationName } from "../contract/operations.ts";
import { rotateKey } from "./access/key-rotation.ts";
import { getErasure, requestErasure } from "./access/request-erasure.ts";
import { confirmBinding, denyBinding } from "./agent/bind.ts";
import { registerAgent } from "./agent/register.ts";
import { getAgentStatus, getBindStatus } from "./agent/status.ts";
import { issueSkillToken, rotateAgentToken } from "./agent/tokens.ts";
import type { Caller, Visitor } from "./caller.ts";
import { diagnose } from "./doctor/diagnose.ts";
import {
  eraseEndUser,
  exportEndUser,
  getEndUser,
  issueEndUserToken,
  listEndUsers,
} from "./end-user/manage.ts";
import { getEvalSet } from "./evaluation/eval-sets.ts";
import { listEvents } from "./events/list-events.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeadLetters,
  listWebhooks,
  redeliverDeadLetters,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from "./events/webhooks.ts";
import type { Resumable } from "./idempotency.ts";
import { getMaintenanceSettings, updateMaintenanceSettings } from "./maintenance/change-settings.ts";
import { reportMaintenance } from "./maintenance/plan.ts";
import { executeMaintenance, listMaintenanceRuns, undoMaintenanceRun } from "./maintenance/run.ts";
import { addExpense } from "./memory/add-expense.ts";
import { storeBatch } from "./memory/batch.ts";
import { deleteMatching } from "./memory/delete-matching.ts";
import { recallFeedback } from "./memory/feedback.ts";
import { forgetMemory } from "./memory/forget.ts";
import { getMemory, getReceipt, listMemories, listVersions } from "./memory/read.ts";
import { remember, storeMemory } from "./memory/remember.ts";
import { completeReminder } from "./memory/reminder.ts";
import { restoreMemory } from "./memory/restore.ts";
import { updateMemory } from "./memory/update.ts";
import type { Ports } from "./ports.ts";
import { getProfile } from "./profile/profile.ts";
import { projectContext } from "./project/context/project-context.ts";
import {
  createDecision,
  deleteDecision,
  getDecision,
  listDecisions,
  reopenDecision,
  resolveDecision,
  restoreDecision,
  supersedeDecision,
  updateDecision,
} from "./project/decision-operations.ts";
import {
  acceptTodo,
  assignTodo,
  blockTodo,
  cancelTodo,
  completeTodo,
  createTodo,
  deleteTodo,
  getTodo,
  listTodos,
  restoreTodo,
  unblockTodo,
  updateTodo,
} from "./project/todo-operations.ts";
import { recallContext } from "./recall/recall-context.ts";
import { searchMemories } from "./recall/search.ts";
import { recallWhy } from "./recall/why.ts";
import { type SessionPorts, sessionUseCases } from "./session/use-cases.ts";
import { listSkillOperations } from "./skill/catalogue.ts";
import { storeConversation } from "./transfer/conversations/store-conversation.ts";

/** The use case of each operation. An operation without one does not compile. */
export const useCases = {
  remember,
  storeMemory,
  storeBatch,
  storeConversation,
  listMemories,
  getMemory,
  listVersions,
  updateMemory,
  deleteMemory: forgetMemory,
  forgetMemory,
  restoreMemory,
  deleteMatching,
  getReceipt,
  completeReminder,
  searchMemories,
  searchMemoriesByBody: searchMemories,
  recallContext,
  recallWhy,
  recallFeedback,
  getProfile,
  getEvalSet,
  projectContext,
  createTodo,
  listTodos,
  acceptTodo,
  assignTodo,
  blockTodo,
  unblockTodo,
  completeTodo,
  cancelTodo,
  createDecision,
  listDecisions,
  resolveDecision,
  supersedeDecision,
  reopenDecision,
  getTodo,
  updateTodo,
  deleteTodo,
  restoreTodo,
  getDecision,
  updateDecision,
  deleteDecision,
  restoreDecision,
  getMaintenanceSettings,
  updateMaintenanceSettings,
  reportMaintenance,
  executeMaintenance,
  listMaintenanceRuns,
  undoMaintenanceRun,
  listEvents,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeadLetters,
  redeliverDeadLetters,
  getAgentStatus,
  getBindStatus,
  confirmBinding,
  denyBinding,
  rotateAgentToken,
  issueSkillToken,
  rotateKey,
  eraseOwner: requestErasure,
  listEndUsers,
  getEndUser,
  eraseEndUser,
  issueEndUserToken,
  exportEndUser,
  addExpense,
  listSkillOperations,
  doctor: diagnose,
  ...sessionUseCases,
} satisfies Record<
  AnyOperationName,
  | ((ports: Ports & SessionPorts, caller: Caller, input: never) => Promise<unknown>)
  | Resumable<never, object, unknown>
>;

/** The use cases of operations that need no credential. */
export const visitorUseCases = {
  registerAgent,
  getErasure,
} satisfies Record<VisitorOperationName, (ports: Ports, visitor: Visitor, input: never) => Promise<unknown>>;
