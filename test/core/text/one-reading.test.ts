import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyseQuery } from "../../../src/recall/index/query.ts";
import { partsOfText } from "../../../src/recall/language/parts.ts";
import { read } from "../../../src/recall/language/reading.ts";
import { endsSentenceBefore, type Span } from "../../../src/recall/language/sentences.ts";
import { wordsKey } from "../../../src/recall/statements/same-words.ts";
import { comparedText } from "../../../src/recall/statements/sameness.ts";
import { piecesOf } from "../../../src/recall/statements/shown-pieces.ts";
import { statedBy } from "../../../src/recall/statements/statement.ts";
import { runs } from "../../support/random.ts";
import { lexicon } from "../../support/recall-fixtures.ts";

/** Every reader of text, by the sentences that it sees. */
const READERS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  "the reading": (text) => written(text, read(text).spans),
  "a query": (text) => analyseQuery(text, lexicon).sentences,
  "an excerpt": (text) => written(text, partsOfText(text)),
  "ends of passages": (text) => written(text, spansByEnds(text)),
};

/** Those that see sentences in the spelling by which they are compared. */
const COMPARING: Readonly<Record<string, (text: string) => readonly string[]>> = {
  sameness: (text) => comparedText(text).sentences,
  statements: (text) => statedBy(text).map((one) => one.text),
  repetitions: (text) => wordsKey(text).split("\n"),
  "what was shown": (text) => {
    const pieces = [...piecesOf(text)];
    return pieces.length > 1 ? pieces.slice(1) : pieces;
  },
};

function written(text: string, spans: readonly Span[]): string[] {
  return spans.map(({ start, end }) => text.slice(start, end).trim());
}

function spansByEnds(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && (!endsSentenceBefore(text, at) || /\s/.test(text[at] as string))) continue;
    spans.push({ start, end: at });
    start = at;
  }
  return spans;
}

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ["Who is Dr. Smith?", ["Who is Dr. Smith?"]],
  ["Ask Mrs. Lee or Prof. Ott. They know it.", ["Ask Mrs. Lee or Prof. Ott.", "They know it."]],
  ["J. R. Doe met Harry S. Truman. He was late.", ["J. R. Doe met Harry S. Truman.", "He was late."]],
  ["It is Plan B. The rest is open.", ["It is Plan B.", "The rest is open."]],
  ["Bring fruit, e.g. Apples. Then leave.", ["Bring fruit, e.g. Apples.", "Then leave."]],
  ["We meet at 5 p.m. Bob knows the room.", ["We meet at 5 p.m. Bob knows the room."]],
  ["We meet at 5 p.m. The room is known.", ["We meet at 5 p.m.", "The room is known."]],
  ["It was at 5 p.m. today. Nobody came.", ["It was at 5 p.m. today.", "Nobody came."]],
  ["Pi is 3.14159 or so. It goes on.", ["Pi is 3.14159 or so.", "It goes on."]],
  ["We run Node v20.1. It works well.", ["We run Node v20.1.", "It works well."]],
  ["See https://example.org/a.b?c=d. It has it all.", ["See https://example.org/a.b?c=d.", "It has it all."]],
  ["He lives in the U.S. She does not.", ["He lives in the U.S.", "She does not."]],
  ["The U.S. Army was there. It left.", ["The U.S. Army was there.", "It left."]],
  ["Acme Inc. sells anvils. It is old.", ["Acme Inc. sells anvils.", "It is old."]],
  ["Is it open? No. It is closed.", ["Is it open?", "No.", "It is closed."]],
  ["It is in No. 5 of the row. Look there.", ["It is in No. 5 of the row.", "Look there."]],
  ['"Really?" she asked him. He nodded twice.', ['"Really?" she asked him.', "He nodded twice."]],
  ["He said “stop it.” She did so.", ["He said “stop it.”", "She did so."]],
  ["It rains (as ever.) and snows. That is all.", ["It rains (as ever.) and snows.", "That is all."]],
  ["It takes long… We know that.", ["It takes long…", "We know that."]],
  ["It takes long... We know that.", ["It takes long...", "We know that."]],
  ["我买了旧自行车。小明去了图书馆！", ["我买了旧自行车。", "小明去了图书馆！"]],
  ["वह कल आया था।फिर वह गया॥", ["वह कल आया था।", "फिर वह गया॥"]],
  ["ร้านเปิดทุกวัน ปิดวันอาทิตย์", ["ร้านเปิดทุกวัน ปิดวันอาทิตย์"]],
];

describe.each(Object.entries(READERS))("%s", (_, sentences) => {
  test.each(CASES)("reads %j as one reading has it", (text, expected) => {
    // A query leaves out what is a single word.
    const isQuery = sentences === READERS["a query"];
    const telling = expected.filter((one) => !isQuery || /\s|[\u3000-\uffff]|।/.test(one));
    expect(sentences(text)).toEqual(telling);
  });
});

describe.each(Object.entries(COMPARING))("%s", (_, sentences) => {
  test.each(CASES)("see as many sentences in %j", (text, expected) => {
    const isStatement = sentences === COMPARING.statements;
    const count = expected.filter((one) => !isStatement || !/[?？]["”]?$/.test(one)).length;
    expect(sentences(text)).toHaveLength(count);
  });
});

/** What stands inside of a sentence, marks and all. */
const INSIDE = fc.constantFrom(
  "Dr. Smith",
  "J. Doe",
  "e.g. tea",
  "5 p.m. today",
  "3.5 kg",
  "v1.2.3-rc.1",
  "https://example.org/a.b?c=1",
  "config.yaml",
  "No. 7",
  "vs. them",
  '"so" they say',
  "10² tries",
  "naïve Zoë",
  "ann@example.org",
  "St. Ives",
);
const SENTENCE = fc
  .tuple(
    fc.constantFrom("The", "We", "It", "They"),
    fc.array(INSIDE, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(".", "!", "?", "…"),
  )
  .map(([first, inside, mark]) => `${first} saw ${inside.join(" and ")} there${mark}`);

test("whatever sentences are made of, every reader sees the same ones", () => {
  fc.assert(
    fc.property(
      fc.array(SENTENCE, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(" ", "  ", "\u00a0"),
      (all, blank) => {
        const text = all.join(blank);
        for (const sentences of Object.values(READERS)) expect(sentences(text)).toEqual(all);
        expect(comparedText(text).sentences).toHaveLength(all.length);
        expect(statedBy(text)).toHaveLength(
          all.filter((one) => !one.endsWith("?")).slice(0, all.length).length,
        );
        expect(wordsKey(text).split("\n")).toHaveLength(all.length);
      },
    ),
    { numRuns: runs(500) },
  );
});

test("any text is covered by its sentences, and each of them is one sentence", () => {
  const text = fc.string({
    unit: fc.constantFrom(..."aBé1 .!?…。।\n\"')»-中ก", " Dr. ", " e.g. ", "\n2. "),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, (any) => {
      const { spans } = read(any);
      expect(spans.map(({ start, end }) => any.slice(start, end)).join("")).toBe(any);
    }),
    { numRuns: runs(2000) },
  );
});

const SRC = join(import.meta.dirname, "../../../src");
/** Divides a text into sentences or words: a segmenter, a class of the marks of sentences, a pattern of words. */
const DIVIDES = /Intl\.Segmenter|\[[^\]\n]*\.!\?|\\p\{L\}[^/\n]*\][*+][^\n]*\/[a-z]*g|\.split\(\/\\s/;
/** Those that do not read what somebody has written. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "recall/index/forms-of-address.ts":
    "the mark after a name, at the beginning of a sentence that the reading has found",
  "recall/statements/relation.ts": "words with a capital, to leave out texts without a name",
  "recall/statements/same-words.ts": "takes out everything but letters",
  "contract/redirect-uri.ts": "a list in the code",
  "surfaces/mcp/tool-result.ts": "ends a sentence of the service's own",
  "core/transfer/peers/sentences.ts": "makes sentences of a graph's names",
  "core/transfer/peers/basic-memory.ts": "reads tags of another system's files",
  "adapters/embedded-postgres/process-identity.ts": "reads the output of ps",
  "adapters/multilingual-encoder/language.ts": "counts what stands between spaces, to tell prose from code",
};

test("nothing but the language room divides texts into sentences or words", () => {
  const dividing = sources(SRC)
    .filter(
      (file) => !file.startsWith("recall/language/") && DIVIDES.test(readFileSync(join(SRC, file), "utf8")),
    )
    .sort();
  expect(dividing).toEqual(Object.keys(EXCEPTIONS).sort());
});

function sources(folder: string, below = ""): string[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = below === "" ? name : `${below}/${name}`;
    if (statSync(join(folder, path)).isDirectory()) return sources(folder, path);
    return path.endsWith(".ts") && path !== "client/contract.ts" ? [path] : [];
  });
}
