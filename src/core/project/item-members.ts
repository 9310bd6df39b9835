/** Properties of each member of a todo's or decision's state, like `MEMORY_MEMBERS` for a memory. */
import type { Member } from "../memory/member-table.ts";
import type { ScreenedMember } from "../memory/screen.ts";
import type { Decision } from "./decision.ts";
import type { Todo } from "./todo.ts";

const CLEARED = { to: null } as const;

/** `screened`: the member's name in requests. Masked text must stay within that member's bounds. */
type ItemMembers<State> = {
  readonly [Name in keyof State]: Member<State[Name], ScreenedMember>;
};

export const TODO_MEMBERS = {
  content: { redacted: "words", screened: "content" },
  status: { redacted: "kept" },
  priority: { redacted: "kept" },
  assignee: { redacted: "words", screened: null },
  acceptedBy: { redacted: "words", screened: null },
  blockedFrom: { redacted: "kept" },
  blockedReason: { redacted: CLEARED, screened: "reason" },
  endedAt: { redacted: "kept", isInstant: true },
  endNote: { redacted: CLEARED, screened: "note" },
  dueAt: { redacted: CLEARED, isInstant: true },
  sourceMemoryId: { redacted: CLEARED, screened: null },
  extra: { redacted: { to: {} }, screened: "metadata" },
} as const satisfies ItemMembers<Todo>;

export const DECISION_MEMBERS = {
  context: { redacted: "words", screened: "context" },
  options: { redacted: { to: [] }, screened: "options" },
  impactLevel: { redacted: "kept" },
  status: { redacted: "kept" },
  proposedBy: { redacted: CLEARED, screened: null },
  resolution: { redacted: "words", screened: "resolution" },
  resolvedBy: { redacted: CLEARED, screened: null },
  resolvedAt: { redacted: "kept", isInstant: true },
  dueAt: { redacted: CLEARED, isInstant: true },
  sourceMemoryId: { redacted: CLEARED, screened: null },
  extra: { redacted: { to: {} }, screened: "metadata" },
} as const satisfies ItemMembers<Decision>;
