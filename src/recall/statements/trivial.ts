import { lettersTogether } from "../language/compared.ts";
import { COURTESIES } from "../language/words/courtesies.ts";

/** Verdict on a content by itself; null if it may say something. */
export type Emptiness = "empty" | "trivial" | null;

const PHRASES: ReadonlySet<string> = new Set(COURTESIES.flatMap((phrases) => phrases.split("|")));

/** In words: maximum length of a courtesy, and of a text made only of courtesies. */
const PHRASE_WORDS_MAX = 5;
const WORDS_MAX = 12;
/** Longer than any text of that many short words, in UTF-16 units. */
const LENGTH_MAX = 256;

/** Signs that carry meaning without being words: "→", "±". Emoji and punctuation do not. */
const TELLING_SIGN = /[\p{Sm}\p{Sc}]/u;
/** A sign that is not a picture, and makes the letter beside it a key or a rule: "⌘K", "§". */
const RARE_SIGN = /(?!\p{Extended_Pictographic}|\p{Regional_Indicator})[\p{So}§¶†‡‰]/u;
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/**
 * Whether a content has no word (`empty`: white space, punctuation) or says nothing by itself (`trivial`: only emoji or
 * courtesies). A number is a word, and so is every word that is not a courtesy. Only checks short texts.
 */
export function emptinessOf(content: string): Emptiness {
  const text = content.trim();
  if (text.length > LENGTH_MAX) return null;
  if (RARE_SIGN.test(text)) return null;
  const words = lettersTogether(text);
  if (words.length === 0) {
    if (TELLING_SIGN.test(text)) return null;
    return PICTURE.test(text) ? "trivial" : "empty";
  }
  return words.length <= WORDS_MAX && areCourtesies(words) ? "trivial" : null;
}

/** Whether the words can be divided into courtesies, longest first. */
function areCourtesies(words: readonly string[]): boolean {
  for (let from = 0; from < words.length; ) {
    let to = Math.min(words.length, from + PHRASE_WORDS_MAX);
    while (to > from && !PHRASES.has(words.slice(from, to).join(" "))) to -= 1;
    if (to === from) return false;
    from = to;
  }
  return true;
}
