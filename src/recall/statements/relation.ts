import { plainText } from "../language/characters.ts";
import { withoutAllMarks, writtenWords } from "../language/compared.ts";
import { read } from "../language/reading.ts";
import { wordSet } from "../language/word-lists.ts";
import * as english from "../language/words/english.ts";
import { STATED_LENGTH_MAX } from "./statement.ts";

/** 1: a text relates the same two as the question does, in its direction; −1: in the other; 0: unknown. */
export type Orientation = -1 | 0 | 1;

/** A person, place or thing with a name, or the user, as a sentence mentions it. */
interface Mention {
  /** Its words in lower case, without a possessive ending. */
  readonly words: readonly string[];
  readonly at: number;
  readonly end: number;
  /** Whether something of its own is meant: "Ann's patch", "the patch of Ann", "my patch". */
  readonly isOwner: boolean;
}

/** A sentence's words in lower case, and who or what it mentions. */
interface Mentions {
  readonly words: readonly string[];
  readonly mentions: readonly Mention[];
}

/** Two mentions by role: who acts, owns, is the source or comes first, and the other. null: who is asked for. */
type Roles = readonly [string | null, string | null];

interface AskedRelation {
  readonly roles: Roles;
  /** Whether the second comes before the first ("after"). null if the question says neither. */
  readonly isAfter: boolean | null;
}

const BE = wordSet(english.COPULAS, "be been being am");
/** "gets paid by" */
const GET = new Set(["get", "gets", "got", "getting"]);
const AUXILIARIES = wordSet(english.VERBS_OF_QUESTIONS);
const PERSON_ASKED = wordSet(english.INTERROGATIVES_FOR_PERSONS);
const SELF = wordSet(english.SELF);
const OWN_SELF = wordSet(english.OWN_SELF);
const ARTICLES = new Set(["a", "an", "the"]);
const FRONTED = wordSet(english.PREPOSITIONS, "before after");
/** Capitalised at the beginning of a sentence, these are no names. */
const NO_NAMES = wordSet(
  english.STOP,
  english.ASKING,
  english.BEGINNINGS,
  english.CHAT,
  english.MONTHS,
  english.WEEKDAYS,
);
/** "Tell me …", "Show me …": "me" is not part of what is asked. */
const ASKER = /^(?:(?:please|can|could|will|would|you) )*\p{L}+ me\b/iu;
const THE_USER = "(user)";
/** Longer queries are messages, which relate more than two. */
const QUESTION_LENGTH_MAX = 300;

/** How a text relates those whom a question names, by the sentence that says most clearly so. */
export interface Relating {
  readonly orientation: Orientation;
  /** That sentence's words, in lower case, that stand for something and name neither of the two. */
  readonly words: ReadonlySet<string>;
  /** Those of them that the question has. */
  readonly shared: string;
}

/**
 * Returns a reader of whether a text states what the question asks between the same two in the same direction: "How
 * much does Lena owe Tomas?" is about "Lena owes Tomas 40 euros", not about "Tomas owes Lena 40 euros". null if the
 * question asks for no direction; the reader returns null if the text has none. A question without capitals has the
 * names that the text writes with one. English only.
 */
export function relationReader(question: string): ((text: string) => Relating | null) | null {
  const [sentence, ...more] = sentencesOf(question.slice(0, QUESTION_LENGTH_MAX));
  if (sentence === undefined || more.length > 0) return null;
  const asked = sentence.replace(ASKER, "");
  const spoken = wordsIn(asked).map((word) => word.toLowerCase());
  const words = new Set(spoken.map(comparedWord));
  if (asked === asked.toLowerCase()) {
    // Of the two that a question relates, the user and who is asked for need no name.
    const isOneNamed = spoken.some((word, at) => PERSON_ASKED.has(word) || isUser(spoken, at));
    const namesMin = isOneNamed ? 1 : 2;
    return (text) => {
      if (!mayName(text, words, namesMin)) return null;
      const named = namesOf(text).filter((name) => words.has(comparedWord(name)));
      return named.length === 0 ? null : relatingIn(text, askedRelation(asked, named), words);
    };
  }
  const relation = askedRelation(asked, []);
  return relation === null ? null : (text) => relatingIn(text, relation, words);
}

/** Of the shorter sentence's words, at least this share must be in the other for both to say the same of the two. */
const COMMON_MIN = 0.5;

/** Whether two texts say the same of the two, as far as their words tell, but in opposite directions. */
export function areReversed(a: Relating | null, b: Relating | null): boolean {
  if (a === null || b === null || a.orientation === b.orientation || a.shared !== b.shared) return false;
  const common = [...a.words].filter((word) => b.words.has(word)).length;
  return common > 0 && common >= COMMON_MIN * Math.min(a.words.size, b.words.size);
}

/** A word with a capital, as every name has. */
const CAPITALISED = /\p{Lu}[\p{L}\p{M}'’]*/gu;

/**
 * Whether a text may have so many names among these words. Most texts have none, and reading sentences takes many times
 * as long.
 */
function mayName(text: string, words: ReadonlySet<string>, namesMin: number): boolean {
  const names = new Set<string>();
  for (const [capitalised] of text.slice(0, STATED_LENGTH_MAX).matchAll(CAPITALISED)) {
    const name = withoutPossessive(withoutAllMarks(capitalised.toLowerCase()));
    if (words.has(comparedWord(name)) && names.add(name).size >= namesMin) return true;
  }
  return false;
}

function namesOf(text: string): string[] {
  return statedSentences(text).flatMap((sentence) =>
    mentionsIn(sentence, []).mentions.flatMap(({ words }) => words),
  );
}

function statedSentences(text: string): string[] {
  return sentencesOf(text.slice(0, STATED_LENGTH_MAX)).filter((sentence) => !sentence.endsWith("?"));
}

/** A sentence in the asked direction comes first: a text that states both answers the question. */
function relatingIn(
  text: string,
  relation: AskedRelation | null,
  asked: ReadonlySet<string>,
): Relating | null {
  if (relation === null) return null;
  const known = relation.roles.filter((one) => one !== null);
  // A sentence relates the two only if it has the letters of both. Looking for them takes a fraction of reading it.
  const names = known.filter((name) => name !== THE_USER).map(withoutAllMarks);
  const mayRelate = (one: string) => {
    const small = one.toLowerCase();
    return names.every((name) => small.includes(name));
  };
  if (!mayRelate(text.slice(0, STATED_LENGTH_MAX))) return null;
  const found = statedSentences(text)
    .filter(mayRelate)
    .flatMap((sentence) => {
      const read = mentionsIn(sentence, known);
      const orientation = compared(relation, read);
      return orientation === 0 ? [] : [{ orientation, ...tellingWords(read, asked) }];
    });
  return found.find(({ orientation }) => orientation === 1) ?? found[0] ?? null;
}

function tellingWords(
  { words, mentions }: Mentions,
  asked: ReadonlySet<string>,
): Omit<Relating, "orientation"> {
  const isNaming = (at: number) => mentions.some((mention) => at >= mention.at && at < mention.end);
  const telling = words.filter((word, at) => !isNaming(at) && !NO_NAMES.has(word)).map(comparedWord);
  const shared = telling.filter((word) => asked.has(word));
  return { words: new Set(telling), shared: [...new Set(shared)].sort().join(" ") };
}

/** Without the endings in which a statement and its question differ: "owes", "owe"; "reviewed", "review". */
function comparedWord(word: string): string {
  const base = withoutPossessive(word);
  return base.length > 3 ? base.replace(/(?:ed|s)$/, "").replace(/e$/, "") : base;
}

function sentencesOf(text: string): string[] {
  const { spans } = read(text);
  return spans.map(({ start, end }) => plainText(text.slice(start, end)).trim());
}

function compared(
  { roles: [first, second], isAfter }: AskedRelation,
  { words, mentions }: Mentions,
): Orientation {
  const is = (name: string | null) => (mention: Mention) => name !== null && mention.words.includes(name);
  const isKnown = (mention: Mention) => is(first)(mention) || is(second)(mention);
  // Anybody else may be the one who is asked for.
  const sides = (name: string | null) =>
    mentions.filter((mention) => (name === null ? !isKnown(mention) : is(name)(mention)));
  const orders = new Set<boolean>();
  for (const one of sides(first)) for (const other of sides(second)) orders.add(isFirst(one, other, words));
  const [isInOrder] = orders;
  if (orders.size !== 1) return 0;
  const isTurned = isAfter !== null && orderWord(words) !== null && orderWord(words) !== isAfter;
  return isInOrder === isTurned ? -1 : 1;
}

/** Whether one is in the first role and the other in the second. */
function isFirst(one: Mention, other: Mention, words: readonly string[]): boolean {
  const isOneAgent = isAgentOfPassive(one, words);
  if (isOneAgent !== isAgentOfPassive(other, words)) return isOneAgent;
  const hasCopula = words.some((word) => BE.has(word));
  if (hasCopula && !isOneAgent && one.isOwner !== other.isOwner) return one.isOwner;
  const [ofOne, ofOther] = [prepositionOf(one, words), prepositionOf(other, words)];
  if (ofOne === "from" && ofOther === "to") return true;
  if (ofOne === "to" && ofOther === "from") return false;
  return one.at < other.at;
}

/** "was reviewed by Ann" */
function isAgentOfPassive(mention: Mention, words: readonly string[]): boolean {
  if (prepositionOf(mention, words) !== "by") return false;
  return words.slice(0, mention.at).some((word) => BE.has(word) || GET.has(word));
}

function prepositionOf({ at }: Mention, words: readonly string[]): string | undefined {
  return ARTICLES.has(words[at - 1] ?? "") ? words[at - 2] : words[at - 1];
}

/** Whether a sentence puts its first after its second; null if it says neither. */
function orderWord(words: readonly string[]): boolean | null {
  const [isBefore, isAfter] = [words.includes("before"), words.includes("after")];
  return isBefore === isAfter ? null : isAfter;
}

/** The two that a question relates, or the one and who is asked for; null if it relates no two. */
function askedRelation(question: string, names: readonly string[]): AskedRelation | null {
  const { words, mentions } = mentionsIn(question, names);
  // Somebody mentioned twice is one.
  const [one, other, ...more] = new Map(mentions.map((mention) => [nameOf(mention), mention])).values();
  if (one === undefined || more.length > 0) return null;
  const isAfter = orderWord(words);
  if (other !== undefined) {
    const [first, second] = isFirst(one, other, words) ? [one, other] : [other, one];
    return { roles: [nameOf(first), nameOf(second)], isAfter };
  }
  const isAskedForFirst = isAskedFirst(words, one);
  if (isAskedForFirst === null) return null;
  return { roles: isAskedForFirst ? [null, nameOf(one)] : [nameOf(one), null], isAfter };
}

/** The last word of a name tells more people apart than the first. */
function nameOf({ words }: Mention): string {
  return words.at(-1) as string;
}

/** Whether who is asked for has the first role, and who is mentioned the second. null if nobody is asked for. */
function isAskedFirst(words: readonly string[], known: Mention): boolean | null {
  const at = words.findIndex((word) => PERSON_ASKED.has(word));
  if (at < 0 || at > known.at) return null;
  const hasBe = words.some((word) => BE.has(word));
  if (isAgentOfPassive(known, words)) return false;
  // "By whom was Ann hired?", "Who was Ann hired by?"
  if (words[at - 1] === "by" || words.at(-1) === "by") return true;
  if (hasBe && (words[at] === "whose") !== known.isOwner) return words[at] === "whose";
  // "From whom did Ann …", "Whom did Ann …", "Whose patch did Ann …": an auxiliary just before who is mentioned.
  if (FRONTED.has(words[at - 1] ?? "")) return false;
  const before = prepositionOf(known, words) ?? "";
  const isAfterAuxiliary = AUXILIARIES.has(before) && words.indexOf(before) > at;
  return !isAfterAuxiliary;
}

function wordsIn(sentence: string): string[] {
  return writtenWords(sentence)
    .map(withoutAllMarks)
    .filter((word) => word !== "");
}

/** Names are capitalised, or are these. Words of one name are one mention. */
function mentionsIn(sentence: string, names: readonly string[]): Mentions {
  const written = wordsIn(sentence);
  const words = written.map((word) => word.toLowerCase());
  const mentions: Mention[] = [];
  for (let at = 0; at < written.length; at++) {
    const word = words[at] as string;
    if (isUser(words, at)) {
      mentions.push({
        words: [THE_USER],
        at,
        end: at + 1,
        isOwner: OWN_SELF.has(word) || isOwned(words, at, at),
      });
      continue;
    }
    let end = at;
    while (end < written.length && isName(written, end, names)) {
      end++;
      if (isPossessive(words[end - 1] as string)) break;
    }
    if (end === at) continue;
    const name = words.slice(at, end).map(withoutPossessive);
    mentions.push({ words: name, at, end, isOwner: isOwned(words, at, end - 1) });
    at = end - 1;
  }
  return { words, mentions };
}

function isUser(words: readonly string[], at: number): boolean {
  const word = words[at] as string;
  if (withoutPossessive(word) === "user") return words[at - 1] === "the";
  return SELF.has(word) || OWN_SELF.has(word);
}

function isName(written: readonly string[], at: number, names: readonly string[]): boolean {
  const word = written[at] as string;
  const small = withoutPossessive(word.toLowerCase());
  if (names.includes(small)) return true;
  return /^\p{Lu}\p{L}/u.test(word) && !NO_NAMES.has(small);
}

function isOwned(words: readonly string[], at: number, last: number): boolean {
  if (isPossessive(words[last] as string)) return true;
  return (ARTICLES.has(words[at - 1] ?? "") ? words[at - 2] : words[at - 1]) === "of";
}

function isPossessive(word: string): boolean {
  return /['’]s?$/.test(word);
}

function withoutPossessive(word: string): string {
  return word.replace(/['’]s?$/, "");
}
