import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askMcp, callTool } from "../support/mcp.ts";
import { askSkill, runSkill } from "../support/skill.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
let app: Client;

beforeAll(async () => {
  world = await openWorld();
  app = await world.client({ owner: "shop", scopes: ["memory:read", "memory:write", "users:act"] });
});
afterAll(() => world.close());

test("MCP takes the argument and the header, and lists the argument for those who may use it", async () => {
  const tool = (name: string, input: object, headers = {}) =>
    callTool(world, app.token, name, input, headers);
  await tool("remember", { content: "Ada plays the oboe", path: "p", user_id: "ada" });
  await tool("remember", { content: "Bob plays the viola", path: "p" }, { "x-user-id": "bob" });
  const found = async (input: object, headers = {}) =>
    JSON.stringify(await tool("search_memories", { query: "plays", ...input }, headers));
  expect(await found({ user_id: "ada" })).toMatch(/oboe/);
  expect(await found({ user_id: "ada" })).not.toMatch(/viola/);
  expect(await found({}, { "x-user-id": "bob" })).toMatch(/viola/);
  expect(await found({})).not.toMatch(/oboe|viola/);
  expect(await found({ user_id: "ada" }, { "x-user-id": "bob" })).toContain("different end user");
  const plain = await world.client({ owner: "shop", scopes: ["memory:read", "memory:write"] });
  const refused = await callTool(world, plain.token, "search_memories", { query: "plays", user_id: "ada" });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused)).toContain("users:act");
  const { body } = await app.post("/v1/users/ada/tokens", {});
  const confined = await callTool(world, body.token, "search_memories", { query: "plays" });
  expect(JSON.stringify(confined)).toMatch(/oboe/);
  const listedFor = async (token: string) => {
    const { answer } = await askMcp(world, token, "tools/list", {});
    const search = answer.result.tools.find(({ name }: { name: string }) => name === "search_memories");
    return Object.keys(search.inputSchema.properties).filter((name) => /user_id|shared/.test(name));
  };
  expect(await listedFor(app.token)).toEqual(["user_id", "include_shared"]);
  expect(await listedFor(plain.token)).toEqual([]);
  expect(await listedFor(body.token)).toEqual(["include_shared"]);
});

test("the skill runtime takes it in the input", async () => {
  for (const user_id of ["ada", "bob"])
    await runSkill(app, "save-state", { key: "k", content: `The state of ${user_id}`, user_id });
  expect((await runSkill(app, "restore-state", { key: "k", user_id: "ada" })).content).toBe(
    "The state of ada",
  );
  expect((await runSkill(app, "restore-state", { key: "k" }, { "x-user-id": "bob" })).content).toContain(
    "bob",
  );
  expect((await askSkill(app, "restore-state", { key: "k" })).status).toBe(404);
  const team = await world.client({ team: "crew", scopes: ["memory:read", "memory:write", "users:act"] });
  await runSkill(team, "save-state", { key: "k", content: "Of the crew's ada", user_id: "ada" });
  expect((await runSkill(team, "restore-state", { key: "k", user_id: "ada" })).content).toContain("crew");
});

test("a session manages the end users of its user, and of teams it administers, and acts for its own", async () => {
  const { credentials, teams } = world.service;
  const user = await credentials.ensureOwner("user", "keeper");
  const { team } = await teams.create("keepers", user);
  const cookie = await sessionOf(world, user);
  const ask = async (path: string, input: object) => {
    const { body } = await askTrpc(world, cookie, path, input);
    return body.result?.data ?? body.error.data.code;
  };
  await ask("remember", { content: "Cleo collects stamps", path: "p", user_id: "cleo" });
  expect((await ask("listEndUsers", {})).users).toMatchObject([{ user_id: "cleo", memories: 1 }]);
  expect((await ask("searchMemories", { query: "stamps", user_id: "cleo" })).results).toHaveLength(1);
  expect((await ask("searchMemories", { query: "stamps" })).results).toHaveLength(0);
  const ofTeam = await world.client({ team: "keepers", scopes: ["memory:write", "users:act"] });
  await ofTeam.post("/v1/remember", { content: "Dan whistles", path: "p", user_id: "dan" });
  expect((await ask("listEndUsers", { team_id: team.id })).users).toMatchObject([{ user_id: "dan" }]);
  expect(await ask("getEndUser", { user_id: "dan" })).toBe("not_found");
  const audit = await ask("listAudit", { user_id: "cleo" });
  expect(audit.lines.length).toBeGreaterThan(0);
  for (const line of audit.lines) expect(line.user_id).toBe("cleo");
  const guest = await credentials.ensureOwner("user", "guest");
  await teams.provision(team.id, guest, "member");
  const guests = await sessionOf(world, guest);
  const refused = await askTrpc(world, guests, "listEndUsers", { team_id: team.id });
  expect(refused.body.error.data.code).toMatch(/role_forbidden|not_found/);
});

describe("The scores of one end user", () => {
  test("do not depend on what another writes, nor on the application", async () => {
    const words = "harbour berth pilot tide buoy anchor".split(" ");
    for (const [at, word] of words.entries())
      await app.post("/v1/remember", { content: `The ${word} is number ${at}`, path: "p", user_id: "eve" });
    const scores = async () => {
      const { body } = await app.get(
        "/v1/memories/search?query=pilot%20tide&limit=10&explain=true&user_id=eve",
      );
      return body.results.map(
        ({ id, score, explanation }: { id: string; score: number; explanation: { rank_score: number } }) => [
          id,
          score,
          explanation.rank_score,
        ],
      );
    };
    const before = await scores();
    expect(before.length).toBeGreaterThan(1);
    const many = (user_id: string | undefined) =>
      app.post("/v1/memories/batch", {
        items: Array.from({ length: 200 }, (_, n) => ({
          content: `A pilot waits for the tide, ${n}`,
          path: "p",
        })),
        user_id,
      });
    for (const user of ["mallory", undefined]) expect((await many(user)).body.stored).toBe(200);
    expect(await scores()).toEqual(before);
  });
});
