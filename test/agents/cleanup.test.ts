import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepAgents } from "../../src/adapters/postgres/access/agent-sweep.ts";
import { createExportSource } from "../../src/adapters/postgres/transfer/export-source.ts";
import { exportMemories } from "../../src/core/transfer/export-memories.ts";
import { readLine } from "../../src/core/transfer/lines.ts";
import { expectRefusal, listed, stored, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { openWorld, type World } from "../support/world.ts";
import { approve, bind, type Registered, register, user } from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const sweep = () => sweepAgents(world.service.sql);

async function age(agent: Registered, days: number): Promise<void> {
  await world.service.sql`
    update agents set ended_at = ended_at - make_interval(days => ${days}) where id = ${agent.id}`;
}

async function lapse(agent: Registered): Promise<void> {
  const { sql, credentials } = world.service;
  await sql`update agents set expires_at = now() where id = ${agent.id}`;
  await sql`update tokens set expires_at = now() where agent_id = ${agent.id}`;
  credentials.forgetCached();
}

test.each(["denied", "expired", "revoked"] as const)(
  "a month after it was %s nothing of the agent is left but its audit lines",
  async (end) => {
    const words = { content: unguessable(), client: unguessable(), address: "203.0.113.77" };
    const agent = await register(world, { client_name: words.client, metadata: { about: words.client } });
    await world.service.sql`update agents set address = ${words.address} where id = ${agent.id}`;
    const id = await stored(agent.client, { content: `It said ${words.content}.` });
    await agent.client.patch(`/v1/memories/${id}`, { content: `It says ${words.content}.` });
    const { sql, agentClaims } = world.service;
    if (end === "denied") await agent.client.post("/v1/agents/bind/deny-current-user");
    else if (end === "revoked") await agentClaims.revoke(null, agent.id);
    else await lapse(agent);
    await sweep();
    expectRefusal(await agent.client.get("/v1/agents/status"), 401, "invalid_token");

    await age(agent, 29);
    await sweep();
    expect(await columnsHolding(sql, words.content)).not.toEqual([]);
    await age(agent, 2);
    await sweep();
    for (const word of Object.values(words)) expect(await columnsHolding(sql, word)).toEqual([]);
    const [row] = await sql`
      select a.status, (select count(*)::int from owners where name = a.id) as owners,
             (select count(*)::int from tokens where agent_id = a.id) as tokens,
             (select count(*)::int from tombstones where memory = ${id}) as tombstones,
             (select array_agg(operation order by id) from audit_log where agent_id = a.id) as audit
      from agents a where a.id = ${agent.id}`;
    expect(row).toMatchObject({ status: end, owners: 0, tokens: 0, tombstones: 1 });
    const audited = { denied: "agent_deny", expired: "agent_expire", revoked: "agent_revoke" }[end];
    expect(row?.audit).toEqual(
      expect.arrayContaining(["agent_register", "create", "update", audited, "hard_delete"]),
    );
  },
);

test("a full quarantine is deleted whole", async () => {
  const agent = await register(world);
  const items = Array.from({ length: 200 }, (_, n) => ({ content: `Note ${n}.`, path: "p" }));
  expect((await agent.client.post("/v1/memories/batch", { items })).body.stored).toBe(200);
  const [before] = await world.service.sql`select quarantine_id from agents where id = ${agent.id}`;
  await agent.client.post("/v1/agents/bind/deny-current-user");
  await age(agent, 31);
  await Promise.all([sweep(), sweep()]);
  const [row] = await world.service.sql`
    select count(*)::int as left from memories where owner_id = ${before?.quarantine_id}`;
  expect(row).toEqual({ left: 0 });
});

test("what is pending, bound, or revoked after its binding keeps its memories", async () => {
  const owner = await user(world);
  const [pending, bound, revoked] = [await register(world), await register(world), await register(world)];
  await stored(pending.client, { content: "Waiting." });
  await stored(bound.client, { content: "Adopted." });
  await stored(revoked.client, { content: "Adopted too." });
  await bind(world, bound, owner);
  await bind(world, revoked, owner);
  await world.service.agentClaims.revoke(owner, revoked.id);
  await age(revoked, 400);
  await sweep();
  expect(await listed(pending.client)).toEqual(["Waiting."]);
  expect((await listed(await world.client({ owner: owner.name }))).sort()).toEqual([
    "Adopted too.",
    "Adopted.",
  ]);
});

test("an adopted quarantine's owner goes once its last token has ended", async () => {
  const agent = await register(world);
  await bind(world, agent, await user(world));
  const owners = async () => {
    const [row] = await world.service.sql`select count(*)::int as count from owners where name = ${agent.id}`;
    return row?.count;
  };
  await sweep();
  expect(await owners()).toBe(1);
  await world.service
    .sql`update tokens set expires_at = now() where agent_id = ${agent.id} and kind = 'agent_temporary'`;
  await sweep();
  expect(await owners()).toBe(0);
});

test("no code and no token is stored in the clear, at any point of an agent's life", async () => {
  const { sql } = world.service;
  const agent = await register(world);
  const owner = await user(world);
  const confirmation = await approve(world, agent, owner);
  const confirmed = await agent.client.post("/v1/agents/bind/confirm-current-user", {
    confirmation_token: confirmation,
  });
  const formal = world.withToken(confirmed.body.token);
  const skill = await formal.post("/v1/skill/tokens", {});
  const rotated = await formal.post("/v1/agents/rotate");
  const secrets = [
    agent.client.token,
    agent.code,
    agent.code.replaceAll("-", ""),
    confirmation,
    confirmed.body.token,
    skill.body.token,
    rotated.body.token,
  ];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThanOrEqual(12);
    expect(await columnsHolding(sql, secret)).toEqual([]);
  }
});

test("no Idempotency-Key keeps a secret, or the answer of an agent that has ended", async () => {
  const { sql } = world.service;
  const key = () => ({ "idempotency-key": unguessable() });
  const [agent, denied] = [await register(world), await register(world)];
  const confirmation = { confirmation_token: await approve(world, agent, await user(world)) };
  const path = "/v1/agents/bind/confirm-current-user";
  const same = key();
  const [first, again] = [
    await agent.client.post(path, confirmation, same),
    await agent.client.post(path, confirmation, same),
  ];
  expect(first.body.token).not.toBe(again.body.token);
  const formal = world.withToken(again.body.token);
  expect((await formal.post("/v1/skill/tokens", {}, key())).status).toBe(201);
  expect((await formal.post("/v1/agents/rotate", undefined, key())).status).toBe(200);
  expect((await denied.client.post("/v1/agents/bind/deny-current-user", undefined, key())).status).toBe(200);
  expect(await sql`select from idempotency_keys`).toHaveLength(0);
});

test("each step leaves its audit line, with who and what but no secret", async () => {
  const agent = await register(world);
  const owner = await user(world);
  await approve(world, agent, owner);
  await agent.client.post("/v1/agents/bind/confirm-current-user", { confirmation_token: "wrong" });
  const formal = await bind(world, agent, owner);
  await formal.post("/v1/skill/tokens", {});
  const next = world.withToken((await formal.post("/v1/agents/rotate")).body.token);
  const { credentials, sql } = world.service;
  const { agent_id } = (await next.get("/v1/agents/status")).body;
  const token = (await credentials.list()).find((each) => each.agentId === agent_id && each.kind === "skill");
  await credentials.revoke(token?.tokenId as string);
  await world.service.agentClaims.revoke(owner, agent.id);
  const rows = await sql`
    select operation, owner_id = ${owner.id} as is_owners, token_id is not null as has_token, request_id is not null as has_request
    from audit_log where agent_id = ${agent.id} order by id`;
  expect(rows.map((row) => row.operation)).toEqual([
    "issue_credential",
    "agent_register",
    "agent_approve",
    "agent_confirm_refused",
    "agent_approve",
    "issue_credential",
    "agent_bind",
    "issue_credential",
    "issue_credential",
    "agent_rotate",
    "revoke_credential",
    "agent_revoke",
  ]);
  for (const row of rows.slice(2)) expect(row.is_owners).toBe(true);
  for (const row of rows.filter((each) => /bind|rotate|refused|register/.test(each.operation))) {
    expect(row).toMatchObject({ has_token: true, has_request: true });
  }
});

test("an export has no quarantine, and has what was adopted with its provenance", async () => {
  const [bound, pending] = [await register(world), await register(world)];
  const [adopted, held] = [unguessable(), unguessable()];
  await stored(bound.client, { content: adopted });
  await stored(pending.client, { content: held });
  await bind(world, bound, await user(world));
  let text = "";
  const ports = { source: createExportSource(world.service.sql), clock: Date.now };
  const filter = { owner: null, projectId: null, status: "all", withVersions: true } as const;
  await exportMemories(ports, filter, {
    async write(part) {
      text += part;
    },
  });
  expect(text).not.toContain(held);
  expect(text).not.toContain('"owner":{"kind":"agent"');
  const lines = text.split("\n").filter((line) => line.includes(adopted));
  expect(lines).toHaveLength(1);
  expect(readLine(JSON.parse(lines[0] as string), false)).toMatchObject({
    line: { owner: { kind: "user" }, provenance: { adopted_from: { agent_id: bound.id } } },
  });
});
