import { plainText } from "../language/characters.ts";
import { comparedSentences } from "../language/compared.ts";
import { normalForm } from "../language/normal-form.ts";

/**
 * What somebody says before a thing without saying more than the thing. Each needs a mark or "that" after it, so that
 * "Note 12 is broken" keeps its first word; and none denies, corrects or quotes somebody ("Wrong: …", "Ann says: …").
 */
const LEAD_IN =
  /^(?:by the way|btw|fyi|for your information|for the record|just so you know|as a reminder|reminder|(?:please )?note|(?:please )?remember|(?:as )?(?:i|we) (?:recall|remember)|as far as (?:i|we) (?:recall|remember)|here is what i (?:recall|remember)|from (?:my |our )?memory|(?:recalled |relevant )?(?:memory|memories)|(?:recalled |relevant )?context)(?: ?[:,–—]| -(?= \p{L})| that(?= )) ?/iu;
const LEAD_INS_MAX = 3;

/** What an excerpt begins with where something was cut. */
const CUT = /^…\s*/u;

/**
 * A text as it is compared with another that may say the same: its sentences (see `Reading`), so that two of one key are what
 * packs and merges call the same as well, and nothing that contradicts. Besides, "…" where a text was cut and a lead-in such
 * as "By the way," make no difference, since agents begin like that when they write down what they were told. Linear in the
 * length of the text; empty for one of nothing.
 */
export function wordsKey(text: string): string {
  return comparedSentences(toldIn(text)).join("\n");
}

/**
 * Whether two texts say the same; `in other case` where their letters are not all of one case. What packs call the same is so
 * in either case, but the contract's dedupe keeps case, so that such a text has to be stored: that is the one repetition which
 * is named and not kept out.
 */
export function likenessOf(a: string, b: string): "same" | "in other case" | null {
  if (wordsKey(a) !== wordsKey(b)) return null;
  return lettersOf(a) === lettersOf(b) ? "same" : "in other case";
}

function lettersOf(text: string): string {
  return normalForm(toldIn(text), "NFKC").replaceAll(/[^\p{L}\p{M}]+/gu, "");
}

function toldIn(text: string): string {
  return withoutLeadIn(plainText(text).trim().replace(CUT, ""));
}

/** The text without what was only said before it. */
export function withoutLeadIn(text: string): string {
  let rest = text.trimStart();
  for (let round = 0; round < LEAD_INS_MAX; round += 1) {
    const next = rest.replace(LEAD_IN, "");
    // A text of nothing else is what it is.
    if (next === rest || next.trim() === "") break;
    rest = next;
  }
  return rest;
}
