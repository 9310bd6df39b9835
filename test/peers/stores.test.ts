/** Stores that the peers' own packages wrote (README.md here), moved in. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import type { Peer } from "../../src/core/transfer/peers/peer-record.ts";
import { ownDatabase } from "../support/own-database.ts";
import { linesOf, openMovingWorld, recordsIn } from "./moving.ts";

const stored = (name: string) => fileURLToPath(new URL(`stores/${name}`, import.meta.url));
const document = (name: string) => JSON.parse(readFileSync(stored(name), "utf8"));

const said = async (peer: Peer, place: string) =>
  linesOf(await recordsIn(peer, place)).map(({ path, content }) => `${path} | ${content}`);

test.each<[Peer, string, number]>([
  ["memory-server", "memory-server.jsonl", 14],
  ["mem0", "mem0.json", 5],
  ["mem0", "mem0-points.json", 5],
  ["basic-memory", "basic-memory", 11],
  ["langgraph", "langgraph.db", 6],
  ["zep", "graphiti.json", 6],
  ["claude-code", "claude-code", 2],
  ["codex", "codex", 2],
])("%s: %s moves in once, is found, and its dry run says the same", async (peer, name, memories) => {
  const world = await openMovingWorld();
  const rehearsed = await world.moved(peer, stored(name), { dryRun: true });
  const first = await world.moved(peer, stored(name));
  expect(first).toMatchObject({ created: memories, unchanged: 0, conflicts: 0, invalid: 0 });
  expect({ ...rehearsed, kinds: first.kinds }).toEqual(first);
  const rows = () => world.service.sql`select * from memories order by memory_id`;
  const before = await rows();
  expect(await world.moved(peer, stored(name))).toMatchObject({
    created: 0,
    unchanged: memories,
    mapped: first.mapped,
  });
  expect(await rows()).toEqual(before);
  expect(before.every(({ provenance }) => provenance.imported.from === peer)).toBe(true);
});

test.each<Peer>(["claude-code", "codex"])(
  "%s: what was said in a session, without tools, instructions and what the program put in",
  async (peer) => {
    const records = await recordsIn(peer, stored(peer));
    const lines = linesOf(records);
    expect(lines.map(({ source, content }) => [source, content])).toEqual([
      ["user", "When do we deploy Heron? I am on call on Wednesdays."],
      ["assistant", "Heron deploys on Tuesdays, as notes.md says."],
    ]);
    for (const { session_id, path, memory_type, created_at, metadata } of lines) {
      expect([path, memory_type]).toEqual([`${peer}/${session_id}`, "episodic"]);
      expect(created_at).toMatch(/^2026-11-27T19:/);
      expect(metadata.occurred_at).toBe(created_at);
    }
    const leftOut = records.flatMap((record) => ("leftOut" in record ? [record.leftOut] : []));
    expect(leftOut.filter((reason) => reason === "it is a tool's call or output")).toHaveLength(2);
    if (peer === "codex")
      expect(leftOut).toEqual(expect.arrayContaining(["it instructs the model", "a program put it in"]));
  },
);

test("memory-server: entities, observations and relations read as sentences", async () => {
  expect(await said("memory-server", stored("memory-server.jsonl"))).toEqual([
    "memory-server/Alice Moreau | Alice Moreau is a person.",
    "memory-server/Alice Moreau | Alice Moreau: Prefers tea over coffee",
    "memory-server/Alice Moreau | Alice Moreau speaks French and Vietnamese",
    'memory-server/Alice Moreau | Alice Moreau: Says "never on Fridays" of deployments\nand means it',
    "memory-server/TechCorp | TechCorp is a company.",
    "memory-server/apollo-api | apollo-api is an open source project.",
    "memory-server/apollo-api | apollo-api: Listens on port 8443",
    "memory-server/東京オフィス | 東京オフィス is an office.",
    "memory-server/東京オフィス | 東京オフィス: 丸の内にある",
    "memory-server/東京オフィス | 東京オフィス: Open on weekdays only 🎌",
    "memory-server/Alice Moreau | Alice Moreau works at TechCorp.",
    "memory-server/Alice Moreau | Alice Moreau maintains apollo-api.",
    "memory-server/TechCorp | TechCorp has office 東京オフィス.",
    "memory-server/apollo-api | apollo-api depends on Postgres.",
  ]);
});

test("mem0: the answer of get_all and the points of Qdrant are the same memories", async () => {
  const sorted = async (name: string) =>
    linesOf(await recordsIn("mem0", stored(name))).sort((a, b) => a.memory_id.localeCompare(b.memory_id));
  const lines = await sorted("mem0.json");
  expect(await sorted("mem0-points.json")).toEqual(lines);
  expect(lines.find(({ content }) => content === "The staging database is db-2")).toMatchObject({
    owner: { kind: "user", name: "alice" },
    path: "mem0",
    agent_id: "scout",
    session_id: "run-1",
    // Here `due_at` would remind somebody.
    metadata: { topic: "work", weights: [1, 2], role: "user", peer_metadata: { due_at: "some day" } },
    provenance: { agent_id: "scout", session_id: "run-1" },
  });
  const changed = lines.find(({ content }) => content === "Bob's desk is on floor 3");
  expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(changed.created_at));
});

test("mem0: a collection is read from Qdrant page by page, with its key, and its refusal is told", async () => {
  const { points } = document("mem0-points.json").result;
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      if (request.headers["api-key"] !== "the key") return response.writeHead(403).end();
      const { offset } = JSON.parse(body);
      asked.push(request.url);
      const from = points.findIndex(({ id }: { id: string }) => id === (offset ?? points[0].id));
      const next_page_offset = points[from + 2]?.id ?? null;
      return response.end(
        JSON.stringify({ result: { points: points.slice(from, from + 2), next_page_offset } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/collections/mem0`;
  await expect(recordsIn("mem0", address)).rejects.toThrow("Qdrant answers with status 403");
  vi.stubEnv("QDRANT_API_KEY", "the key");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(linesOf(await recordsIn("mem0", address))).toEqual(
    linesOf(await recordsIn("mem0", stored("mem0-points.json"))),
  );
  expect(asked).toEqual(Array.from({ length: 3 }, () => "/collections/mem0/points/scroll"));
});

test("basic-memory: observations, relations and what else a note says", async () => {
  const records = await recordsIn("basic-memory", stored("basic-memory"));
  expect(linesOf(records).map(({ path, content }) => `${path} | ${content}`)).toEqual([
    "basic-memory/companies/TechCorp | # TechCorp\n\nA company of forty people.",
    "basic-memory/people/Alice Moreau | # Alice Moreau\n\nMet at the conference in Lyon.\n\n## Observations\n- [ ] Ask her about the talk\n- [x] Send the slides\n\n## Background\n\nShe wrote the first version of [[Apollo API]] in 2023.\n\n```sh\n# not a heading\n- [not] an observation\n```",
    "basic-memory/people/Alice Moreau | Alice Moreau: Prefers tea over coffee #drinks",
    "basic-memory/people/Alice Moreau | Alice Moreau speaks French (and some 日本語)",
    "basic-memory/people/Alice Moreau | Alice Moreau: No deployments on Fridays #deploy #safety (said twice)",
    "basic-memory/people/Alice Moreau | Alice Moreau: A line with a tag #loose",
    "basic-memory/people/Alice Moreau | Alice Moreau works at TechCorp.",
    "basic-memory/people/Alice Moreau | Alice Moreau maintains Apollo API (since 2024).",
    "basic-memory/people/Alice Moreau | Alice Moreau links to Postgres.",
    "basic-memory/projects/2024/Apollo API | Apollo API: Listens on port 8443",
    "basic-memory/projects/2024/Apollo API | Apollo API depends on Postgres.",
  ]);
  expect(linesOf(records)[4]).toMatchObject({
    metadata: {
      title: "Alice Moreau",
      note_type: "person",
      permalink: "moving/people/alice-moreau",
      category: "rule",
      tags: ["team", "research", "deploy", "safety"],
      context: "said twice",
    },
  });
  expect(records.filter((record) => "leftOut" in record)).toEqual([
    { line: 2, offset: 2, kind: "note", leftOut: "it has no text" },
  ]);
});

test("langgraph: the SQLite file, the table in Postgres and what search answers are the same memories", async () => {
  const { columns, rows } = document("langgraph-postgres.json") as { columns: string[][]; rows: string[][] };
  const address = await ownDatabase({ empty: true });
  const sql = "url" in address ? postgres(address.url, { max: 1 }) : postgres({ ...address, max: 1 });
  onTestFinished(() => sql.end());
  await sql.unsafe(`create table store (${columns.map(([name, type]) => `${name} ${type}`).join(", ")})`);
  const names = columns.map(([name]) => name).join(", ");
  for (const row of rows)
    await sql.unsafe(
      `insert into store (${names}) values (${columns.map(([, type], at) => `$${at + 1}::text::${type}`)})`,
      row,
    );

  const server = inject("databaseServer");
  if (server.kind === "socket") {
    const [, folder = "", port = ""] = /^(.*)\/\.s\.PGSQL\.(\d+)$/.exec(server.path) ?? [];
    for (const [name, value] of Object.entries({ PGHOST: folder, PGPORT: port, PGUSER: server.username }))
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
  }
  const place = "url" in address ? address.url : `postgres:///${address.database}`;
  const words = ({ memory_id, path, content, metadata }: Record<string, unknown>) => ({
    memory_id,
    path,
    content,
    metadata,
  });
  const fromSqlite = linesOf(await recordsIn("langgraph", stored("langgraph.db")));
  const fromPostgres = linesOf(await recordsIn("langgraph", place));
  const byId = (lines: Record<string, unknown>[]) =>
    lines.map(words).sort((a, b) => String(a.memory_id).localeCompare(String(b.memory_id)));
  expect(byId(fromPostgres)).toEqual(byId(fromSqlite));
  expect(fromSqlite.map(({ path, content }) => `${path} | ${content}`).sort()).toEqual([
    "langgraph/docs | A key may hold any text 🎈",
    "langgraph/users/alice/memories | Alice prefers green tea over coffee",
    "langgraph/users/alice/memories | The staging port is 8443",
    "langgraph/users/alice/memories | User is preparing a talk about Recollect",
    "langgraph/users/bob | Bob visits on Friday",
    "langgraph/users/bob | home city: 東京\nhome floor: 3\nlanguages: French\nlanguages: Vietnamese\nname: Bob",
  ]);
  const visit = fromPostgres.find(({ content }) => content === "Bob visits on Friday");
  expect(Date.parse(visit.expires_at) - Date.parse(visit.updated_at)).toBe(60 * 60_000);
  await expect(recordsIn("langgraph", place.replace(/[^/]+$/, "postgres"))).rejects.toThrow(
    /no table named store/,
  );
});

test("zep: a fact that was found out not to hold is no longer live, and its former time is kept", async () => {
  const world = await openMovingWorld();
  await world.moved("zep", stored("graphiti.json"));
  const client = await world.client({ owner: "alice" });
  const live = await client.get("/v1/memories");
  expect(live.body.memories.map(({ content }: { content: string }) => content).sort()).toEqual([
    "Alice Moreau lives in 東京.",
    "Alice Moreau: Researcher who prefers tea and speaks French.",
    "Alice: I moved to 東京 last month.",
    "Hanoi is a city.",
  ]);
  const { body } = await client.get("/v1/memories?status=expired&path=zep/facts");
  expect(body.memories).toHaveLength(2);
  expect(
    body.memories.find(({ content }: { content: string }) => content.includes("lives in")),
  ).toMatchObject({
    status: "expired",
    expires_at: "2026-10-15T00:00:00.000Z",
    created_at: "2026-11-20T09:00:00.000Z",
    metadata: {
      from: "Alice Moreau",
      relation: "LIVES_IN",
      to: "Hanoi",
      occurred_at: "2020-03-01T00:00:00.000Z",
    },
    provenance: { origin: { system: "zep", kind: "edge" } },
  });
});
