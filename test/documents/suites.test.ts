/** Lists of test files in what runs them: a file that is renamed must not leave its run in silence. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LONGEST, WHOLE_PROGRAMS } from "../../vitest.config.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const files = readdirSync(join(repository, "test"), { recursive: true, encoding: "utf8" }).map(
  (name) => `test/${name.replaceAll("\\", "/")}`,
);
const text = (name: string) => readFileSync(join(repository, name), "utf8");

/** What a list in the text of a program has, from the line that begins it to the one that ends it. */
const between = (whole: string, begin: string, end: string) =>
  whole.slice(whole.indexOf(begin) + begin.length).split(end)[0] as string;

function alternatives(glob: string): string[] {
  const [, before, inside, after] = /^(.*?)\{(.*?)\}(.*)$/.exec(glob) ?? [];
  if (inside === undefined) return [glob];
  return inside.split(",").flatMap((one) => alternatives(`${before}${one}${after}`));
}

function filesOf(glob: string): string[] {
  const pattern = glob
    .replaceAll(".", "\\.")
    .split(/(\*\*\/|\*)/)
    .map((part) => (part === "**/" ? "(.*/)?" : part === "*" ? "[^/]*" : part))
    .join("");
  return files.filter((file) => new RegExp(`^${pattern}$`).test(file));
}

const globsOf = (names: readonly string[]) => names.flatMap((name) => alternatives(`test/${name}.test.ts`));
const namesIn = (list: string) => list.split(/[\s\\']+/).filter((name) => /\w/.test(name));

const onPostgres = namesIn(between(text(".ci/run"), "'test/%s.test.ts,'", "\n  )"));
const notAgain = namesIn(between(text(".ci/run"), "',test/%s.test.ts'", ')"'));

test.each([
  ["LONGEST", LONGEST],
  ["WHOLE_PROGRAMS", WHOLE_PROGRAMS.map((name) => between(name, "test/", ".test.ts"))],
  ["what runs on an outside Postgres", onPostgres],
] as const)("every file that %s names is there", (_, names) => {
  expect(names.length).toBeGreaterThan(10);
  expect(globsOf(names).filter((glob) => filesOf(glob).length === 0)).toEqual([]);
});

test("what the gate's deep run leaves out runs on an outside Postgres", () => {
  const there = new Set(globsOf(onPostgres).flatMap(filesOf));
  const leftOut = globsOf(notAgain).flatMap(filesOf);
  expect(leftOut).toHaveLength(globsOf(notAgain).length);
  expect(leftOut.filter((file) => !there.has(file))).toEqual([]);
});
