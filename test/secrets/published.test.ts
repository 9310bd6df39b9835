import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSecretScanner } from "../../src/adapters/secret-scan/create-secret-scanner.ts";
import { FORMS } from "../../src/adapters/secret-scan/known-tokens.ts";
import { SECRET_FORMS } from "./corpus/forms.ts";
import { corpusTables, measureCorpus } from "./corpus/measure.ts";
import { SeededRandom } from "./corpus/random.ts";

const page = readFileSync(new URL("../../docs/secrets.md", import.meta.url), "utf8");
const result = measureCorpus(createSecretScanner());

test("the tables of docs/secrets.md are what `npm run bench:secrets` prints", () => {
  const published = page.split("<!-- corpus -->\n")[1]?.split("\n<!-- /corpus -->")[0];
  expect(published).toBe(corpusTables(result));
});

test("the corpus has 25 secrets of each form in every place, and 600 texts without one", () => {
  for (const { plain, disguised } of result.forms) {
    expect(plain.of).toBeGreaterThanOrEqual(25);
    expect(disguised.of).toBeGreaterThanOrEqual(25);
  }
  expect(result.negatives.of).toBeGreaterThanOrEqual(600);
});

test("the corpus has a secret of every form in the code, with each of its beginnings", () => {
  const random = new SeededRandom(3);
  for (const { kind, starts, keepsStart } of FORMS) {
    const made = SECRET_FORMS.filter((form) => form.kind === kind).flatMap(({ make, within }) =>
      make.flatMap((one) => (within ?? ["{}"]).map((place) => place.replace("{}", () => one(random)))),
    );
    for (const start of starts)
      expect(made.some((text) => (keepsStart ? text.includes(start) : text.startsWith(start)))).toBe(true);
  }
});
