import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { createCredentialStore } from "../../src/adapters/postgres/access/credential-store.ts";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { NO_DATABASE, recollectHere, recollect as recollectProcess, temporaryFolder } from "./cli.ts";

/** The embedded database of a running server: commands work beside it. */
let database: EmbeddedPostgres;
let sql: Sql;
let env: Record<string, string>;
let parent: string;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), "recollect-cli-"));
  env = { DATA_DIR: join(parent, "data") };
  database = await openEmbeddedPostgres({ dataDir: join(parent, "data"), role: "server", log: () => {} });
  sql = connect(database.connection, 2);
});

afterAll(async () => {
  await sql.end();
  await database.stop();
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
});

/** In this process, unless it is at the end of a pipe: to start one takes longer than what most commands do. */
const recollect: typeof recollectProcess = (args, options = {}) =>
  args.includes("-") ? recollectProcess(args, options) : recollectHere(args, { PORT: "0", ...options.env });

/** The JSON on standard output: all of it, or this throws. */
async function json(args: readonly string[], more: Record<string, string> = {}) {
  const ran = await recollect([...args, "--json"], { env: { ...env, ...more } });
  return { ...ran, value: JSON.parse(ran.stdout) };
}

const line = (memory_id: string, more: object = {}) =>
  JSON.stringify({
    memory_id,
    owner: { kind: "user", name: "carol" },
    content: `About ${memory_id}`,
    path: "n",
    created_at: "2024-01-01T00:00:00Z",
    ...more,
  });

test("keys create makes the owner and a key that works, with what was asked for", async () => {
  const { value, status, stderr } = await json([
    "keys",
    "create",
    "--owner",
    " alice ",
    "--scopes",
    "read:memories,ledger:write,memory:read",
    "--expires",
    "90d",
    "--path-prefix",
    "/a//b/",
    "--projects",
    "p,q,p",
    "--buckets",
    "x",
  ]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(value).toEqual({
    id: expect.any(String),
    token: expect.stringMatching(/^rcl_key_[\w-]{43}$/),
    owner: "alice",
    owner_kind: "user",
    owner_id: expect.any(String),
    user_is_new: true,
    scopes: ["memory:read", "ledger:write"],
    projects: ["p", "q"],
    path_prefix: "a/b",
    buckets: ["x"],
    expires_at: expect.any(String),
  });
  expect(Date.parse(value.expires_at) - Date.now()).toBeLessThanOrEqual(90 * 86_400_000);
  expect(Date.parse(value.expires_at) - Date.now()).toBeGreaterThan(89 * 86_400_000);
  expect(await createCredentialStore(sql).authenticate(value.token)).toMatchObject({
    owner: { kind: "user", name: "alice" },
    space: { projects: ["p", "q"], pathPrefix: "a/b", buckets: ["x"] },
  });
});

test("with --team the key is the team's; without --scopes it reads and writes; a date is the end of that day", async () => {
  const { value } = await json([
    "keys",
    "create",
    "--owner",
    "alice",
    "--team",
    "core",
    "--expires",
    "2990-12-31",
  ]);
  expect(value).toMatchObject({
    owner: "core",
    owner_kind: "team",
    scopes: ["memory:read", "memory:write"],
    expires_at: "2990-12-31T23:59:59.000Z",
  });
});

test("what a key is confined to is printed when it is made, and in the list, on a narrow terminal too", async () => {
  const name = "n".repeat(100);
  const confined = [
    "--path-prefix",
    "teams/apollo/runbooks",
    "--projects",
    "apollo,zeus",
    "--buckets",
    "work",
  ];
  const made = await recollect(["keys", "create", "--owner", "dora", "--name", name, ...confined], { env });
  expect(made.stdout).toMatch(
    /^confined to path teams\/apollo\/runbooks; projects apollo, zeus; buckets work$/m,
  );
  const piped = await recollect(["keys", "list"], { env });
  expect(piped.stdout).toMatch(/^ID .* TEAM +CONFINED TO +SCOPES /);
  const { isTTY, columns } = process.stdout;
  try {
    Object.assign(process.stdout, { isTTY: true, columns: 80 });
    const { stdout } = await recollect(["keys", "list"], { env });
    for (const shown of stdout.split("\n")) expect(shown.length).toBeLessThanOrEqual(80);
    const block = stdout.split("\n\n").find((one) => one.includes("dora")) ?? "";
    expect(block.replaceAll(/\n {13}/g, "")).toContain(name);
    expect(block).toMatch(
      /^CONFINED TO {2}path teams\/apollo\/runbooks; projects apollo, zeus; buckets work$/m,
    );
  } finally {
    Object.assign(process.stdout, { isTTY, columns });
  }
});

test("keys list shows every key and no secret; revoking one ends it, once and for all", async () => {
  const { value: key } = await json(["keys", "create", "--owner", "bob", "--name", "lap\u202etop"]);
  const listed = await json(["keys", "list"]);
  expect(listed.value.find((other: { id: string }) => other.id === key.id)).toMatchObject({
    owner: "bob",
    name: "lap\u202etop",
    hint: key.token.slice(0, 12),
    revoked_at: null,
    last_used_at: null,
  });
  const shown = await recollect(["keys", "list"], { env });
  expect(shown.stdout).toContain("lap?top");
  expect(shown.stdout + listed.stdout).not.toContain(key.token);

  expect(await json(["keys", "revoke", key.id])).toMatchObject({
    status: 0,
    value: { id: key.id, status: "revoked" },
  });
  expect((await recollect(["keys", "revoke", key.id], { env })).status).toBe(0);
  expect(await createCredentialStore(sql).authenticate(key.token)).toBeNull();
  const none = await recollect(["keys", "revoke", "no-such-id"], { env });
  expect(none).toEqual({
    status: 1,
    stdout: "",
    stderr: "There is no credential with that id. Run recollect keys list to see them all.\n",
  });
});

/** A machine with much else to do is told how far a command is. */
const withoutProgress = (stderr: string) => stderr.replace(/^\d+ (of \d+ )?lines?, \d+\/s\n/gm, "");

test("a file that is imported comes out again; the exit status tells of lines left out", async () => {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, "in.jsonl"), join(folder, "out.jsonl")];
  writeFileSync(from, ['{"recollect_export":1,"count":2}', line("a"), line("b")].join("\n"));

  const rehearsed = await json(["import", from, "--dry-run"]);
  expect(rehearsed).toMatchObject({ status: 0, value: { dry_run: true, read: 2, created: 2 } });
  expect(await json(["import", from])).toMatchObject({
    status: 0,
    value: { dry_run: false, read: 2, created: 2, complaints: [] },
  });
  const again = await recollect(["import", from], { env });
  expect([again.status, again.stdout]).toEqual([
    0,
    "2 lines read: 0 memories created, 2 unchanged, 0 conflicts, 0 invalid.\n",
  ]);

  expect(await json(["export", to, "--owner", "carol"])).toMatchObject({
    status: 0,
    value: { file: to, memories: 2, versions: 0 },
  });
  const lines = readFileSync(to, "utf8").trimEnd().split("\n");
  const [user, ...memories] = lines.slice(1).map((text) => JSON.parse(text));
  expect(user).toMatchObject({ kind: "user", name: "carol" });
  expect(memories.map(({ memory_id }) => memory_id)).toEqual(["a", "b"]);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  const piped = await recollect(["export", "-", "--owner", "carol", "--json"], { env });
  expect(piped.stdout.split("\n").slice(1)).toEqual([...lines.slice(1), ""]);
  expect(JSON.parse(withoutProgress(piped.stderr))).toMatchObject({ file: "-", memories: 2 });

  const bad = await recollect(["import", "-"], {
    env,
    stdin: ['{"recollect_export":1,"count":9}', line("a", { content: "Changed" }), "{"].join("\n"),
  });
  expect([bad.status, bad.stdout]).toEqual([
    1,
    "2 lines read: 0 memories created, 0 unchanged, 1 conflict, 1 invalid.\n",
  ]);
  expect(withoutProgress(bad.stderr)).toBe(
    "line 2 (a): conflict: this owner has a memory of that id with another content\n" +
      "line 3: invalid: is not JSON, or is cut short\n" +
      "The file is incomplete: it should have 9 lines but has 2. Export it again.\n",
  );
});

test("an export that fails, or was not told to replace, leaves the earlier file and nothing else", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "backup.jsonl");
  writeFileSync(file, "earlier");
  const refused = await recollect(["export", file], { env });
  expect(refused).toEqual({
    status: 1,
    stdout: "",
    stderr: `${file} exists: name another file, or give --force to replace it.\n`,
  });
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["backup.jsonl"], "earlier"]);
  const ran = await recollect(["export", file, "--owner", "nobody", "--force"], { env });
  expect(ran).toEqual({ status: 1, stdout: "", stderr: "There is no user named nobody.\n" });
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["backup.jsonl"], "earlier"]);
  expect((await recollect(["export", file, "--force"], { env })).status).toBe(0);
  expect(readFileSync(file, "utf8")).toContain('{"recollect_export":4');
  expect((await recollect(["export", join(folder, "no/x.jsonl")], { env })).stderr).toContain(
    "its folder does not exist",
  );
  expect((await recollect(["export", folder], { env })).stderr).toBe(
    `${folder} is a folder; name a file instead.\n`,
  );
  expect((await recollect(["import", join(folder, "none.jsonl")], { env })).stderr).toContain(
    "there is no such file or folder",
  );
});

test("a mem0 file is imported for the owner that is named", async () => {
  const file = join(temporaryFolder(), "mem0.json");
  writeFileSync(
    file,
    JSON.stringify({
      results: [{ id: "m-1", memory: "Likes tea", user_id: "dev", created_at: "2023-11-07T05:31:56Z" }],
    }),
  );
  expect(await json(["import", file, "--from", "mem0", "--owner", "dora"])).toMatchObject({
    status: 0,
    value: { created: 1 },
  });
  const [row] =
    await sql`select m.*, o.name as owner from memories m join owners o on o.id = m.owner_id where memory_id = 'm-1'`;
  expect(row).toMatchObject({ owner: "dora", path: "mem0", provenance: { imported: { from: "mem0" } } });
});

test("reembed makes the vectors that are missing", async () => {
  await recollect(["import", "-"], {
    env,
    stdin: ['{"recollect_export":1}', line("r1"), line("r2")].join("\n"),
  });
  await sql`delete from embeddings where memory in (select id from memories where memory_id in ('r1', 'r2'))`;
  expect(await json(["reembed"])).toMatchObject({ status: 0, value: { embedded: 2, remaining: 0 } });
  expect(await json(["reembed"])).toMatchObject({ status: 0, value: { embedded: 0, remaining: 0 } });
});

test("usage lists what owners hold, and doctor warns of those that have little room left", async () => {
  const { value } = await json(["usage"]);
  const carol = { kind: "user", name: "carol" };
  const [held] = await sql`
    select count(*)::int as memories from memories m join owners o on o.id = m.owner_id where o.name = 'carol'`;
  expect(value).toMatchObject({ memories_max: null, bytes_max: null });
  expect(value.owners).toContainEqual({ ...carol, memories: held?.memories, bytes: expect.any(Number) });
  const bounded = { ...env, OWNER_MEMORIES_MAX: "1" };
  expect((await recollect(["usage"], { env: bounded })).stdout).toMatch(/carol +user +\d+ +\d+ %/);
  const { stdout } = await recollect(["doctor", "--json"], { env: bounded });
  expect(JSON.parse(stdout).findings).toContainEqual(
    expect.objectContaining({ check: "room", status: "warning", found: expect.stringContaining("90 %") }),
  );
});

test("reindex without a search engine says so and does nothing", async () => {
  const { status, stdout, stderr } = await recollect(["reindex"], { env });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("ELASTICSEARCH_URL is not set");
});

test("doctor finds everything in order, changing nothing", async () => {
  const { status, value } = await json(["doctor"]);
  expect([status, value.ok]).toEqual([0, true]);
  expect(value.findings.map((finding: { check: string }) => finding.check)).toEqual([
    "runtime",
    "driver",
    "embedder",
    "data folder",
    "disk",
    "database",
    "migrations",
    "size",
    "writes",
    "clock",
    "restore",
    "erasures",
    "contents",
    "outbox",
    "embeddings",
    "events",
    "port",
  ]);
  expect(value.counts.memories).toBeGreaterThan(0);
});

test("doctor before the first start makes nothing and says so", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const ran = await recollect(["doctor"], { env: { DATA_DIR: dataDir } });
  expect(ran.status).toBe(0);
  expect(ran.stdout).toMatch(/warning {2}database +embedded, not created yet/);
  expect(existsSync(dataDir)).toBe(false);
});

/** What doctor finds without a database, on a port where another program answers so. */
async function doctorBeside(answer: string) {
  const other = createServer((_, response) => response.end(answer));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    return await recollect(["doctor"], { env: { ...NO_DATABASE, PORT: String(port) } });
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}

test("doctor says what is broken and what to do: no database, and a port that another program has", async () => {
  const ran = await doctorBeside("hello");
  expect(ran.status).toBe(1);
  expect(ran.stdout).toContain("The database does not answer: start it, or check DATABASE_URL.");
  expect(ran.stdout).toContain("is taken by another program");
});

test("doctor says where the host of PUBLIC_URL is refused, by the server or by way of a proxy", async () => {
  const refusal = JSON.stringify({ detail: "…", code: "host_not_allowed" });
  /** A server that goes by one name only. */
  const serverOf = async (name: (host: string) => boolean) => {
    const server = createServer(({ headers }, response) => {
      const isOurs = name(headers.host ?? "");
      response.writeHead(isOurs ? 200 : 403).end(isOurs ? JSON.stringify({ service: "recollect" }) : refusal);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, port: (server.address() as AddressInfo).port };
  };
  const found = async (env: Record<string, string>) => {
    const { value } = await json(["doctor"], env);
    return value.findings.filter(({ check }: { check: string }) => check === "public url");
  };
  const local = await serverOf((host) => host.startsWith("127.0.0.1"));
  const proxy = await serverOf(() => false);
  try {
    const port = { PORT: String(local.port) };
    expect(await found({ ...port, PUBLIC_URL: "http://memory.example" })).toMatchObject([
      { status: "broken", found: expect.stringContaining("does not accept memory.example") },
    ]);
    expect(await found({ ...port, PUBLIC_URL: `http://127.0.0.1:${proxy.port}` })).toMatchObject([
      { status: "broken", advice: expect.stringContaining("ALLOWED_HOSTS") },
    ]);
    expect(await found({ ...port, PUBLIC_URL: `http://127.0.0.1:${local.port}` })).toEqual([]);
  } finally {
    local.server.close();
    proxy.server.close();
  }
});

test("what another program answers steers no terminal", async () => {
  const { stdout } = await doctorBeside(
    JSON.stringify({ service: "recollect", version: "1\u001b[2J", status: "ok" }),
  );
  expect(stdout).toContain("is served by Recollect 1?[2J, status ok");
  expect(stdout).not.toContain("\u001b");
});

test.each([
  ["keys", "list"],
  ["keys", "revoke", "an-id"],
  ["users", "list"],
  ["teams", "list"],
  ["agents", "list"],
  ["usage"],
  ["reembed"],
  ["migrate", "--check"],
  ["export", "backup.jsonl"],
])("where there is no database, %s says so, and makes neither a database nor a file", async (...args) => {
  const folder = temporaryFolder();
  const elsewhere = join(folder, "elsewhere");
  const placed = args.map((arg) => (arg === "backup.jsonl" ? join(folder, arg) : arg));
  expect(await recollectHere(placed, { DATA_DIR: elsewhere })).toEqual({
    status: 1,
    stdout: "",
    stderr: `There is no database in ${elsewhere}. Set DATA_DIR or DATABASE_URL as the server has it; the first start of a server makes a new one.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that is empty as yet has no database either", async () => {
  const folder = temporaryFolder();
  const { status, stderr } = await recollectHere(["keys", "list"], { DATA_DIR: folder });
  expect([status, stderr]).toEqual([1, expect.stringContaining(`There is no database in ${folder}.`)]);
  expect(readdirSync(folder)).toEqual([]);
});

test("what a note's front matter says reaches nobody by a warning of the library that reads it", async () => {
  const folder = temporaryFolder();
  const title = '!!x "a\u001b]0;OWNED\u0007\u001b[2J\u001b[31mfake line\u001b[0m"';
  writeFileSync(join(folder, "note.md"), `---\ntitle: ${title}\n---\nbody\n`);
  const args = ["import", folder, "--from", "basic-memory", "--owner", "importee", "--dry-run"];
  const { stderr, stdout, status } = await recollectProcess(args, { env });
  expect(status).toBe(0);
  expect(stderr + stdout).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
  expect(stderr).not.toContain("fake line");
});
