import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, expectRefusal, found, listed, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";
import { approve, bind, confirm, introduction, register, user } from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ PUBLIC_URL: "https://memory.example" });
});
afterAll(() => world.close());

test("an agent registers, writes, is bound in two steps, and its user has what it wrote", async () => {
  const agent = await register(world, { client_version: "1.2", runtime: "node" });
  expect(agent.bindUrl).toBe(`https://memory.example/bind?code=${agent.code}`);
  expect(agent.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);

  await stored(agent.client, { content: "The deploy script lives in ops/ship.sh." });
  const before = await agent.client.get("/v1/agents/status");
  expect(before.body).toEqual({
    agent_id: agent.id,
    status: "pending",
    trust_level: 0,
    token_kind: "agent_temporary",
    scopes: ["memory:read", "memory:write"],
    owner_hint: null,
    bind_url: agent.bindUrl,
    expires_at: expect.any(String),
  });

  const apollo = await user(world, "apollo");
  expect(await world.service.agentClaims.find(agent.code.toLowerCase().replaceAll("-", " "))).toMatchObject({
    agentId: agent.id,
    status: "pending",
    clientName: "Coder",
    clientVersion: "1.2",
    runtime: "node",
    entryType: "mcp",
  });
  const token = await approve(world, agent, apollo);
  expect((await agent.client.get("/v1/agents/bind/status")).body).toEqual({
    agent_id: agent.id,
    status: "awaiting_confirmation",
    requested_at: expect.any(String),
    approved_at: expect.any(String),
    expires_at: expect.any(String),
    owner_hint: "ap…",
  });

  const confirmed = await confirm(agent, token);
  expect(confirmed).toMatchObject({
    status: 200,
    body: { agent_id: agent.id, status: "bound", trust_level: 2, scopes: ["memory:read", "memory:write"] },
  });
  const formal = world.withToken(confirmed.body.token);
  expect((await formal.get("/v1/agents/status")).body).toMatchObject({
    status: "bound",
    trust_level: 2,
    token_kind: "agent_formal",
    owner_hint: "ap…",
    expires_at: confirmed.body.expires_at,
  });
  expect(await listed(formal)).toEqual(["The deploy script lives in ops/ship.sh."]);
  const apollosKey = await world.client({ owner: "apollo" });
  expect(await found(apollosKey, "where is the deploy script")).toHaveLength(1);

  for (const path of ["/v1/memories", "/v1/agents/status", "/v1/agents/bind/status"]) {
    expectRefusal(await agent.client.get(path), 401, "invalid_token");
  }
  expectRefusal(await agent.client.post("/v1/agents/bind/deny-current-user"), 401, "invalid_token");
});

test("registration always makes a new identity, whatever the fingerprint", async () => {
  const [first, second] = await Promise.all([register(world), register(world)]);
  expect(second.id).not.toBe(first.id);
  await stored(first.client, { content: "Only the first knows." });
  expect(await listed(second.client)).toEqual([]);
});

test("a valid token beside the registration changes nothing about it", async () => {
  const alice = await world.client();
  const answer = await alice.post("/v1/agents/register", introduction());
  expect(answer).toMatchObject({ status: 200, body: { status: "pending", trust_level: 0 } });
});

test.each([
  ["a NUL in a name", { client_name: "a\u0000b" }],
  ["a NUL in metadata", { metadata: { deep: ["\u0000"] } }],
  ["half a character", { client_name: "\ud800" }],
  ["half a character in metadata", { metadata: { "\udc00": 1 } }],
  ["no name", { client_name: "" }],
  ["a list for metadata", { metadata: [] }],
  ["a long fingerprint", { installation_fingerprint: "x".repeat(513) }],
  ["a number for a runtime", { runtime: 20 }],
])("a registration with %s is refused as not valid or taken, never a fault", async (_, given) => {
  const answer = await world.withToken("").post("/v1/agents/register", introduction(given));
  expect([200, 422]).toContain(answer.status);
});

test("a confirmation token of any shape is refused as not valid", async () => {
  const agent = await register(world);
  await approve(world, agent, await user(world));
  const path = "/v1/agents/bind/confirm-current-user";
  for (const confirmation_token of [null, 1, "", ["a"], {}, "x".repeat(257)]) {
    expectRefusal(await agent.client.post(path, { confirmation_token }), 422, "validation_failed");
  }
  expectRefusal(await agent.client.post(path), 422, "validation_failed");
  expectRefusal(await agent.client.post(path, { confirmation_token: "\u0000é" }), 422, "validation_failed");
  expect((await agent.client.get("/v1/agents/bind/status")).body.status).toBe("awaiting_confirmation");
});

test("with self-registration off nobody registers", async () => {
  const closed = await openWorld({ AGENT_SELF_REGISTRATION: "off" });
  try {
    const answer = await closed.withToken("").post("/v1/agents/register", introduction());
    expectRefusal(answer, 403, "insufficient_scope");
    expect(answer.body.detail).toContain("keys create");
  } finally {
    await closed.close();
  }
});

test("a temporary agent's context is version 1.0, an owner's is value-density-v2", async () => {
  const agent = await register(world);
  await stored(agent.client, { content: "The staging database is db-2." });
  const ask = { query: "Which is the staging database?" };
  const temporary = await agent.client.post("/v1/recall/context", ask);
  expect(temporary.status).toBe(200);
  expect(Object.keys(temporary.body).sort()).toEqual(["budget", "context_text", "items", "query", "version"]);
  expect(temporary.body).toMatchObject({ version: "1.0", query: ask.query });
  expect(temporary.body.context_text).toContain("db-2");
  const formal = await bind(world, agent, await user(world));
  const owners = await formal.post("/v1/recall/context", ask);
  expect(owners.body).toMatchObject({
    version: "value-density-v2",
    items: [{ content: "The staging database is db-2." }],
  });
});

test("the formal token's power is what was granted, under its user's name", async () => {
  const agent = await register(world);
  const owner = await user(world);
  const formal = await bind(world, agent, owner, { scopes: ["memory:read"], projects: ["apollo"] });
  expectRefusal(await formal.post("/v1/memories", { content: "x", path: "p" }), 403, "insufficient_scope");
  const key = await world.client({ owner: owner.name });
  await stored(key, { content: "In the project.", provenance: { project_id: "apollo" } });
  await stored(key, { content: "Elsewhere." });
  expect(await listed(formal)).toEqual(["In the project."]);
});

test("what a bound agent writes is attributed to it, whatever the request claims", async () => {
  const agent = await register(world);
  const formal = await bind(world, agent, await user(world));
  await formal.post(
    "/v1/memories",
    { content: "Mine.", path: "p", provenance: { agent_id: "somebody-else", agent_name: "Root" } },
    { "x-agent-id": "another" },
  );
  const [item] = (await formal.get("/v1/memories")).body.memories;
  expect(item.provenance).toMatchObject({ agent_id: agent.id });
  expect(item.provenance).not.toHaveProperty("agent_name");
  expect(item.boundary).toMatchObject({ current_agent_id: agent.id, current_agent_trust: "token_bound" });
});

test("revoking the agent ends all its tokens", async () => {
  const agent = await register(world);
  const owner = await user(world);
  const formal = await bind(world, agent, owner);
  const skill = await formal.post("/v1/skill/tokens", {});
  expect(skill.status).toBe(201);
  const { agentClaims } = world.service;
  expect(await agentClaims.list(owner)).toMatchObject([{ agentId: agent.id, status: "bound" }]);
  expect(await agentClaims.revoke(await user(world), agent.id)).toBe(false);
  expect(await agentClaims.revoke(owner, agent.id)).toBe(true);
  for (const client of [formal, world.withToken(skill.body.token)]) {
    await eventually(
      () => client.get("/v1/memories"),
      (answer) => answer.status === 401,
    );
  }
  expect(await agentClaims.list(owner)).toMatchObject([{ agentId: agent.id, status: "revoked" }]);
  expect(await agentClaims.revoke(owner, agent.id)).toBe(true);
});
