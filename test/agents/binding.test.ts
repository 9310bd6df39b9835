import { afterAll, beforeAll, expect, test } from "vitest";
import { createCredentialStore } from "../../src/adapters/postgres/access/credential-store.ts";
import { eventually, expectRefusal, faultyPlaces, listed, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";
import { approve, bind, confirm, refusalOf, register, user } from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const WRONG = "rcl_confirm_not-what-the-user-was-shown";

/** The tokens of an agent that are valid now, by kind. */
async function validTokens(agentId: string, kind: string): Promise<number> {
  const listed = await world.service.credentials.list();
  return listed.filter(
    (token) =>
      token.agentId === agentId &&
      token.kind === kind &&
      token.revokedAt === null &&
      (token.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now(),
  ).length;
}

test("without an approval there is nothing to confirm", async () => {
  const agent = await register(world);
  expectRefusal(await confirm(agent, WRONG), 409, "conflict");
});

test("the confirmation token is taken from the query too", async () => {
  const agent = await register(world);
  const token = await approve(world, agent, await user(world));
  const answer = await agent.client.post(`/v1/agents/bind/confirm-current-user?confirmation_token=${token}`);
  expect(answer).toMatchObject({ status: 200, body: { status: "bound" } });
});

test("an attacker whose link a user approves cannot finish without the user's token", async () => {
  const attackers = await register(world, { client_name: "Your own assistant" });
  const victim = await user(world);
  const real = await approve(world, attackers, victim);
  for (let tries = 1; tries <= 5; tries += 1) {
    expect(faultyPlaces(await confirm(attackers, WRONG))).toEqual(["body.confirmation_token"]);
  }
  // The fifth withdraws the approval: the right token is of no more use.
  expectRefusal(await confirm(attackers, real), 409, "conflict");
  expect((await attackers.client.get("/v1/agents/bind/status")).body).toMatchObject({
    status: "pending",
    approved_at: null,
    owner_hint: null,
  });
  expect(await world.service.agentClaims.list(victim)).toEqual([]);
  expect(await validTokens(attackers.id, "agent_formal")).toBe(0);
});

test("a try that came together with others is counted too", async () => {
  const agent = await register(world);
  const real = await approve(world, agent, await user(world));
  const answers = await Promise.all(Array.from({ length: 12 }, () => confirm(agent, WRONG)));
  expect(answers.filter((answer) => answer.status === 422)).toHaveLength(5);
  expect(answers.filter((answer) => answer.status === 409)).toHaveLength(7);
  expectRefusal(await confirm(agent, real), 409, "conflict");
});

test("approving again makes a new token, and the earlier one is of no more use", async () => {
  const agent = await register(world);
  const owner = await user(world);
  const first = await approve(world, agent, owner);
  for (let tries = 1; tries <= 4; tries += 1) await confirm(agent, WRONG);
  const second = await approve(world, agent, owner);
  expect(faultyPlaces(await confirm(agent, first))).toEqual(["body.confirmation_token"]);
  expect(await confirm(agent, second)).toMatchObject({ status: 200 });
});

test("an approval that nobody confirms in ten minutes falls back, and another user may approve", async () => {
  const agent = await register(world);
  const first = await user(world);
  const token = await approve(world, agent, first);
  await world.service.sql`update agents set confirmation_until = now() where id = ${agent.id}`;
  expectRefusal(await confirm(agent, token), 409, "conflict");
  expect((await agent.client.get("/v1/agents/status")).body).toMatchObject({
    status: "pending",
    owner_hint: null,
  });
  await bind(world, agent, await user(world));
});

test("a lost answer: the same confirmation again answers a new token and ends the first", async () => {
  const agent = await register(world);
  const token = await approve(world, agent, await user(world));
  const lost = await confirm(agent, token);
  const again = await confirm(agent, token);
  expect(again).toMatchObject({ status: 200, body: { status: "bound", agent_id: agent.id } });
  expect(again.body.token).not.toBe(lost.body.token);
  expect(await world.withToken(again.body.token).get("/v1/memories")).toMatchObject({ status: 200 });
  expectRefusal(await world.withToken(lost.body.token).get("/v1/memories"), 401, "invalid_token");
  expect(await validTokens(agent.id, "agent_formal")).toBe(1);
});

test("the same confirmation again ends the token of the first answer though it was used, and what it was rotated to", async () => {
  const agent = await register(world);
  const token = await approve(world, agent, await user(world));
  const first = world.withToken((await confirm(agent, token)).body.token);
  expect(await first.get("/v1/memories")).toMatchObject({ status: 200 });
  const rotated = world.withToken((await first.post("/v1/agents/rotate")).body.token);
  expect(await rotated.get("/v1/memories")).toMatchObject({ status: 200 });
  const again = world.withToken((await confirm(agent, token)).body.token);
  for (const ended of [first, rotated]) expectRefusal(await ended.get("/v1/memories"), 401, "invalid_token");
  expectRefusal(await rotated.post("/v1/agents/rotate"), 401, "invalid_token");
  expect(await again.get("/v1/memories")).toMatchObject({ status: 200 });
  expect(await validTokens(agent.id, "agent_formal")).toBe(1);
});

test("wrong tokens after the binding are counted as well, and end the repetition", async () => {
  const agent = await register(world);
  const token = await approve(world, agent, await user(world));
  const { body } = await confirm(agent, token);
  for (let tries = 1; tries <= 5; tries += 1) {
    expect(faultyPlaces(await confirm(agent, WRONG))).toEqual(["body.confirmation_token"]);
  }
  expectRefusal(await confirm(agent, token), 401, "invalid_token");
  expect(await world.withToken(body.token).get("/v1/memories")).toMatchObject({ status: 200 });
});

test("after its ten minutes the confirmation cannot be repeated", async () => {
  const agent = await register(world);
  const token = await approve(world, agent, await user(world));
  await confirm(agent, token);
  await world.service
    .sql`update tokens set expires_at = now() where agent_id = ${agent.id} and kind = 'agent_temporary'`;
  world.service.credentials.forgetCached();
  expectRefusal(await confirm(agent, token), 401, "invalid_token");
});

test("two confirmations at once leave exactly one formal token", async () => {
  for (let round = 0; round < 5; round += 1) {
    const agent = await register(world);
    await stored(agent.client, { content: "Once." });
    const owner = await user(world);
    const token = await approve(world, agent, owner);
    const answers = await Promise.all([confirm(agent, token), confirm(agent, token)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(await validTokens(agent.id, "agent_formal")).toBe(1);
    const used = await Promise.all(
      answers.map((answer) => world.withToken(answer.body.token).get("/v1/memories")),
    );
    expect(used.map((answer) => answer.status).sort()).toEqual([200, 401]);
    expect(await listed(await world.client({ owner: owner.name }))).toEqual(["Once."]);
  }
});

test("of two users who approve at once one gets the agent", async () => {
  for (let round = 0; round < 5; round += 1) {
    const agent = await register(world);
    const users = await Promise.all([user(world), user(world)]);
    const refusals = await Promise.all(users.map((each) => refusalOf(approve(world, agent, each))));
    expect([...refusals].sort()).toEqual(["conflict", null]);
  }
});

test("a claim that another user has approved is not one's to deny", async () => {
  const agent = await register(world);
  await approve(world, agent, await user(world));
  const other = await user(world);
  expect(await refusalOf(world.service.agentClaims.deny(other, agent.code))).toBe("conflict");
});

test("denied by its user or by itself, an agent ends at once", async () => {
  const { agentClaims } = world.service;
  const [byUser, byItself] = [await register(world), await register(world)];
  await agentClaims.deny(await user(world), byUser.code);
  const denial = await byItself.client.post("/v1/agents/bind/deny-current-user");
  expect(denial).toMatchObject({ status: 200, body: { agent_id: byItself.id, status: "denied" } });
  for (const agent of [byUser, byItself]) {
    expectRefusal(await agent.client.get("/v1/agents/status"), 401, "invalid_token");
    expect(await agentClaims.find(agent.code)).toBeNull();
    expect(await refusalOf(approve(world, agent, await user(world)))).toBe("not_found");
  }
});

test("another replica obeys a denial, a binding and a revocation", async () => {
  const replica = createCredentialStore(world.service.sql);
  const refused = (token: string) =>
    eventually(
      () => replica.authenticate(token),
      (found) => found === null,
    );
  const owner = await user(world);
  const [denied, bound] = [await register(world), await register(world)];
  for (const agent of [denied, bound]) expect(await replica.authenticate(agent.client.token)).not.toBeNull();
  await denied.client.post("/v1/agents/bind/deny-current-user");
  await refused(denied.client.token);
  const formal = await bind(world, bound, owner);
  await eventually(
    () => replica.authenticate(bound.client.token),
    (found) => found?.onlyFor === "confirmBinding" && found.scopes.length === 0,
  );
  expect(await replica.authenticate(formal.token)).not.toBeNull();
  await world.service.agentClaims.revoke(owner, bound.id);
  await refused(formal.token);
});

test("an approval and a denial at once end in one of the two", async () => {
  for (let round = 0; round < 5; round += 1) {
    const agent = await register(world);
    const owner = await user(world);
    const [approval, denial] = await Promise.all([
      approve(world, agent, owner).then(
        (token) => token,
        () => null,
      ),
      agent.client.post("/v1/agents/bind/deny-current-user"),
    ]);
    expect(denial.status).toBe(200);
    if (approval !== null) expectRefusal(await confirm(agent, approval), 401, "invalid_token");
  }
});

test("what nobody claims within a day has expired", async () => {
  const agent = await register(world);
  await world.service.sql`update agents set expires_at = now() where id = ${agent.id}`;
  expect(await world.service.agentClaims.find(agent.code)).toBeNull();
  expect(await refusalOf(approve(world, agent, await user(world)))).toBe("not_found");
});

test("the temporary token ends with the claim by itself", async () => {
  const agent = await register(world);
  const [token] = await world.service.sql`
    select t.expires_at = a.expires_at as is_same from tokens t join agents a on a.id = t.agent_id where a.id = ${agent.id}`;
  expect(token?.is_same).toBe(true);
});

test("an approval in the claim's last minutes can still be confirmed", async () => {
  const agent = await register(world);
  const { sql } = world.service;
  await sql`update agents set expires_at = now() + interval '1 minute' where id = ${agent.id}`;
  await sql`update tokens set expires_at = now() + interval '1 minute' where agent_id = ${agent.id}`;
  const token = await approve(world, agent, await user(world));
  const [row] = await sql`
    select t.expires_at > now() + interval '5 minutes' as is_longer from tokens t where t.agent_id = ${agent.id}`;
  expect(row?.is_longer).toBe(true);
  expect(await confirm(agent, token)).toMatchObject({ status: 200 });
});

test("codes that are none, and codes that nobody has, find nothing", async () => {
  const { agentClaims } = world.service;
  for (const code of [
    "",
    "x",
    "0000-0000-0000",
    "'; drop table agents",
    "U".repeat(12),
    "1".repeat(100_000),
  ]) {
    expect(await agentClaims.find(code)).toBeNull();
    expect(await refusalOf(agentClaims.deny(await user(world), code))).toBe("not_found");
  }
});

test("an approval of what cannot be is refused, and binds nothing", async () => {
  const agent = await register(world);
  const owner = await user(world);
  const refusals = await Promise.all([
    refusalOf(approve(world, agent, owner, { scopes: [] })),
    refusalOf(approve(world, agent, owner, { projects: [] })),
    refusalOf(approve(world, agent, owner, { projects: ["a b"] })),
    refusalOf(approve(world, agent, owner, { projects: [".."] })),
    refusalOf(approve(world, agent, owner, { teamId: "no-uuid" })),
    refusalOf(approve(world, agent, owner, { teamId: owner.id })),
    refusalOf(approve(world, agent, { ...owner, kind: "team" })),
  ]);
  expect(refusals).toEqual([
    "validation_failed",
    "validation_failed",
    "validation_failed",
    "validation_failed",
    "not_found",
    "not_found",
    "role_forbidden",
  ]);
  expect(await world.service.agentClaims.find(agent.code)).toMatchObject({ status: "pending" });
  for (const id of ["", "x", "agent_\u0000", `${agent.id}0`]) {
    expect(await world.service.agentClaims.revoke(null, id)).toBe(false);
  }
});

test("a code may be typed with O for zero and I or L for one", async () => {
  const agent = await register(world);
  const typed = agent.code.replaceAll("0", "o").replaceAll("1", "l").replaceAll("-", "  ");
  expect(await world.service.agentClaims.find(typed)).toMatchObject({ agentId: agent.id });
});

test("for a team the user must be a member, and a viewer can let it read only", async () => {
  const owner = await user(world);
  const { team } = await world.service.teams.create(`team-${owner.name}`, owner);
  const [viewer, stranger] = [await user(world), await user(world)];
  await world.service.teams.setRole(team.id, viewer.id, "viewer");
  const agent = await register(world);
  const teamId = team.id;
  expect(await refusalOf(approve(world, agent, stranger, { teamId }))).toBe("not_found");
  expect(await refusalOf(approve(world, agent, viewer, { teamId }))).toBe("role_forbidden");
  const formal = await bind(world, agent, viewer, { teamId, scopes: ["memory:read", "knowledge:read"] });
  const writer = await bind(world, await register(world), owner, { teamId });
  await stored(writer, { content: "The team's." });
  expect(await listed(formal)).toEqual(["The team's."]);
  // Live: out of the team, out of its memories.
  await world.service.teams.remove(team.id, viewer.id);
  expect(await listed(formal)).toEqual([]);
});

test("a team owner's agent with a team cannot reach what is the owner's alone", async () => {
  const owner = await user(world);
  const { team } = await world.service.teams.create(`team-${owner.name}`, owner);
  await stored(await world.client({ owner: owner.name }), { content: "Private." });
  const formal = await bind(world, await register(world), owner, { teamId: team.id });
  expect(await listed(formal)).toEqual([]);
});

test("a user who has left the team since cannot be confirmed for it", async () => {
  const owner = await user(world);
  const member = await user(world);
  const { team } = await world.service.teams.create(`team-${owner.name}`, owner);
  await world.service.teams.setRole(team.id, member.id, "member");
  const agent = await register(world);
  await stored(agent.client, { content: "Not the team's." });
  const token = await approve(world, agent, member, { teamId: team.id });
  await world.service.teams.remove(team.id, member.id);
  expectRefusal(await confirm(agent, token), 409, "conflict");
  expect((await agent.client.get("/v1/agents/status")).body).toMatchObject({ status: "pending" });
  expect(await listed(agent.client)).toEqual(["Not the team's."]);
});

test("revoking the formal token by its id revokes the agent and its skill tokens", async () => {
  const agent = await register(world);
  const formal = await bind(world, agent, await user(world));
  const skill = world.withToken((await formal.post("/v1/skill/tokens", {})).body.token);
  expect(await skill.get("/v1/memories")).toMatchObject({ status: 200 });
  const { credentials, sql } = world.service;
  const token = (await credentials.list()).find(
    (each) => each.agentId === agent.id && each.kind === "agent_formal",
  );
  expect(await credentials.revoke(token?.tokenId as string)).toBe(true);
  await eventually(
    () => skill.get("/v1/memories"),
    (answer) => answer.status === 401,
  );
  expectRefusal(await formal.get("/v1/agents/status"), 401, "invalid_token");
  expect(await sql`select status from agents where id = ${agent.id}`).toMatchObject([{ status: "revoked" }]);
});

test("revoking the temporary token of an unbound agent revokes the agent", async () => {
  const agent = await register(world);
  const { credentials } = world.service;
  const token = (await credentials.list()).find((each) => each.agentId === agent.id);
  await credentials.revoke(token?.tokenId as string);
  expectRefusal(await agent.client.get("/v1/agents/status"), 401, "invalid_token");
  expect(await refusalOf(approve(world, agent, await user(world)))).toBe("not_found");
});
