import { operations } from "../../../contract/operations.ts";
import { joined, type OwnWords, own, quotedField, word } from "../../../contract/own-words.ts";
import type { caveatKinds } from "../../../contract/project-context.ts";
import { isLiveStatus } from "../../../recall/index/scope.ts";
import { conflictsAmong } from "../../../recall/statements/conflicts.ts";
import { type Caller, mayCall } from "../../caller.ts";
import { idWords } from "../../context/render.ts";
import { mayWrite } from "../../memory/access.ts";
import { boundaryOf } from "../../memory/boundary.ts";
import type { MemoryRecord, Role } from "../../memory/memory-record.ts";
import { mayVerify } from "../../memory/metadata.ts";
import { reviewOf } from "../../memory/review.ts";
import type { StoredDecision, StoredTodo } from "../workspace-store.ts";
import {
  authorName,
  blockOf,
  type Describing,
  type EntryOf,
  HEADER_ONLY,
  isOfUnverified,
  type Subject,
  subjectOf,
  subjectOfItem,
  worth,
} from "./entry.ts";
import { type Actionable, type Homes, isOverdue } from "./sections.ts";

// The sections of a context pack that are derived from the others: caveats and next actions.

/** The input for caveats: the candidates for the pack, and counts over the whole workspace. */
interface Considered {
  readonly describing: Describing;
  readonly items: readonly Actionable[];
  readonly decisions: readonly StoredDecision[];
  /** Recent and recalled memories, each once. */
  readonly memories: readonly MemoryRecord[];
  /** Number of overdue items in the whole workspace. */
  readonly overdue: number;
  /** Descriptions of the parts that recall had to do without. */
  readonly degraded: readonly string[];
}

/** A problem that the reader should know about. */
interface Caveat {
  readonly kind: (typeof caveatKinds)[number];
  readonly statement: OwnWords;
  readonly count: number;
  readonly about: readonly Subject[];
}

const IDS_MAX = 10;
/** Maximum number of memories that are compared with each other for conflicts. */
const COMPARED_MAX = 40;
const CAVEAT_WORTH = 0.6;

const DEGRADED_LENGTH_MAX = 200;

/** At most one caveat of each kind, the most serious first. The statements quote no stored text. */
export function caveatEntries(considered: Considered, homes: Homes): EntryOf<"governance_caveats">[] {
  return caveatsOf(considered).map(({ kind, statement, count, about }, place) => {
    const named = about.slice(0, IDS_MAX);
    const blocks = named.map(({ id }) => homes.get(id)).filter((block) => block !== undefined);
    return {
      id: blockOf("governance_caveats", kind),
      ...HEADER_ONLY,
      domain: "governance_caveats",
      value: worth(CAVEAT_WORTH, place),
      label: (detail, placeOf) => {
        const places = blocks.map(placeOf).filter((at) => at !== null);
        const where =
          detail === "bare" || places.length === 0
            ? own``
            : own` (${joined(
                places.map((at) => own`#${at}`),
                own` `,
              )})`;
        return own`caveat: ${statement}${where}`;
      },
      answer: ({ tokens }) => ({
        tokens,
        kind,
        statement,
        count,
        ids: named.map(({ memoryId }) => memoryId),
      }),
    };
  });
}

function caveatsOf(considered: Considered): Caveat[] {
  const { describing, items, decisions, memories, overdue, degraded } = considered;
  const { now } = describing;
  const all = [
    ...items.map(({ subject }) => subject),
    ...decisions.map(subjectOfItem),
    ...memories.map(subjectOf),
  ];
  const late = [
    ...items.map(({ subject }) => subject).filter(({ dueAt }) => dueAt !== null && dueAt <= now),
    ...decisions.filter((decision) => isOverdue(decision, now)).map(subjectOfItem),
  ];
  const conflicting = conflictsAmong(memories.slice(0, COMPARED_MAX)).map(subjectOf);
  const todos = items.flatMap((item) => (item.kind === "todo" ? [item.todo] : []));
  const dead = [...todos, ...decisions].filter(isSourceDead).map(subjectOfItem);
  const review = all.filter((memory) => reviewOf(memory, now).isDue);
  const unverified = all.filter((memory) => isOfUnverified(describing, memory));
  const caveats: Caveat[] = [
    {
      kind: "degraded_recall",
      // Quoted, since the adapter may pass on words of a dependency.
      statement: own`recall was degraded: ${quotedField(degraded.join("; "), DEGRADED_LENGTH_MAX) ?? own`unknown`}`,
      count: degraded.length,
      about: [],
    },
    {
      kind: "conflict",
      statement: own`memories state other values of the same thing`,
      count: conflicting.length,
      about: conflicting,
    },
    {
      kind: "overdue",
      statement: own`todos, decisions or reminders are overdue`,
      count: overdue,
      about: late,
    },
    {
      kind: "dead_source",
      statement: own`what a todo or decision comes from is no longer live`,
      count: dead.length,
      about: dead,
    },
    { kind: "review_due", statement: own`the review date is past`, count: review.length, about: review },
    {
      kind: "unverified_author",
      statement: own`no credential vouches for the named author`,
      count: unverified.length,
      about: unverified,
    },
  ];
  return caveats.filter(({ count }) => count > 0);
}

function isSourceDead({ state, sourceStatus }: StoredTodo | StoredDecision): boolean {
  return state.sourceMemoryId !== null && (sourceStatus === null || !isLiveStatus(sourceStatus));
}

type Suggestable =
  | "completeReminder"
  | "acceptTodo"
  | "completeTodo"
  | "unblockTodo"
  | "resolveDecision"
  | "updateMemory";

interface Suggestion {
  readonly operation: Suggestable;
  readonly subject: Subject;
  readonly kind: OwnWords;
  /** The subject's text, which is quoted if somebody else wrote it. */
  readonly words: string;
  readonly because: OwnWords;
}

const SUGGESTIONS_MAX = 8;
/** The limit for each operation, so that one kind does not displace the others. */
const OF_ONE_MAX = 2;
const SUGGESTION_WORTH = 0.5;
const WORDS_LENGTH_MAX = 60;

/**
 * Suggests next actions by fixed rules. Only operations that this credential may call are suggested. If another agent
 * or person wrote the item, the suggestion names the author and quotes the text, so that it does not look like the
 * service's own request. Items without a vouched author come last.
 */
export function nextActionEntries(
  describing: Describing,
  project: string,
  role: Role,
  found: {
    readonly items: readonly Actionable[];
    readonly decisions: readonly StoredDecision[];
    readonly memories: readonly MemoryRecord[];
  },
): EntryOf<"suggested_next_actions">[] {
  const all = [
    ...found.items.flatMap((item) => ofItem(describing.caller, item)),
    ...found.decisions.flatMap((decision) => ofDecision(decision, describing.now)),
    ...found.memories.flatMap((memory) => ofMemory(describing, memory)),
  ];
  const isLast = ({ subject }: Suggestion) => isOfUnverified(describing, subject);
  const wanted = [...all.filter((one) => !isLast(one)), ...all.filter(isLast)];
  const counts = new Map<Suggestable, number>();
  const chosen = wanted.filter(({ operation, subject }) => {
    // No person has asked for an adopted item. It is shown, but suggested only to the agent that accepted it.
    if (subject.isAdopted && operation !== "completeTodo") return false;
    const count = counts.get(operation) ?? 0;
    const isAllowed =
      mayCall(describing.caller, operations[operation]) &&
      mayWrite(describing.caller, { memory: subject, role });
    if (count >= OF_ONE_MAX || !isAllowed) return false;
    counts.set(operation, count + 1);
    return true;
  });
  return chosen
    .slice(0, SUGGESTIONS_MAX)
    .map((suggestion, place) => suggestionEntry(describing, suggestion, project, place));
}

function suggestionEntry(
  describing: Describing,
  suggestion: Suggestion,
  project: string,
  place: number,
): EntryOf<"suggested_next_actions"> {
  const { operation, subject } = suggestion;
  const tool = operations[operation].mcp?.tool ?? null;
  const { memoryId } = subject;
  const who = whoseWords(describing, suggestion);
  const because = who === null ? suggestion.because : own`${who}; ${suggestion.because}`;
  const next = who === null ? own`next` : own`next, if you agree`;
  // A tool's or operation's name in the contract.
  const call = (tool ?? operation) as OwnWords;
  const head = joined([own`${next}: ${call}`, idWords(memoryId)]);
  return {
    id: blockOf("suggested_next_actions", `${operation}:${subject.id}`),
    ...HEADER_ONLY,
    domain: "suggested_next_actions",
    value: worth(SUGGESTION_WORTH, place),
    label: (detail) => (detail === "bare" ? head : own`${head}: ${because}`),
    answer: ({ tokens }) => ({
      tokens,
      operation,
      tool,
      id: memoryId,
      input: inputOf(operation, project, memoryId),
      because,
    }),
  };
}

/** The author and the quoted text; null if the reader itself or its owner wrote it. */
function whoseWords(describing: Describing, { subject, kind, words }: Suggestion): OwnWords | null {
  const { caller } = describing;
  const isUnverified = isOfUnverified(describing, subject);
  const { relation } = boundaryOf(caller.attribution, subject);
  const isOwn = relation !== "other_agent" && subject.authorId === caller.owner.id;
  if (isOwn && !isUnverified) return null;
  const name = authorName(subject);
  const who =
    subject.agentId === null
      ? name === null
        ? own`somebody else`
        : own`somebody else, as ${name},`
      : own`agent ${name ?? own`without a name`}${isUnverified ? own`, for whom no credential vouches,` : own``}`;
  return own`${who} wrote the ${kind} ${quotedField(words, WORDS_LENGTH_MAX) ?? own`without words`}`;
}

/** The arguments of the operation: the ids. */
function inputOf(operation: Suggestable, project: string, id: string): Record<string, string> {
  if (operation === "completeReminder") return { reminder_id: id };
  if (operation === "updateMemory") return { memory_id: id };
  return { project_id: project, [operation === "resolveDecision" ? "decision_id" : "todo_id"]: id };
}

function ofItem({ attribution: { agentId } }: Caller, item: Actionable): Suggestion[] {
  const { subject } = item;
  if (item.kind === "reminder") {
    const of = { subject, kind: own`reminder`, words: item.reminder.content };
    return [{ ...of, operation: "completeReminder", because: own`it is due: complete it once it is done` }];
  }
  const { status, assignee, acceptedBy, priority, content } = item.todo.state;
  const of = { subject, kind: own`todo`, words: content };
  const isOwn = (agent: string | null) => agent !== null && agent === agentId;
  if (status === "accepted" && isOwn(acceptedBy))
    return [
      { ...of, operation: "completeTodo", because: own`you have accepted it: complete it once it is done` },
    ];
  if (status === "assigned" && isOwn(assignee))
    return [{ ...of, operation: "acceptTodo", because: own`it is assigned to you` }];
  if (status === "open") return [{ ...of, operation: "acceptTodo", because: own`nobody has it` }];
  const isPressing = priority === "urgent" || priority === "high" || item.todo.dependents > 0;
  if (status === "blocked" && isPressing)
    return [
      {
        ...of,
        operation: "unblockTodo",
        because: own`it is blocked and of ${word(priority)} priority: see whether the reason still holds`,
      },
    ];
  return [];
}

function ofDecision(decision: StoredDecision, now: number): Suggestion[] {
  const { state } = decision;
  if (state.status !== "proposed") return [];
  const isWeighty = state.impactLevel === "critical" || state.impactLevel === "high";
  const because = isOverdue(decision, now)
    ? own`its date is past and it is not decided`
    : isWeighty
      ? own`its impact is said to be ${word(state.impactLevel as "critical" | "high")} and it is not decided`
      : own`it is not decided yet`;
  return [
    {
      operation: "resolveDecision",
      subject: subjectOfItem(decision),
      kind: own`decision`,
      words: state.context,
      because,
    },
  ];
}

/** Suggests a review only to callers whose verification counts. */
function ofMemory({ caller, now }: Describing, memory: MemoryRecord): Suggestion[] {
  if (memory.workspaceItem !== null || !reviewOf(memory, now).isDue || !mayVerify(caller)) return [];
  return [
    {
      operation: "updateMemory",
      subject: subjectOf(memory),
      kind: own`memory`,
      words: memory.content,
      because: own`its review date is past: where it still holds, set metadata.last_verified_at`,
    },
  ];
}
