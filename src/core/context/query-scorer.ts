import { wordsOf } from "../memory/words.ts";

/** Words that are cut to this many letters before they are compared: a stemmer's poor, language-free relation. */
const STEM_LENGTH = 5;
const FUNCTION_WORDS = new Set(
  "a an the is are was were be do does did to of in on at for and or it i you we my your our what when where who which how why that this with from by as".split(
    " ",
  ),
);

/**
 * A scorer of sentences for `excerptOf`: the number of the query's distinct words found, a word of six or more
 * letters counting fully and a shorter one in proportion. Function words count only in a query of nothing else.
 * 0 for a sentence with none of them.
 */
export function queryScorer(query: string): (sentence: string) => number {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !FUNCTION_WORDS.has(word));
  const weights = new Map((telling.length > 0 ? telling : words).map((word) => [stem(word), weightOf(word)]));
  return (sentence) => {
    let score = 0;
    for (const found of new Set(wordsOf(sentence).map(stem))) score += weights.get(found) ?? 0;
    return score;
  };
}

function stem(word: string): string {
  return word.slice(0, STEM_LENGTH);
}

function weightOf(word: string): number {
  return /^\p{N}/u.test(word) ? 1 : Math.min(1, (word.length + 1) / 6);
}
