import { expect, test } from "vitest";
import { NO_DATABASE, recollect, recollectHere } from "./cli.ts";

/** Nothing that is refused, and no help, opens anything. */
const here = (args: readonly string[]) => recollectHere(args, NO_DATABASE);

test.each([
  [["kyes"], "error: unknown command 'kyes'\n(Did you mean keys?)"],
  [["kyes", "--help"], "error: unknown command 'kyes'\n(Did you mean keys?)"],
  [["help", "kyes"], "error: unknown command 'kyes'\n(Did you mean keys?)"],
  [["keys", "creat", "--help"], "error: unknown command 'creat'\n(Did you mean create?)"],
  [["backup"], "error: unknown command 'backup'\n(recollect export FILE makes a backup;"],
  [["backup", "--help"], "error: unknown command 'backup'\n(recollect export FILE makes a backup;"],
  [
    ["restore", "backup.jsonl"],
    "error: unknown command 'restore'\n(recollect import FILE restores an export;",
  ],
  [["keys", "creat"], "error: unknown command 'creat'\n(Did you mean create?)"],
  [["--verbose"], "error: unknown option '--verbose'"],
  [["keys", "list", "--jsn"], "error: unknown option '--jsn'\n(Did you mean --json?)"],
  [["keys", "list", "extra"], "too many arguments for 'list'. Expected 0 arguments but got 1."],
  [["keys", "list", "--json=yes"], "error: unknown option '--json=yes'"],
  [["keys", "create"], "give --owner NAME, the user the key is for"],
  [["keys", "create", "--owner"], "error: option '--owner <NAME>' argument missing"],
  [["keys", "create", "--owner", "--json"], "The option needs a value."],
  [["keys", "create", "--owner="], "The option needs a value."],
  [
    ["keys", "create", "--owner", "a", "--owner", "b"],
    "error: option '--owner <NAME>' was given twice: give it once",
  ],
  [["export", "x", "--status", "all", "--status", "kept"], "'--status <STATUS>' was given twice"],
  [["keys", "list", "--json", "--json"], "'--json' was given twice"],
  [["keys", "create", "--owner", "a\nb"], "It must be 1 to 128 characters"],
  [
    ["keys", "create", "--owner", "a", "--scopes", "memory:everything"],
    "It must be one of: memory:read, memory:write",
  ],
  [["keys", "create", "--owner", "a", "--scopes", "*"], "It must be one of: memory:read"],
  [["keys", "create", "--owner", "a", "--projects", "a,,b"], "Separate values with commas, as in a,b."],
  [["keys", "create", "--owner", "a", "--projects", "a/b"], "It must be 1 to 128 of"],
  [["keys", "create", "--owner", "a", "--path-prefix", "///"], "It must be 1 to 512 characters"],
  [["keys", "create", "--owner", "a", "--expires", "soon"], "Give a time span such as 90d"],
  [["keys", "create", "--owner", "a", "--expires", "2027-02-31"], "Give a time span such as 90d"],
  [["keys", "create", "--owner", "a", "--expires", "2001-01-01"], "It is in the past."],
  [["keys", "revoke"], "missing required argument 'ID'"],
  [["export"], "missing required argument 'FILE'"],
  [["export", "x", "--status", "dead"], "It must be one of: active, kept, all."],
  [
    ["export", "x", "--owner", "a", "--team", "b"],
    "option '--owner <NAME>' cannot be used with option '--team <NAME>'",
  ],
  [["import", "x", "--from", "other"], "It must be one of: recollect, memory-server, mem0, basic-memory"],
  [
    ["import", "x", "--from", "zep"],
    "--from zep needs --owner NAME or --team NAME, because its data names no users",
  ],
  [["import", "x", "--server", "http://127.0.0.1:9"], "--server works only with --from"],
  [["import", "x", "--from", "zep", "--server", "here"], "--server must be a URL such as http"],
  [
    ["import", "x", "--from", "zep", "--server", "http://127.0.0.1:9"],
    "--server needs an API key: set RECOLLECT_API_KEY",
  ],
  [
    ["import", "x", "--from", "zep", "--server", "http://127.0.0.1:9", "--team", "research"],
    "with --server, --team must be the team's id",
  ],
  [
    ["import", "x", "--from", "zep", "--server", "http://127.0.0.1:9", "--owner", "a"],
    "option '--server <URL>' cannot be used with option '--owner <NAME>'",
  ],
  [["eval"], "give either FILE or --set"],
  [["eval", "x", "--server", "here"], "--server must be a URL such as http"],
  [["eval", "x"], "--server needs an API key: set RECOLLECT_API_KEY"],
  [["import", "-", "--from", "mem0"], "--from mem0 cannot read standard input"],
  [["teams", "lists"], "error: unknown command 'lists'\n(Did you mean list?)"],
  [["teams", "create", "a"], "required option '--owner <USER>' not specified"],
  [["teams", "create", "a\nb", "--owner", "c"], "It must be 1 to 128 characters"],
  [["teams", "add", "a"], "missing required argument 'USER'"],
  [
    ["teams", "add", "a", "b", "--role", "boss"],
    "is invalid. It must be one of: owner, admin, member, viewer.",
  ],
  [
    ["teams", "add", "a", "b", "--role", "membr"],
    "is invalid. Did you mean member? It must be one of: owner,",
  ],
  [["teams", "role", "a", "b"], "missing required argument 'ROLE'"],
  [
    ["teams", "role", "a", "b", "Owner"],
    "Did you mean owner? It must be one of: owner, admin, member, viewer.",
  ],
  [["users", "invite"], "missing required argument 'NAME'"],
  [["users", "invite", "\u0007"], "value '?' is invalid for argument 'NAME'. It must be 1 to 128 characters"],
  [["skills", "issue"], "required option '--owner <NAME>' not specified"],
  [["skills", "issue", "--owner", "a", "--expires", "91d"], "It can be at most 90 days from now."],
  [["skills", "issue", "--owner", "a", "--expires", "2990-01-01"], "It can be at most 90 days from now."],
  [["skills", "issue", "--owner", "a", "--scopes", "all"], "It must be one of: memory:read"],
])("recollect %j is refused with status 2 and a hint, before anything is opened", async (args, hint) => {
  const ran = await here(args);
  expect(ran.stderr).toContain(hint);
  expect(ran.stderr).toMatch(/See recollect.* --help\.\n$/);
  expect([ran.status, ran.stdout]).toEqual([2, ""]);
});

test.each([
  [["keys"], "Usage: recollect keys [options] [command]"],
  [["users"], "Usage: recollect users [options] [command]"],
])("recollect %j lacks a command: it has the help on standard error, and status 2", async (args, usage) => {
  const ran = await here(args);
  expect(ran.stderr).toContain(usage);
  expect(ran.stderr).toContain("help [command]");
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
      "exit status is 0 (success), 1 (failure) or\n2 (wrong usage)",
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
      "(default: memory:read,memory:write)",
      "knowledge:read",
      "--expires",
      "{id, token, owner",
    ],
  ],
  [
    ["help", "keys"],
    ["create", "list", "revoke"],
  ],
  [["keys", "revoke", "--help"], ["<ID>"]],
  [
    ["teams", "add", "--help"],
    ["<TEAM> <USER>", "viewer can read", "recollect teams add research bob"],
  ],
  [
    ["skills", "issue", "--help"],
    ["at most 90 days", "(default: 90d)", "knowledge:read", "{id, token, owner"],
  ],
  [
    ["export", "--help"],
    ["<FILE>", "--no-versions", "recollect_export"],
  ],
  [
    ["import", "--help"],
    ["--dry-run", "mem0", "the folder of its notes", "--server <URL>"],
  ],
  [
    ["eval", "--help"],
    [
      "[FILE]",
      "--set <NAME>",
      "relevant in pack",
      "--against <REPORT>",
      "exit status is 1 if there was a leak",
    ],
  ],
  [["reembed", "--help"], ["{embedded, remaining, index}"]],
  [
    ["reindex", "--help"],
    ["--verify", "--shards <number>", "{index, memories, shards, spread}"],
  ],
])("recollect %j explains itself on standard output, without colours in a pipe", async (args, told) => {
  const ran = await here(args);
  for (const text of told) expect(ran.stdout).toContain(text);
  expect(ran.stdout).not.toContain("\u001b");
  expect(ran.stdout.split("\n").filter((line) => line.length > 80 && !line.startsWith("  "))).toEqual([]);
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
});

test("the real entry ends with these statuses, and helps whatever the settings are", async () => {
  const env = { ...NO_DATABASE, PORT: "not a number" };
  const [none, unknown, help] = await Promise.all([
    recollect(["keys"], { env }),
    recollect(["keys", "create", "--ownr", "a"], { env }),
    recollect(["keys", "create", "--help"], { env }),
  ]);
  expect([none.status, none.stdout]).toEqual([2, ""]);
  expect(unknown).toEqual({
    status: 2,
    stdout: "",
    stderr: "error: unknown option '--ownr'\n(Did you mean --owner?)\nSee recollect keys create --help.\n",
  });
  expect([help.status, help.stderr]).toEqual([0, ""]);
  expect(help.stdout).toContain("--path-prefix <PATH>");
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
  const of = await recollectHere(["keys", "list"], { ...NO_DATABASE, MIGRATE_ON_START: "of" });
  expect(of.stderr).toContain("MIGRATE_ON_START: must be one of on, off (did you mean off?)");
});

test("the name of a file, and whatever else a failure quotes, steers no terminal", async () => {
  const file = "no\u001b]8;;https://evil.example\u0007such\u009b2J\u202efile";
  const ran = await here(["import", file]);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain("such");
  expect(ran.stderr).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
});
