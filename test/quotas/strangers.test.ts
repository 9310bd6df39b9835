import { afterAll, beforeAll, expect, test } from "vitest";
import { approve, confirm, introduction, type Registered, user } from "../agents/agents.ts";
import { eventually, expectRefusal, memory, stored, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { type Answer, openWorld, type World } from "../support/world.ts";

const AGENTS_MAX = 8;
const PER_NETWORK_MAX = 3;

let world: World;
let replica: World["handle"];
let networks = 0;
beforeAll(async () => {
  world = await openWorld({
    AGENT_UNCLAIMED_MAX: String(AGENTS_MAX),
    AGENT_UNCLAIMED_PER_NETWORK_MAX: String(PER_NETWORK_MAX),
    QUARANTINE_TOTAL_MB: "3",
    QUARANTINE_PER_NETWORK_MB: "2",
    AGENT_SELF_REGISTRATION: "on",
  });
  replica = await world.replica();
});
afterAll(() => world.close());

/** An address of a network that no other test has. */
const freshNetwork = () => `198.51.100.${++networks}`;

/** Registers over the door from that address, as a socket has it. */
async function registerFrom(address: string, handle = world.handle): Promise<Answer> {
  const request = new Request("http://localhost/v1/agents/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(introduction()),
  });
  Object.defineProperty(request, "ip", { value: address });
  const response = await handle(request);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function agentFrom(address: string): Promise<Registered> {
  const answer = await registerFrom(address);
  expect(answer).toMatchObject({ status: 200 });
  const { agent_id: id, claim_code: code, bind_url: bindUrl, temporary_token } = answer.body;
  return { id, code, bindUrl, client: world.withToken(temporary_token) };
}

async function clear() {
  const { sql } = world.service;
  await sql`delete from memories where owner_id in (select id from owners where kind = 'agent')`;
  await sql`delete from owners where kind = 'agent'`;
  await sql`delete from agents`;
}

async function unclaimed(): Promise<number> {
  const [row] = await world.service.sql`select count(*)::int as count from agents where status <> 'bound'`;
  return row?.count as number;
}

test("a network has so many unclaimed agents, at two servers and at once, and no others pay for it", async () => {
  await clear();
  const other = await agentFrom(freshNetwork());
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      registerFrom(`2001:db8::${n.toString(16)}`, n % 2 ? replica : world.handle),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(PER_NETWORK_MAX);
  const [refused] = answers.filter(({ status }) => status !== 200);
  expectRefusal(refused as Answer, 403, "quota_exceeded");
  expect(refused?.body.detail).toContain("bind");
  expect((await other.client.get("/v1/agents/status")).status).toBe(200);
  expect((await registerFrom("2001:db8:0:1::1")).status).toBe(200);
});

test("giving up makes room for another agent of the network", async () => {
  await clear();
  const address = freshNetwork();
  const agents = [await agentFrom(address), await agentFrom(address), await agentFrom(address)];
  expectRefusal(await registerFrom(address), 403, "quota_exceeded");
  await agents[0]?.client.post("/v1/agents/bind/deny-current-user");
  expect((await registerFrom(address)).status).toBe(200);
});

test("where there are as many as there may be, the oldest that nobody claimed goes, and all it wrote", async () => {
  await clear();
  const word = unguessable();
  const oldest = await agentFrom(freshNetwork());
  const id = await stored(oldest.client, { content: `It said ${word}.` });
  await oldest.client.patch(`/v1/memories/${id}`, { content: `It says ${word}.` });
  await oldest.client.post("/v1/remember", memory({ content: word }), { "idempotency-key": "k" });
  const approved = await agentFrom(freshNetwork());
  const token = await approve(world, approved, await user(world));
  const next = await agentFrom(freshNetwork());
  for (let n = await unclaimed(); n < AGENTS_MAX; n += 1) await agentFrom(freshNetwork());
  expect((await oldest.client.get("/v1/agents/status")).status).toBe(200);

  await agentFrom(freshNetwork());
  expect(await unclaimed()).toBe(AGENTS_MAX);
  expectRefusal(await oldest.client.get("/v1/agents/status"), 401, "invalid_token");
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  const [left] = await world.service.sql`
    select (select count(*)::int from tombstones where memory::text = ${id}) as tombstones,
           (select count(*)::int from tokens where agent_id = ${oldest.id}) as tokens`;
  expect(left).toEqual({ tombstones: 1, tokens: 0 });
  await eventually(
    async () => (await world.service.sql`select count(*)::int as lines from outbox`)[0]?.lines,
    (lines) => lines === 0,
  );

  await agentFrom(freshNetwork());
  expectRefusal(await next.client.get("/v1/agents/status"), 401, "invalid_token");
  expect((await confirm(approved, token)).status).toBe(200);
});

test("however many come at once and give up, no more of them are kept", async () => {
  await clear();
  const comeAndGo = async (n: number) => {
    const answer = await registerFrom(freshNetwork(), n % 2 ? replica : world.handle);
    expect(answer.status).toBe(200);
    if (n % 3) await world.withToken(answer.body.temporary_token).post("/v1/agents/bind/deny-current-user");
  };
  await Promise.all(Array.from({ length: 30 }, (_, n) => comeAndGo(n)));
  expect(await unclaimed()).toBe(AGENTS_MAX);
  const [row] = await world.service.sql`
    select (select count(*)::int from owners where kind = 'agent') as owners,
           (select count(*)::int from tokens where kind = 'agent_temporary') as tokens`;
  expect(row?.owners).toBeLessThanOrEqual(AGENTS_MAX);
  expect(row?.tokens).toBeLessThanOrEqual(AGENTS_MAX);
});

const KB = 1000;
/** Fills a quarantine with text until it is refused, or has so much; answers the last answer. */
async function fill(agent: Registered, bytes: number): Promise<Answer> {
  let answer: Answer | undefined;
  for (let n = 0; n < bytes / (60 * KB); n += 1) {
    answer = await agent.client.post("/v1/memories", memory({ content: `${n} ${"x".repeat(60 * KB)}` }));
    if (answer.status !== 201) break;
  }
  return answer as Answer;
}

async function heldBytes(): Promise<number> {
  const [row] = await world.service.sql`
    select coalesce(sum(octet_length(content)), 0)::int as bytes from memories
    where owner_id in (select id from owners where kind = 'agent')`;
  return row?.bytes as number;
}

test("the agents of a network keep so much together, and are told so", async () => {
  await clear();
  const address = freshNetwork();
  const agents = [await agentFrom(address), await agentFrom(address), await agentFrom(address)];
  const answers: Answer[] = [];
  for (const agent of agents) answers.push(await fill(agent, 960 * KB));
  expect(answers[0]?.status).toBe(201);
  expect(answers[1]?.status).toBe(201);
  expectRefusal(answers[2] as Answer, 403, "quota_exceeded");
  expect(answers[2]?.body.detail).toContain("bind this agent");
  expect(await heldBytes()).toBeLessThanOrEqual(2 * 1024 * 1024);
});

test("where quarantines hold as much as they may, the oldest that nobody claimed goes first", async () => {
  await clear();
  const agents: Registered[] = [];
  for (let n = 0; n < 4; n += 1) agents.push(await agentFrom(freshNetwork()));
  const [approved, oldest, younger, newcomer] = agents as [Registered, Registered, Registered, Registered];
  for (const agent of [approved, oldest, younger]) expect((await fill(agent, 960 * KB)).status).toBe(201);
  await approve(world, approved, await user(world));
  expect((await fill(newcomer, 960 * KB)).status).toBe(201);
  expect(await heldBytes()).toBeLessThanOrEqual(3 * 1024 * 1024);
  await eventually(
    () => oldest.client.get("/v1/agents/status"),
    ({ status }) => status === 401,
  );
  for (const agent of [approved, younger, newcomer])
    expect((await agent.client.get("/v1/agents/status")).status).toBe(200);
});

test("quarantines that are written at once keep no more than they may", async () => {
  await clear();
  const agents: Registered[] = [];
  for (let n = 0; n < 6; n += 1) agents.push(await agentFrom(freshNetwork()));
  await Promise.all(agents.map((agent) => fill(agent, 960 * KB)));
  expect(await heldBytes()).toBeLessThanOrEqual(3 * 1024 * 1024);
  expect(await heldBytes()).toBeGreaterThan(1024 * 1024);
});
