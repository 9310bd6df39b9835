import type { Scope } from "../../src/contract/scope.ts";
import type { Random } from "../support/random.ts";
import { everyScope } from "../support/world.ts";
import {
  type Credential,
  isTeam,
  type Memory,
  type Model,
  OPEN,
  type Role,
  reachedOwners,
  type Space,
} from "./model.ts";
import { END_USERS, TEAMS, USERS } from "./stage.ts";
import type { Change, Filter, ForgetMode, Grant, Read, Said, Step, Target, Write } from "./step.ts";

const IDS = ["m0", "m1", "m2", "m3", "m4"];
const PATHS = ["in", "in/a", "inner", "out"];
const BUCKETS = ["b0", "b0", "b0", "b1", "ledger", "knowledge"];
const TYPES = ["semantic", "semantic", "semantic", "semantic", "reminder", "knowledge", "working"];
const KEYS = [null, null, "k0", "k1"];
const PROJECTS = [null, null, "p0", "p1", "p2"];
const ROLES: readonly (Role | null)[] = ["owner", "admin", "member", "member", "viewer", "viewer", null];
const SCOPES: readonly (readonly Scope[])[] = [
  everyScope,
  everyScope,
  everyScope.filter((scope) => scope !== "knowledge:read"),
  everyScope.filter((scope) => scope !== "ledger:write"),
  ["memory:read"],
  ["memory:read", "knowledge:read"],
  ["memory:write"],
  ["memory:read", "memory:write"],
  ["memory:read", "memory:delete", "memory:restore"],
  ["memory:read", "memory:update", "memory:hard_delete"],
  ["memory:delete"],
  ["memory:redact", "memory:restore", "ledger:write"],
];
const LIVE_CREDENTIALS_MAX = 18;

/** Makes the steps of a world, one after the other, from a stream of random numbers and what the model holds by then. */
export interface Generator {
  opening(): Step[];
  step(model: Model): Step;
  read(model: Model): Read;
}

export function createGenerator(random: Random): Generator {
  let creates = 0;
  let credentials = 0;
  let agents = 0;
  let tags = 0;
  const said: Said[] = [];

  const chance = (share: number) => random.next() < share;
  const newTag = () => `tag-${(tags++).toString(36)}`;

  function space(owner: string): Space {
    const which = random.below(8);
    return {
      team: USERS.includes(owner) && chance(0.25) ? random.pick(TEAMS) : null,
      projects: which === 0 ? ["p0"] : which === 1 ? ["p0", "p1"] : null,
      pathPrefix: which === 2 || which === 3 ? "in" : null,
      buckets: which === 4 ? ["b0"] : which === 3 || which === 5 ? ["b0", "ledger", "knowledge"] : null,
    };
  }

  function grant(owner: string, credential = `c${credentials++}`): Grant {
    return { credential, scopes: random.pick(SCOPES), space: space(owner), isExpired: chance(0.05) };
  }

  function caller(model: Model): string {
    const all = [...model.credentials];
    const live = all.filter(([, { isEnded }]) => !isEnded);
    return random.pick(chance(0.04) || live.length === 0 ? all : live)[0];
  }

  /** Mostly a memory of an owner that the credential reaches; sometimes any; sometimes none. */
  function target(model: Model, by: string): Target {
    const all = [...model.memories.values()];
    const reached = reachedOwners(model, model.credentials.get(by) as Credential);
    const near = all.filter(({ owner }) => reached.includes(owner));
    const from = chance(0.8) && near.length > 0 ? near : all;
    return chance(0.04) || from.length === 0
      ? { id: random.pick([...IDS, "unknown"]) }
      : named(model, random.pick(from));
  }

  function named(model: Model, { id }: Memory): Target {
    if (IDS.includes(id)) return { id };
    const made = [...model.made].find(([, known]) => known === id);
    return made ? { made: made[0] } : { id };
  }

  function newSaid(model: Model, by: string): Said {
    const credential = model.credentials.get(by) as Credential;
    const { space, owner } = credential;
    const tag = newTag();
    const isPlain = chance(0.85);
    // One that is confined to a team names mostly none, and otherwise any of its user's.
    const isConfined = isTeam(owner) || space.team !== null;
    const team = isConfined && !chance(0.3) ? null : teamFor(model, owner);
    const type = random.pick(TYPES);
    return {
      content: `fact ${random.below(3)}${chance(0.5) ? ` ${tag}` : ""}`,
      path: isPlain && space.pathPrefix !== null ? random.pick(["in", "in/a"]) : random.pick(PATHS),
      bucket: isPlain && space.buckets !== null ? random.pick(space.buckets) : random.pick(BUCKETS),
      project:
        isPlain && space.projects !== null ? random.pick([null, ...space.projects]) : random.pick(PROJECTS),
      type,
      tag,
      key: random.pick(KEYS),
      id: chance(0.45) ? random.pick(IDS) : null,
      status: chance(0.06) ? "archived" : chance(0.05) ? "started" : null,
      isExpired: type !== "reminder" && chance(0.04),
      scope: chance(0.05) ? random.pick(["private", "team"] as const) : null,
      team: chance(0.02) ? random.pick(USERS) : team,
      supersededBy: null,
    };
  }

  function teamFor(model: Model, owner: string): string | null {
    if (chance(0.5)) return null;
    const teams = TEAMS.filter((team) => model.roles.get(team)?.has(owner));
    return chance(0.1) || teams.length === 0 ? random.pick(TEAMS) : random.pick(teams);
  }

  /** New, or what somebody else has said before. */
  function create(model: Model, by: string) {
    const dedupe = chance(0.5);
    const isAgain = said.length > 0 && chance(0.12);
    let next = isAgain ? random.pick(said) : newSaid(model, by);
    if (!isAgain && !dedupe && chance(0.05))
      next = { ...next, id: null, key: null, supersededBy: target(model, by) };
    said.push(next);
    return { number: creates++, dedupe, said: next };
  }

  function write(model: Model): Write {
    const by = caller(model);
    const which = random.below(80);
    if (which < 33) return { kind: "create", by, ...create(model, by) };
    if (which < 36) {
      const items = Array.from({ length: 1 + random.below(4) }, () => create(model, by));
      return { kind: "batch", by, items };
    }
    if (which < 50) return { kind: "update", by, target: target(model, by), change: newChange(model, by) };
    if (which < 60) {
      const mode: ForgetMode = random.pick([
        "soft_delete",
        "soft_delete",
        "soft_delete",
        "hard_delete",
        "redact",
      ]);
      const reason = chance(0.3) ? "no longer so" : null;
      const door = random.pick(["delete", "forget"] as const);
      return { kind: "forget", by, target: target(model, by), mode, door, reason };
    }
    if (which < 66) return { kind: "restore", by, target: deleted(model, by) };
    if (which < 68) return { kind: "complete", by, target: reminder(model, by) };
    if (which < 70) return { kind: "feedback", by, target: target(model, by) };
    return { kind: "update", by, target: target(model, by), change: newMove(model, by) };
  }

  /** Mostly to where the credential may write, and mostly of a memory that states no fact: a chain does not move. */
  function newMove(model: Model, by: string): Change {
    const { owner } = model.credentials.get(by) as Credential;
    const change = chance(0.2) ? newChange(model, by) : { tag: newTag() };
    const key = chance(0.7) ? { key: null } : {};
    const teams = TEAMS.filter((team) => model.roles.get(team)?.has(owner));
    const team = teams.length > 0 && chance(0.9) ? random.pick(teams) : random.pick(TEAMS);
    return { ...change, ...key, ...(chance(0.35) ? { scope: "private" } : { scope: "team", team }) };
  }

  function deleted(model: Model, by: string): Target {
    return among(model, by, ({ status }) => status === "soft_deleted");
  }

  function reminder(model: Model, by: string): Target {
    return among(model, by, ({ type }) => type === "reminder");
  }

  function among(model: Model, by: string, isWanted: (memory: Memory) => boolean): Target {
    const found = [...model.memories.values()].filter(isWanted);
    return found.length > 0 && chance(0.8) ? named(model, random.pick(found)) : target(model, by);
  }

  function newChange(model: Model, by: string): Change {
    const tag = newTag();
    const change: Change = { tag };
    if (chance(0.5))
      Object.assign(change, { content: `fact ${random.below(3)}${chance(0.5) ? ` ${tag}` : ""}` });
    if (chance(0.25)) Object.assign(change, { path: random.pick(PATHS) });
    if (chance(0.2)) Object.assign(change, { bucket: random.pick(BUCKETS) });
    if (chance(0.15)) Object.assign(change, { key: random.pick(KEYS) });
    if (chance(0.1)) Object.assign(change, { type: random.pick(["semantic", "knowledge", "working"]) });
    if (chance(0.12)) Object.assign(change, { status: random.pick(["active", "started", "archived"]) });
    if (chance(0.05)) Object.assign(change, { isExpired: chance(0.5) });
    if (chance(0.1)) Object.assign(change, { team: random.pick(TEAMS) });
    if (chance(0.05)) Object.assign(change, { scope: random.pick(["private", "team"]) });
    if (chance(0.12)) Object.assign(change, { supersededBy: chance(0.3) ? null : target(model, by) });
    return change;
  }

  function filter(model: Model): Filter {
    const members: Filter = {};
    if (chance(0.3)) Object.assign(members, { path: random.pick(["in", "in/%", "in%", "%", "out"]) });
    if (chance(0.2))
      Object.assign(members, { bucket: random.pick(["b0", "b%", "knowledge", "know%", "ledger"]) });
    if (chance(0.15)) Object.assign(members, { type: random.pick(["semantic", "%e%", "knowledge"]) });
    if (chance(0.3))
      Object.assign(members, {
        status: random.pick(["%", "soft_deleted", "superseded", "archived", "%e%", "redacted", "expired"]),
      });
    if (chance(0.2))
      Object.assign(members, { team: random.pick([...TEAMS, ...TEAMS, ...USERS, ...END_USERS]) });
    else if (chance(0.15)) Object.assign(members, { scope: random.pick(["private", "team"]) });
    if (chance(0.2)) Object.assign(members, { project: random.pick(["p0", "p1", "p2"]) });
    return model.memories.size === 0 ? {} : members;
  }

  function role(model: Model): Step {
    const [team, user] = [random.pick(TEAMS), random.pick(USERS)];
    const others = ROLES.filter((next) => next !== (model.roles.get(team)?.get(user) ?? null));
    return { kind: "role", team, user, role: random.pick(others) };
  }

  function grants(model: Model): Step {
    const known = [...model.credentials].filter(
      ([, { isEnded, agent }]) => agent === undefined && (!isEnded || chance(0.3)),
    );
    const chosen = Array.from({ length: Math.min(4, known.length) }, () => random.pick(known));
    return { kind: "rescope", grants: chosen.map(([name, { owner }]) => grant(owner, name)) };
  }

  function issue(owner = random.pick([...USERS, ...USERS, ...TEAMS, ...END_USERS])): Step {
    return { kind: "issue", owner, ...grant(owner) };
  }

  /** Few at a time, so that each lives through something. */
  function agent(model: Model): Step {
    const open = [...model.agents.values()].filter(
      ({ status }) => status !== "denied" && status !== "revoked",
    );
    if (open.length < 2 || (open.length < 4 && chance(0.2)))
      return { kind: "register", agent: `a${agents++}` };
    const { name, status, approval } = random.pick(chance(0.95) ? open : [...model.agents.values()]);
    const user = approval && chance(0.8) ? approval.user : random.pick(USERS);
    const which = random.below(20);
    if (which === 0) return { kind: "denyAgent", agent: name, user: chance(0.5) ? user : null };
    if (which === 1) return { kind: "revokeAgent", agent: name, user: chance(0.7) ? user : null };
    if (status === "bound" && which > 14)
      return { kind: "rotate", agent: name, credential: `c${credentials++}` };
    if (status === "bound" && which < 6) return { kind: "revokeAgent", agent: name, user };
    if (status === "awaiting_confirmation" ? which < 16 : which < 5)
      return { kind: "confirm", agent: name, credential: `c${credentials++}` };
    return {
      ...{ kind: "approve", agent: name, user },
      scopes: random.pick(SCOPES),
      team: chance(0.4) ? random.pick(TEAMS) : null,
      projects: random.pick([null, null, ["p0"], ["p0", "p1"]]),
      discards: chance(0.1),
    };
  }

  return {
    opening() {
      const roles = TEAMS.flatMap((team) =>
        USERS.map((user): Step => ({ kind: "role", team, user, role: random.pick(ROLES) })),
      );
      const whole = [...USERS, ...TEAMS, ...END_USERS].map((owner): Step => {
        const credential = `c${credentials++}`;
        return { kind: "issue", owner, credential, scopes: everyScope, space: OPEN, isExpired: false };
      });
      return [...roles, ...whole, ...Array.from({ length: 7 }, () => issue())];
    },
    step(model) {
      const which = random.below(1000);
      if (which < 70) return role(model);
      if (which < 100) {
        const live = [...model.credentials].filter(
          ([, { isEnded, agent }]) => !isEnded && agent === undefined,
        );
        if (live.length < LIVE_CREDENTIALS_MAX && !(live.length > 8 && chance(0.4))) return issue();
        return { kind: "revoke", credential: random.pick(live)[0] };
      }
      if (which < 108) return grants(model);
      if (which < 111) {
        const user = random.pick(USERS);
        return { kind: "ghost", user, of: random.pick(USERS.filter((other) => other !== user)) };
      }
      if (which < 170) return agent(model);
      if (which < 210)
        return {
          kind: "deleteMatching",
          by: caller(model),
          filter: { path: random.pick(["in/a", "out", "inner", "in%"]), ...filter(model) },
          mode: random.pick(["soft_delete", "soft_delete", "hard_delete", "redact"]),
        };
      if (which < 290)
        return { kind: "together", writes: Array.from({ length: 2 + random.below(2) }, () => write(model)) };
      return write(model);
    },
    read(model) {
      const by = caller(model);
      const which = random.below(13);
      if (which < 3) return { kind: "list", by, filter: filter(model) };
      if (which < 6) return { kind: "search", by, filter: filter(model) };
      if (which === 6) return { kind: "context", by, filter: filter(model) };
      if (which === 7) return { kind: "past", by };
      if (which === 12) return { kind: "profile", by };
      if (which === 8) return { kind: "receipt", by, place: random.below(1000) };
      const kind = random.pick(["get", "versions", "versions", "why"] as const);
      return { kind, by, target: target(model, by) };
    },
  };
}
