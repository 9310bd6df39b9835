import type { OutputOf } from "../../contract/operations.ts";
import type { ContextAnswer } from "../../contract/recall.ts";
import { LOGGED_QUESTION_MAX } from "../../contract/recall-log-operations.ts";
import type { RecallOutcome } from "../../contract/recall-outcome.ts";
import type { Caller } from "../caller.ts";
import { withoutSecrets } from "../memory/screen.ts";
import type { Secrets } from "../secrets/secret-scanner.ts";

/** A recall that was answered. It names memories by their internal ids, and holds nothing of their contents. */
export interface LoggedRecall {
  readonly id: string;
  /** The owner of the credential that asked. */
  readonly ownerId: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly operation: "search" | "context";
  readonly question: string;
  readonly outcome: RecallOutcome;
  /** Best first. */
  readonly memories: readonly string[];
  /** Of a context; null for a search. */
  readonly tokens: number | null;
  readonly tokensMax: number | null;
  readonly ms: number;
  readonly tokenId: string;
  readonly agentId: string | null;
  readonly projectId: string | null;
}

/** Selects recalls of one owner's credentials. null: no condition. */
export interface RecallFilter {
  readonly ownerId: string;
  readonly after: number | null;
  readonly before: number | null;
  readonly outcome: RecallOutcome | null;
  readonly agentId: string | null;
  readonly tokenId: string | null;
  readonly projectId: string | null;
  readonly question: string | null;
  readonly slowerThanMs: number | null;
}

type ListedRecall = OutputOf<"listRecalls">["recalls"][number];
type RecallStep = OutputOf<"countRecalls">["steps"][number];
type RecallLatency = OutputOf<"countRecalls">["latency"];
type ActiveCaller = OutputOf<"recallActivity">["callers"][number];
type RecalledMemory = OutputOf<"memoryRecalls">["memories"][number];

/** Stored recalls. They go with each memory that came in them when it is permanently removed. */
export interface RecallLogStore {
  /** Leaves out those of owners and of memories that no longer exist. */
  add(recalls: readonly LoggedRecall[]): Promise<void>;
  /** Newest first, after the recall with the id `cursor`. Names of memories that `caller` does not see are left out. */
  list(
    caller: Caller,
    filter: RecallFilter,
    page: { readonly cursor: string | null; readonly limit: number },
  ): Promise<ListedRecall[]>;
  /** In steps of `stepMs` from `filter.after` on, oldest first. */
  steps(filter: RecallFilter, stepMs: number): Promise<RecallStep[]>;
  latency(filter: RecallFilter): Promise<RecallLatency>;
  /** Of the `limit` busiest callers, in `steps` steps of `stepMs` from `filter.after` on. */
  activity(
    filter: RecallFilter,
    counted: { readonly stepMs: number; readonly steps: number; readonly limit: number },
  ): Promise<ActiveCaller[]>;
  /** Of memories that the caller sees, in any owner's recalls; `days` days are counted, the first from `after` on. */
  recallsOf(
    caller: Caller,
    memoryIds: readonly string[],
    counted: { readonly after: number; readonly days: number },
  ): Promise<RecalledMemory[]>;
  /** Deletes what is older than `days`. */
  sweep(days: number): Promise<void>;
}

/** Notes what was recalled, for the log. */
export interface RecallNotes {
  /** How long recalls are kept; 0: none are. */
  readonly keptDays: number;
  note(recall: LoggedRecall): void;
}

/** Recalls that wait to be written. Beyond it, the oldest are dropped: a log must not use up the memory. */
const WAITING_MAX = 5000;
/** Enough for any context; of a search with more results, the first. */
const MEMORIES_MAX = 50;

/** Keeps recalls in memory until they are written in batches. */
export class WaitingRecalls implements RecallNotes {
  readonly keptDays: number;
  #waiting: LoggedRecall[] = [];

  constructor(keptDays: number) {
    this.keptDays = keptDays;
  }

  note(recall: LoggedRecall): void {
    if (this.keptDays === 0) return;
    if (this.#waiting.length >= WAITING_MAX) this.#waiting = this.#waiting.slice(WAITING_MAX / 2);
    this.#waiting.push(recall);
  }

  /** Returns those since the last call, without secrets in their questions. */
  take(secrets: Secrets): LoggedRecall[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken.map((recall) => ({ ...recall, question: withoutSecrets(secrets, recall.question) }));
  }
}

/** The fields of an answer that the log keeps. */
interface Answered
  extends Pick<LoggedRecall, "operation" | "question" | "outcome" | "tokens" | "tokensMax" | "projectId"> {
  readonly memories: readonly { readonly id: string }[];
  /** When it was asked, in milliseconds since the epoch. */
  readonly askedAt: number;
}

/** Notes an answer to the caller. Takes microseconds, whatever the answer's size. */
export function noteRecall(
  {
    recalls,
    clock,
    newId,
  }: { readonly recalls: RecallNotes; readonly clock: () => number; readonly newId: () => string },
  { owner, tokenId, attribution }: Caller,
  { askedAt, memories, question, ...answered }: Answered,
): void {
  recalls.note({
    ...answered,
    id: newId(),
    ownerId: owner.id,
    at: askedAt,
    ms: Math.max(0, clock() - askedAt),
    question: question.slice(0, LOGGED_QUESTION_MAX).toWellFormed(),
    memories: memories.slice(0, MEMORIES_MAX).map(({ id }) => id),
    tokenId,
    agentId: attribution.agentId,
  });
}

/** The outcome of a context, by its own answer status and the number of its items. */
export function outcomeOf(answer: ContextAnswer): RecallOutcome {
  const status = "answer_status" in answer ? answer.answer_status : null;
  if (answer.items.length === 0 || status === "no_memories") return "none";
  return status === "confirmed_answer" ? "answered" : "partial";
}
