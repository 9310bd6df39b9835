import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/contract/scope.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
let app: Client;

const ACTING: readonly Scope[] = ["memory:read", "memory:write", "users:act"];

beforeAll(async () => {
  world = await openWorld();
  app = await world.client({ owner: "shop", scopes: ACTING });
});
afterAll(() => world.close());

const memory = (content: string, more: object = {}) => ({ content, path: "notes", ...more });
const contents = (answer: { body: { results: { content: string }[] } }) =>
  answer.body.results.map(({ content }) => content);

describe("A request that names an end user", () => {
  test("reads and writes that end user's space alone, wherever it names it", async () => {
    await app.post("/v1/remember", memory("Ada drinks oolong tea", { user_id: "ada" }));
    await app.post("/v1/remember", memory("Bob drinks black coffee"), { "x-user-id": "bob" });
    await app.post("/v1/remember?user_id=cleo", memory("Cleo drinks cold water"));
    await app.post("/v1/remember", memory("The shop sells what one drinks"));
    const seen = async (path: string, headers?: Record<string, string>) =>
      contents(await app.get(`/v1/memories/search?query=drinks&limit=50${path}`, headers));
    expect(await seen("&user_id=ada")).toEqual(["Ada drinks oolong tea"]);
    expect(await seen("", { "x-user-id": "bob" })).toEqual(["Bob drinks black coffee"]);
    expect(await seen("&user_id=cleo")).toEqual(["Cleo drinks cold water"]);
    expect(await seen("")).toEqual(["The shop sells what one drinks"]);
    const pack = await app.post("/v1/recall/context", { query: "Who drinks what?", user_id: "ada" });
    expect(pack.body.context_text).toContain("oolong");
    expect(pack.body.context_text).not.toMatch(/Bob|Cleo|shop/);
  });

  test("who has written nothing finds nothing, and is not made by reading", async () => {
    expect(contents(await app.get("/v1/memories/search?query=drinks&user_id=nobody"))).toEqual([]);
    expect((await app.get("/v1/users/nobody")).status).toBe(404);
    const listed = await app.get("/v1/users");
    expect(listed.body.users.map((user: { user_id: string }) => user.user_id)).toEqual([
      "ada",
      "bob",
      "cleo",
    ]);
  });

  test("is refused if two names differ, and where it is not about an end user", async () => {
    const two = await app.get("/v1/memories?user_id=ada", { "x-user-id": "bob" });
    expect(two.status).toBe(422);
    expect(two.body.detail[0]).toMatchObject({ loc: ["query", "user_id"] });
    expect((await app.post("/v1/remember?user_id=ada", memory("x", { user_id: "bob" }))).status).toBe(422);
    expect((await app.get("/v1/memories?user_id=ada", { "x-user-id": "ada" })).status).toBe(200);
    const elsewhere = await app.get("/v1/users", { "x-user-id": "ada" });
    expect(elsewhere.status).toBe(422);
    expect(elsewhere.body.detail[0].loc).toEqual(["header", "x-user-id"]);
    for (const name of ["a b", "", "null", "ü", "x".repeat(129)])
      expect((await app.post("/v1/remember", memory("x", { user_id: name }))).status).toBe(422);
    for (const name of ["ada@example.com", "auth0:1_2-3.4+5", "."]) {
      const stored = await app.post("/v1/remember", memory(`I am ${name}`, { user_id: name }));
      expect([name, stored.status]).toEqual([name, 201]);
    }
  });

  test("without the scope is refused, and says what to do", async () => {
    const plain = await world.client({ owner: "shop", scopes: ["memory:read", "memory:write"] });
    for (const answer of [
      await plain.get("/v1/memories?user_id=ada"),
      await plain.get("/v1/memories", { "x-user-id": "ada" }),
      await plain.post("/v1/remember", memory("x", { user_id: "ada" })),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body.code).toBe("validation_failed");
      expect(answer.body.detail[0].msg).toContain("users:act");
      expect(answer.body.detail[0].msg).toContain("--end-users");
    }
  });

  test("of a team's key belongs to the team's application, and is private there", async () => {
    const team = await world.client({ team: "crew", scopes: ACTING });
    const stored = await team.post("/v1/remember", memory("Ada is in the crew", { user_id: "ada" }));
    expect(stored.status).toBe(201);
    const found = await team.get("/v1/memories?user_id=ada");
    expect(found.body.memories).toMatchObject([
      { content: "Ada is in the crew", scope: "private", team_id: null },
    ]);
    expect((await app.get("/v1/memories?user_id=ada")).body.memories).toHaveLength(1);
    const confined = await world.client({ owner: "shop", scopes: ACTING, space: { teamId: team.ownerId } });
    expect((await confined.get("/v1/memories?user_id=ada")).status).toBe(422);
  });

  test("keeps ids, keys and repeats of end users apart", async () => {
    const write = (user_id: string, content: string) =>
      app.post("/v1/memories", memory(content, { user_id, memory_id: "same", semantic_key: "k" }), {
        "idempotency-key": "one",
      });
    for (const user of ["ada", "bob"]) expect((await write(user, `of ${user}`)).status).toBe(201);
    for (const user of ["ada", "bob"]) {
      expect((await write(user, `of ${user}`)).status).toBe(201);
      expect((await app.get(`/v1/memories/same?user_id=${user}`)).body.content).toBe(`of ${user}`);
    }
    expect((await app.get("/v1/memories/same")).status).toBe(404);
    expect((await app.get("/v1/memories/same?user_id=cleo")).status).toBe(404);
    const deleted = await app.delete("/v1/memories/same?user_id=cleo");
    expect(deleted.status).toBe(404);
  });

  test("works on projects, reminders and the ledger", async () => {
    const ledger = await world.client({ owner: "shop", scopes: [...ACTING, "ledger:write"] });
    const todo = await app.post("/v1/projects/home/todos", { content: "Water the plants", user_id: "ada" });
    expect(todo.status).toBe(200);
    const listOf = async (query: string) => (await app.get(`/v1/projects/home/todos${query}`)).body.length;
    expect([await listOf("?user_id=ada"), await listOf("?user_id=bob"), await listOf("")]).toEqual([1, 0, 0]);
    const id = todo.body.todo_id;
    expect((await app.post(`/v1/projects/home/todos/${id}/complete?user_id=bob`)).status).toBe(404);
    expect((await app.post(`/v1/projects/home/todos/${id}/complete?user_id=ada`)).status).toBe(200);
    const context = await app.post("/v1/projects/home/context", { user_id: "bob" });
    expect(JSON.stringify(context.body)).not.toContain("plants");
    const spent = await ledger.post("/v1/ledger/expenses", { item: "Tea", amount: "3.10", user_id: "ada" });
    expect([200, 201]).toContain(spent.status);
  });
});

describe("The application's own memories", () => {
  test("are added on request, marked, and only read", async () => {
    const answer = await app.get("/v1/memories/search?query=drinks&limit=50&user_id=ada&include_shared=true");
    const found = answer.body.results.map(({ content, shared }: { content: string; shared?: true }) => [
      content,
      shared,
    ]);
    expect(found.filter(([content]: [string]) => content.includes("drinks")).sort()).toEqual([
      ["Ada drinks oolong tea", undefined],
      ["The shop sells what one drinks", true],
    ]);
    const pack = await app.post("/v1/recall/context", {
      query: "drinks",
      user_id: "ada",
      include_shared: true,
    });
    expect(pack.body.items.filter((one: { shared?: boolean }) => one.shared)).toHaveLength(1);
    const shared = answer.body.results.find((one: { shared?: boolean }) => one.shared);
    for (const refused of [
      await app.patch(`/v1/memories/${shared.id}`, { content: "no", user_id: "ada" }),
      await app.delete(`/v1/memories/${shared.id}?user_id=ada`),
      await app.get(`/v1/memories/${shared.id}?user_id=ada`),
    ])
      expect(refused.status).toBe(404);
    const own = await app.get("/v1/memories/search?query=drinks&include_shared=true");
    expect(contents(own)).toEqual(["The shop sells what one drinks"]);
    await app.post("/v1/remember", memory("The shop delivers to homes", { project_id: "home" }));
    const project = await app.post("/v1/projects/home/context", {
      user_id: "ada",
      durable_query: "Does the shop deliver?",
      include_shared: true,
    });
    expect(project.body.durable_context).toMatchObject([{ shared: true }]);
  });
});

describe("A token of an end user", () => {
  test("is confined to it, and never wider than the key", async () => {
    const issued = await app.post("/v1/users/ada/tokens", {});
    expect(issued.status).toBe(201);
    expect(issued.body).toMatchObject({ user_id: "ada", scopes: ["memory:read", "memory:write"] });
    expect(Date.parse(issued.body.expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const ada = world.withToken(issued.body.token);
    expect(contents(await ada.get("/v1/memories/search?query=drinks"))[0]).toBe("Ada drinks oolong tea");
    expect((await ada.get("/v1/memories?user_id=ada")).status).toBe(200);
    const other = await ada.get("/v1/memories?user_id=bob");
    expect(other.status).toBe(422);
    expect(other.body.detail[0].msg).toContain("another end user");
    expect((await ada.get("/v1/users")).status).toBe(403);
    expect((await ada.post("/v1/users/ada/tokens", {})).status).toBe(403);
    const shared = await ada.get("/v1/memories/search?query=shop&include_shared=true&limit=50");
    expect(shared.body.results.filter((one: { shared?: true }) => one.shared)).toHaveLength(2);
    for (const wider of [
      { scopes: ["ledger:write"] },
      { scopes: ["users:act"] },
      { expires_in_seconds: 91 * 86_400 },
    ])
      expect((await app.post("/v1/users/ada/tokens", wider)).status).toBe(422);
    const narrow = await app.post("/v1/users/ada/tokens", { scopes: ["memory:read"], path_prefix: "p" });
    const reader = world.withToken(narrow.body.token);
    expect((await reader.post("/v1/remember", memory("x"))).status).toBe(403);
    expect((await reader.get("/v1/memories")).body.memories).toEqual([]);
  });
});

describe("Events", () => {
  test("of end users carry the user's id, and go to nobody else", async () => {
    const ada = await app.get("/v1/events?user_id=ada&limit=500");
    expect(ada.body.events.length).toBeGreaterThan(0);
    for (const { data } of ada.body.events) expect(data.user_id).toBe("ada");
    const own = await app.get("/v1/events?limit=500");
    expect(own.body.events.length).toBeGreaterThan(0);
    for (const { data } of own.body.events) expect(data).not.toHaveProperty("user_id");
  });
});
