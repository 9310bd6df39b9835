import { isCalendarWord } from "./dates.ts";
import { isStopWord, type Lexicon } from "./lexicon.ts";
import { normalForm } from "./normal-form.ts";
import { read } from "./reading.ts";

/** More than any real question contains. */
const NAMES_MAX = 16;
/** An initial is not a name. */
const NAME_MIN = 2;
/** A shorter prefix fits too many names. */
const PREFIX_MIN = 3;
/** Number of wrong letters tolerated, by length of the name. Source: recall.md, "Names". */
const ERRORS = [
  { lengthMin: 7, errors: 2 },
  { lengthMin: 5, errors: 1 },
] as const;
/** Only this much of a longer name is compared. */
const NAME_LENGTH_MAX = 32;

/** A capital after one of these is as uninformative as at the beginning of a sentence. */
const TOKEN = /[\p{L}\p{M}\p{N}_]+|[:;\n\u201c\u201d"]+/gu;
const IS_WORD = /^[\p{L}\p{M}\p{N}_]/u;
const CAPITAL = /^\p{Lu}/u;

/** A word of a query that may be a name. */
export interface QueryName {
  readonly written: string;
  /** The piece of memories that address someone by this name (see `addressIn`). */
  readonly address: number;
  readonly pieces: readonly number[];
}

/**
 * The words of a text that may be a short or misspelt name, as written: capitalised words except months, weekdays and
 * stop words. A word that begins a sentence is capitalised anyway, so there only words outside the vocabulary count.
 */
export function possibleNames(text: string, lexicon: Lexicon): QueryName[] {
  const names = new Set<string>();
  for (const { word, begins } of placedWords(text)) {
    const isName = word.length >= NAME_MIN && CAPITAL.test(word) && !isCalendarWord(foldedName(word));
    const isOther = isName && (isPlainWord(word, lexicon) || (begins && isInVocabulary(word, lexicon)));
    if (isName && !isOther) names.add(word);
    if (names.size === NAMES_MAX) break;
  }
  return Array.from(names, (written) => ({
    written,
    address: lexicon.addressPiece(foldedName(written)),
    pieces: lexicon.pieces(written),
  }));
}

/** Yields the words in order. `begins`: the word's position explains its capital, as at the beginning of a sentence. */
function* placedWords(text: string): Generator<{ word: string; begins: boolean }> {
  for (const { start, end } of read(text).lines) {
    let begins = true;
    for (const [token] of text.slice(start, end).matchAll(TOKEN)) {
      const isWord = IS_WORD.test(token);
      if (isWord) yield { word: token, begins };
      // The number of a list item is not part of the sentence.
      begins = !isWord || (begins && /^\p{N}+$/u.test(token));
    }
  }
}

/** "The" Hague, Hi "There": a word that carries no topic, or a conversational one. */
export function isPlainWord(word: string, lexicon: Lexicon): boolean {
  return lexicon.pieces(word).every((piece) => lexicon.isStopWord(piece) || lexicon.chatWeight(piece) < 1);
}

function isInVocabulary(word: string, lexicon: Lexicon): boolean {
  const [piece, ...others] = lexicon.pieces(word);
  return piece !== undefined && others.length === 0 && lexicon.word(piece) !== undefined;
}

/** A name as it is compared: without accents, in lower case. */
export function foldedName(name: string): string {
  return normalForm(name, "NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Sources that name a role in a conversation instead of a particular speaker. */
const ROLES: ReadonlySet<string> = new Set([
  "assistant",
  "user",
  "agent",
  "system",
  "tool",
  "human",
  "ai",
  "bot",
  "",
]);

const WORD = /[\p{L}\p{N}_]+/gu;

/** The speakers in a scope. */
export interface KnownSpeakers {
  /** All distinct speakers in scope, sorted. */
  readonly speakers: readonly string[];
  /** Speakers whom others call by one of the query's names, by that name (see `aliasesOf`). */
  readonly aliases: ReadonlyMap<string, string>;
}

/** The parts of a query that identify whom it names. */
export interface NamingQuery {
  readonly text: string;
  /** See `possibleNames`. */
  readonly names: readonly QueryName[];
}

interface SpeakerTest {
  readonly isNamed: (speaker: string) => boolean;
  /** Whether a name tells speakers apart: there are several. */
  readonly distinguishes: boolean;
}

/**
 * Tests whether the query names a speaker by first name: exactly, by its beginning, or misspelt by a letter or two if no
 * speaker has exactly that name; or by what others call the speaker.
 *
 * A scope may have as many speakers as memories. Therefore only the candidates' names are searched for, each first name
 * once. The text itself is only searched for a name of several words, if all of them are in it.
 */
export function speakerTest(query: NamingQuery, { speakers, aliases }: KnownSpeakers): SpeakerTest {
  const isSaid = sayingTest(query.text);
  const isMeant = meaningTest(
    query.names.map(({ written }) => written),
    speakers,
  );
  // An alias does not count if it is another speaker's own name.
  const called = new Set(
    [...aliases].flatMap(([name, speaker]) => (isSpeaker(name, speakers) ? [] : firstName(speaker))),
  );
  const byName = new Map<string, boolean>();
  const isNameKnown = (name: string) => isSaid(name) || isMeant(name) || called.has(name);
  const bySpeaker = new Map<string, boolean>();
  const isNamed = (speaker: string) => {
    const before = bySpeaker.get(speaker);
    if (before !== undefined) return before;
    const name = firstName(speaker);
    const isKnown = hasName(speaker) && (byName.get(name) ?? isNameKnown(name));
    if (hasName(speaker)) byName.set(name, isKnown);
    bySpeaker.set(speaker, isKnown);
    return isKnown;
  };
  const first = speakers.findIndex(hasName);
  const distinguishes = first >= 0 && speakers.some((speaker, at) => at > first && hasName(speaker));
  return { isNamed, distinguishes };
}

function hasName(speaker: string): boolean {
  return !ROLES.has(speaker.trim().toLowerCase());
}

function firstName(speaker: string): string {
  return speaker.trim().split(/\s+/, 1)[0]?.toLowerCase() ?? "";
}

function sayingTest(query: string): (name: string) => boolean {
  const text = query.toLowerCase();
  const words = new Set(text.match(WORD));
  const capitals = capitalised(query);
  return (name) => {
    // Names that are also words, such as Will or May, only count with a capital.
    if ((isStopWord(name) || isCalendarWord(name)) && !capitals.has(name)) return false;
    const parts = name.match(WORD) ?? [];
    return parts.every((part) => words.has(part)) && (parts[0] === name || hasWord(text, name));
  };
}

/** Words, in lower case, that are capitalised other than by beginning a sentence. */
function capitalised(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { word, begins } of placedWords(text))
    if (!begins && CAPITAL.test(word)) words.add(word.toLowerCase());
  return words;
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function meaningTest(names: readonly string[], speakers: readonly string[]): (name: string) => boolean {
  if (names.length === 0) return () => false;
  const written = names
    .filter((name) => !isSpeaker(name, speakers))
    .map((name) => foldedName(name).slice(0, NAME_LENGTH_MAX));
  return (name) => {
    const full = foldedName(name.slice(0, NAME_LENGTH_MAX));
    return written.some((word) => isShortFor(word, full) || isNearly(word, full));
  };
}

/** Whether a speaker has exactly this name. Binary search in the sorted list. */
function isSpeaker(name: string, speakers: readonly string[]): boolean {
  let [low, high] = [0, speakers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((speakers[middle] as string) < name) low = middle + 1;
    else high = middle;
  }
  const next = speakers[low] ?? "";
  return next.startsWith(name) && /^(?:\s|$)/.test(next.slice(name.length));
}

/**
 * "Mel" for Melanie. "Jean" is not short for Jean-Paul, which is a name of two parts. Names equal except for accents
 * also match.
 */
function isShortFor(word: string, name: string): boolean {
  return word.length >= PREFIX_MIN && name.startsWith(word) && /^(?:\p{L}|$)/u.test(name.slice(word.length));
}

function isNearly(word: string, name: string): boolean {
  const errors = ERRORS.find(({ lengthMin }) => word.length >= lengthMin)?.errors ?? 0;
  return errors > 0 && Math.abs(word.length - name.length) <= errors && distance(word, name) <= errors;
}

/** Number of insertions, deletions, changes, and swaps of neighbouring letters (optimal string alignment). */
function distance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + Number(!isSame),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}
