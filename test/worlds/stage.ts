import { randomBytes } from "node:crypto";
import type { Owner } from "../../src/core/access/credential.ts";
import { clientOf, type HttpClient } from "../support/http-client.ts";
import type { World } from "../support/world.ts";
import type { OwnerName, Role } from "./model.ts";
import type { Grant } from "./step.ts";
import type { Told } from "./told.ts";

/** What a world is played with: how many owners there are. */
export const USERS: readonly OwnerName[] = ["u0", "u1", "u2", "u3"];
export const TEAMS: readonly OwnerName[] = ["t0", "t1", "t2"];

/** End users of the applications of u0 and t0, as near to them and to each other as can be. */
export const END_USERS: readonly OwnerName[] = ["e0", "e1", "e2"];
const APPLICATIONS: Readonly<Record<OwnerName, OwnerName>> = { e0: "u0", e1: "u0", e2: "t0" };
/** This one has tokens of its own; for the others, keys of the application act. */
const CONFINED: OwnerName = "e1";

interface Token {
  readonly token: string;
  readonly tokenId: string;
  /** The end user that each of its requests names. */
  readonly userId?: string;
}

/**
 * Owners and credentials that nothing else in the database knows, under the names the model has for them. Any number
 * of them play in one service.
 */
export interface Stage {
  readonly world: World;
  readonly tokens: Map<string, Token>;
  /** Every owner of this world by its id. */
  readonly owners: ReadonlyMap<string, OwnerName>;
  ownerId(name: OwnerName): string;
  owner(user: OwnerName): Owner;
  /** Takes an agent that has registered into the world. */
  meetAgent(name: OwnerName, agentId: string): Promise<void>;
  tokenOf(credential: string): Token;
  issue(owner: OwnerName, grant: Pick<Grant, "scopes" | "space" | "isExpired">): Promise<Token>;
  setRole(team: OwnerName, user: OwnerName, role: Role | null): Promise<void>;
  /** A request under a credential's name. Owners in the answer have the names of the model. */
  ask(credential: string, send: (client: HttpClient) => ReturnType<HttpClient["get"]>): Promise<Told>;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export async function openStage(world: World): Promise<Stage> {
  const play = randomBytes(6).toString("hex");
  const { credentials, teams } = world.service;
  const ids = new Map<OwnerName, string>();
  const names = new Map<string, OwnerName>();
  const know = (name: OwnerName, id: string) => {
    ids.set(name, id);
    names.set(id, name);
  };
  for (const name of USERS) know(name, (await credentials.ensureOwner("user", `${name}-${play}`)).id);
  // A team always keeps one owner of its own, so that every other role can change.
  const founder = await credentials.ensureOwner("user", `founder-${play}`);
  for (const name of TEAMS) know(name, (await teams.create(`${name}-${play}`, founder)).team.id);

  for (const name of END_USERS) {
    const application = ids.get(APPLICATIONS[name] as OwnerName) as string;
    know(name, (await world.service.ports.endUsers.ensure(application, name)).id);
  }

  const tokens = new Map<string, Token>();
  const ownerId = (name: OwnerName) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`the world has no owner ${name}`);
    return id;
  };
  const tokenOf = (credential: string) => {
    const token = tokens.get(credential);
    if (!token) throw new Error(`the world has no credential ${credential}`);
    return token;
  };
  return {
    world,
    tokens,
    owners: names,
    ownerId,
    owner: (user) => ({ id: ownerId(user), kind: "user", name: `${user}-${play}` }),
    async meetAgent(name, agentId) {
      const [row] = await world.service.sql`select id from owners where kind = 'agent' and name = ${agentId}`;
      know(name, row?.id as string);
    },
    tokenOf,
    async issue(owner, { scopes, space, isExpired }) {
      const isActing = END_USERS.includes(owner) && owner !== CONFINED;
      const { credential, secret } = await credentials.issue({
        kind: owner === CONFINED ? "end_user" : "api_key",
        ownerId: ownerId(isActing ? (APPLICATIONS[owner] as OwnerName) : owner),
        name: null,
        scopes: isActing ? [...new Set([...scopes, "users:act" as const])] : scopes,
        space: {
          teamId: space.team === null ? null : ownerId(space.team),
          projects: space.projects,
          pathPrefix: space.pathPrefix,
          buckets: space.buckets,
        },
        expiresAt: isExpired ? Date.now() - 1000 : null,
      });
      return { token: secret, tokenId: credential.tokenId, ...(isActing && { userId: owner }) };
    },
    async setRole(team, user, role) {
      const [teamId, userId] = [ownerId(team), ownerId(user)];
      if (role === null) await teams.remove(teamId, userId);
      else await teams.setRole(teamId, userId, role);
    },
    async ask(credential, send) {
      const { token, userId } = tokenOf(credential);
      const client = clientOf("http://localhost", token, (request) => {
        if (userId !== undefined) request.headers.set("x-user-id", userId);
        return world.handle(request);
      });
      const { status, body } = await send(client);
      const text = JSON.stringify(body).replace(UUID, (id) => names.get(id) ?? id);
      return { status, body: JSON.parse(text) };
    },
  };
}
