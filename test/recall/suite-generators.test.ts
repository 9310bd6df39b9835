/** What the recall suites store and ask keeps its promises: otherwise their figures would measure the generators. */
import { describe, expect, test } from "vitest";
import { contradictingPairs } from "../../bench/recall/suites/contradictions/pairs.ts";
import { repetitions } from "../../bench/recall/suites/contradictions/repetitions.ts";
import { SWAP_KINDS } from "../../bench/recall/suites/contradictions/swaps.ts";
import { holds } from "../../bench/recall/suites/identifiers/holds.ts";
import { KINDS } from "../../bench/recall/suites/identifiers/kinds.ts";
import { lookAlike } from "../../bench/recall/suites/identifiers/look-alikes.ts";
import { identifierSet, LENGTH_MAX, LENGTH_MIN } from "../../bench/recall/suites/identifiers/memories.ts";
import { echoes, knownFact, nearRepetitions, trivia } from "../../bench/recall/suites/junk/offers.ts";
import { assistantChats } from "../../bench/recall/suites/kinds/assistant/chats.ts";
import { codingNotes } from "../../bench/recall/suites/kinds/coding/notes.ts";
import { logEntries } from "../../bench/recall/suites/kinds/logs/entries.ts";
import { meetingNotes } from "../../bench/recall/suites/kinds/meetings/notes.ts";
import { factsOf } from "../../bench/recall/suites/languages/facts.ts";
import { ENGLISH, LANGUAGES } from "../../bench/recall/suites/languages/languages.ts";
import { languageFacts, MEMORIES_PER_SPACE } from "../../bench/recall/suites/languages/spaces.ts";
import { Prose, SENTENCE_LENGTH_MAX } from "../../bench/recall/suites/prose.ts";
import { ROLE_KINDS, rolePairs } from "../../bench/recall/suites/roles/pairs.ts";
import { scriptSentences } from "../../bench/recall/suites/scripts/sentences.ts";
import { SITUATIONS, statusCases } from "../../bench/recall/suites/status/cases.ts";
import { Subjects } from "../../bench/recall/suites/subjects.ts";
import { histories } from "../../bench/recall/suites/updates/histories.ts";
import { createRandom, runs, SEED } from "../support/random.ts";

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A slot, or the end of a line, that is still a template's. */
const UNFILLED = /\{(\w+:)?\d+-\d+\}|\{[a-z]+\d?~?\}|\\n/;

describe(`seed ${SEED}`, () => {
  test.each([
    ["identifiers", (seed: number) => identifierSet(12, seed)],
    ["contradictions", (seed: number) => contradictingPairs(60, seed)],
    ["repetitions", (seed: number) => repetitions(20, seed)],
    ["status", (seed: number) => statusCases(20, seed)],
    ["updates", (seed: number) => histories(60, seed)],
    ["roles", (seed: number) => rolePairs(24, seed)],
    ["scripts", (seed: number) => scriptSentences(seed, 20)],
    ["languages", (seed: number) => languageFacts(seed, ["nl"])],
    ["assistant", (seed: number) => assistantChats(seed, 60)],
    ["coding", (seed: number) => codingNotes(seed)],
    ["meetings", (seed: number) => meetingNotes(seed)],
    ["logs", (seed: number) => logEntries(seed)],
  ] as const)("%s: the same for the same seed, and another for another", (_, make) => {
    const text = (seed: number) => JSON.stringify(make(seed));
    expect(text(SEED)).toBe(text(SEED));
    expect(text(SEED)).not.toBe(text(SEED + 1));
  });

  test.each([
    ["assistant", assistantChats],
    ["coding", codingNotes],
    ["meetings", meetingNotes],
    ["logs", logEntries],
  ] as const)(
    "%s: a store answers each question with one memory, and nothing is left to fill in",
    (_, make) => {
      for (const { memories, queries } of make(SEED).spaces) {
        expect(new Set(queries.map(({ query }) => query)).size).toBe(queries.length);
        expect(queries.every(({ relevant }) => relevant.length === 1)).toBe(true);
        const texts = [...memories.map(({ content }) => content), ...queries.map(({ query }) => query)];
        expect(texts.filter((text) => UNFILLED.test(text))).toEqual([]);
      }
    },
  );

  test("a look-alike is another identifier of its kind", () => {
    const random = createRandom(SEED);
    for (const kind of KINDS) {
      for (let n = 0; n < runs(500); n += 1) {
        const id = kind.make(random);
        expect(id).toMatch(kind.pattern);
        const other = lookAlike(id, kind, random);
        if (other === null) continue;
        expect(other).not.toBe(id);
        expect(other).toMatch(kind.pattern);
        expect(Math.abs(other.length - id.length)).toBeLessThanOrEqual(1);
      }
    }
  });

  test("the two memories of a role pair differ only in who stands where", () => {
    const pairs = rolePairs(10 * ROLE_KINDS.length, SEED);
    expect(new Set(pairs.map(({ kind }) => kind)).size).toBe(ROLE_KINDS.length);
    for (const { right, reversed, others } of pairs) {
      expect(right).not.toBe(reversed);
      expect(words(right).sort()).toEqual(words(reversed).sort());
      expect(others).toHaveLength(20);
      expect(others).not.toContain(right);
    }
  });

  test("every identifier is named by one memory, and an unknown one by none", () => {
    const { memories, unknown, others } = identifierSet(80, SEED);
    for (const { id, content, statement } of memories) {
      expect(memories.filter((other) => holds(other.content, id))).toHaveLength(1);
      expect(holds(statement, id)).toBe(true);
      expect(content).toContain(statement);
      expect(content.split(statement)).toHaveLength(2);
    }
    for (const { id } of unknown) expect(memories.some(({ content }) => holds(content, id))).toBe(false);
    expect(unknown.length).toBeGreaterThan(20);
    expect(others).toBeGreaterThan(80);
    expect(new Set(memories.map(({ kind }) => kind)).size).toBe(KINDS.length);
  });

  test("memories are as long as said, and their logarithms are spread evenly", () => {
    const lengths = identifierSet(200, SEED).memories.map(({ content }) => content.length);
    for (const length of lengths) {
      expect(length).toBeGreaterThanOrEqual(LENGTH_MIN);
      expect(length).toBeLessThanOrEqual(LENGTH_MAX);
    }
    const below = lengths.filter((length) => length < Math.sqrt(LENGTH_MIN * LENGTH_MAX)).length;
    expect(below / lengths.length).toBeGreaterThan(0.3);
    expect(below / lengths.length).toBeLessThan(0.7);
  });

  test("an identifier is not named by a longer one", () => {
    expect(holds("See INC-5531.", "INC-5531")).toBe(true);
    expect(holds("(1.2.3), then", "1.2.3")).toBe(true);
    expect(holds('#### 1. "INC-5531": done', "INC-5531")).toBe(true);
    for (const [text, id] of [
      ["INC-55310", "INC-5531"],
      ["1.2.3-rc.1", "1.2.3"],
      ["/srv/a/b.conf.bak", "/srv/a/b.conf"],
      ["http://host:7781/", "7781"],
      ["getUsers", "getUser"],
      ["inc-5531", "INC-5531"],
      ["a_b_c", "b_c"],
    ] as const)
      expect(holds(text, id), `${id} in ${text}`).toBe(false);
  });

  test("prose has no identifier in it, and sentences that end", () => {
    const prose = new Prose(createRandom(SEED));
    for (const sentence of prose.sentences(20_000)) {
      expect(sentence.length).toBeLessThanOrEqual(SENTENCE_LENGTH_MAX);
      expect(sentence).toMatch(/^[A-Z][A-Za-z ,;:-]+\.$/);
    }
  });

  test("the sides of a contradiction differ in one sentence, each pair is about something else", () => {
    const pairs = contradictingPairs(runs(10_000), SEED);
    expect(new Set(pairs.map(({ kind }) => kind))).toEqual(new Set(SWAP_KINDS));
    for (const { sides, question } of pairs) {
      const [a, b] = sides.map((side) => side.split(/(?<=[.!]) /));
      expect(a).toHaveLength(b?.length ?? 0);
      expect(a?.filter((sentence, at) => sentence !== b?.[at])).toHaveLength(1);
      expect(question).toMatch(/\?$/);
    }
    const stated = pairs.flatMap(({ sides }) => sides);
    expect(new Set(stated).size).toBe(stated.length);
    expect(new Set(pairs.map(({ question }) => question)).size).toBe(pairs.length);
  });

  test("a repetition has every word of what it repeats, in its order", () => {
    for (const { first, again } of repetitions(runs(400), SEED)) {
      expect(again).not.toBe(first);
      expect(words(again).join(" ")).toContain(words(first).join(" "));
    }
  });

  test("evidence is stored where it is said to be, and not where it is withheld", () => {
    const cases = statusCases(runs(200), SEED);
    const contents = cases.flatMap((one) => one.contents);
    expect(new Set(contents).size).toBe(contents.length);
    for (const situation of SITUATIONS) {
      const some = cases.filter((one) => one.situation === situation);
      const answering = { plain: 1, paraphrased: 1, contradicted: 2 }[situation as string] ?? 0;
      expect(some.every((one) => one.answering === answering)).toBe(true);
      expect(some.every((one) => one.contents.length >= one.answering)).toBe(true);
    }
  });

  test("no value of a changed fact comes twice, and keys are equal, differ or are none", () => {
    for (const { keys, authors, writings } of histories(runs(1200), SEED)) {
      expect(new Set(writings.map(({ content }) => content)).size).toBe(writings.length);
      expect(writings.length).toBeGreaterThanOrEqual(2);
      expect(writings.length).toBeLessThanOrEqual(6);
      const distinct = new Set(writings.map(({ key }) => key));
      if (keys === "no keys") expect([...distinct]).toEqual([null]);
      else expect(distinct.size).toBe(keys === "equal keys" ? 1 : writings.length);
      expect(new Set(writings.map(({ agent }) => agent)).size).toBe(
        authors === "other agents" ? writings.length : 1,
      );
    }
  });

  test("what is offered as new says something else, and no echo is empty", () => {
    const random = createRandom(SEED);
    const subjects = new Subjects(random);
    for (let n = 0; n < runs(500); n += 1) {
      const fact = knownFact(subjects, random);
      const contextText = `### Heading\nA notice.\n#### 1.\n> ${fact.content}\n`;
      const offers = [
        ...echoes({ contextText, content: fact.content }, random),
        ...nearRepetitions(fact, random),
        ...trivia(fact, random),
      ];
      for (const { content, isNew, sort } of offers) {
        expect(content.trim(), sort).not.toBe("");
        if (isNew) expect(words(fact.content).join(" "), sort).not.toContain(words(content).join(" "));
      }
    }
  });

  test.each(LANGUAGES.map((language) => [language.code, language] as const))(
    "%s: says and asks the same as English, once each",
    (_, language) => {
      const facts = factsOf(language);
      const texts = facts.flatMap(({ statement, plain, indirect }) => [statement, plain, indirect]);
      expect(new Set(texts).size).toBe(texts.length);
      for (const [at, { statement }] of factsOf(ENGLISH).entries())
        for (const name of statement.match(/\b[A-Z]{3,}\b|\b\d{4}\b|#[\w-]+|RabbitMQ|Internet Explorer/g) ??
          [])
          expect(facts[at]?.statement).toContain(name);
    },
  );

  test.each(LANGUAGES.map(({ code }) => code))("%s: every query has its one fact in its space", (code) => {
    const { spaces } = languageFacts(SEED, [code]);
    expect(spaces).toHaveLength(3);
    for (const { memories, queries } of spaces) {
      expect(memories).toHaveLength(MEMORIES_PER_SPACE);
      expect(
        memories.map(({ content }) => content).filter((content) => /[{}|]|undefined/.test(content)),
      ).toEqual([]);
      expect(new Set(memories.map(({ content }) => content)).size).toBe(memories.length);
      const refs = new Set(memories.map(({ ref }) => ref));
      for (const { relevant } of queries) expect(relevant.map((ref) => refs.has(ref))).toEqual([true]);
      const asked = queries.map(({ kind, id }) => `${kind} ${id}`);
      expect(new Set(asked).size).toBe(asked.length);
    }
  });

  test("a language without facts is named", () => {
    expect(() => languageFacts(SEED, ["xx"])).toThrow('No facts in "xx"');
  });
});
