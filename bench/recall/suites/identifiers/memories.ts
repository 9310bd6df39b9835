import { createRandom, type Random } from "../../../../test/support/random.ts";
import { asText, Prose } from "../prose.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { type Named, Names } from "./names.ts";

export const LENGTH_MIN = 200;
export const LENGTH_MAX = 60_000;
/** Prose is added by whole sentences, so it ends so much earlier for no memory to be longer. */
const ROOM = 800;
/** Identifiers that belong together: one, and its look-alikes, each in a memory of its own. */
const FAMILY = 4;
/** A memory also names one more identifier for each so many UTF-16 units, which nobody asks for. */
const LENGTH_PER_OTHER = 2500;
/** Of so many memories, one identifier has a look-alike that is asked for and that nobody has. */
const UNKNOWN_EVERY = 3;

export const PLACES_IN_TEXT = ["beginning", "middle", "end"] as const;
type Place = (typeof PLACES_IN_TEXT)[number];

export interface IdentifierMemory extends Named {
  readonly content: string;
  /** The sentence that names it. */
  readonly statement: string;
  readonly place: Place;
}

export interface IdentifierSet {
  readonly memories: readonly IdentifierMemory[];
  /** Look-alikes of what the memories name, and named by none. */
  readonly unknown: readonly Named[];
  /** How many identifiers are named besides those of the memories. */
  readonly others: number;
}

/**
 * Memories with one identifier each that will be asked for. Every identifier is named once in all of them. Lengths are
 * spread evenly over their logarithm, and kinds and places over the memories.
 */
export function identifierSet(size: number, seed: number): IdentifierSet {
  const random = createRandom(seed);
  const names = new Names(random);
  const families = Array.from({ length: Math.ceil(size / FAMILY) }, (_, at) =>
    names.family(KINDS[at % KINDS.length] as Kind, FAMILY),
  );
  const wanted = families.flat().slice(0, size);
  // What nobody has is set aside before the others are named.
  const unknown = wanted
    .filter((_, at) => at % UNKNOWN_EVERY === 0)
    .flatMap((named) => names.like(named) ?? []);
  let others = 0;
  const memories = shuffled(wanted, random).map((named, at) => {
    const length = LENGTH_MIN * (LENGTH_MAX / LENGTH_MIN) ** random.next();
    const beside = Array.from({ length: Math.floor(length / LENGTH_PER_OTHER) }, () => random.pick(wanted));
    const distractors = beside.flatMap((one) => names.like(one) ?? []);
    others += distractors.length;
    return memoryOf(named, distractors, {
      length,
      place: PLACES_IN_TEXT[at % PLACES_IN_TEXT.length] as Place,
      random,
    });
  });
  return { memories, unknown, others };
}

function memoryOf(
  named: Named,
  distractors: readonly Named[],
  { length, place, random }: { length: number; place: Place; random: Random },
): IdentifierMemory {
  const prose = new Prose(random);
  const stated = ({ id, kind }: Named) =>
    random.pick(kind.statements)(id, `the ${prose.thing()} of the ${prose.thing()}`);
  const statement = stated(named);
  const besides = distractors.map(stated);
  const sentences = prose.sentences(
    Math.min(length, LENGTH_MAX - ROOM) - [statement, ...besides].join(" ").length,
  );
  for (const one of besides) sentences.splice(random.below(sentences.length + 1), 0, one);
  const at = { beginning: 0, middle: Math.floor(sentences.length / 2), end: sentences.length }[place];
  return { ...named, content: asText(sentences.toSpliced(at, 0, statement)), statement, place };
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const left = [...values];
  return Array.from({ length: values.length }, () => left.splice(random.below(left.length), 1)[0] as T);
}
