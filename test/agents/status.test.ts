import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweepAgents } from "../../src/adapters/postgres/access/agent-sweep.ts";
import { type AgentStatus, agentStatuses } from "../../src/contract/agent.ts";
import type { Owner } from "../../src/core/access/credential.ts";
import { type AgentEvent, agentEvents, statusAfter, statusOf } from "../../src/core/agent/agent.ts";
import { openWorld, type World } from "../support/world.ts";
import { approve, bind, confirm, type Registered, refusalOf, register, user } from "./agents.ts";

describe("the table", () => {
  test("nothing leads out of an end, and each status can be reached", () => {
    for (const end of ["denied", "expired", "revoked"] as const) {
      for (const event of agentEvents) expect(statusAfter(end, event)).toBeNull();
    }
    const reached = new Set<AgentStatus>(["pending"]);
    for (let round = 0; round < agentStatuses.length; round += 1) {
      for (const status of [...reached]) {
        for (const event of agentEvents) {
          const next = statusAfter(status, event);
          if (next !== null) reached.add(next);
        }
      }
    }
    expect([...reached].sort()).toEqual([...agentStatuses].sort());
  });

  test("time alone ends claims and approvals, and nothing else", () => {
    const times = { expiresAt: 100, confirmationUntil: 50 };
    const at = (status: AgentStatus, now: number) => statusOf({ status, ...times }, now);
    expect([at("pending", 99), at("pending", 100)]).toEqual(["pending", "expired"]);
    expect([49, 50, 99, 100].map((now) => at("awaiting_confirmation", now))).toEqual([
      "awaiting_confirmation",
      "pending",
      "pending",
      "expired",
    ]);
    for (const status of ["bound", "denied", "expired", "revoked"] as const) {
      expect(at(status, 1_000)).toBe(status);
    }
  });
});

describe("every status and every event, as the table says", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** An agent in a status, with what each event needs. */
  interface Staged {
    readonly agent: Registered;
    readonly owner: Owner;
    /** The confirmation token, where there has ever been one. */
    readonly token: string;
    readonly formal: ReturnType<World["withToken"]>;
  }

  const stage: Readonly<Record<AgentStatus, (agent: Registered, owner: Owner) => Promise<Partial<Staged>>>> =
    {
      pending: async () => ({}),
      awaiting_confirmation: async (agent, owner) => ({ token: await approve(world, agent, owner) }),
      bound: async (agent, owner) => {
        const token = await approve(world, agent, owner);
        return { token, formal: world.withToken((await confirm(agent, token)).body.token) };
      },
      denied: async (agent, owner) => {
        const token = await approve(world, agent, owner);
        await world.service.agentClaims.deny(owner, agent.code);
        return { token };
      },
      expired: async (agent, owner) => {
        const token = await approve(world, agent, owner);
        await lapse(agent);
        return { token };
      },
      revoked: async (agent, owner) => {
        const formal = await bind(world, agent, owner);
        await world.service.agentClaims.revoke(owner, agent.id);
        return { formal };
      },
    };

  async function lapse(agent: Registered): Promise<void> {
    const { sql, credentials } = world.service;
    await sql`update agents set expires_at = now() where id = ${agent.id}`;
    await sql`update tokens set expires_at = now() where agent_id = ${agent.id}`;
    credentials.forgetCached();
    await sweepAgents(sql);
  }

  /** Whether the event was allowed. */
  const play: Readonly<Record<AgentEvent, (staged: Staged) => Promise<boolean>>> = {
    approve: async ({ agent, owner }) => (await refusalOf(approve(world, agent, owner))) === null,
    confirm: async ({ agent, token }) => (await confirm(agent, token)).status === 200,
    deny: async ({ agent, owner }) =>
      (await refusalOf(world.service.agentClaims.deny(owner, agent.code))) === null,
    rotate: async ({ formal }) => (await formal.post("/v1/agents/rotate")).status === 200,
    revoke: async ({ agent, owner }) => {
      const before = await statusNow(agent);
      await world.service.agentClaims.revoke(null, agent.id);
      void owner;
      return (await statusNow(agent)) !== before;
    },
    // The fifth wrong token.
    withdraw: async ({ agent }) => {
      const before = await statusNow(agent);
      for (let tries = 0; tries < 5; tries += 1) await confirm(agent, "wrong");
      return (await statusNow(agent)) !== before;
    },
    expire: async ({ agent }) => {
      const before = await statusNow(agent);
      await lapse(agent);
      return (await statusNow(agent)) !== before;
    },
  };

  async function statusNow(agent: Registered): Promise<AgentStatus> {
    const record = await world.service.ports.agents.find(agent.id);
    if (!record) throw new Error("the agent is gone");
    return statusOf(record, Date.now());
  }

  const cells = agentStatuses.flatMap((status) => agentEvents.map((event) => ({ status, event })));
  test.each(cells)("$status, $event", async ({ status, event }) => {
    const [agent, owner] = [await register(world), await user(world)];
    const staged = {
      agent,
      owner,
      token: "none",
      formal: world.withToken("none"),
      ...(await stage[status](agent, owner)),
    };
    expect(await statusNow(agent)).toBe(status);
    const isAllowed = await play[event](staged);
    expect({ isAllowed, next: await statusNow(agent) }).toEqual({
      isAllowed: statusAfter(status, event) !== null,
      next: statusAfter(status, event) ?? status,
    });
  });

  /** What a token of the agent may do with each of the agent's own operations, by status. */
  const OPERATIONS = [
    ["GET", "/v1/agents/status"],
    ["GET", "/v1/agents/bind/status"],
    ["GET", "/v1/memories"],
    ["POST", "/v1/skill/tokens"],
    ["POST", "/v1/agents/rotate"],
    ["POST", "/v1/agents/bind/deny-current-user"],
  ] as const;

  test.each(agentStatuses)("the tokens of a %s agent", async (status) => {
    const [agent, owner] = [await register(world), await user(world)];
    const { formal } = await stage[status](agent, owner);
    const statuses = async (client: Registered["client"]) => {
      const seen: number[] = [];
      for (const [method, path] of OPERATIONS) {
        seen.push((await (method === "GET" ? client.get(path) : client.post(path))).status);
      }
      return seen;
    };
    const isOpen = status === "pending" || status === "awaiting_confirmation";
    expect(await statuses(agent.client)).toEqual(
      isOpen ? [200, 200, 200, 403, 403, 200] : Array(6).fill(401),
    );
    if (formal) {
      expect(await statuses(formal)).toEqual(
        status === "bound" ? [200, 200, 200, 201, 200, 403] : Array(6).fill(401),
      );
    }
  });
});
