import { normalForm } from "../../recall/language/normal-form.ts";
import type { LanguageProfiles } from "./language-profiles.ts";

/** Text that is read, in UTF-16 units. */
const UNITS_MAX = 1000;
/** Fewer words say too little: greetings and names are taken for other languages. */
const WORDS_MIN = 5;
/** Questions have words of their language, so fewer are enough. */
const QUESTION_WORDS_MIN = 3;
/**
 * From this much above English a text is in another language, even if it may be one of several that are alike. Of 305
 * questions of three or four words in nineteen languages 304 are, and of the beginnings of 760 English ones none.
 */
const ABOVE_ENGLISH_MIN = 0.1;
/** The share of prose among what stands between spaces, below which a text is code, a log or a list of names. */
const PROSE_SHARE_MIN = 0.75;
/** How much an operator such as `&&` or `{` counts against prose. */
const OPERATOR_WEIGHT = 2;
/** Chinese characters that distinguish Chinese from Japanese without kana. */
const HAN_CHARACTERS_MIN = 5;
const LETTERS_MIN = 2;

/** Scripts of one language, and how much a letter counts: some write a syllable or word with one. */
const SCRIPTS = [
  { script: "Han", language: null, weight: 3 },
  { script: "Kana", language: "ja", weight: 3 },
  { script: "Hangul", language: "ko", weight: 2 },
  { script: "Thai", language: "th", weight: 1 },
  { script: "Lao", language: "lo", weight: 1 },
  { script: "Greek", language: "el", weight: 1 },
  { script: "Hebrew", language: "he", weight: 1 },
  { script: "Georgian", language: "ka", weight: 1 },
  { script: "Armenian", language: "hy", weight: 1 },
  { script: "Bengali", language: "bn", weight: 1 },
  { script: "Tamil", language: "ta", weight: 1 },
  { script: "Telugu", language: "te", weight: 1 },
  { script: "Gujarati", language: "gu", weight: 1 },
  { script: "Gurmukhi", language: "pa", weight: 1 },
  { script: "Kannada", language: "kn", weight: 1 },
  { script: "Malayalam", language: "ml", weight: 1 },
  { script: "Oriya", language: "or", weight: 1 },
  { script: "Ethiopic", language: "am", weight: 1 },
] as const;
type Script = (typeof SCRIPTS)[number]["script"];

const lettersOf = (script: Script) =>
  script === "Kana"
    ? /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
    : new RegExp(`\\p{Script=${script}}`, "gu");
const PATTERNS = SCRIPTS.map(({ script, language, weight }) => ({
  script,
  language,
  weight,
  letters: lettersOf(script),
}));
const OF_ONE_LANGUAGE = new RegExp(
  `[${SCRIPTS.flatMap(({ script }) => (script === "Kana" ? ["Hiragana", "Katakana"] : [script]))
    .map((script) => `\\p{Script=${script}}`)
    .join("")}]`,
  "gu",
);

/** Blocks and spans of code, addresses, paths: they have letters, but no language. */
const NO_PROSE =
  /```[\s\S]*?(?:```|$)|`[^`\n]*`|\b[a-z]{2,12}:\/\/\S+|[^\s@]{1,64}@[^\s@]+|(?:[~.]?\/|[A-Za-z]:\\)\S+/gu;
const NO_PUNCTUATION = "\\p{L}\\p{N}_/\\\\=<>{}[\\]|$#@";
const WORD = "\\p{L}[\\p{Ll}\\p{Lo}\\p{M}]*";
/** Signs that operators are made of, and those that punctuation is not. */
const OPERATOR_SIGNS = /^[=&|<>{}()[\]$\\^~#;:+*%!]+$/u;
const OPERATOR_SIGN = /[=&|<>{}$\\^~#]/u;
/** A word between punctuation. Not `camelCase`, `snake_case`, `file.ts`, `ALL_CAPS`, `v2` or `key=value`. */
const PROSE_WORD = new RegExp(`^[^${NO_PUNCTUATION}-]*(${WORD}(?:['’-]${WORD})*)[^${NO_PUNCTUATION}]*$`, "u");

/** Returns the ISO 639-1 code of a text's language. null if the text is too short, unclear, or not prose. */
export function languageOf(text: string, profiles: LanguageProfiles, wordsMin = WORDS_MIN): string | null {
  const prose = normalForm(text.slice(0, UNITS_MAX).toWellFormed(), "NFC").replace(NO_PROSE, " § ");
  return languageByScript(prose, profiles) ?? languageByWords(prose, profiles, wordsMin);
}

/** The same of a question, which may be shorter. */
export function languageOfQuestion(text: string, profiles: LanguageProfiles): string | null {
  return languageOf(text, profiles, QUESTION_WORDS_MIN);
}

/** The language of the script that most of the text is in, if only one language is written in it. */
function languageByScript(text: string, profiles: LanguageProfiles): string | null {
  const rest = text.replace(OF_ONE_LANGUAGE, "").match(/\p{L}/gu)?.length ?? 0;
  if (rest === text.match(/\p{L}/gu)?.length) return null;
  const counts = PATTERNS.map((pattern) => ({ ...pattern, count: text.match(pattern.letters)?.length ?? 0 }));
  const total = counts.reduce((sum, { count, weight }) => sum + count * weight, rest);
  const countOf = (script: Script) => counts.find((entry) => entry.script === script)?.count ?? 0;
  const han = countOf("Han");
  const kana = countOf("Kana");
  // Japanese mixes both, Chinese has no kana.
  if ((han + kana) * 3 > total / 2) {
    if (kana > 0) return kana >= LETTERS_MIN && kana * 10 >= han ? "ja" : null;
    if (han < HAN_CHARACTERS_MIN) return null;
    return profiles.guess(text, ["zh", "ja"])?.language ?? null;
  }
  const most = counts.find(({ count, weight }) => count * weight > total / 2);
  return most !== undefined && most.count >= LETTERS_MIN ? most.language : null;
}

/** The language by groups of letters, if the text has words enough and they are most of it. */
function languageByWords(text: string, profiles: LanguageProfiles, wordsMin: number): string | null {
  const parts = text.split(/\s+/u);
  const words = parts.flatMap((part) => PROSE_WORD.exec(part)?.[1] ?? []);
  const named = parts.filter((part) => /[\p{L}\p{N}§]/u.test(part)).length;
  const operators = parts.filter((part) => OPERATOR_SIGNS.test(part) && OPERATOR_SIGN.test(part)).length;
  const total = named + operators * OPERATOR_WEIGHT;
  if (words.length < wordsMin || words.length < total * PROSE_SHARE_MIN) return null;
  const guess = profiles.guess(words.join(" "));
  if (guess === null) return null;
  const isClear = guess.isReliable && words.length >= WORDS_MIN;
  return isClear || guess.aboveEnglish >= ABOVE_ENGLISH_MIN ? guess.language : null;
}
