import { describe, expect, test } from "vitest";
import { world } from "./world.ts";

async function inputOf(path: string): Promise<Record<string, unknown> | undefined> {
  const { calls, send } = world();
  const response = await send("GET", path);
  expect(response.status).toBe(200);
  return calls[0]?.input;
}

async function issuesAt(path: string, method = "GET"): Promise<{ status: number; locs: unknown }> {
  const { calls, send } = world();
  const response = await send(method, path);
  const { detail } = await response.json();
  expect(calls).toEqual([]);
  return { status: response.status, locs: detail.map(({ loc }: { loc: unknown }) => loc) };
}

describe("a query string becomes what the members want", () => {
  test.each([
    ["limit=7", { limit: 7 }],
    ["threshold=0.25", { threshold: 0.25 }],
    ["threshold=", { threshold: null }],
    ["threshold=null", { threshold: null }],
    ["scope=null&as_of=", { scope: null, as_of: null }],
    ["explain=true", { explain: true }],
    ["explain=False", { explain: false }],
    ["explain=1", { explain: true }],
    ["path=a%2Fb&bucket=null", { path: "a/b", bucket: "null" }],
    ["path=a+b", { path: "a b" }],
    ["path=a%2Bb", { path: "a+b" }],
    ["candidate_count=1e2", { candidate_count: 100 }],
    ["metadata.topic=deploy", { metadata: { topic: "deploy" } }],
    ["metadata.topic=deploy&metadata.a.b=1", { metadata: { topic: "deploy", "a.b": "1" } }],
    ["metadata.n=5", { metadata: { n: "5" } }],
    ["unknown=1&&=&x", {}],
    ["constructor=1&__proto__=2", {}],
  ])("%s", async (query, expected) => {
    expect(await inputOf(`/v1/memories/search?query=q&${query}`)).toMatchObject(expected);
  });
});

test("unknown names do not reach the operation", async () => {
  expect(await inputOf("/v1/memories?hello=1&limit=3")).not.toHaveProperty("hello");
});

describe("what cannot be read is refused where it stands", () => {
  test.each([
    ["limit=", "limit"],
    ["limit=many", "limit"],
    ["limit=1.5", "limit"],
    ["limit=0x10", "limit"],
    ["limit=1e999", "limit"],
    ["limit=NaN", "limit"],
    ["limit=0", "limit"],
    ["limit=9007199254740993", "limit"],
    ["explain=maybe", "explain"],
    ["explain=constructor", "explain"],
    ["threshold=high", "threshold"],
    ["path=%00", "path"],
    ["path=%ED%A0%80", "path"],
    ["limit=%zz", "limit"],
    ["path=%", "path"],
    ["metadata=x", "metadata"],
    ["team_id=null", "team_id"],
    ["project_id=null", "project_id"],
    ["project_id=", "project_id"],
    ["metadata.__proto__=x", "metadata"],
    ["metadata.a=%FF", "metadata"],
    ["metadata.=x", "metadata"],
  ])("%s", async (query, member) => {
    const { status, locs } = await issuesAt(`/v1/memories/search?query=q&${query}`);
    expect([status, (locs as unknown[][])[0]?.includes(member)]).toEqual([422, true]);
  });
});

test("malformed percent-encoding in a name is refused", async () => {
  expect(await issuesAt("/v1/memories?%zz=1")).toEqual({ status: 422, locs: [["query"]] });
});

test.each(["/v1/memories/%zz", "/v1/memories/%E0%A4", "/v1/memories/%"])(
  "so is it in a path: %s",
  async (path) => {
    expect(await issuesAt(path)).toEqual({ status: 422, locs: [["path", "memory_id"]] });
    expect(await issuesAt(path, "DELETE")).toEqual({ status: 422, locs: [["path", "memory_id"]] });
  },
);

test("a path parameter is decoded once", async () => {
  expect(await inputOf("/v1/memories/a%3Ab")).toEqual({ memory_id: "a:b", content_offset: 0 });
  expect((await issuesAt("/v1/memories/a%252F")).status).toBe(422);
});

test("DELETE takes its members from the query and If-Match from the header", async () => {
  const { calls, send } = world();
  await send("DELETE", "/v1/memories/mem-1?mode=redact&reason=", {
    headers: { "if-match": '"v1"' },
  });
  expect(calls[0]?.input).toEqual({ memory_id: "mem-1", mode: "redact", reason: null, if_match: '"v1"' });
});

test.each([
  ["GET", "/v1/memories", true],
  ["GET", "/v1/memories/search", true],
  ["GET", "/v1/recall", true],
  ["GET", "/v1/memories/m", false],
  ["DELETE", "/v1/memories/m", false],
  ["GET", "/v1/projects/p/todos", false],
])("%s %s says of a query that is too long what may help there", async (method, path, isSearch) => {
  const response = await world().send(method, `${path}?x=${"a".repeat(33_000)}`);
  const { code, detail } = await response.json();
  const advice = isSearch ? " POST /v1/memories/search takes a search in a body." : "";
  expect([code, detail]).toEqual([
    "payload_too_large",
    `The query string is longer than 32768 bytes.${advice}`,
  ]);
});
