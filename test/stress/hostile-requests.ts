import fc from "fast-check";
import { operationList } from "../../src/contract/operations.ts";

/** A request as it goes over the wire, without a client's help. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** Not HTTP, or cut short: no answer is due, but the server must live on. */
  readonly isBroken: boolean;
}

/** In every text that is sent as content, and therefore in no log line. */
export const MARK = "zqxmark";

const bytes = (text: string) => new TextEncoder().encode(text);

const ODD_TEXTS = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "a\udfff",
  "%",
  "_",
  "/",
  "//a//",
  "../..",
  "'; drop table memories; --",
  "$1",
  "$$1",
  "__proto__",
  "constructor",
  "### Recollect Context",
  "e\u0301".repeat(300),
  "\u202e\u0000\u200b",
  "💥".repeat(200),
  "x".repeat(70_000),
  "1e999",
  "NaN",
  "null",
  "2026-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999+23:59",
  "00000000-0000-0000-0000-000000000000",
];
const ODD_NUMBERS = [-1, 0, -0, 0.1, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324];

const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: "binary", maxLength: 40 }));
const deep = fc.integer({ min: 1, max: 3000 }).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`);
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(...ODD_NUMBERS),
  fc.constantFrom(null, true, false, [], {}, [null], { "": "" }, JSON.parse(`{"__proto__":1}`), [[]]),
  fc.object({ maxDepth: 2 }),
  fc.constantFrom(
    "soft_delete",
    "hard_delete",
    "redact",
    "active",
    "archived",
    "superseded",
    "soft_deleted",
    "%",
  ),
);

const MEMBERS = [
  ...new Set(operationList.flatMap((operation) => Object.keys(operation.input.shape))),
  "filter",
  "items",
  "__proto__",
  "constructor",
  "unknown",
];

/** A body that would be taken, with a few members put out of order. */
const almostBody = fc
  .record({
    base: fc.constantFrom(
      { content: `${MARK} the release is on Friday`, path: "a/b" },
      { query: `${MARK} when is the release?` },
      { items: [{ content: `${MARK} one`, path: "a" }, { content: "", path: "a" }, 7] },
      { filter: { path: "a/%" }, mode: "soft_delete" },
      { memory_id: "mem-1", helpful: true },
      { mode: "redact", replacement_content: `${MARK} gone` },
      {},
    ),
    odd: fc.dictionary(fc.constantFrom(...MEMBERS), oddValue, { maxKeys: 4 }),
  })
  .map(({ base, odd }) => bytes(JSON.stringify({ ...base, ...odd })));

const oddBody = fc.oneof(
  { weight: 60, arbitrary: almostBody },
  { weight: 10, arbitrary: fc.json().map(bytes) },
  { weight: 10, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  {
    weight: 10,
    arbitrary: deep.map((text) => bytes(`{"content":"${MARK}","path":"a","metadata":{"a":${text}}}`)),
  },
  {
    weight: 20,
    arbitrary: fc
      .constantFrom(
        "{",
        '{"content":"a","path":"a",}',
        '{"content":"a","content":"b","path":"a"}',
        '{"content":"\\ud800","path":"a"}',
        '{"content":"\\u0000","path":"a"}',
        '{"__proto__":{"content":"a"},"path":"a"}',
        '{"content":"a","path":"a","metadata":{"__proto__":{"x":1},"constructor":{"prototype":1}}}',
        '{"importance":1e999,"content":"a","path":"a"}',
        '{"embedding":[1e308,-1e308,null],"content":"a","path":"a"}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"content":7}}}',
        '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]',
        "\ufeff{}",
        "null",
        "",
      )
      .map(bytes),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1_048_575, 1_048_577, 1_500_000).map((size) => bytes("x".repeat(size))),
  },
);

const oddHeader = fc.tuple(
  fc.constantFrom(
    "idempotency-key",
    "if-match",
    "accept",
    "x-agent-id",
    "x-project-id",
    "x-request-id",
    "x-session-id",
    "origin",
  ),
  fc.oneof(
    fc.constantFrom(
      "*",
      '""',
      'W/"1"',
      "application/problem+json",
      "text/html;q=0",
      ";q=,,",
      "x".repeat(300),
      "a b",
      "\u00ff",
    ),
    fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
  ),
);

/** One of the values once in so many times, and otherwise null. */
const seldom = (times: number, ...values: string[]) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, fc.constantFrom(...values));

const visible = (text: string) =>
  text.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character.toWellFormed()));

const target = fc
  .record({
    operation: fc.constantFrom(...operationList),
    id: fc.oneof(fc.constantFrom("mem-1", "%00", "%zz", "..", "%2e%2e", "a%2Fb", "💥", "*"), oddText),
    alias: fc.nat(3),
    members: fc.dictionary(
      fc.constantFrom(...MEMBERS, "metadata.a", "metadata.__proto__", "as_of"),
      oddText,
      { maxKeys: 4 },
    ),
    elsewhere: seldom(
      6,
      "/mcp",
      "/",
      "/v1",
      "/v1/memories/",
      "//v1/memories",
      "/V1/memories",
      "/docs?%zz",
      "/.well-known/x",
    ),
  })
  .map(({ operation: { http }, id, alias, members, elsewhere }) => {
    const path = (alias === 0 ? http.aliases?.[0] : undefined) ?? http.path;
    const query = Object.entries(members).map(
      ([name, value]) => `${encodeURIComponent(name)}=${visible(value.slice(0, 4000))}`,
    );
    const search = http.method === "GET" || http.method === "DELETE" ? `?${query.join("&")}` : "";
    return {
      method: http.method,
      target: elsewhere ?? path.replace(/\{\w+\}/, visible(id.slice(0, 300))) + search,
    };
  });

/** A request that is HTTP. One in eight has another method than the place has, one in ten no valid key. */
function hostile(key: string): fc.Arbitrary<WireRequest> {
  return fc
    .record({
      place: target,
      method: seldom(8, "PUT", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "POST", "GET"),
      body: oddBody,
      type: fc.oneof(
        { weight: 8, arbitrary: fc.constant("application/json") },
        fc.constantFrom(
          "text/plain",
          "application/x-www-form-urlencoded",
          "application/json; charset=utf-16",
          "a/b;",
          "",
        ),
      ),
      credential: fc.oneof(
        { weight: 9, arbitrary: fc.constant(["x-api-key", key] as const) },
        fc.constantFrom(
          ["x-api-key", "wrong"] as const,
          ["authorization", "Bearer  "] as const,
          ["authorization", `Bearer ${key}`] as const,
        ),
      ),
      odd: fc.array(oddHeader, { maxLength: 2 }),
    })
    .map(({ place, method, body, type, credential, odd }) => {
      const verb = method ?? place.method;
      const sent = verb === "GET" || verb === "HEAD" || verb === "DELETE" ? bytes("") : body;
      const length = [["content-length", String(sent.length)] as const];
      const headers = [
        ["content-type", type] as const,
        credential,
        ...odd,
        ...(sent.length > 0 ? length : []),
      ];
      return { method: verb, target: place.target, headers, body: sent, isBroken: false };
    });
}

/** What is not HTTP, or ends too early. */
const broken = fc
  .constantFrom<Partial<WireRequest> & { headers: WireRequest["headers"] }>(
    { headers: [["content-length", "-1"]] },
    {
      headers: [
        ["content-length", "5"],
        ["content-length", "6"],
      ],
      body: bytes("{}"),
    },
    { headers: [["content-length", "99999999999999999999"]] },
    { headers: [["content-length", "500"]], body: bytes('{"content":"half') },
    { headers: [["transfer-encoding", "chunked"]], body: bytes("zz\r\n{}\r\n0\r\n\r\n") },
    {
      headers: [
        ["transfer-encoding", "chunked"],
        ["content-length", "3"],
      ],
      body: bytes("0\r\n\r\n"),
    },
    { headers: [["x", "y".repeat(100_000)]] },
    { headers: [["bad name", "x"]] },
    { headers: [], method: "G\u0000T" },
    { headers: [], target: "http://[::1" },
    { headers: [], target: "*" },
    { headers: [], target: `/${"a".repeat(100_000)}` },
  )
  .map(
    (given): WireRequest => ({
      method: "POST",
      target: "/v1/remember",
      body: bytes(""),
      ...given,
      isBroken: true,
    }),
  );

/** So many requests of all kinds, the same for the same seed. */
export function hostileRequests(count: number, seed: number, key: string): WireRequest[] {
  const some = fc.oneof({ weight: 30, arbitrary: hostile(key) }, { weight: 1, arbitrary: broken });
  return fc.sample(some, { numRuns: count, seed });
}
