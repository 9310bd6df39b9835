import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, found, freshOwner, listed, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Someone who may read knowledge, and the same owner's credential that may not. */
async function readers() {
  const owner = freshOwner();
  const knowing = await world.client({ owner });
  const plain = await world.client({ owner, scopes: ["memory:read", "memory:write"] });
  await stored(knowing, { content: "plain manual" });
  const ids = [
    await stored(knowing, { content: "manual by bucket", bucket: "knowledge" }),
    await stored(knowing, { content: "manual by type", memory_type: "knowledge" }),
  ];
  return { knowing, plain, ids };
}

test.each(["bucket", "memory_type"])(
  "knowledge asked for by its %s needs knowledge:read, everywhere",
  async (name) => {
    const { knowing, plain } = await readers();
    const asked = `${name}=knowledge`;
    for (const path of [
      `/v1/memories?${asked}`,
      `/v1/memories/search?query=manual&${asked}`,
      `/v1/recall?query=manual&${asked}`,
    ]) {
      expectRefusal(await plain.get(path), 403, "knowledge_scope_required");
      expect((await knowing.get(path)).status).toBe(200);
    }
    for (const [path, body] of [
      ["/v1/recall/context", { query: "manual", [name]: "knowledge" }],
      ["/v1/memories/delete", { filter: { [name]: "knowledge" } }],
    ] as const) {
      expectRefusal(await plain.post(path, body), 403, "knowledge_scope_required");
      expect((await knowing.post(path, body)).status).toBe(200);
    }
  },
);

test.each(["%", "know%", "%e", "kn%ge"])(
  "under the wildcard %s knowledge is silently left out",
  async (pattern) => {
    const { knowing, plain } = await readers();
    for (const name of ["bucket", "memory_type"]) {
      const filter = { [name]: pattern };
      for (const content of [...(await listed(plain, filter))]) expect(content).toBe("plain manual");
      const answer = await plain.get(
        `/v1/memories/search?query=manual&${name}=${encodeURIComponent(pattern)}&status=%25`,
      );
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain("manual by");
      expect((await listed(knowing, filter)).length).toBeGreaterThan(0);
    }
    expect((await plain.get("/v1/memories")).body.total).toBe(1);
  },
);

test("an id of knowledge is not_found without the scope, on every route", async () => {
  const { knowing, plain, ids } = await readers();
  for (const id of ids) {
    expect((await knowing.get(`/v1/memories/${id}`)).status).toBe(200);
    for (const answer of [
      await plain.get(`/v1/memories/${id}`),
      await plain.get(`/v1/memories/${id}/versions`),
      await plain.patch(`/v1/memories/${id}`, { content: "x" }),
      await plain.delete(`/v1/memories/${id}`),
      await plain.post(`/v1/memories/${id}/forget`, {}),
      await plain.post(`/v1/memories/${id}/restore`),
      await plain.post("/v1/recall/why", { query: "manual", memory_id: id }),
      await plain.post("/v1/recall/feedback", { memory_id: id, helpful: true }),
    ])
      expectRefusal(answer, 404, "not_found");
  }
  expect(await found(knowing, "manual")).toEqual(expect.arrayContaining(ids));
});

test("why includes knowledge only with the scope", async () => {
  const { knowing, plain } = await readers();
  const memory_id = await stored(knowing, { content: "The manual of the crane.", path: "p" });
  const ask = { query: "manual", memory_id, include_knowledge: true };
  expectRefusal(await plain.post("/v1/recall/why", ask), 403, "knowledge_scope_required");
  expect((await knowing.post("/v1/recall/why", ask)).status).toBe(200);
});

test("a context takes knowledge only where it is included, which needs the scope", async () => {
  const { knowing, plain } = await readers();
  const ask = { query: "manual" };
  expectRefusal(
    await plain.post("/v1/recall/context", { ...ask, include_knowledge: true }),
    403,
    "knowledge_scope_required",
  );
  for (const client of [plain, knowing]) {
    expect(JSON.stringify((await client.post("/v1/recall/context", ask)).body)).not.toContain("manual by");
  }
  const { body } = await knowing.post("/v1/recall/context", { ...ask, include_knowledge: true });
  expect(JSON.stringify(body)).toContain("manual by");
});

test("every search sees the knowledge only of who may, whoever asked before", async () => {
  const { knowing, plain, ids } = await readers();
  for (let round = 0; round < 3; round++) {
    expect(await found(knowing, "manual")).toHaveLength(3);
    for (const id of await found(plain, "manual")) expect(ids).not.toContain(id);
  }
});
