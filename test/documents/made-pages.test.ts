/** The pages of docs/ that are made from the code say what the code says now: `npm run docs:pages` writes them anew. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { madePages } from "../../docs/site/made-pages/pages.ts";
import { type ErrorCode, errorCodes } from "../../src/contract/error.ts";

test.each(Object.entries(madePages()))("%s is current", (path, content) => {
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")).toBe(content);
});

test.each(Object.keys(errorCodes) as ErrorCode[])("%s has a cause and a cure, in whole sentences", (code) => {
  const { cause, cure } = errorCodes[code];
  for (const words of [cause, cure]) expect(words).toMatch(/^[A-Z`].{30,}\.$/);
});
