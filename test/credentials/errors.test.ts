import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, freshOwner, memory, stored, unguessable } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

test("a failed validation says where, what and which kind, and nothing of the value", async () => {
  const client = await someone();
  const word = unguessable();
  const answers = [
    await client.post("/v1/memories", {
      content: 5,
      path: "p",
      importance: word,
      metadata: word,
      status: word,
      memory_id: `${word} `,
      [word]: word,
    }),
    await client.post("/v1/memories", {
      path: `${word}\u0000`,
      content: "x",
      metadata: { occurred_at: word, authority: word },
    }),
    await client.post("/v1/memories", memory({ metadata: { occurred_at: word } })),
    await client.post("/v1/memories", memory({ metadata: { authority: word } })),
    await client.post("/v1/memories", memory({ provenance: { project_id: `${word} ` } })),
    await client.post("/v1/memories", `{"content": "${word}`),
    await client.post("/v1/memories", `["${word}"]`),
    await client.get(`/v1/memories?limit=${word}&cursor=${word}`),
    await client.get(`/v1/memories/search?query=x&explain=${word}&time_zone=${word}&as_of=${word}`),
    await client.delete(`/v1/memories/x?mode=${word}`),
    await client.get(`/v1/memories/${word}%20`),
    await client.get("/v1/memories", { "x-project-id": `${word} x` }),
    await client.post("/v1/memories", memory(), { "idempotency-key": `${word} x` }),
    await client.post("/v1/memories/delete", { filter: { [word]: word } }),
  ];
  for (const [at, answer] of answers.entries()) {
    expect([at, answer.status]).toEqual([at, 422]);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body.code).toBe("validation_failed");
    expect(answer.body.detail.length).toBeGreaterThan(0);
    for (const issue of answer.body.detail) {
      expect(issue).toEqual({ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) });
      expect(["body", "query", "path", "header"]).toContain(issue.loc[0]);
    }
    expect(JSON.stringify(answer.body), `answer ${at}`).not.toContain(word);
  }
});

test("a missing member is missing, and every fault is named", async () => {
  const { body } = await (await someone()).post("/v1/memories", { importance: 2 });
  expect(
    body.detail.map((issue: { loc: string[]; type: string }) => [issue.loc.join("."), issue.type]),
  ).toEqual(
    expect.arrayContaining([
      ["body.content", "missing"],
      ["body.path", "missing"],
      ["body.importance", expect.any(String)],
    ]),
  );
});

test.each([
  ["application/problem+json", true],
  ["application/problem+json, application/json;q=0.5", true],
  ["application/json", false],
  ["*/*", false],
  ["application/problem+json;q=0", false],
])("with Accept: %s a refusal is a problem document: %s", async (accept, isProblem) => {
  const client = await someone();
  const cases: [Awaited<ReturnType<typeof client.get>>, number, string][] = [
    [await client.get("/v1/memories/unknown", { accept }), 404, "not_found"],
    [await client.post("/v1/memories", {}, { accept }), 422, "validation_failed"],
    [await world.withToken("x").get("/v1/memories", { accept }), 401, "invalid_token"],
    [
      await client.post("/v1/memories", "x", { accept, "content-type": "text/plain" }),
      415,
      "unsupported_media_type",
    ],
    [await client.get("/nowhere", { accept }), 404, "not_found"],
  ];
  for (const [answer, status, code] of cases) {
    expectRefusal(answer, status, code);
    expect(answer.headers.get("content-type")).toBe(
      isProblem ? "application/problem+json" : "application/json",
    );
    if (!isProblem) continue;
    expect(answer.body).toMatchObject({
      type: `urn:recollect:problem:${code}`,
      title: expect.any(String),
      status,
      detail: expect.any(String),
    });
  }
});

test("a path that is not there is 404, a method that is not there 405 with those that are", async () => {
  const client = await someone();
  for (const path of [
    "/v1",
    "/v1/memorie",
    "/v1/memories/a/b",
    "/v2/memories",
    "/v1/memories/search/x",
    "//v1/memories",
  ]) {
    expectRefusal(await client.get(path), 404, "not_found");
  }
  for (const answer of [
    await client.patch("/v1/memories", {}),
    await client.get("/v1/remember"),
    await client.delete("/v1/recall/context"),
  ]) {
    expectRefusal(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toMatch(/^[A-Z, ]+$/);
  }
});

test("a body beyond a MiB is 413, one just below is read", async () => {
  const client = await someone();
  const padded = (length: number) => `{"content":"x","path":"p"}${" ".repeat(length - 26)}`;
  expectRefusal(await client.post("/v1/memories", padded(1024 * 1024 + 1)), 413, "payload_too_large");
  expect((await client.post("/v1/memories", padded(1024 * 1024))).status).toBe(201);
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/xml",
  "json",
])("a body of the type %s is 415", async (type) => {
  expectRefusal(
    await (await someone()).post("/v1/memories", JSON.stringify(memory()), { "content-type": type }),
    415,
    "unsupported_media_type",
  );
});

test.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.x+json"])(
  "a body of the type %s is read",
  async (type) => {
    expect(
      (await (await someone()).post("/v1/memories", JSON.stringify(memory()), { "content-type": type }))
        .status,
    ).toBe(201);
  },
);

test.each([
  "",
  "{",
  "nul",
  "[]",
  "5",
  '"x"',
  "null",
  "{'content':1}",
  `${"[".repeat(200_000)}`,
  '{"a":'.repeat(5000),
  "\ufeff{}",
  "{}x",
])("a body that is no JSON object is 422: %#", async (body) => {
  expectRefusal(await (await someone()).post("/v1/memories", body), 422, "validation_failed");
});

test("every answer carries X-Request-Id: the client's own, or a new one", async () => {
  const client = await someone();
  const id = await stored(client);
  const given = { "x-request-id": "my-request.1" };
  for (const answer of [
    await client.get("/v1/memories", given),
    await client.get(`/v1/memories/${id}`, given),
    await client.get("/nowhere", given),
    await client.post("/v1/memories", "{", given),
    await world.withToken("x").get("/v1/memories", given),
    await client.get("/healthz", given),
  ])
    expect(answer.headers.get("x-request-id")).toBe("my-request.1");
  const ids = new Set<string | null>();
  for (const hostile of ["", "a b", "x".repeat(500), "<script>"]) {
    const answer = await client.get("/v1/memories", { "x-request-id": hostile });
    expect(answer.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    ids.add(answer.headers.get("x-request-id"));
  }
  expect(ids.size).toBe(4);
});

test("nothing under /v1 is stored by caches", async () => {
  const client = await someone();
  for (const answer of [
    await client.get("/v1/memories"),
    await client.post("/v1/remember", memory()),
    await client.get("/v1/memories/unknown"),
    await client.post("/v1/memories", {}),
  ]) {
    expect(answer.headers.get("cache-control")).toBe("no-store, private");
  }
});

test("the database away is a 503 that says when to try again, and shows no internals", async () => {
  const lost = await openWorld();
  const client = await lost.client();
  await client.get("/v1/memories");
  await lost.service.sql.end({ timeout: 1 });
  const answer = await client.get("/v1/memories");
  expectRefusal(answer, 503, "dependency_unavailable");
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(JSON.stringify(answer.body)).not.toMatch(/postgres|sql|CONNECTION/i);
  const live = (path: string) => lost.handle(new Request(`http://localhost${path}`));
  expect([(await live("/healthz")).status, (await live("/readyz")).status]).toEqual([200, 503]);
  await lost.close().catch(() => {});
});
