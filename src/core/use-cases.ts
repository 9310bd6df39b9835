import type { OperationName } from "../contract/operations.ts";
import type { Caller } from "./caller.ts";
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
  recallContext,
  recallWhy,
  recallFeedback,
} satisfies Record<OperationName, (ports: Ports, caller: Caller, input: never) => Promise<unknown>>;
