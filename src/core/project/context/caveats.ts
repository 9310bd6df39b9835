import type { caveatKinds } from "../../../contract/project-context-entries.ts";
import { boundaryOf } from "../../memory/boundary.ts";
import { statementOf, statementsConflict } from "../../memory/conflict.ts";
import type { MemoryRecord } from "../../memory/memory-record.ts";
import { reviewOf } from "../../memory/review.ts";
import { isLiveStatus } from "../../memory/supersession.ts";
import type { StoredDecision, StoredTodo } from "../workspace-store.ts";
import type { ToDo } from "./action-items.ts";
import { isOverdue } from "./decisions.ts";
import { type Describing, type Subject, subjectOf, subjectOfItem, trustOf } from "./described.ts";
import { blockOf, type EntryOf, worth } from "./entry.ts";
import type { Homes } from "./memories.ts";

/** What caveats look at: what the pack could show, and counts of all. */
export interface Considered {
  readonly describing: Describing;
  readonly items: readonly ToDo[];
  readonly decisions: readonly StoredDecision[];
  /** Recent and recalled memories, each once. */
  readonly memories: readonly MemoryRecord[];
  /** Of the whole workspace. */
  readonly overdue: number;
  /** What recall had to do without, in words. */
  readonly degraded: readonly string[];
}

/** What there is to mind, of one kind. */
interface Caveat {
  readonly kind: (typeof caveatKinds)[number];
  readonly statement: string;
  readonly count: number;
  readonly about: readonly Subject[];
}

const IDS_MAX = 10;
/** Memories that are compared with each other. */
const COMPARED_MAX = 40;
const WORTH = 0.6;

/** At most one of each kind, the gravest first. The statements hold nothing that is stored. */
export function caveatEntries(considered: Considered, homes: Homes): EntryOf<"governance_caveats">[] {
  return caveatsOf(considered).map(({ kind, statement, count, about }, place) => {
    const named = about.slice(0, IDS_MAX);
    const blocks = named.map(({ id }) => homes.get(id)).filter((block) => block !== undefined);
    return {
      id: blockOf("governance_caveats", kind),
      domain: "governance_caveats",
      item: null,
      home: null,
      isReference: false,
      value: worth(WORTH, place),
      content: null,
      label: (detail, placeOf) => {
        const places = blocks.map(placeOf).filter((at) => at !== null);
        const where =
          detail === "bare" || places.length === 0 ? "" : ` (${places.map((at) => `#${at}`).join(" ")})`;
        return `caveat: ${statement}${where}`;
      },
      score: () => 0,
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
  const { now, caller } = describing;
  const all = [
    ...items.map(({ subject }) => subject),
    ...decisions.map(subjectOfItem),
    ...memories.map(subjectOf),
  ];
  const late = [
    ...items.map(({ subject }) => subject).filter(({ dueAt }) => dueAt !== null && dueAt <= now),
    ...decisions.filter((decision) => isOverdue(decision, now)).map(subjectOfItem),
  ];
  const conflicting = conflictsAmong(memories).map(subjectOf);
  const todos = items.flatMap((item) => (item.kind === "todo" ? [item.todo] : []));
  const dead = [...todos, ...decisions].filter(isSourceDead).map(subjectOfItem);
  const review = all.filter((memory) => reviewOf(memory, now).isDue);
  const unverified = all.filter(
    (memory) =>
      trustOf(describing, memory) === "client_asserted" &&
      boundaryOf(caller.attribution, memory).relation === "other_agent",
  );
  const caveats: Caveat[] = [
    {
      kind: "degraded_recall",
      statement: `recall was degraded: ${degraded.join("; ")}`,
      count: degraded.length,
      about: [],
    },
    {
      kind: "conflict",
      statement: "memories state other values of the same thing",
      count: conflicting.length,
      about: conflicting,
    },
    { kind: "overdue", statement: "todos, decisions or reminders are overdue", count: overdue, about: late },
    {
      kind: "dead_source",
      statement: "what a todo or decision comes from is no longer live",
      count: dead.length,
      about: dead,
    },
    { kind: "review_due", statement: "the review date is past", count: review.length, about: review },
    {
      kind: "unverified_author",
      statement: "no credential vouches for the named author",
      count: unverified.length,
      about: unverified,
    },
  ];
  return caveats.filter(({ count }) => count > 0);
}

function isSourceDead({ state, sourceStatus }: StoredTodo | StoredDecision): boolean {
  return state.sourceMemoryId !== null && (sourceStatus === null || !isLiveStatus(sourceStatus));
}

/** Memories that share a key but not the text, or say nearly the same with other values. */
function conflictsAmong(memories: readonly MemoryRecord[]): MemoryRecord[] {
  const compared = memories.slice(0, COMPARED_MAX).map((memory) => ({
    memory,
    text: memory.content.normalize("NFC").trim().replaceAll(/\s+/gu, " "),
    statement: statementOf(memory.content),
  }));
  const found = new Set<MemoryRecord>();
  for (const [at, a] of compared.entries()) {
    for (const b of compared.slice(at + 1)) {
      if (a.text === b.text) continue;
      const isSameFact = a.memory.semanticKey !== null && a.memory.semanticKey === b.memory.semanticKey;
      if (isSameFact || statementsConflict(a.statement, b.statement)) found.add(a.memory).add(b.memory);
    }
  }
  return [...found];
}
