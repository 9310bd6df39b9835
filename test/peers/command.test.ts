/** `recollect import --from`, into the database beside a server and through a server's API. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { type BesideServer, openBesideServer } from "../cli/beside-server.ts";
import { NO_DATABASE, recollectHere, temporaryFolder } from "../cli/cli.ts";
import { openWorld, type World } from "../support/world.ts";

let beside: BesideServer;

beforeAll(async () => {
  beside = await openBesideServer();
});

afterAll(() => beside.close());

const stored = (name: string) => fileURLToPath(new URL(`stores/${name}`, import.meta.url));

test("into the database: what became what is told to people and to programs, and the exit status tells of what was refused", async () => {
  const memoryServer = [
    "import",
    stored("memory-server.jsonl"),
    "--from",
    "memory-server",
    "--owner",
    "alice",
  ];
  const rehearsed = await beside.run(...memoryServer, "--dry-run");
  expect(rehearsed.stdout).toContain("14 memories read: 14 memories would be created");
  expect(rehearsed.stdout).toMatch(/observation\s+6\s+semantic\s+public\s+memory-server\/%/);
  expect(await beside.sql`select from memories`).toHaveLength(0);
  expect(await beside.json(...memoryServer)).toMatchObject({ created: 14, left_out: [] });
  expect(await beside.json(...memoryServer)).toMatchObject({ created: 0, unchanged: 14 });

  const notes = ["import", stored("basic-memory"), "--from", "basic-memory", "--team", "readers"];
  expect(await beside.json(...notes)).toMatchObject({
    created: 11,
    left_out: [{ kind: "note", reason: "it has no text", count: 1 }],
  });
  const [note] = await beside.sql`
    select m.provenance, o.kind from memories m join owners o on o.id = m.owner_id where o.name = 'readers' limit 1`;
  expect(note).toMatchObject({ kind: "team", provenance: { imported: { from: "basic-memory" } } });

  const file = join(temporaryFolder(), "memory.jsonl");
  writeFileSync(file, `${readFileSync(stored("memory-server.jsonl"), "utf8")}\n{"type":`);
  const broken = await beside.run("import", file, "--from", "memory-server", "--owner", "alice");
  expect(broken.status).toBe(1);
  expect(broken.stdout).toContain(
    "15 memories read: 0 memories created, 14 unchanged, 0 conflicts, 1 invalid",
  );
  expect(broken.stderr).toContain("line 9: invalid: is not JSON, or is cut short");
}, 120_000);

test("users of mem0 become end users of one application, whose key then acts for each", async () => {
  const file = join(temporaryFolder(), "mem0.json");
  const memory = (id: string, user_id: string | undefined, memory: string) => ({
    ...{ id, user_id, memory },
    created_at: "2026-01-01T00:00:00Z",
  });
  writeFileSync(
    file,
    JSON.stringify([
      memory("1", "ada", "Likes tea"),
      memory("2", "bob", "Likes coffee"),
      memory("3", undefined, "The shop opens at nine"),
      memory("4", "a b", "Has a name that is no id"),
    ]),
  );
  const import0 = ["import", file, "--from", "mem0", "--owner", "shop", "--end-users"];
  const ran = await beside.run(...import0, "--json");
  expect(ran.status).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({ created: 3, invalid: 1 });
  const again = await beside.run(...import0, "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, unchanged: 3 });
  const rows = await beside.sql`
    select o.kind, o.name, p.name as of, m.content, m.scope from memories m join owners o on o.id = m.owner_id
    left join owners p on p.id = o.application_id where m.path = 'mem0' and 'shop' in (o.name, p.name) order by m.content`;
  expect(rows).toEqual([
    { kind: "end_user", name: "bob", of: "shop", content: "Likes coffee", scope: "private" },
    { kind: "end_user", name: "ada", of: "shop", content: "Likes tea", scope: "private" },
    { kind: "user", name: "shop", of: null, content: "The shop opens at nine", scope: "private" },
  ]);
  const key = await beside.json("keys", "create", "--owner", "shop", "--end-users");
  expect(key).toMatchObject({ scopes: ["memory:read", "memory:write", "users:act"] });
}, 120_000);

test("a place that is none is said before a database is opened", async () => {
  const folder = temporaryFolder();
  const here = async (...args: string[]) => {
    const { status, stderr } = await recollectHere(["import", ...args, "--owner", "a"], NO_DATABASE);
    return `${status} ${stderr}`;
  };
  expect(await here(join(folder, "none"), "--from", "letta")).toMatch(/1 .*there is no such file or folder/);
  expect(await here(folder, "--from", "zep")).toMatch(/1 .*is a folder. Give it nodes, edges/);
  expect(await here(folder, "--from", "basic-memory")).toMatch(/1 .*no file in it ends with .md/);
  writeFileSync(join(folder, "bytes"), Buffer.from([0x5b, 0xff, 0x5d]));
  expect(await here(join(folder, "bytes"), "--from", "zep")).toMatch(/1 .*it is not UTF-8 text/);
  expect(await here("http://127.0.0.1:9/x", "--from", "zep")).toMatch(/1 .*cannot read such an address/);
});

test("a database of a peer that cannot be read is not taken for this service's own, and no password is told", async () => {
  const address = "postgres://someone:opensesame@127.0.0.1:9/x";
  const ran = await beside.run("import", address, "--from", "langgraph", "--owner", "a");
  expect(ran).toMatchObject({ status: 1, stdout: "" });
  expect(ran.stderr).toContain("LangGraph's database cannot be read (ECONNREFUSED)");
  expect(ran.stderr).not.toContain("opensesame");
  const file = join(temporaryFolder(), "store.db");
  writeFileSync(file, `SQLite format 3\0${"?".repeat(2000)}`);
  const broken = await beside.run("import", file, "--from", "langgraph", "--owner", "a");
  expect(broken.stderr).toContain("The file is no store of LangGraph: file is not a database");
}, 120_000);

async function serving(world: World): Promise<string> {
  const listener = await listen({
    fetch: (request) => world.handle(request),
    host: "127.0.0.1",
    port: 0,
    headTooLarge: () => new Response(null, { status: 431 }),
  });
  onTestFinished(() => listener.close());
  return listener.url;
}

test("through a server's API: as any client writes, once, and its rehearsal sends nothing", async () => {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const url = await serving(world);
  const client = await world.client({ owner: "alice" });
  const run = async (name: string, from: string, ...more: string[]) => {
    const args = ["import", stored(name), "--from", from, "--server", url, "--json", ...more];
    const { status, stdout, stderr } = await recollectHere(args, {
      ...NO_DATABASE,
      RECOLLECT_API_KEY: client.token,
    });
    return { status, stderr, ...(stdout === "" ? {} : JSON.parse(stdout)) };
  };
  const total = async () => (await client.get("/v1/memories?status=%25")).body.total;
  for (const [name, from, created] of [
    ["memory-server.jsonl", "memory-server", 14],
    ["mem0.json", "mem0", 5],
    ["basic-memory", "basic-memory", 11],
    ["langgraph.db", "langgraph", 6],
    ["graphiti.json", "zep", 6],
  ] as const) {
    const before = await total();
    expect(await run(name, from, "--dry-run")).toMatchObject({ status: 0, dry_run: true, created });
    expect(await total()).toBe(before);
    expect(await run(name, from)).toMatchObject({
      status: 0,
      created,
      unchanged: 0,
      invalid: 0,
      conflicts: 0,
    });
    expect(await total()).toBe(before + created);
    expect(await run(name, from)).toMatchObject({ status: 0, created: 0, unchanged: created, conflicts: 0 });
    expect(await total()).toBe(before + created);
  }
  const { results } = JSON.parse(readFileSync(stored("mem0.json"), "utf8"));
  const staging = results.find(({ memory }: { memory: string }) => memory.includes("db-2"));
  const { body } = await client.get("/v1/memories?path=mem0");
  expect(body.memories.find((memory: { content: string }) => memory.content.includes("db-2"))).toMatchObject({
    metadata: { topic: "work", occurred_at: new Date(staging.created_at).toISOString() },
    provenance: { origin: { system: "mem0" }, user_id: "alice", agent_id: "scout" },
  });
  const past = await client.get("/v1/memories?path=zep/facts&status=expired");
  expect(past.body.total).toBe(2);

  // The server knows the request, whatever became of its memory since.
  const { id } = body.memories[0];
  await client.patch(`/v1/memories/${id}`, { content: "Changed here" });
  expect(await run("mem0.json", "mem0")).toMatchObject({ status: 0, created: 0, unchanged: 5 });
  expect((await client.get(`/v1/memories/${id}`)).body.content).toBe("Changed here");

  const reader = await world.client({ owner: "alice", scopes: ["memory:read"] });
  const refused = await recollectHere(["import", stored("mem0.json"), "--from", "mem0", "--server", url], {
    ...NO_DATABASE,
    RECOLLECT_API_KEY: reader.token,
  });
  expect(refused).toMatchObject({ status: 1 });
  expect(refused.stderr).toContain("answered 403 (insufficient_scope)");
}, 120_000);
