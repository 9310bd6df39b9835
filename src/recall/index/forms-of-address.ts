import type { Lexicon } from "../language/lexicon.ts";
import { foldedName, isPlainWord, type QueryName } from "../language/names.ts";
import { read } from "../language/reading.ts";
import { GREETINGS } from "../language/words/english.ts";

/**
 * Only this much of a text is read: people are addressed at the beginning of a sentence near its beginning. In UTF-16
 * units.
 */
const READ_LENGTH = 1000;
const ADDRESS = new RegExp(
  String.raw`^(?:${GREETINGS.split("|").map(withEitherCase).join("|")}),? (\p{Lu}[\p{L}\p{M}]{1,30})\s?[,.!?:;]`,
  "u",
);

/** The name itself must have a capital, so the pattern as a whole cannot ignore case. */
function withEitherCase(greeting: string): string {
  const first = greeting.charAt(0);
  return `[${first.toUpperCase()}${first}]${greeting.slice(1)}`;
}

/**
 * The name by which a memory's text addresses someone ("Hey Kate!", "Thanks, Kate."), as a piece beyond the vocabulary;
 * null if there is none. A bare "Kate, …" or "…, Kate!" is ignored: "Yup, …" and "Austin, Texas!" look the same.
 */
export function addressIn(text: string, lexicon: Lexicon): number | null {
  const beginning = text.slice(0, READ_LENGTH);
  const [name] = read(beginning).lines.flatMap(
    ({ start, end }) => ADDRESS.exec(beginning.slice(start, end).trimStart())?.[1] ?? [],
  );
  return name === undefined || isPlainWord(name, lexicon) ? null : lexicon.addressPiece(foldedName(name));
}

/** How a name is used to address others in a scope. */
interface AddressUses {
  /** By speaker: how many memories of the other speaker address this one by the name, in sessions of these two. */
  readonly uses: ReadonlyMap<string, number>;
  /** Number of memories that have it as a word, in any case. */
  readonly mentions: number;
}

/** One or two uses may be slips, or address another person present. Source of this and the next: recall.md, "Names". */
const USES_MIN = 3;
const SHARE_MIN = 0.8;
/** A name that is also a word ("Hi team, …") is mostly used otherwise. */
const ADDRESSING_SHARE_MIN = 0.25;

/**
 * The speaker whose name it is, if it is used at least three times, and in four of five cases for the same speaker;
 * otherwise null.
 */
function addressee({ uses, mentions }: AddressUses): string | null {
  const total = [...uses.values()].reduce((sum, count) => sum + count, 0);
  if (total < USES_MIN || total < ADDRESSING_SHARE_MIN * mentions) return null;
  for (const [speaker, count] of uses) if (count >= SHARE_MIN * total) return speaker;
  return null;
}

/**
 * The speakers whom others call by the query's names. `usesOf`: how often each speaker is addressed by a name, given as
 * a piece. `documentFrequency`: number of memories that have a piece.
 */
export function aliasesOf(
  names: readonly QueryName[],
  usesOf: (address: number) => AddressUses["uses"],
  documentFrequency: (piece: number) => number,
): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const { written, address, pieces } of names) {
    const uses = usesOf(address);
    const mentions = uses.size === 0 ? 0 : Math.min(...pieces.map(documentFrequency));
    const speaker = addressee({ uses, mentions });
    if (speaker !== null) aliases.set(written, speaker);
  }
  return aliases;
}
