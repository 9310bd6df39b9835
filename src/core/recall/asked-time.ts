import type { AskedTime } from "../../recall/language/times.ts";
import { type Rankable, type RankedHit, type RankSignal, rankScoreOf } from "../../recall/ranking/rank.ts";
import { PREFERENCE } from "./preferences.ts";
import { isWithin, type TimeRange } from "./time-range.ts";

/** How much less than the best hit another one may match the subject, and still match it about equally. */
const NEARLY_EQUAL = 0.25;
/** In the ranker's units: the difference between neighbours in an order by time. */
const STEP = 0.001;

/** Whether a signal says nothing about what a memory is about. A new signal does not compile until it is listed. */
const IS_PRIOR: Readonly<Record<RankSignal, boolean>> = {
  lexical: false,
  dense: false,
  multilingual: false,
  translation: false,
  speaker: false,
  date: true,
  recency: true,
  session: true,
  answer: true,
  time: true,
  question: true,
  superseded: true,
  update: true,
  exact: false,
  named: false,
};
const priors: ReadonlySet<string> = new Set(
  Object.entries(IS_PRIOR).flatMap(([signal, isPrior]) => (isPrior ? [signal] : [])),
);

/** The time by which hits are ordered. */
export interface DecidingTime {
  readonly range: TimeRange | null;
  readonly order: AskedTime["order"];
  /** The memory of the event that the range depends on. It is not what is asked for. */
  readonly eventId: string | null;
  /** Whether the query's last term is the adjective that asks for the order. */
  readonly countsOrder: boolean;
}

/**
 * Puts those of the asked time first among the hits that match the subject about as well as the best one, then those of
 * the time in its looser sense; if the first or last is asked for, in the order of their times. No other hit moves. The
 * signal `time_range` holds the change. `ranked`: best first.
 *
 * If the hit that matches best says the adjective itself, it is part of a name ("my first sprint") and orders nothing: of memories
 * about the first sprint, the oldest is no more what is asked for than the others.
 */
export function askedTimeFirst(
  ranked: readonly RankedHit[],
  { candidates }: Rankable,
  { range, order: asked, eventId, countsOrder }: DecidingTime,
): readonly RankedHit[] {
  const others = ranked.filter(({ id }) => id !== eventId);
  const subject = aboutTheSubject(others);
  const order = countsOrder && saysLastTerm(bestOf(subject), candidates) ? null : asked;
  if (range === null && order === null) return ranked;
  const happened = new Map(candidates.map(({ id, occurredAt }) => [id, occurredAt]));
  const timeOf = ({ id }: RankedHit) => happened.get(id) ?? 0;
  const level = (hit: RankedHit) => (range === null ? 1 : levelIn(range, timeOf(hit)));
  const decided = subject
    .filter((hit) => level(hit) > 0)
    .map((hit) => ({ hit, level: level(hit), time: timeOf(hit) }))
    .sort((a, b) => b.level - a.level || (order === null ? 0 : byTime(a.time, b.time, order)))
    .map(({ hit }) => hit);
  return raised(ranked, decided);
}

function bestOf(hits: readonly RankedHit[]): RankedHit | undefined {
  return hits.toSorted((a, b) => subjectOf(b) - subjectOf(a))[0];
}

function saysLastTerm(hit: RankedHit | undefined, candidates: Rankable["candidates"]): boolean {
  const said = candidates.find(({ id, passage }) => id === hit?.id && passage === hit.passage);
  return (said?.own.at(-1) ?? 0) > 0;
}

/** 2 within the range, 1 within its looser sense, otherwise 0. */
export function levelIn(range: TimeRange, instant: number): number {
  if (isWithin(range, instant)) return 2;
  return range.loose !== null && isWithin(range.loose, instant) ? 1 : 0;
}

function byTime(a: number, b: number, order: "first" | "last"): number {
  return order === "first" ? a - b : b - a;
}

/** How well a hit matches the subject, without priors. */
function subjectOf({ signals }: RankedHit): number {
  let sum = 0;
  for (const name in signals) if (!priors.has(name)) sum += signals[name] as number;
  return sum;
}

function aboutTheSubject(ranked: readonly RankedHit[]): RankedHit[] {
  const subjects = ranked.map(subjectOf);
  const best = Math.max(0, ...subjects);
  return ranked.filter((_, at) => (subjects[at] as number) >= (1 - NEARLY_EQUAL) * best);
}

/** Gives the hits `first`, in their order, as much as they need to come before all others. */
function raised(ranked: readonly RankedHit[], first: readonly RankedHit[]): readonly RankedHit[] {
  const isFirst = new Set(first);
  const others = ranked.filter((hit) => !isFirst.has(hit));
  // The others may still gain the preference for the range.
  let score =
    Math.max(Number.NEGATIVE_INFINITY, ...others.map(({ signals }) => rankScoreOf(signals))) + PREFERENCE;
  const ordered = first.toReversed().map((hit) => {
    const own = rankScoreOf(hit.signals);
    score = Math.max(own, score + STEP);
    return score === own ? hit : { ...hit, signals: { ...hit.signals, time_range: score - own } };
  });
  return [...ordered.reverse(), ...others];
}
