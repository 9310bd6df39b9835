/** Tables of the command line, on a terminal and in a pipe. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { table } from "../../src/cli/terminal.ts";

const SCOPES =
  "memory:read,memory:write,memory:update,memory:delete,memory:restore,memory:redact,ledger:write";
const header = ["ID", "OWNER", "AGENT", "SCOPES"];
const rows = [
  ["01a2146c-497a-74d6-af20-d9e09f3f84c0", "ada", "-", SCOPES],
  ["01a2146c-497a-74d6-af20-d9e09f3f84c1", "b".repeat(200), "-", "memory:read"],
];

test("what fits is a line for each row", () => {
  expect(table(["OWNER", "KIND"], [["ada", "user"]], 80)).toBe("OWNER  KIND\nada    user");
});

test("what does not fit is a block for each row, in which nothing is lost", () => {
  const shown = table(header, rows, 80);
  for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  const [first = "", second = ""] = shown.split("\n\n");
  expect(first).toMatch(/^ID {6}01a2146c-497a-74d6-af20-d9e09f3f84c0\nOWNER {3}ada\nSCOPES {2}memory:read,/);
  expect(first.replaceAll(/\n {8}/g, "")).toContain(SCOPES);
  expect(second.replaceAll(/\n {8}/g, "")).toContain("b".repeat(200));
});

test("a pipe has one line for each row", () => {
  expect(table(header, rows, Number.POSITIVE_INFINITY).split("\n")).toHaveLength(3);
});

test.each(["keys", "doctor"])(
  "the help of %s is there, whichever runtime the launcher takes",
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, ["bin/recollect.js", name, "--help"]);
    expect(stdout).toMatch(new RegExp(`^Usage: recollect ${name} `));
  },
);
