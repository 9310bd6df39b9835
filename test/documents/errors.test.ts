import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorCodes, helpOf } from "../../src/contract/error.ts";
import { errorsPage } from "../../tools/errors/page.ts";

const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");

test("docs/errors.md is made from the contract: `npm run errors-page` makes it anew", () => {
  expect(page).toBe(errorsPage());
});

test("every code has a heading, which its errors lead to", () => {
  const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => `/docs/errors#${code}`);
  expect(headings.sort()).toEqual((Object.keys(errorCodes) as never[]).map(helpOf).sort());
});

test("causes and cures are whole sentences", () => {
  for (const { cause, cure } of Object.values(errorCodes)) {
    expect(cause).toMatch(/^[A-Z`].*\.$/);
    expect(cure).toMatch(/^[A-Z`].*\.$/);
  }
});
