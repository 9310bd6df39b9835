import type { Lexicon } from "../language/lexicon.ts";
import { foldedName, isPlainWord, type QueryName } from "../language/names.ts";
import { read } from "../language/reading.ts";
import { GREETINGS } from "../language/words/english.ts";

/** People are addressed at the beginning of a sentence near the beginning of what is said. */
const READ_LENGTH = 1000;
const ADDRESS = new RegExp(
  String.raw`^(?:${GREETINGS.split("|").map(withEitherCase).join("|")}),? (\p{Lu}[\p{L}\p{M}]{1,30})\s?[,.!?:;]`,
  "u",
);

/** The name itself must have a capital, so that the whole cannot be matched in any case. */
function withEitherCase(greeting: string): string {
  const first = greeting.charAt(0);
  return `[${first.toUpperCase()}${first}]${greeting.slice(1)}`;
}

/**
 * The name that a memory's text addresses somebody by ("Hey Kate!", "Thanks, Kate."), as a piece beyond the vocabulary; null
 * where it addresses nobody so. A bare "Kate, …" or "…, Kate!" is not read: "Yup, …" and "Austin, Texas!" look the same.
 */
export function addressIn(text: string, lexicon: Lexicon): number | null {
  const beginning = text.slice(0, READ_LENGTH);
  const [name] = read(beginning).lines.flatMap(
    ({ start, end }) => ADDRESS.exec(beginning.slice(start, end).trimStart())?.[1] ?? [],
  );
  return name === undefined || isPlainWord(name, lexicon) ? null : lexicon.addressPiece(foldedName(name));
}

/** A name in a scope, as others are addressed by it. */
interface AddressUses {
  /** By speaker, how many memories of others address the speaker by it, in sessions of these two. */
  readonly uses: ReadonlyMap<string, number>;
  /** How many memories have it as a word, in any case. */
  readonly mentions: number;
}

/** Once or twice may be a slip, or somebody who was there besides. Source of this and the next: recall.md, "Names". */
const USES_MIN = 3;
const SHARE_MIN = 0.8;
/** What is a word besides ("Hi team, …") is mostly said otherwise. */
const ADDRESSING_SHARE_MIN = 0.25;

/** Whose name it is, for as much as it is used: at least three times, four of five times for the same; else null. */
function addressee({ uses, mentions }: AddressUses): string | null {
  const total = [...uses.values()].reduce((sum, count) => sum + count, 0);
  if (total < USES_MIN || total < ADDRESSING_SHARE_MIN * mentions) return null;
  for (const [speaker, count] of uses) if (count >= SHARE_MIN * total) return speaker;
  return null;
}

/**
 * Whom others call by the query's names. `usesOf` tells of a name as a piece how often each speaker is addressed by it,
 * `documentFrequency` how many memories have a piece.
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
