import type { Approval } from "../../src/core/agent/agent-claims.ts";
import { clientOf } from "../support/http-client.ts";
import {
  type Agent,
  type Credential,
  credentialOf,
  endCredential,
  holds,
  type Memory,
  type Model,
  OPEN,
  type OwnerName,
  roleIn,
} from "./model.ts";
import { asIfMadeFor, ownerOf, projectOf, whyNotPlaced } from "./model-create.ts";
import type { Stage } from "./stage.ts";
import type { AgentStep } from "./step.ts";
import { asItStands, isSameFact } from "./supersession.ts";
import { brief, refused, type Told } from "./told.ts";

/** Registers, approves, binds and ends agents, by their own requests and by their users'. */
export async function playAgent(stage: Stage, model: Model, step: AgentStep): Promise<string | null> {
  if (step.kind === "register") return register(stage, model, step.agent);
  const agent = model.agents.get(step.agent);
  if (!agent) return null;
  switch (step.kind) {
    case "approve":
      return approve(stage, model, agent, step);
    case "confirm":
      return confirm(stage, model, agent, step.credential);
    case "rotate":
      return rotate(stage, model, agent, step.credential);
    case "denyAgent":
      return deny(stage, model, agent, step.user);
    case "revokeAgent":
      return revoke(stage, model, agent, step.user);
  }
}

/** Its quarantine is an owner of its name, its temporary token a credential of its name. */
async function register(stage: Stage, model: Model, name: OwnerName): Promise<string | null> {
  const visitor = clientOf("http://localhost", "", stage.world.handle);
  const { status, body } = await visitor.post("/v1/agents/register", {
    entry_type: "test",
    client_name: "a coder",
    // A fingerprint is no secret: all have the same, and it opens nothing.
    installation_fingerprint: "one laptop",
  });
  if (status >= 300 || typeof body.temporary_token !== "string")
    return `a registration was answered ${brief(body)}`;
  await stage.meetAgent(name, body.agent_id);
  stage.tokens.set(name, { token: body.temporary_token, tokenId: "" });
  model.credentials.set(name, {
    owner: name,
    scopes: ["memory:read", "memory:write"],
    space: OPEN,
    isEnded: false,
    agent: name,
  });
  const { agent_id: id, claim_code: code } = body;
  model.agents.set(name, {
    name,
    id,
    code,
    status: "pending",
    approval: null,
    confirmation: null,
    formal: null,
  });
  return null;
}

async function approve(
  stage: Stage,
  model: Model,
  agent: Agent,
  step: Extract<AgentStep, { kind: "approve" }>,
): Promise<string | null> {
  const why: string[] = [];
  const role = step.team === null ? null : roleIn(model, step.team, step.user);
  if (step.team !== null && role === null) why.push("not_found");
  const onlyReads = step.scopes.every((scope) => scope === "memory:read" || scope === "knowledge:read");
  if (role === "viewer" && !onlyReads) why.push("role_forbidden");
  const isOpen = agent.status === "pending" || agent.status === "awaiting_confirmation";
  if (!isOpen) why.push("not_found");
  if (agent.status === "awaiting_confirmation" && agent.approval?.user !== step.user) why.push("conflict");
  const approval: Approval = {
    scopes: step.scopes,
    teamId: step.team === null ? null : stage.ownerId(step.team),
    projects: step.projects,
    discards: step.discards,
  };
  const { answer, body } = await outcome(() =>
    stage.world.service.agentClaims.approve(stage.owner(step.user), agent.code, approval),
  );
  if (why.length > 0) return refused(body, why);
  if (!answer) return `an approval was refused with ${brief(body)}`;
  const { user, scopes, team, projects } = step;
  const written = quarantineOf(model, agent).map((memory): [number, Memory] => [memory.serial, memory]);
  const shown = new Map(step.discards ? [] : written);
  model.agents.set(agent.name, {
    ...agent,
    status: "awaiting_confirmation",
    approval: { user, scopes, team, projects, shown },
    confirmation: answer.confirmationToken,
  });
  return null;
}

/** Binding moves what the agent wrote, as far as it could write that with the token that it gets. */
async function confirm(stage: Stage, model: Model, agent: Agent, credential: string): Promise<string | null> {
  const told = await stage.ask(agent.name, (client) =>
    client.post("/v1/agents/bind/confirm-current-user", {
      confirmation_token: agent.confirmation ?? "nobody has approved",
    }),
  );
  const { approval } = agent;
  if (agent.status === "denied" || agent.status === "revoked") return refused(told.body, ["invalid_token"]);
  if (agent.status === "pending" || approval === null) return refused(told.body, ["conflict"]);
  const role = approval.team === null ? "self" : roleIn(model, approval.team, approval.user);
  if (agent.status === "awaiting_confirmation" && role === null) {
    model.agents.set(agent.name, { ...agent, status: "pending", approval: null });
    return refused(told.body, ["conflict"]);
  }
  if (told.status !== 200) return `a confirmation was answered ${brief(told.body)}`;
  if (agent.formal !== null) endCredential(model, agent.formal);
  endCredential(model, agent.name);
  stage.tokens.set(credential, { token: told.body.token, tokenId: "" });
  model.credentials.set(credential, {
    owner: approval.user,
    scopes: approval.scopes,
    space: { ...OPEN, team: approval.team, projects: approval.projects },
    isEnded: false,
    agent: agent.name,
  });
  model.agents.set(agent.name, { ...agent, status: "bound", formal: credential });
  return agent.status === "bound" ? null : adopt(stage, model, agent, credentialOf(model, credential));
}

/** The token that asks stays valid for a minute: the model asks nothing of it any more. */
async function rotate(stage: Stage, model: Model, agent: Agent, credential: string): Promise<string | null> {
  const { formal } = agent;
  if (formal === null) return null;
  const told = await stage.ask(formal, (client) => client.post("/v1/agents/rotate"));
  const before = credentialOf(model, formal);
  if (before.isEnded) return refused(told.body, ["invalid_token"]);
  if (told.status !== 200) return `a rotation was answered ${brief(told.body)}`;
  stage.tokens.set(credential, { token: told.body.token, tokenId: "" });
  model.credentials.set(credential, before);
  model.credentials.delete(formal);
  model.agents.set(agent.name, { ...agent, formal: credential });
  return null;
}

function quarantineOf(model: Model, { name }: Agent): Memory[] {
  return [...model.memories.values()].filter((memory) => memory.owner === name);
}

/**
 * What the agent, as it is now, could write itself, as it was shown when it was approved, and with all that it is linked to.
 */
function movable(model: Model, agent: Agent, formal: Credential): Memory[] {
  const shown = agent.approval?.shown ?? new Map<number, Memory>();
  const quarantine = quarantineOf(model, agent);
  const isThere = (serial: number | null) => serial !== null && model.memories.has(serial);
  const moves = new Map(
    quarantine.map((memory) => {
      const before = shown.get(memory.serial);
      const isAsShown =
        before?.writes === memory.writes &&
        // A successor that is deleted for good leaves its name nowhere.
        (before.supersededBy === null || isThere(before.supersededBy) || !wasThere(shown, before));
      const isAllowed =
        holds(formal, "memory:write") &&
        whyNotPlaced(model, formal, { ...memory, scope: null, team: null }).length === 0;
      return [memory.serial, isAsShown && isAllowed];
    }),
  );
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const { serial, supersededBy } of quarantine) {
      if (supersededBy === null || !moves.has(supersededBy)) continue;
      if (moves.get(serial) === moves.get(supersededBy)) continue;
      for (const linked of [serial, supersededBy]) moves.set(linked, false);
      isStable = false;
    }
  }
  return quarantine.filter(({ serial }) => moves.get(serial));
}

function wasThere(shown: ReadonlyMap<number, Memory>, { supersededBy }: Memory): boolean {
  return supersededBy !== null && shown.has(supersededBy);
}

/**
 * Nothing is superseded and nothing merged. An id that the new owner has already gives way to a new one, and a key that it
 * has used goes.
 */
async function adopt(stage: Stage, model: Model, agent: Agent, formal: Credential): Promise<string | null> {
  const owner = ownerOf(formal, { team: null });
  const moved = movable(model, agent, formal);
  const owners = [...model.memories.values()].filter((memory) => memory.owner === owner);
  const taken = new Set(owners.map(({ id }) => id));
  const rows = await stage.world.service.sql`
    select memory_id from memories where owner_id = ${stage.ownerId(owner)}
      and provenance -> 'adopted_from' ->> 'agent_id' = ${agent.id} order by seq`;
  if (rows.length !== moved.length) return `binding moved ${rows.length} memories instead of ${moved.length}`;
  for (const [n, memory] of moved.entries()) {
    const id = rows[n]?.memory_id as string;
    const isFree = !taken.has(memory.id);
    if (isFree ? id !== memory.id : taken.has(id)) return `binding moved ${memory.id} to ${id}`;
    taken.add(id);
    const project = projectOf(formal, memory);
    const here = { ...memory, owner, project };
    // What lay in that very project keeps its key before what comes to it from none.
    const placed = moved.filter((other) => other.project === project && memory.project !== project);
    const isUsed = [...owners, ...placed.map((other) => ({ ...other, owner }))].some((other) =>
      isSameFact(here, other),
    );
    const { status } = asItStands(memory);
    const withoutFact = {
      key: null,
      ...{ status, isByKey: false, former: null, isBack: false },
      ...(memory.status === status ? {} : { supersededBy: null }),
    };
    model.memories.set(memory.serial, {
      ...here,
      ...(isUsed ? withoutFact : {}),
      id,
      author: agent.approval?.user ?? memory.author,
      past: memory.past.map((state) => ({ ...state, owner, project: state.project ?? project })),
      created: memory.created && asIfMadeFor(owner, memory.created),
      isAdopted: true,
    } satisfies Memory);
  }
  return null;
}

/** By the user, or where none is named by the agent itself. */
async function deny(
  stage: Stage,
  model: Model,
  agent: Agent,
  user: OwnerName | null,
): Promise<string | null> {
  const isOpen = agent.status === "pending" || agent.status === "awaiting_confirmation";
  const body = user === null ? await denyItself(stage, agent) : await denyAs(stage, agent, user);
  const isOthers = user !== null && agent.approval !== null && agent.approval.user !== user;
  if (!isOpen) return refused(body, [user === null ? "invalid_token" : "not_found"]);
  if (isOthers) return refused(body, ["conflict"]);
  if (body?.code !== undefined) return `a denial was refused with ${brief(body)}`;
  end(model, agent, "denied");
  return null;
}

async function denyItself(stage: Stage, agent: Agent): Promise<Told["body"]> {
  return (await stage.ask(agent.name, (client) => client.post("/v1/agents/bind/deny-current-user"))).body;
}

async function denyAs(stage: Stage, agent: Agent, user: OwnerName): Promise<Told["body"]> {
  return (await outcome(() => stage.world.service.agentClaims.deny(stage.owner(user), agent.code))).body;
}

/** By its user, or where none is named by an operator. */
async function revoke(
  stage: Stage,
  model: Model,
  agent: Agent,
  user: OwnerName | null,
): Promise<string | null> {
  const isDone = await stage.world.service.agentClaims.revoke(
    user === null ? null : stage.owner(user),
    agent.id,
  );
  const isOver = agent.status === "denied" || agent.status === "revoked";
  const isTheirs = user === null || agent.approval?.user === user;
  if (!isOver && isDone !== isTheirs) return `a revocation by ${user} was answered ${isDone}`;
  if (!isOver && isTheirs) end(model, agent, "revoked");
  return null;
}

function end(model: Model, agent: Agent, status: "denied" | "revoked"): void {
  endCredential(model, agent.name);
  if (agent.formal !== null) endCredential(model, agent.formal);
  model.agents.set(agent.name, { ...agent, status });
}

/** What a call answers, or the code it was refused with in the place of a body. */
async function outcome<T>(call: () => Promise<T>): Promise<{ answer: T | null; body: { code?: string } }> {
  try {
    return { answer: await call(), body: {} };
  } catch (error) {
    return { answer: null, body: { code: (error as { code?: string }).code ?? String(error) } };
  }
}
