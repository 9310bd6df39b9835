import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { commandOf } from "../../../bin/runtime.js";
import manifest from "../../../package.json" with { type: "json" };
import { openTokenEncoder } from "../../../src/adapters/token-encoder/token-encoder.ts";
import type { TokenEncoder } from "../../../src/core/embedding/token-encoder.ts";
import { splitScripts } from "../../../src/recall/language/script-terms.ts";
import { lexicon } from "../../support/recall-fixtures.ts";
import { runtimesUnderTest } from "../../support/runtimes-under-test.ts";
import { canRunTokenModel } from "../../support/token-model.ts";
import reference from "./reference.json" with { type: "json" };

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const runtimePackage = `onnxruntime-node@${manifest.peerDependencies["onnxruntime-node"]}`;
const DIMENSION = 64;

// Of any script, with words that the vocabulary cannot spell.
const texts = fc.array(fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.lorem({ maxCount: 4 })), {
  maxLength: 6,
});
const long = "The invoice for March was paid late, and nobody knows why. ".repeat(60);

let encoder: TokenEncoder;
beforeAll(async () => {
  if (canRunTokenModel) encoder = await openTokenEncoder(lexicon);
});
afterAll(() => encoder?.close());
const withModel = test.runIf(canRunTokenModel);

/** The pieces of words that the model may know. */
const piecesOf = (text: string) => lexicon.pieces(splitScripts(text).spelled);

/** The vectors of a text, one for each piece. */
async function vectorsOf(text: string): Promise<number[][]> {
  const [components = new Int8Array()] = await encoder.encode([text]);
  return Array.from({ length: components.length / DIMENSION }, (_, piece) =>
    Array.from(components.subarray(piece * DIMENSION, (piece + 1) * DIMENSION)),
  );
}

/** The vector of a word's first piece in a text. */
async function meaningOf(word: string, text: string): Promise<number[]> {
  const at = piecesOf(text).findIndex((piece) => lexicon.word(piece) === word);
  return (await vectorsOf(text))[at] as number[];
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, component, at) => sum + component * (b[at] as number), 0);
const cosine = (a: readonly number[], b: readonly number[]) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

withModel("each piece has the vector that the float model gives it", async () => {
  const vectors = await vectorsOf(reference.text);
  const cosines = reference.vectors.map((exact, piece) => cosine(exact, vectors[piece] as number[]));
  expect(vectors).toHaveLength(reference.vectors.length);
  expect(Math.min(...cosines)).toBeGreaterThan(0.93);
  expect(cosines.reduce((sum, one) => sum + one, 0) / cosines.length).toBeGreaterThan(0.98);
});

withModel("a word has the vector of what it means where it stands", async () => {
  const money = await meaningOf("bank", "She opened an account at the bank.");
  const loan = await meaningOf("bank", "The bank refused his loan.");
  const river = await meaningOf("bank", "They sat on the grassy bank of the river.");
  expect(cosine(money, loan)).toBeGreaterThan(cosine(money, river));
});

withModel(
  "every text has one vector of length 127 for each of its pieces, the same alone and among others, as a memory and as a query",
  async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (some) => {
        const together = await encoder.encode(some);
        for (const [at, text] of some.entries()) {
          expect(together[at]).toHaveLength(piecesOf(text).length * DIMENSION);
          expect(await encoder.encodeQuery(text)).toEqual(together[at]);
          for (const vector of await vectorsOf(text)) {
            expect(Math.abs(Math.sqrt(dot(vector, vector)) - 127)).toBeLessThan(3);
          }
        }
      }),
      { numRuns: 20 },
    );
  },
);

withModel(
  "a text that is longer than the model reads at once has all its vectors up to a bound, and a query those of its beginning",
  async () => {
    const passage = long.slice(0, 1600);
    expect(await vectorsOf(passage)).toHaveLength(piecesOf(passage).length);
    expect(await vectorsOf(long)).toHaveLength(508);
    expect(await encoder.encodeQuery(long)).toHaveLength(128 * DIMENSION);
  },
);

withModel("of other scripts than Latin nothing is encoded", async () => {
  expect(await vectorsOf("สุนัขของฉันกลัวฟ้าร้อง 雷が怖い")).toHaveLength(0);
  expect(await vectorsOf("Мой port 8080")).toHaveLength(piecesOf("port 8080").length);
});

withModel("a query does not wait for the texts that came before it", async () => {
  const order: string[] = [];
  const texts = encoder.encode([long, long]).then(() => order.push("texts"));
  const query = encoder.encodeQuery("Who paid?").then(() => order.push("query"));
  await Promise.all([texts, query]);
  expect(order).toEqual(["query", "texts"]);
});

withModel(
  "what waits when it is closed, and what comes later, is rejected; closing twice is once",
  async () => {
    const closing = await openTokenEncoder(lexicon);
    const waiting = Promise.allSettled([closing.encode([long]), closing.encodeQuery("Who paid?")]);
    await closing.close();
    await closing.close();
    for (const settled of await waiting)
      expect(settled).toMatchObject({ reason: { name: "TokenModelError" } });
    await expect(closing.encode(["late"])).rejects.toThrow("The model is closed.");
  },
);

test("a file that is missing or another is refused, with what to do", async () => {
  const folder = mkdtempSync(join(tmpdir(), "token-model-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const opened = () => openTokenEncoder(lexicon, { folder });
  await expect(opened()).rejects.toThrow(/could not be read \(ENOENT\): install it again with `npm install /);
  writeFileSync(join(folder, "token-model.onnx"), "other");
  await expect(opened()).rejects.toThrow(/is not the file of @recollect\/token-model .*: install it again/);
});

describe.each(runtimesUnderTest)("on %s", { timeout: 120_000 }, (runtime) => {
  const run = (folder: string) => {
    const [program = "", ...before] = commandOf(runtime);
    const script = join(folder, "test/fixtures/token-encoder.ts");
    return execFileSync(program, [...before, script], { cwd: folder, encoding: "utf8" });
  };

  withModel("it runs, and makes the same vectors", async () => {
    const here = (await vectorsOf("My dog is afraid of thunder.")).flat().join(" ");
    expect(run(repository)).toBe(here);
  });

  test("without its package, and without what runs it, it says which to install", () => {
    const bare = mkdtempSync(join(tmpdir(), "token-encoder-"));
    try {
      for (const path of [
        "src/core",
        "src/recall",
        "src/contract",
        "src/adapters/embedding/builtin.ts",
        "src/adapters/model-package.ts",
        "src/adapters/model-thread.ts",
        "src/adapters/token-encoder",
        "test/fixtures/token-encoder.ts",
      ])
        cpSync(join(repository, path), join(bare, path), { recursive: true });
      symlinkSync(join(repository, "models"), join(bare, "models"));
      mkdirSync(join(bare, "node_modules"));
      symlinkSync(join(repository, "node_modules/opencc-js"), join(bare, "node_modules/opencc-js"));
      writeFileSync(join(bare, "package.json"), '{"type": "module"}');
      expect(run(bare)).toContain(
        "TokenModelError: The package @recollect/token-model is not installed: run `npm",
      );
      const installed = join(bare, "node_modules/@recollect");
      mkdirSync(installed);
      symlinkSync(join(repository, "packages/token-model"), join(installed, "token-model"));
      expect(run(bare)).toMatch(
        /^TokenModelError: .*onnxruntime-node, which is not installed: run `npm install /,
      );
      expect(run(bare)).toContain(`${runtimePackage}\``);
    } finally {
      rmSync(bare, { recursive: true });
    }
  });
});
