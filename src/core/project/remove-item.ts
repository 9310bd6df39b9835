import type { ForgetAnswer, ForgetMode } from "../../contract/lifecycle.ts";
import type { Caller } from "../caller.ts";
import {
  type ForgetPorts,
  forgetLocked,
  remarksOnRemoval,
  requireMode,
  requireRemover,
} from "../memory/forget.ts";
import type { WorkspaceItem } from "../memory/memory-record.ts";
import { screen } from "../memory/screen.ts";
import { requireMatch } from "../memory/write-rules.ts";
import { lockAnyItem } from "./find-item.ts";
import { recordUnchangedState } from "./unchanged-state.ts";

interface Removal {
  readonly project_id: string;
  readonly mode: ForgetMode;
  readonly reason?: string | null | undefined;
  readonly if_match?: string | null | undefined;
}

/** Soft-deletes, hard-deletes or redacts a todo, by the rules of memories. What depends on it waits for it no more. */
export function deleteTodo(
  ports: ForgetPorts,
  caller: Caller,
  input: Removal & { readonly todo_id: string },
) {
  return removeItem(ports, caller, "todo", input.todo_id, input);
}

/** The same for a decision. What it has superseded stays superseded. */
export function deleteDecision(
  ports: ForgetPorts,
  caller: Caller,
  input: Removal & { readonly decision_id: string },
) {
  return removeItem(ports, caller, "decision", input.decision_id, input);
}

async function removeItem(
  ports: ForgetPorts,
  caller: Caller,
  item: WorkspaceItem,
  id: string,
  asked: Removal,
): Promise<ForgetAnswer> {
  requireMode(caller, asked.mode);
  const { input, ...screened } = screen(ports.secrets, asked);
  const { mode, reason = null } = input;
  return ports.store.transaction(caller, async (transaction) => {
    const named = { projectId: input.project_id, id };
    const { memory } = await lockAnyItem(caller, transaction, item, named, (found) => {
      requireRemover(caller, found, mode);
      requireMatch(input.if_match, found.memory);
      return [];
    });
    const isRepeat = mode === "soft_delete" && memory.status === "soft_deleted";
    const how = { mode, reason };
    const { notices, ...answer } = await forgetLocked(ports, caller, transaction, memory, how);
    // With a hard delete the trail is gone too; a redaction leaves no note in it.
    if (mode !== "hard_delete" && !isRepeat) {
      const line =
        mode === "redact" ? { operation: "redact", note: null } : { operation: "delete", note: reason };
      await recordUnchangedState(caller, transaction, memory, { at: ports.clock(), ...line });
    }
    return { ...answer, ...remarksOnRemoval(mode, screened, notices) };
  });
}
