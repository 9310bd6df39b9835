import { expect, test } from "vitest";
import { NO_DATABASE, recollect, recollectHere } from "./cli.ts";

/** Nothing that is refused, and no help, opens anything. */
const here = (args: readonly string[]) => recollectHere(args, NO_DATABASE);

test.each([
  [[], "Name a command: serve, doctor, keys, "],
  [["kyes"], "There is no command recollect kyes. Did you mean keys?"],
  [["keys"], "Name a command: keys create, keys list, keys revoke."],
  [["keys", "creat"], "There is no command recollect keys creat. Did you mean create?"],
  [["--verbose"], "There is no flag --verbose."],
  [["keys", "list", "--jsn"], "There is no flag --jsn. Did you mean --json?"],
  [["keys", "list", "extra"], "There is an argument too many: extra."],
  [["keys", "list", "--json=yes"], "--json takes no value."],
  [["keys", "create"], "--owner is missing: whose key is it?"],
  [["keys", "create", "--owner"], "--owner needs a value."],
  [["keys", "create", "--owner", "--json"], "--owner needs a value."],
  [["keys", "create", "--owner="], "--owner needs a value."],
  [["keys", "create", "--owner", "a", "--owner", "b"], "--owner is given 2 times: give it once."],
  [["keys", "create", "--owner", "a\nb"], "--owner must be 1 to 128 characters"],
  [
    ["keys", "create", "--owner", "a", "--scopes", "memory:everything"],
    "There are: memory:read, memory:write",
  ],
  [["keys", "create", "--owner", "a", "--scopes", "*"], "--scopes names a scope that does not exist."],
  [
    ["keys", "create", "--owner", "a", "--projects", "a,,b"],
    "--projects takes values with commas between them",
  ],
  [["keys", "create", "--owner", "a", "--projects", "a/b"], "--projects must be 1 to 128 of"],
  [["keys", "create", "--owner", "a", "--path-prefix", "///"], "--path-prefix must be 1 to 512 characters"],
  [["keys", "create", "--owner", "a", "--expires", "soon"], "--expires takes a span such as 90d"],
  [["keys", "create", "--owner", "a", "--expires", "2027-02-31"], "--expires takes a span such as 90d"],
  [["keys", "create", "--owner", "a", "--expires", "2001-01-01"], "--expires lies in the past."],
  [["keys", "revoke"], "ID is missing."],
  [["export"], "FILE is missing."],
  [["export", "x", "--status", "dead"], "--status must be active, kept or all."],
  [["export", "x", "--owner", "a", "--team", "b"], "Give --owner or --team, not both."],
  [["import", "x", "--from", "zep"], "--from must be one of recollect, mem0."],
  [["import", "-", "--from", "mem0"], "--from mem0 needs a file"],
  [["teams", "lists"], "There is no command recollect teams lists. Did you mean list?"],
  [["teams", "create", "a"], "--owner is missing."],
  [["teams", "create", "a\nb", "--owner", "c"], "NAME must be 1 to 128 characters"],
  [["teams", "add", "a"], "USER is missing."],
  [["teams", "add", "a", "b", "--role", "boss"], "--role must be one of owner, admin, member, viewer."],
  [["teams", "role", "a", "b"], "ROLE is missing."],
  [["teams", "role", "a", "b", "Owner"], "ROLE must be one of owner, admin, member, viewer."],
  [["users", "invite"], "NAME is missing."],
  [["users", "invite", "\u0007"], "NAME must be 1 to 128 characters"],
  [["skills", "issue"], "--owner is missing."],
  [["skills", "issue", "--owner", "a", "--expires", "91d"], "--expires may be 90 days from now at most."],
  [
    ["skills", "issue", "--owner", "a", "--expires", "2990-01-01"],
    "--expires may be 90 days from now at most.",
  ],
  [["skills", "issue", "--owner", "a", "--scopes", "all"], "--scopes names a scope that does not exist."],
])("recollect %j is refused with status 2 and a hint, before anything is opened", async (args, hint) => {
  const ran = await here(args);
  expect(ran.stderr).toContain(hint);
  expect(ran.stderr).toMatch(/See recollect.* --help\.\n$/);
  expect([ran.status, ran.stdout]).toEqual([2, ""]);
});

test.each([
  [
    ["--help"],
    [
      "serve",
      "doctor",
      "keys",
      "export",
      "import",
      "reembed",
      "reindex",
      "exit status is 0, 1 (failed) or 2 (usage)",
    ],
  ],
  [
    ["serve", "-h"],
    ["DATA_DIR", "8787"],
  ],
  [
    ["doctor", "--help"],
    ["--json", "exit status"],
  ],
  [
    ["keys", "--help"],
    ["create", "list", "revoke"],
  ],
  [
    ["keys", "create", "--help"],
    [
      "recollect keys create",
      "Default: memory:read,memory:write",
      "knowledge:read",
      "--expires",
      "{id, token, owner",
    ],
  ],
  [["keys", "revoke", "--help"], ["<ID>"]],
  [
    ["teams", "add", "--help"],
    ["<TEAM> <USER>", "viewer reads", "recollect teams add research bob"],
  ],
  [
    ["skills", "issue", "--help"],
    ["90 days at most", "Default: 90d", "knowledge:read", "{id, token, owner"],
  ],
  [
    ["export", "--help"],
    ["<FILE>", "--no-versions", "recollect_export"],
  ],
  [
    ["import", "--help"],
    ["--dry-run", "mem0"],
  ],
  [["reembed", "--help"], ["{embedded, remaining, index}"]],
  [
    ["reindex", "--help"],
    ["--verify", "{index, memories}"],
  ],
])("recollect %j explains itself on standard output, without colours in a pipe", async (args, told) => {
  const ran = await here(args);
  for (const text of told) expect(ran.stdout).toContain(text);
  expect(ran.stdout).not.toContain("\u001b");
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
});

test("the real entry ends with these statuses, and helps whatever the settings are", async () => {
  const env = { ...NO_DATABASE, PORT: "not a number" };
  const [none, unknown, help] = await Promise.all([
    recollect([], { env }),
    recollect(["keys", "create", "--ownr", "a"], { env }),
    recollect(["keys", "create", "--help"], { env }),
  ]);
  expect([none.status, none.stdout]).toEqual([2, ""]);
  expect(unknown).toEqual({
    status: 2,
    stdout: "",
    stderr: "There is no flag --ownr. Did you mean --owner?\nSee recollect keys create --help.\n",
  });
  expect([help.status, help.stderr]).toEqual([0, ""]);
  expect(help.stdout).toContain("--path-prefix=<PATH>");
});

test("the version is printed", async () => {
  expect(await recollect(["--version"])).toEqual({ status: 0, stdout: "0.1.0\n", stderr: "" });
});

test("a failure is a sentence that says what to do; only LOG_LEVEL=debug shows a stack", async () => {
  const plain = await recollect(["keys", "list", "--json"], { env: NO_DATABASE });
  expect(plain).toEqual({
    status: 1,
    stdout: "",
    stderr: "The database does not answer: start it, or check DATABASE_URL.\n",
  });
  const debugging = await recollect(["keys", "list"], { env: { ...NO_DATABASE, LOG_LEVEL: "debug" } });
  expect([debugging.status, debugging.stderr.includes("    at ")]).toEqual([1, true]);
});

test("a setting that is not valid is named, without its value", async () => {
  const ran = await recollect(["keys", "list"], { env: { ...NO_DATABASE, PORT: "SECRET" } });
  expect([ran.status, ran.stdout]).toEqual([1, ""]);
  expect(ran.stderr).toContain("PORT");
  expect(ran.stderr).not.toContain("SECRET");
});
