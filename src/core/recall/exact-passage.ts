import { foldedText, plainText } from "../../recall/language/characters.ts";
import { matchIn } from "../../recall/language/exact-words.ts";
import { type Passage, passagesOf } from "../../recall/language/passages.ts";

/**
 * Index of the passage of a text that has the phrases best. The index's own proposal has their words, but not necessarily
 * together. `worth` sums up how well a passage has each of them (see `MATCH`). A phrase that continues in the next passage
 * belongs to the one in which it begins. Ties go to `proposed`, then to the first passage. One pass over the text for each
 * phrase.
 */
export function passageWith(
  text: string,
  phrases: readonly string[],
  { proposed, worth }: { proposed: number; worth: (matches: readonly number[]) => number },
): number {
  const passages = passagesOf(text);
  const worthOf = (number: number) => worth(matchesIn(text, passages[number] as Passage, phrases));
  const most = worth(matchesIn(text, { start: 0, end: text.length }, phrases));
  let best = proposed;
  let bestWorth = worthOf(proposed);
  for (let number = 0; number < passages.length && bestWorth < most; number++) {
    const here = worthOf(number);
    if (here > bestWorth) [best, bestWorth] = [number, here];
  }
  return best;
}

function matchesIn(text: string, { start, end }: Passage, phrases: readonly string[]): number[] {
  const within = (phrase: string, from: number, to: number) => {
    const plain = plainText(text.slice(Math.max(0, from), to));
    return matchIn(plain, foldedText(plain), phrase);
  };
  const plain = plainText(text.slice(start, end));
  const folded = foldedText(plain);
  return phrases.map((phrase) => {
    const reach = phrase.length - 1;
    return Math.max(matchIn(plain, folded, phrase), within(phrase, end - reach, end + reach));
  });
}
