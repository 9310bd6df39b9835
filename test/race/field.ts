import { freshOwner } from "../support/acting.ts";
import { clientOf, type HttpClient } from "../support/http-client.ts";
import type { World } from "../support/world.ts";
import { History } from "./history.ts";
import { Model, type State, type Token } from "./model.ts";

export const INSIDE = "in";
export const USERS = ["alice", "bob", "carol"] as const;
export const TEAM = "team";

/** A credential that asks, at any of the replicas. */
export interface Asker {
  readonly token: Token;
  readonly clients: readonly HttpClient[];
}

/** Owners with credentials of several kinds on replicas of one service, and the model of what they hold. */
export interface Field {
  readonly world: World;
  readonly model: Model;
  readonly teamId: string;
  /** May be added to: agents come and go. */
  readonly askers: Asker[];
  /** How many searches were answered, and how many of them by a fallback. */
  readonly searches: { all: number; degraded: number };
  askerOf(name: string): Asker;
  ownerId(user: string): string;
  askerWith(token: Token, secret: string): Asker;
}

type Handle = World["handle"];

/** Alice founds the team and stays in it; Bob comes and goes; Carol stays out. */
export async function openField(world: World, replicas: readonly Handle[]): Promise<Field> {
  const model = new Model();
  const names = new Map([...USERS, TEAM].map((name) => [name, freshOwner()]));
  const nameOf = (name: string) => names.get(name) as string;
  const { credentials, teams } = world.service;
  const founder = await credentials.ensureOwner("user", nameOf("alice"));
  const { team } = await teams.create(nameOf(TEAM), founder);
  model.membership("alice", TEAM).change(true, model.clock)();

  const askers: Asker[] = [];
  const ownerIds = new Map<string, string>();
  const askerWith = (token: Token, secret: string) => ({
    token,
    clients: replicas.map((handle) => clientOf("http://localhost", secret, handle)),
  });
  const issue = async (name: string, owner: string, space: Partial<Omit<Token, "name" | "owner">> = {}) => {
    const { team: teamOfToken = null, pathPrefix = null, buckets = null } = space;
    const client = await world.client({
      ...(owner === TEAM ? { team: nameOf(TEAM) } : { owner: nameOf(owner) }),
      space: { teamId: teamOfToken === null ? null : team.id, pathPrefix, buckets },
    });
    ownerIds.set(owner, client.ownerId);
    askers.push(askerWith({ name, owner, team: teamOfToken, pathPrefix, buckets }, client.token));
  };
  for (const user of USERS) await issue(user, user);
  await issue(TEAM, TEAM);
  await issue("alice inside", "alice", { pathPrefix: INSIDE });
  await issue("alice with one bucket", "alice", { buckets: ["b0"] });
  await issue("alice for the team", "alice", { team: TEAM });
  await issue("bob for the team", "bob", { team: TEAM });
  await issue("bob inside", "bob", { pathPrefix: INSIDE });
  return {
    world,
    model,
    teamId: team.id,
    askers,
    searches: { all: 0, degraded: 0 },
    askerOf: (name) => askers.find(({ token }) => token.name === name) as Asker,
    ownerId: (user) => ownerIds.get(user) as string,
    askerWith,
  };
}

/** The history of a memory that is not there yet. */
export function newHistory(): History<State> {
  return new History<State>();
}
