import { expect } from "vitest";
import type { Owner } from "../../src/core/access/credential.ts";
import type { Approval } from "../../src/core/agent/agent-claims.ts";
import { freshOwner } from "../support/acting.ts";
import type { Answer, World } from "../support/world.ts";

type Bare = ReturnType<World["withToken"]>;

/** An agent that has registered itself, with the client of its temporary token. */
export interface Registered {
  readonly id: string;
  readonly code: string;
  readonly bindUrl: string;
  readonly client: Bare;
}

/** What every client can say of itself. */
export function introduction(given: Record<string, unknown> = {}): Record<string, unknown> {
  return { entry_type: "mcp", client_name: "Coder", installation_fingerprint: "laptop-7f3a", ...given };
}

export async function register(
  world: Pick<World, "withToken">,
  given: Record<string, unknown> = {},
): Promise<Registered> {
  const answer = await world.withToken("").post("/v1/agents/register", introduction(given));
  expect(answer).toMatchObject({ status: 200 });
  const { agent_id, claim_code, bind_url, temporary_token } = answer.body;
  return { id: agent_id, code: claim_code, bindUrl: bind_url, client: world.withToken(temporary_token) };
}

/** A user that no other test has. */
export function user(world: Pick<World, "service">, name = freshOwner()): Promise<Owner> {
  return world.service.credentials.ensureOwner("user", name);
}

export const readAndWrite: Approval = {
  scopes: ["memory:read", "memory:write"],
  teamId: null,
  projects: null,
};

/** The user's half. Answers the confirmation token. */
export async function approve(
  world: Pick<World, "service">,
  agent: Registered,
  approver: Owner,
  approval: Partial<Approval> = {},
): Promise<string> {
  const given = { ...readAndWrite, ...approval };
  return (await world.service.agentClaims.approve(approver, agent.code, given)).confirmationToken;
}

export function confirm(agent: Pick<Registered, "client">, confirmationToken: string): Promise<Answer> {
  return agent.client.post("/v1/agents/bind/confirm-current-user", { confirmation_token: confirmationToken });
}

/** Both halves. Answers the client of the formal token. */
export async function bind(
  world: Pick<World, "service" | "withToken">,
  agent: Registered,
  approver: Owner,
  approval: Partial<Approval> = {},
): Promise<Bare> {
  const answer = await confirm(agent, await approve(world, agent, approver, approval));
  expect(answer).toMatchObject({ status: 200, body: { status: "bound" } });
  return world.withToken(answer.body.token);
}

/** The code with which a promise was refused; null where it was not. */
export function refusalOf(promise: Promise<unknown>): Promise<string | null> {
  return promise.then(
    () => null,
    (error: { code?: string }) => error.code ?? String(error),
  );
}
