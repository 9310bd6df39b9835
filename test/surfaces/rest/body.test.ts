import { expect, test } from "vitest";
import { type Sending, world } from "./world.ts";

const AS_JSON = { headers: { "content-type": "application/json" } };
const MEMORY = '{"content":"a","path":"p"}';

interface Expected {
  readonly status: number;
  readonly code?: string;
  readonly issue?: { loc: (string | number)[]; msg?: string };
}

async function check(how: Sending, expected: Expected): Promise<void> {
  const { calls, send } = world();
  const response = await send("POST", "/v1/remember", how);
  const answer = await response.json();
  expect({ status: response.status, code: answer.code }).toEqual({
    status: expected.status,
    code: expected.code,
  });
  if (expected.issue) expect(answer.detail[0]).toMatchObject(expected.issue);
  if (expected.status >= 400) expect(calls).toEqual([]);
}

const bytes = (...values: number[]) => new Uint8Array(values);

function streamed(...chunks: Uint8Array[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

test.each([
  "application/json",
  "Application/JSON; charset=UTF-8",
  'application/json;charset="utf-8"',
  "application/vnd.recollect+json",
])("a body of type %s is read", (type) =>
  check({ body: MEMORY, headers: { "content-type": type } }, { status: 201 }),
);

test("a body is JSON by name, and whoever sends another is told how", async () => {
  const { send, calls } = world();
  for (const headers of [{}, { "content-type": "application/x-www-form-urlencoded" }]) {
    const response = await send("POST", "/v1/remember", { body: new TextEncoder().encode(MEMORY), headers });
    expect([response.status, await response.json()]).toEqual([
      415,
      {
        code: "unsupported_media_type",
        detail: expect.stringContaining("-H 'Content-Type: application/json'"),
      },
    ]);
  }
  expect(calls).toEqual([]);
});

test.each([
  ["no length", undefined],
  ["a length of nothing", "0"],
  ["a stream of nothing", new ReadableStream({ start: (controller) => controller.close() })],
])("an empty body with %s needs no type", async (_, given) => {
  const { send } = world();
  const how =
    typeof given === "string" ? { headers: { "content-length": given } } : given ? { body: given } : {};
  expect((await send("POST", "/v1/reminders/r-1/complete", how)).status).toBe(200);
});

test("a byte order mark is skipped", () => check({ body: `\uFEFF${MEMORY}`, ...AS_JSON }, { status: 201 }));

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/jsonp",
  "text/json",
  "application/xml+jsonx",
  "",
])("a body of type %j is refused", (type) =>
  check({ body: MEMORY, headers: { "content-type": type } }, { status: 415, code: "unsupported_media_type" }),
);

test("a compressed body is refused", () =>
  check(
    { body: MEMORY, headers: { ...AS_JSON.headers, "content-encoding": "gzip" } },
    { status: 415, code: "unsupported_media_type" },
  ));

test.each(["application/json", "application/x-www-form-urlencoded"])(
  "an empty body of type %s has no members, and the schema says what is missing",
  (type) =>
    check(
      { headers: { "content-type": type } },
      { status: 422, code: "validation_failed", issue: { loc: ["body", "content"], msg: "is required" } },
    ),
);

test.each([
  ["unreadable JSON", '{"content": "a secret"'],
  ["two values", `${MEMORY}${MEMORY}`],
  ["NaN", '{"importance": NaN}'],
  ["an array", "[1]"],
  ["null", "null"],
  ["text", '"a"'],
  ["a number", "1"],
  ["nesting without end", "[".repeat(500_000)],
  ["deep objects", `${'{"a":'.repeat(200)}1${"}".repeat(200)}`],
  ["bytes that are not UTF-8", bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ["UTF-16", bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
])("%s is a 422 at the body", async (_, body) => {
  const { send } = world();
  const response = await send("POST", "/v1/remember", { body, ...AS_JSON });
  const text = await response.text();
  expect([response.status, JSON.parse(text).detail.map(({ loc }: { loc: unknown }) => loc)]).toEqual([
    422,
    [["body"]],
  ]);
  expect(text).not.toContain("secret");
});

test("brackets in texts are no nesting", () =>
  check(
    { body: JSON.stringify({ content: `${"[{".repeat(1000)}\\"`, path: "p" }), ...AS_JSON },
    { status: 201 },
  ));

test("the body may be 1 MiB, announced or not", async () => {
  const padded = (length: number) => new TextEncoder().encode(MEMORY.padEnd(length));
  const most = 1024 * 1024;
  const announced = (length: number) => ({
    body: padded(length),
    headers: { ...AS_JSON.headers, "content-length": String(length) },
  });
  await check(announced(most), { status: 201 });
  await check({ body: streamed(padded(most)), ...AS_JSON }, { status: 201 });
  await check(announced(most + 1), { status: 413, code: "payload_too_large" });
  await check({ body: streamed(padded(most), bytes(0x20)) }, { status: 413, code: "payload_too_large" });
  await check(
    { body: padded(most + 1), headers: { "content-length": "5" } },
    { status: 413, code: "payload_too_large" },
  );
});

test("a body announced as too large is not read", async () => {
  const unread = new ReadableStream(
    {
      pull() {
        throw new Error("was read");
      },
    },
    { highWaterMark: 0 },
  );
  await check(
    { body: unread, headers: { "content-length": "99999999" } },
    { status: 413, code: "payload_too_large" },
  );
});

test("a client that goes away in the middle is no fault of ours", async () => {
  const { lines, send } = world();
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error("aborted"));
    },
  });
  const response = await send("POST", "/v1/remember", { body: broken });
  expect([response.status, lines[0]?.fault]).toEqual([422, undefined]);
});

test("__proto__ and constructor are ordinary names without effect", async () => {
  const { calls, send } = world();
  const body =
    '{"content":"a","path":"p","__proto__":{"bucket":"x"},"constructor":1,"metadata":{"__proto__":{"polluted":1}}}';
  const response = await send("POST", "/v1/remember", { body, ...AS_JSON });
  expect([response.status, calls[0]?.input.bucket, ({} as { polluted?: unknown }).polluted]).toEqual([
    201,
    "public",
    undefined,
  ]);
});

test("a body is optional where every member is", async () => {
  const { calls, send } = world();
  expect((await send("POST", "/v1/reminders/r-1/complete")).status).toBe(200);
  expect((await send("POST", "/v1/reminders/r-1/complete", { body: { note: "done" } })).status).toBe(200);
  expect((await send("POST", "/v1/memories/m-1/restore")).status).toBe(200);
  expect(calls.map(({ input }) => input)).toEqual([
    { reminder_id: "r-1" },
    { reminder_id: "r-1", note: "done" },
    { memory_id: "m-1" },
  ]);
});
