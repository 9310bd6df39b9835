import { createRandom, type Random } from "../../../../test/support/random.ts";
import type { DataSet, Memory, Query, Space } from "../../data-set.ts";
import { shuffled } from "../shuffled.ts";
import { englishSentences, everydaySentences } from "./everyday.ts";
import { FACTS, type Fact, factsOf } from "./facts.ts";
import type { Language } from "./language.ts";
import { ENGLISH, LANGUAGES } from "./languages.ts";

export const MEMORIES_PER_SPACE = 4000;
const HOUR = 3_600_000;
const FIRST_HOUR = Date.UTC(2026, 0, 1);

/**
 * Sixty facts among 4,000 memories, asked for in another language than they are stored in. The kind of a query is the
 * language of the question and that of the fact, such as `nl → en`. Each fact is asked for plainly, and indirectly with few
 * of its words.
 *
 * - `english`: English memories alone. Every language asks, English too.
 * - `facts in nl`: the facts are Dutch, half of the other memories are English. English asks.
 * - `mixed en nl`: half of the facts and half of the other memories are English. Both languages ask for every fact.
 *
 * The same seed makes the same set. `codes` names the languages beside English; all by default.
 */
export function languageFacts(
  seed: number,
  codes: readonly string[] = LANGUAGES.map(({ code }) => code),
): DataSet {
  const languages = codes.map(languageOf);
  const english = englishSentences(MEMORIES_PER_SPACE - FACTS, createRandom(seed));
  return {
    name: "languages",
    license: "Apache-2.0",
    spaces: [
      englishSpace(languages, english, createRandom(seed)),
      ...languages.flatMap((language) => {
        const random = createRandom(seed);
        const half = english.length / 2;
        const others = [...english.slice(0, half), ...everydaySentences(language, half, random)];
        return [foreignSpace(language, others, random), mixedSpace(language, others, random)];
      }),
    ],
  };
}

function languageOf(code: string): Language {
  const language = LANGUAGES.find((one) => one.code === code);
  if (language === undefined) {
    const known = LANGUAGES.map((one) => one.code).join(", ");
    throw new Error(`No facts in "${code}". There are facts in ${known}.`);
  }
  return language;
}

interface LanguageFact extends Fact {
  readonly code: string;
  readonly ref: string;
}

function factsIn(language: Language): LanguageFact[] {
  const { code } = language;
  return factsOf(language).map((fact, at) => ({ ...fact, code, ref: `fact-${at + 1}` }));
}

function englishSpace(languages: readonly Language[], others: readonly string[], random: Random): Space {
  const facts = factsIn(ENGLISH);
  return {
    space: "english",
    memories: memoriesOf(facts, others, random),
    queries: [ENGLISH, ...languages].flatMap((asking) => queriesFor("english", facts, asking)),
  };
}

function foreignSpace(language: Language, others: readonly string[], random: Random): Space {
  const facts = factsIn(language);
  return {
    space: `facts in ${language.code}`,
    memories: memoriesOf(facts, others, random),
    queries: queriesFor("foreign facts", facts, ENGLISH),
  };
}

function mixedSpace(language: Language, others: readonly string[], random: Random): Space {
  const foreign = factsIn(language);
  const facts = factsIn(ENGLISH).map((fact, at) => (at % 2 === 0 ? fact : (foreign[at] as LanguageFact)));
  return {
    space: `mixed en ${language.code}`,
    memories: memoriesOf(facts, others, random),
    queries: [ENGLISH, language].flatMap((asking) => queriesFor("mixed", facts, asking)),
  };
}

function queriesFor(store: string, facts: readonly LanguageFact[], asking: Language): Query[] {
  const asked = factsOf(asking);
  return (["plain", "indirect"] as const).flatMap((manner) =>
    facts.map(({ code, ref }, at) => ({
      id: `${ref}-${asking.code}-${manner}`,
      kind: `${asking.code} → ${code}${SUFFIXES[manner]}`,
      group: `${store}: ${sideOf(asking.code)} → ${sideOf(code)}${SUFFIXES[manner]}`,
      query: (asked[at] as Fact)[manner],
      relevant: [ref],
    })),
  );
}

const SUFFIXES = { plain: "", indirect: ", indirect" } as const;

function sideOf(code: string): string {
  return code === ENGLISH.code ? code : "other";
}

/** In a random order, so that facts are neither newer nor older than the rest. */
function memoriesOf(facts: readonly LanguageFact[], others: readonly string[], random: Random): Memory[] {
  const contents = [
    ...facts.map(({ ref, statement }) => ({ ref, content: statement })),
    ...others.map((content, at) => ({ ref: `other-${at + 1}`, content })),
  ];
  return shuffled(contents, random).map(({ ref, content }, at) => ({
    ref,
    content,
    created_at: new Date(FIRST_HOUR + at * HOUR).toISOString(),
    session: `session-${at}`,
    speaker: "user",
  }));
}
