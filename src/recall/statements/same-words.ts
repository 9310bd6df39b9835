import { plainText } from "../language/characters.ts";
import { comparedSentences } from "../language/compared.ts";
import { normalForm } from "../language/normal-form.ts";

/**
 * Phrases that introduce a statement without adding to it. Each requires a mark or "that" after it, so that "Note 12 is
 * broken" keeps its first word. None denies, corrects or quotes ("Wrong: …", "Ann says: …").
 */
const LEAD_IN =
  /^(?:by the way|btw|fyi|for your information|for the record|just so you know|as a reminder|reminder|(?:please )?note|(?:please )?remember|(?:as )?(?:i|we) (?:recall|remember)|as far as (?:i|we) (?:recall|remember)|here is what i (?:recall|remember)|from (?:my |our )?memory|(?:recalled |relevant )?(?:memory|memories)|(?:recalled |relevant )?context)(?: ?[:,–—]| -(?= \p{L})| that(?= )) ?/iu;
const LEAD_INS_MAX = 3;

/** Beginning of an excerpt whose start was cut. */
const CUT = /^…\s*/u;

/**
 * The key of a text for detecting texts that say the same: its sentences (see `Reading`). Two texts with the same key
 * also count as the same in packs and merges, and do not contradict each other. In addition, a leading "…" of a cut
 * text and lead-ins such as "By the way," are ignored, since agents begin like that when they write down what they
 * read. Linear in the length of the text; empty if the text has no content.
 */
export function wordsKey(text: string): string {
  return comparedSentences(termsIn(text)).join("\n");
}

/**
 * Whether two texts say the same. `in other case`: they do, but their letters differ in case. Packs treat these as the
 * same too, but the contract's dedupe is case-sensitive, so such a text must be stored. It is the only repetition that
 * is reported instead of rejected.
 */
export function likenessOf(a: string, b: string): "same" | "in other case" | null {
  if (wordsKey(a) !== wordsKey(b)) return null;
  return lettersOf(a) === lettersOf(b) ? "same" : "in other case";
}

function lettersOf(text: string): string {
  return normalForm(termsIn(text), "NFKC").replaceAll(/[^\p{L}\p{M}]+/gu, "");
}

/** The plain text without what `wordsKey` ignores at its beginning. */
export function termsIn(text: string): string {
  return withoutLeadIn(plainText(text).trim().replace(CUT, ""));
}

/** Strips lead-ins from the beginning of a text. */
export function withoutLeadIn(text: string): string {
  let rest = text.trimStart();
  for (let round = 0; round < LEAD_INS_MAX; round += 1) {
    const next = rest.replace(LEAD_IN, "");
    // A text that consists only of lead-ins stays as it is.
    if (next === rest || next.trim() === "") break;
    rest = next;
  }
  return rest;
}
