import { foldedText, plainText } from "../language/characters.ts";
import { exactKeys, exactWords, isDistinctive, MATCH } from "../language/exact-words.ts";
import type { Lexicon } from "../language/lexicon.ts";
import { type Named, namedIn } from "../language/named.ts";

/*
 * Words that are meant literally have their own pieces, in addition to their word pieces and in the same postings.
 * Their counts show which memories contain an identifier itself, and not only its word pieces. Ids are hashes and
 * can collide, so an index only proposes memories by them. Each is compared with its text after reading.
 */

/** Pieces for the distinctive words of a text and for their parts, without duplicates. */
export interface ExactPieces {
  readonly wholes: ReadonlySet<number>;
  readonly parts: ReadonlySet<number>;
}

export function exactPieces(text: string, lexicon: Lexicon): ExactPieces {
  const wholes = new Set<number>();
  const parts = new Set<number>();
  for (const { text: word, isPart } of exactKeys(plainText(text))) {
    const folded = foldedText(word);
    if (isPart) parts.add(lexicon.keyPiece(partKey(folded)));
    else {
      wholes.add(lexicon.keyPiece(wholeKey(folded, folded !== word)));
      if (folded !== word) wholes.add(lexicon.keyPiece(wholeKey(word, false)));
    }
  }
  return { wholes, parts };
}

/** Key of a whole word. `isFolded`: the key is the lower-case form of a word written otherwise. */
function wholeKey(word: string, isFolded: boolean): string {
  return `${isFolded ? "~" : "="}${word}`;
}

/** Key of a part of a word, in lower case. Its case is checked when the text is read. */
function partKey(folded: string): string {
  return `-${folded}`;
}

/** Alternative pieces, each with the best match of a memory that has it. */
export type ExactToken = readonly { readonly piece: number; readonly match: number }[];

/** Something that a query names, as counted: a memory has it if it has every token. */
export interface ExactTerm extends Named {
  readonly tokens: readonly ExactToken[];
}

/** Maximum number of pieces counted for a phrase. The whole phrase is compared when the text is read. */
const TOKENS_MAX = 16;

/** Maximum number of pieces counted for all names together. */
const PIECES_MAX = 256;

/** Extracts what a query names literally. `isMessage`: it makes statements rather than asking. */
export function exactTerms(query: string, lexicon: Lexicon, isMessage: boolean): ExactTerm[] {
  const isOrdinary = (word: string) => {
    const [first, ...others] = lexicon.pieces(word);
    return others.length === 0 && first !== undefined && lexicon.word(first) !== undefined;
  };
  const found: ExactTerm[] = [];
  let left = PIECES_MAX;
  for (const named of namedIn(query, isOrdinary)) {
    // A message is about more than what it mentions, so only long numbers count: nothing else distinguishes those.
    if (isMessage && !(named.isStrict && LONG_NUMBER.test(named.text))) continue;
    const tokens = tokensOf(named.text, lexicon);
    left -= tokens.reduce((sum, token) => sum + token.length, 0);
    if (left < 0) break;
    if (tokens.length > 0) found.push({ ...named, tokens });
  }
  return found;
}

const LONG_NUMBER = /\p{N}{3}/u;

function tokensOf(phrase: string, lexicon: Lexicon): ExactToken[] {
  const tokens: ExactToken[] = [];
  let rest = "";
  let end = 0;
  for (const { text: written, start, end: next } of exactWords(phrase)) {
    // A "+" in front may be separated from the number ("id=+49 30"). It is compared when the text is read.
    const text = written.replace(/^\+(?=\p{N})/u, "");
    if (!isDistinctive(text)) continue;
    tokens.push(wordToken(text, lexicon));
    rest += `${phrase.slice(end, start)} `;
    end = next;
  }
  // Parts of words that also have pieces are only counted in texts of other languages.
  const { terms } = lexicon.terms(rest + phrase.slice(end));
  const pieces = new Set(terms.filter(({ of }) => of?.kind !== "spelled").map(({ piece }) => piece));
  for (const piece of pieces)
    if (lexicon.isContent(piece) || lexicon.isStopWord(piece)) tokens.push([{ piece, match: MATCH.exact }]);
  return tokens.slice(0, TOKENS_MAX);
}

function wordToken(word: string, lexicon: Lexicon): ExactToken {
  const folded = foldedText(word);
  const keys = new Map([
    [partKey(folded), MATCH.part as number],
    [wholeKey(folded, true), MATCH.folded],
    [wholeKey(folded, false), MATCH.folded],
    [wholeKey(word, false), MATCH.exact],
  ]);
  return Array.from(keys, ([key, match]) => ({ piece: lexicon.keyPiece(key), match }));
}

/** A query without what it names strictly. */
export function withoutStrict(query: string, exact: readonly ExactTerm[]): string {
  return exact
    .filter(({ isStrict }) => isStrict)
    .reduce((text, named) => text.replaceAll(named.text, " "), plainText(query));
}

/** The pieces that are counted for what a query names, without duplicates. */
export function piecesOf(exact: readonly ExactTerm[]): number[] {
  return [
    ...new Set(exact.flatMap(({ tokens }) => tokens.flatMap((token) => token.map(({ piece }) => piece)))),
  ];
}
