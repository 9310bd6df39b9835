import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { checkSync } from "recheck";
import { expect, test } from "vitest";
import { rotating } from "./support/random.ts";

// The checker's own binaries are for other work: all that it does here, it does in this process.
process.env.RECHECK_BACKEND = "pure";

/** Patterns that take more time than their text is long, and why that harms nobody. */
const HARMLESS: Readonly<Record<string, string>> = {
  "/\\/+$/": "reads settings, which are the operator's own",
  "/^(postgres(?:ql)?:\\/\\/)([^/?#]*)(.*)$/": "reads settings, which are the operator's own",
  "/[\\p{L}\\p{N}.]+$/u": "reads the few characters before the end of a sentence",
};

/** What the checker cannot tell within this time, `bench/work` measures. */
const CHECKED_MS_MAX = 2000;

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
}

const SRC = new URL("../src/", import.meta.url);

/** Every regular expression that the code writes out. */
function patterns(): Pattern[] {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return files.flatMap((file) =>
    literalsIn(parseSync(file, readFileSync(new URL(file, SRC), "utf8")).program, file),
  );
}

function literalsIn(node: unknown, file: string): Pattern[] {
  if (typeof node !== "object" || node === null) return [];
  const { regex } = node as { regex?: { pattern: string; flags: string } };
  if (regex) return [{ source: regex.pattern, flags: regex.flags, file }];
  return Object.values(node).flatMap((part) => literalsIn(part, file));
}

/** How often at least does not matter for how time grows, and makes the automaton large. */
function withoutCounts(source: string): string {
  return source.replaceAll(/\{(?:[3-9]|\d{2,}),\}/g, "{2,}");
}

test("no regular expression takes more time than its text is long", { timeout: 600_000 }, () => {
  const all = patterns();
  expect(all.length).toBeGreaterThan(150);
  const known = new Map(all.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  const checked = new Map(rotating([...known]));
  const found: string[] = [];
  let decided = 0;
  for (const [text, { source, flags, file }] of checked) {
    const result = checkSync(withoutCounts(source), flags, {
      checker: "automaton",
      timeout: CHECKED_MS_MAX,
    });
    if (result.status !== "unknown") decided += 1;
    if (result.status === "vulnerable" && !(text in HARMLESS))
      found.push(`${file}: ${text}: ${result.complexity.summary}`);
  }
  expect(found).toEqual([]);
  // A checker that could tell of nothing would find nothing.
  expect(decided).toBeGreaterThan(checked.size / 2);
});
