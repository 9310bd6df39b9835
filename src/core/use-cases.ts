import type { OperationName, VisitorOperationName } from "../contract/operations.ts";
import { confirmBinding, denyBinding } from "./agent/bind.ts";
import { registerAgent } from "./agent/register.ts";
import { rotateAgentToken } from "./agent/rotate.ts";
import { issueSkillToken } from "./agent/skill-token.ts";
import { getAgentStatus, getBindStatus } from "./agent/status.ts";
import type { Caller, Visitor } from "./caller.ts";
import type { Resumable } from "./idempotency.ts";
import { getMaintenanceSettings, updateMaintenanceSettings } from "./maintenance/change-settings.ts";
import { executeMaintenance } from "./maintenance/execute.ts";
import { reportMaintenance } from "./maintenance/report.ts";
import { listMaintenanceRuns } from "./maintenance/runs.ts";
import { undoMaintenanceRun } from "./maintenance/undo.ts";
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
import { reopenDecision, resolveDecision, supersedeDecision } from "./project/change-decision.ts";
import {
  acceptTodo,
  assignTodo,
  blockTodo,
  cancelTodo,
  completeTodo,
  unblockTodo,
} from "./project/change-todo.ts";
import { createDecision } from "./project/create-decision.ts";
import { createTodo } from "./project/create-todo.ts";
import { projectContext } from "./project/project-context.ts";
import { getDecision, getTodo, listDecisions, listTodos } from "./project/read.ts";
import { deleteDecision, deleteTodo } from "./project/remove-item.ts";
import { restoreDecision, restoreTodo } from "./project/restore-item.ts";
import { updateDecision } from "./project/update-decision.ts";
import { updateTodo } from "./project/update-todo.ts";
import { recallContext } from "./recall/recall-context.ts";
import { recallWhy } from "./recall/recall-why.ts";
import { searchMemories } from "./recall/search.ts";

/** What carries out each operation. An operation without a use case does not compile. */
export const useCases = {
  remember,
  storeMemory,
  storeBatch,
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
  getAgentStatus,
  getBindStatus,
  confirmBinding,
  denyBinding,
  rotateAgentToken,
  issueSkillToken,
} satisfies Record<
  OperationName,
  ((ports: Ports, caller: Caller, input: never) => Promise<unknown>) | Resumable<never, object, unknown>
>;

/** What carries out the operations that need no credential. */
export const visitorUseCases = {
  registerAgent,
} satisfies Record<VisitorOperationName, (ports: Ports, visitor: Visitor, input: never) => Promise<unknown>>;
