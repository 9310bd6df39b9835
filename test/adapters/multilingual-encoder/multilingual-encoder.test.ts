import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandOf } from "../../../bin/runtime.js";
import { openMultilingualEncoder } from "../../../src/adapters/multilingual-encoder/multilingual-encoder.ts";
import type { MultilingualEncoder } from "../../../src/core/embedding/multilingual-encoder.ts";
import { runtimesUnderTest } from "../../support/runtimes-under-test.ts";
import facts from "./facts.json" with { type: "json" };
import notes from "./notes.json" with { type: "json" };
import reference from "./reference.json" with { type: "json" };

const repository = fileURLToPath(new URL("../../../", import.meta.url));

const words = fc.array(fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.lorem({ maxCount: 4 })), {
  maxLength: 6,
});
const passage = "The invoice for March was paid late, and nobody knows why. ".repeat(27);

async function open(): Promise<MultilingualEncoder> {
  const opened = await openMultilingualEncoder();
  if (opened === null) throw new Error("packages/multilingual is incomplete.");
  return opened;
}

let encoder: MultilingualEncoder;
beforeAll(async () => {
  encoder = await open();
});
afterAll(() => encoder?.close());

async function vectorsOf(texts: readonly string[]): Promise<Float32Array[]> {
  return (await encoder.encode(texts)).map(({ vector }) => vector);
}

async function vectorOf(text: string): Promise<Float32Array> {
  return (await vectorsOf([text]))[0] as Float32Array;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, component, at) => sum + component * (b[at] as number), 0);

/** The place of the text that is nearest to a vector. */
function nearest(vector: Float32Array, texts: readonly Float32Array[]): number {
  const cosines = texts.map((text) => dot(vector, text));
  return cosines.indexOf(Math.max(...cosines));
}

test("vectors are those of the float model, reduced to 256 components", async () => {
  for (const [text, exact] of Object.entries(reference)) {
    const vector = await vectorOf(text);
    expect(vector).toHaveLength(256);
    expect(dot(vector, exact), text).toBeGreaterThan(0.97);
  }
});

test("the nearest fact in another language is the same fact, in 16 languages", {
  timeout: 60_000,
}, async () => {
  const languages = Object.keys(facts) as (keyof typeof facts)[];
  const vectors = new Map<string, Float32Array[]>();
  for (const language of languages) vectors.set(language, await vectorsOf(facts[language]));
  const wrong = languages.flatMap((asked) =>
    languages.flatMap((stored) =>
      (vectors.get(asked) ?? []).flatMap((vector, fact) =>
        nearest(vector, vectors.get(stored) ?? []) === fact ? [] : [`${asked} → ${stored}: ${fact}`],
      ),
    ),
  );
  expect(languages).toHaveLength(16);
  // 1.5 % of 2,048.
  expect(wrong.length, wrong.join("\n")).toBeLessThan(30);
});

test("any text has a vector of length 1, the same alone, among others and as a query", async () => {
  await fc.assert(
    fc.asyncProperty(words, async (some) => {
      const together = await vectorsOf(some);
      const query = await encoder.encodeQuery(some.join(" "), some);
      expect(query.sentences).toEqual(together);
      for (const [at, text] of some.entries()) {
        expectNormalOrZero(together[at] as Float32Array);
        expect(await vectorOf(text)).toEqual(together[at]);
      }
    }),
    { numRuns: 20 },
  );
});

function expectNormalOrZero(vector: Float32Array): void {
  const length = dot(vector, vector);
  if (length !== 0) expect(Math.abs(length - 1)).toBeLessThan(1e-5);
}

test("empty, broken and very long texts are encoded as any other", async () => {
  const odd = [
    "",
    " \n",
    "\ud800",
    "a\udc00b",
    "\u200b\ufeff",
    "x".repeat(100_000),
    "字".repeat(33_000),
    "🎉",
  ];
  for (const { vector } of await encoder.encode(odd)) expectNormalOrZero(vector);
  expect(dot(await vectorOf("green\u200b tea"), await vectorOf("green  tea"))).toBeCloseTo(1, 5);
});

test("a text in a script that the encoder was not made for has no meaning: zeros, whatever it says", async () => {
  const [lao, georgian, mixed] = await encoder.encode([
    "ນາງພຣີຢາອາໄສຢູ່ວຽງຈັນ",
    "პრია ცხოვრობს ვარშავაში",
    "Priya lives in Vientiane (ວຽງຈັນ)",
  ]);
  for (const text of [lao, georgian]) expect(text?.vector.every((component) => component === 0)).toBe(true);
  expect(mixed?.vector.some((component) => component !== 0)).toBe(true);
});

test("a passage is read to its end, and a text no further than 512 pieces", async () => {
  const whole = await vectorOf(`${passage.slice(0, 1580)} Ask Priya.`);
  expect(await vectorOf(`${passage.slice(0, 1580)} Ask Tomas.`)).not.toEqual(whole);
  const beginning = passage.repeat(3);
  expect(await vectorOf(`${beginning} Ask Priya.`)).toEqual(await vectorOf(beginning));
});

test("a query does not wait for the texts that came before", async () => {
  const order: string[] = [];
  await Promise.all([
    encoder.encode([passage, passage]).then(() => order.push("texts")),
    encoder.encodeQuery("Who paid?", []).then(() => order.push("query")),
  ]);
  expect(order).toEqual(["query", "texts"]);
});

test("what waits when it is closed, and what comes later, is rejected; closing twice is once", async () => {
  const closing = await open();
  const waiting = Promise.allSettled([closing.encode([passage]), closing.encodeQuery("Who paid?", [])]);
  await closing.close();
  await closing.close();
  for (const settled of await waiting)
    expect(settled).toMatchObject({ reason: { name: "MultilingualEncoderError" } });
  await expect(closing.encode(["late"])).rejects.toThrow("The model is closed.");
});

describe("the language", () => {
  /** Texts with another language than theirs, and without one. */
  async function errorsIn(texts: readonly string[], language: string | null) {
    const found = (await encoder.encode(texts)).map((text) => text.language);
    return {
      wrong: texts.filter((_, at) => found[at] !== language && found[at] !== null),
      unknown: texts.filter((_, at) => found[at] !== language && found[at] === null),
    };
  }

  test("of short English notes and questions is English, or unclear in one of ten", async () => {
    const { wrong, unknown } = await errorsIn(notes.en, "en");
    expect(wrong).toEqual([]);
    expect(unknown.length, unknown.join("\n")).toBeLessThanOrEqual(notes.en.length / 10);
  });

  test("of notes in 14 other languages is wrong in one of a hundred, and unclear in one of ten", async () => {
    const errors = { wrong: [] as string[], unknown: [] as string[] };
    const { en: _, none: __, ...others } = notes;
    for (const set of [others, facts]) {
      for (const [language, texts] of Object.entries(set)) {
        const { wrong, unknown } = await errorsIn(texts, language.slice(0, 2));
        errors.wrong.push(...wrong);
        errors.unknown.push(...unknown);
      }
    }
    expect(errors.wrong.length, errors.wrong.join("\n")).toBeLessThanOrEqual(2);
    expect(errors.unknown.length, errors.unknown.join("\n")).toBeLessThanOrEqual(20);
  });

  test("of code, paths, logs, names and greetings is none", async () => {
    const languages = (await encoder.encode(notes.none)).map(({ language }) => language);
    const named = notes.none.filter((_, at) => languages[at] !== null);
    // An error message is prose, though a log has it.
    expect(named).toEqual(["TypeError: undefined is not a function at foo.ts:12"]);
  });

  test("of a query is that of the same text as a memory, where that is known", async () => {
    for (const texts of Object.values(notes)) {
      for (const { at, language } of (await encoder.encode(texts)).map((text, at) => ({ ...text, at })))
        if (language !== null) expect(encoder.languageOf(texts[at] as string)).toBe(language);
    }
  });

  test.each([
    ["nl", "Waarvoor is Marta allergisch?"],
    ["de", "Wer leitet das Zahlungsteam?"],
    ["pl", "Gdzie mieszka Priya?"],
    ["tr", "Yedek anahtar nerede?"],
    ["ru", "Где живёт Прия?"],
    ["en", "Where do the passwords belong now?"],
  ])("of a short question is %s: %s", async (language, question) => {
    expect(encoder.languageOf(question)).toBe(language);
  });

  test.each(["Who pays?", "ok thanks Priya", "Where do alerts go?"])(
    "of %s is English or none",
    async (text) => {
      expect(["en", null]).toContain(encoder.languageOf(text));
    },
  );
});

describe.each(runtimesUnderTest)("on %s", { timeout: 120_000 }, (runtime) => {
  const run = (folder: string) => {
    const [program = "", ...before] = commandOf(runtime);
    const script = join(folder, "test/fixtures/multilingual-encoder.ts");
    return execFileSync(program, [...before, script], { cwd: folder, encoding: "utf8" });
  };

  /** A checkout with the adapter alone, and what `prepare` adds to it. */
  function runIn(prepare: (folder: string) => void): string {
    const bare = mkdtempSync(join(tmpdir(), "multilingual-encoder-"));
    try {
      for (const path of [
        "src/core/embedding",
        "src/adapters/model-package.ts",
        "src/adapters/model-thread.ts",
        "src/adapters/multilingual-encoder",
        "src/recall/language/normal-form.ts",
        "test/fixtures/multilingual-encoder.ts",
      ])
        cpSync(join(repository, path), join(bare, path), { recursive: true });
      mkdirSync(join(bare, "node_modules"));
      for (const name of ["tsx", "esbuild", "get-tsconfig", "resolve-pkg-maps"])
        symlinkSync(join(repository, "node_modules", name), join(bare, "node_modules", name));
      writeFileSync(join(bare, "package.json"), '{"type": "module"}');
      prepare(bare);
      return run(bare);
    } finally {
      rmSync(bare, { recursive: true });
    }
  }

  test("it runs, and makes the same vectors", async () => {
    const [text] = await encoder.encode(["Der Hund hat Angst vor lautem Donner."]);
    const query = await encoder.encodeQuery("Who is afraid?", ["Who?"]);
    const vectors = [text?.vector ?? [], query.whole, ...query.sentences];
    expect(run(repository)).toBe(["de", ...vectors.flatMap((vector) => [...vector])].join(" "));
  });

  test("without the package it is absent, beside the server it is found, and another version's file is refused", () => {
    const installed = "node_modules/@recollect/multilingual";
    const install = (folder: string) => {
      mkdirSync(join(folder, "node_modules/@recollect"));
      cpSync(join(repository, "packages/multilingual"), join(folder, installed), { recursive: true });
    };
    expect(runIn(() => {})).toBe("not installed");
    expect(runIn(install)).toMatch(/^de -?\d/);
    const refused = runIn((folder) => {
      install(folder);
      writeFileSync(join(folder, installed, "kernel.wasm"), "other");
    });
    expect(refused).toMatch(
      /^MultilingualEncoderError: .*kernel\.wasm is not the file of @recollect\/multilingual .*: install it again/,
    );
  });
});
