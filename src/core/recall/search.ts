import { type OwnWords, own, word } from "../../contract/own-words.ts";
import type { SearchRequest } from "../../contract/recall.ts";
import type { Retriever } from "../../recall/index/recall-index.ts";
import { passageAt } from "../../recall/language/passages.ts";
import type { RankSignal } from "../../recall/ranking/rank.ts";
import type { Caller } from "../caller.ts";
import { itemsThatFit } from "../limits/answer-bytes.ts";
import { noteShown } from "../memory/junk.ts";
import { memoryFilter } from "../memory/memory-filter.ts";
import { present } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import type { Preference } from "./preferences.ts";
import { noteRecall } from "./recall-log.ts";
import { COMPARED_MAX, type Hit, type RetrievePorts, type RetrieveRequest, retrieve } from "./retrieve.ts";

export const RETRIEVERS: Readonly<Record<SearchRequest["retrievers"], readonly Retriever[]>> = {
  hybrid: ["lexical", "dense"],
  lexical: ["lexical"],
  dense: ["dense"],
};

/**
 * The best matches in the ranker's order. Finds what the owner has just written. Throws `knowledge_scope_required` if
 * knowledge is requested by name without its scope.
 */
export const searchMemories: UseCase<
  RetrievePorts & Pick<Ports, "clock" | "newId" | "junk" | "recalls">,
  "searchMemories"
> = async (ports, caller, input) => {
  const now = ports.clock();
  const found = await retrieve(ports, caller, searchOf(caller, input, input.limit, now));
  const skipped = Number(input.cursor ?? 0);
  const hits = found.hits.slice(skipped);
  const results = itemsThatFit(hits.map((hit) => resultOf(caller, hit, { now, explain: input.explain })));
  const shown = hits.slice(0, results.length);
  noteShown(
    ports.junk,
    caller,
    shown.map(({ memory }) => ({ memory, texts: [memory.content] })),
  );
  noteRecall(ports, caller, {
    operation: "search",
    question: input.query,
    outcome: shown.length > 0 ? "found" : "none",
    memories: shown.map(({ memory }) => memory),
    tokens: null,
    tokensMax: null,
    projectId: input.project_id ?? null,
    askedAt: now,
  });
  const degraded = found.degraded.length > 0 ? { degraded: [...found.degraded] } : {};
  const rest = results.length < hits.length ? { next_cursor: String(skipped + results.length) } : {};
  return { results, coverage: found.coverage, ...degraded, ...rest };
};

function resultOf(
  caller: Caller,
  hit: Hit,
  { now, explain }: { readonly now: number; readonly explain: boolean },
) {
  const passage = passageAt(hit.memory.content, hit.passage);
  const item = { ...present(caller, hit.memory, now), passage, score: hit.score };
  if (!explain) return item;
  return {
    ...item,
    explanation: {
      rank_score: hit.rankScore,
      ...explanationOf(hit),
    },
  };
}

/** Converts a search request for `retrieve`. */
export function searchOf(
  caller: Caller,
  input: Omit<SearchRequest, "limit" | "cursor" | "explain">,
  hitsMax: number,
  now: number,
): RetrieveRequest {
  return {
    query: input.query,
    filter: memoryFilter(caller, input, now),
    hitsMax,
    comparedMax: COMPARED_MAX,
    scoreMin: input.threshold ?? 0,
    candidateCount: input.candidate_count ?? null,
    retrievers: RETRIEVERS[input.retrievers],
    prefersWorking: input.prefer_working,
    askedAt: input.asked_at ? Date.parse(input.asked_at) : now,
    timeZone: input.time_zone ?? "UTC",
  };
}

/** Signals that are set outside the ranker and `preferences.ts`. */
type LaterSignal = "late" | "newest" | "relation" | "rerank";

/** Why a signal counts for a hit, as shown to the user. A signal does not compile without a reason. */
const REASONS = {
  lexical: "its words, or words near them in meaning, match the query",
  exact: "it has exactly what the query quotes or identifies",
  named: "it has the name, number or compound that the query has",
  dense: "it is nearer to the query in meaning than other memories that were considered",
  multilingual: "its meaning, whatever its language, is nearer to the query than that of others",
  translation: "it says in another language what the query asks",
  late: "what its words mean where they stand, compared with the query's",
  speaker: "the query names who said it",
  date: "its date fits one that the query names",
  time_range: "it is of the time the query is about",
  recency: "it is recent",
  session: "the session it was said in is about this",
  update: "it updates an earlier memory",
  answer: "it follows a question like this one",
  time: "it says when, and the query asks when",
  working: "working memories were preferred",
  own_session: "it is from this request's own session",
  superseded: "a later memory says nearly the same",
  newest: "it is newer than a memory with another value",
  relation: "it relates those whom the query names in the direction that is asked for",
  question: "it is a question itself",
  rerank: "how well the reranker judges its text to answer the query",
} as const satisfies Readonly<Record<RankSignal | Preference | LaterSignal, string>>;

/** Sentences for negative signals that need a different wording. */
const AGAINST = {
  newest: "a memory with another value is newer",
  relation: "it relates those whom the query names in the other direction",
} as const;

/** For hits whose own text has none of the words: neighbours in the session have them. */
const BESIDE_IT = { lexical: "words beside it in its session match the query" } as const;

/** If only vectors are compared, the signal is their cosine. */
const COSINE = { dense: "its meaning has something in common with the query's" } as const;
const COSINE_AGAINST = { dense: "its meaning has nothing in common with the query's" } as const;

/** Signals below this are not worth a sentence. In the ranker's units. */
const TELLING = 0.05;

type Explained = Pick<Hit, "signals" | "hasWords"> & { readonly memory: Pick<Hit["memory"], "sessionId"> };

/**
 * The signals that order a hit, with the reasons in words, strongest first. Only reasons that apply to this memory and
 * this query.
 */
export function explanationOf(hit: Explained): { signals: Record<string, number>; reasons: OwnWords[] } {
  const signals = signalsOf(hit);
  const { plus, minus } = sentencesFor(hit);
  const reasons = Object.entries(signals)
    .filter(([, value]) => Math.abs(value) >= TELLING)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .flatMap(([name, value]) => {
      if (!(name in REASONS)) return [];
      const signal = name as keyof typeof REASONS;
      return [value > 0 ? own`+ ${word(plus[signal])}` : own`− ${word(minus[signal])}`];
    });
  return { signals, reasons };
}

/**
 * The non-zero signals. Without a session, the session's signal is that of the memory's own words and is added to it.
 */
function signalsOf({ signals, memory }: Explained): Record<string, number> {
  const { session = 0, ...others } = signals;
  const told =
    memory.sessionId === null && session !== 0
      ? { ...others, lexical: (signals.lexical ?? 0) + session }
      : signals;
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== 0));
}

function sentencesFor({ signals, hasWords, memory }: Explained) {
  const isBesideIt = !hasWords && memory.sessionId !== null;
  // The ranker sets every signal; a single retriever's order sets only its own.
  const isCosine = !("lexical" in signals);
  const plus = { ...REASONS, ...(isBesideIt ? BESIDE_IT : {}), ...(isCosine ? COSINE : {}) };
  return { plus, minus: { ...plus, ...AGAINST, ...(isCosine ? COSINE_AGAINST : {}) } };
}
