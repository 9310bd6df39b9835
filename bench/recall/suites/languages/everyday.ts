import type { Random } from "../../../../test/support/random.ts";
import { Prose } from "../prose.ts";
import type { Language } from "./language.ts";
import { ENGLISH } from "./languages.ts";

/** Returns `count` different sentences of the language. No question asks for them. */
export function everydaySentences({ everyday }: Language, count: number, random: Random): string[] {
  const [who, when] = [everyday.who.split(";"), everyday.when.split(";")];
  const deeds = everyday.deeds.flatMap(deedsOf);
  return distinct(count, () => {
    const { verb, object } = random.pick(deeds);
    return everyday.frame
      .replace("{who}", random.pick(who))
      .replace("{verb}", verb)
      .replace("{object}", object)
      .replace("{when}", random.pick(when));
  });
}

/** Returns `count` different English sentences: every second one as in the other languages, the rest of more words. */
export function englishSentences(count: number, random: Random): string[] {
  const plain = everydaySentences(ENGLISH, Math.ceil(count / 2), random);
  const wordy = distinct(Math.floor(count / 2), () => new Prose(random).sentence());
  return Array.from({ length: count }, (_, at) => (at % 2 === 0 ? plain : wordy)[at >> 1] as string);
}

function deedsOf(line: string): { verb: string; object: string }[] {
  const [verbs, objects] = line.split("|").map((list) => list.split(";")) as [string[], string[]];
  return verbs.flatMap((verb) => objects.map((object) => ({ verb, object })));
}

function distinct(count: number, make: () => string): string[] {
  const made = new Set<string>();
  while (made.size < count) made.add(make());
  return [...made];
}
