import { passageAt } from "../../recall/language/passages.ts";
import { areReversed, type Relating, relationReader } from "../../recall/statements/relation.ts";
import { inTurns, type Pace, type Steps } from "../../recall/work.ts";

/** Shares of the query's words that differ by no more than this are nearly equal evidence. */
const NEARLY_EQUAL = 0.1;

/** The fields of a hit used here. */
interface Found {
  readonly memory: { readonly content: string };
  readonly passage: number | null;
  readonly lexicalShare: number;
  readonly rankScore: number;
  readonly signals: Readonly<Record<string, number>>;
}

/**
 * "How much does Lena owe Tomas?": of hits that match the same words, puts those in which Lena owes before those in which
 * Tomas does. They exchange places with each other; no other hit moves. `hits`: best first. The signal `relation` holds
 * the change.
 */
export async function askedRelationFirst<H extends Found>(
  query: string,
  hits: readonly H[],
  pace: Pace,
): Promise<readonly H[]> {
  const read = relationReader(query);
  return read === null ? hits : inTurns(exchanged(hits, read), pace);
}

interface Related<H> {
  readonly hit: H;
  readonly at: number;
  readonly relating: Relating;
}

function* exchanged<H extends Found>(
  hits: readonly H[],
  read: (text: string) => Relating | null,
): Steps<readonly H[]> {
  const groups = new Map<string, Related<H>[]>();
  for (const [at, hit] of hits.entries()) {
    yield;
    const { content } = hit.memory;
    const passage = passageAt(content, hit.passage);
    const relating = read(passage === null ? content : content.slice(passage.start, passage.end));
    if (relating === null) continue;
    const group = groups.get(relating.shared) ?? [];
    groups.set(relating.shared, [...group, { hit, at, relating }]);
  }
  const arranged = [...hits];
  for (const group of groups.values()) {
    const comparable = comparableIn(group);
    // Sorting is stable, so hits of one direction keep their order.
    const sorted = comparable.toSorted((a, b) => b.relating.orientation - a.relating.orientation);
    for (const [index, { hit }] of sorted.entries()) {
      const { at, hit: before } = comparable[index] as Related<H>;
      const relation = before.rankScore - hit.rankScore;
      const signals = relation === 0 ? hit.signals : { ...hit.signals, relation };
      arranged[at] = { ...hit, rankScore: before.rankScore, signals };
    }
  }
  return arranged;
}

/** Those that match the query nearly equally and say the same of the two, as far as their words tell. */
function comparableIn<H extends Found>(group: readonly Related<H>[]): Related<H>[] {
  const isOpposite = (a: Related<H>, b: Related<H>) =>
    Math.abs(a.hit.lexicalShare - b.hit.lexicalShare) <= NEARLY_EQUAL && areReversed(a.relating, b.relating);
  return group.filter((one) => group.some((other) => isOpposite(one, other)));
}
