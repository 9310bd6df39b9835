import type { Scope } from "../../src/contract/scope.ts";
import type { Target } from "./step.ts";

/** An owner by the name that a world gives it: `u0` a user, `t0` a team, `a0` an agent nobody has bound. */
export type OwnerName = string;
export type Role = "owner" | "admin" | "member" | "viewer";
export type Live = "active" | "started" | "completed";
export type Status = Live | "archived" | "superseded" | "soft_deleted" | "redacted";

/** The part of its owner's memories a credential is confined to; null: not confined. */
export interface Space {
  readonly team: OwnerName | null;
  readonly projects: readonly string[] | null;
  readonly pathPrefix: string | null;
  readonly buckets: readonly string[] | null;
}

export const OPEN: Space = { team: null, projects: null, pathPrefix: null, buckets: null };

export interface Credential {
  readonly owner: OwnerName;
  readonly scopes: readonly Scope[];
  readonly space: Space;
  /** Revoked or expired. */
  readonly isEnded: boolean;
  /** The agent that the credential is bound to. */
  readonly agent?: string;
}

/** What one state of a memory says, and where it lies. */
export interface State {
  readonly owner: OwnerName;
  readonly content: string;
  /** A word of its metadata that tells this state from every other; null once redacted. */
  readonly tag: string | null;
  readonly path: string;
  readonly bucket: string;
  readonly type: string;
  readonly project: string | null;
}

export interface Memory extends State {
  /** The model's own name for it. */
  readonly serial: number;
  readonly id: string;
  /** Who wrote it, and so may take it out of a team. */
  readonly author: OwnerName;
  readonly key: string | null;
  readonly status: Status;
  /** What it was before it was soft-deleted. */
  readonly before: Status | null;
  readonly isExpired: boolean;
  /** The serial of its successor. */
  readonly supersededBy: number | null;
  /** A newer memory of its key superseded it; what it was before; and whether it is that again, since that one has expired. */
  readonly isByKey: boolean;
  readonly former: Live | null;
  readonly isBack: boolean;
  /** The request that made it; null once redacted. */
  readonly created: string | null;
  readonly past: readonly State[];
  /** It was in an agent's quarantine before. */
  readonly isAdopted: boolean;
  /** How often it was written. */
  readonly writes: number;
}

/** An agent that registered itself. Its quarantine and its temporary token have its name. */
export interface Agent {
  readonly name: OwnerName;
  readonly id: string;
  readonly code: string;
  readonly status: "pending" | "awaiting_confirmation" | "bound" | "denied" | "revoked";
  readonly approval: {
    readonly user: OwnerName;
    readonly scopes: readonly Scope[];
    readonly team: OwnerName | null;
    readonly projects: readonly string[] | null;
    /** What was in the quarantine then and is to be taken over, by serial. */
    readonly shown: ReadonlyMap<number, Memory>;
  } | null;
  /** The token that only its user was shown. */
  readonly confirmation: string | null;
  /** Its formal token. */
  readonly formal: string | null;
}

export interface Receipt {
  readonly id: string;
  readonly owner: OwnerName;
  readonly credential: string;
}

/** Everything there is, told without a database. */
export interface Model {
  /** By team, then by user. */
  readonly roles: Map<OwnerName, Map<OwnerName, Role>>;
  readonly credentials: Map<string, Credential>;
  readonly agents: Map<OwnerName, Agent>;
  /** By serial, in the order of storing. */
  readonly memories: Map<number, Memory>;
  readonly receipts: Receipt[];
  /** The ids that creates were answered, by the number of the create. */
  readonly made: Map<number, string>;
  nextSerial: number;
}

export function emptyModel(): Model {
  return {
    roles: new Map(),
    credentials: new Map(),
    agents: new Map(),
    memories: new Map(),
    receipts: [],
    made: new Map(),
    nextSerial: 0,
  };
}

export function copyOf(model: Model): Model {
  return {
    roles: new Map([...model.roles].map(([team, members]) => [team, new Map(members)])),
    credentials: new Map(model.credentials),
    agents: new Map(model.agents),
    memories: new Map(model.memories),
    receipts: [...model.receipts],
    made: new Map(model.made),
    nextSerial: model.nextSerial,
  };
}

/** The public id that is meant. What was never made has one that nothing has. */
export function idOf(model: Model, target: Target): string {
  return "id" in target ? target.id : (model.made.get(target.made) ?? `none-${target.made}`);
}

export function isTeam(owner: OwnerName): boolean {
  return owner.startsWith("t");
}

export function credentialOf(model: Model, name: string): Credential {
  const credential = model.credentials.get(name);
  if (!credential) throw new Error(`the world has no credential ${name}`);
  return credential;
}

export function endCredential(model: Model, name: string): void {
  model.credentials.set(name, { ...credentialOf(model, name), isEnded: true });
}

export function roleIn(model: Model, team: OwnerName, user: OwnerName): Role | null {
  return model.roles.get(team)?.get(user) ?? null;
}

/** The owners whose memories the credential reaches: its own first, then its live teams. */
export function reachedOwners(model: Model, credential: Credential): OwnerName[] {
  const teams = [...model.roles.keys()].filter((team) => roleIn(model, team, credential.owner) !== null);
  if (credential.space.team !== null) return teams.filter((team) => team === credential.space.team);
  return [credential.owner, ...teams];
}

/** Section 1: owner, live team role, token space, project allow-list and scope must all allow it. */
export function sees(model: Model, credential: Credential, memory: Memory): boolean {
  return reachedOwners(model, credential).includes(memory.owner) && reaches(credential, memory);
}

/** The token space and the knowledge scope alone: for a state of a memory whose owner is reached. */
export function reaches(credential: Credential, state: State): boolean {
  const { projects, pathPrefix, buckets } = credential.space;
  if (projects !== null && (state.project === null || !projects.includes(state.project))) return false;
  if (pathPrefix !== null && !isBelow(state.path, pathPrefix)) return false;
  if (buckets !== null && !buckets.includes(state.bucket)) return false;
  return credential.scopes.includes("knowledge:read") || !isKnowledge(state);
}

export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

export function isKnowledge({ bucket, type }: Pick<State, "bucket" | "type">): boolean {
  return bucket === "knowledge" || type === "knowledge";
}

/** `memory:write` includes the narrow ones. */
export function holds(credential: Credential, scope: Scope): boolean {
  const narrow = ["memory:update", "memory:delete", "memory:restore", "memory:redact", "memory:hard_delete"];
  return (
    credential.scopes.includes(scope) ||
    (narrow.includes(scope) && credential.scopes.includes("memory:write"))
  );
}

type Judged = Pick<Memory, "status" | "isExpired" | "former" | "isBack">;

export function isLive(memory: Judged): boolean {
  const status = currentStatus(memory);
  return !memory.isExpired && (status === "active" || status === "started" || status === "completed");
}

/** The status that answers show. */
export function shownStatus(memory: Judged): string {
  const status = currentStatus(memory);
  const isOfLiveKind = status === "active" || status === "started" || status === "completed";
  return isOfLiveKind && memory.isExpired ? "expired" : status;
}

/** Its expiry aside. */
function currentStatus({ status, former, isBack }: Judged): Status {
  return status === "superseded" && isBack ? (former as Live) : status;
}

export function visibleTo(model: Model, credential: Credential): Memory[] {
  return [...model.memories.values()].filter((memory) => sees(model, credential, memory));
}

/**
 * The memory that an id means, to every operation: in the credential's own space first, then in its teams, the oldest
 * first, whatever has become of it.
 */
export function find(model: Model, credential: Credential, id: string): Memory | null {
  const found = visibleTo(model, credential).filter((memory) => memory.id === id);
  return found.find((memory) => memory.owner === credential.owner) ?? found[0] ?? null;
}

/** The earlier states of a memory that the credential may read: those of the space where it lies now. */
export function pastShown(credential: Credential, memory: Memory): State[] {
  return memory.past.filter((state) => state.owner === memory.owner && reaches(credential, state));
}

export function change(model: Model, serial: number, members: Partial<Memory>): void {
  const memory = model.memories.get(serial) as Memory;
  model.memories.set(serial, { ...memory, ...members, writes: memory.writes + 1 });
}

export function stateOf({ owner, content, tag, path, bucket, type, project }: State): State {
  return { owner, content, tag, path, bucket, type, project };
}

/** The team that a credential writes to without being told. */
export function homeTeam(credential: Credential): OwnerName | null {
  return isTeam(credential.owner) ? credential.owner : credential.space.team;
}

/** Why a credential may not write to that owner, which it was not given by its own space. */
export function whyNotIn(model: Model, credential: Credential, owner: OwnerName): string[] {
  const { team } = credential.space;
  const isReachable = isTeam(owner) && (team === null || team === owner);
  const role = isReachable ? roleIn(model, owner, credential.owner) : null;
  if (role === null) return ["not_found"];
  return role === "viewer" ? ["role_forbidden"] : [];
}

/** `self`, or the role in the team that owns it. */
export function roleOf(model: Model, credential: Credential, owner: OwnerName): "self" | Role | null {
  return owner === credential.owner ? "self" : roleIn(model, owner, credential.owner);
}

/** True where the credential may change a memory: it sees it, is no viewer, and may write its bucket. */
export function mayWrite(model: Model, credential: Credential, memory: Memory): boolean {
  return sees(model, credential, memory) && whyNotWrite(model, credential, memory).length === 0;
}

/** Why a memory that the credential sees is not its to change. */
export function whyNotWrite(model: Model, credential: Credential, memory: Memory): string[] {
  const why: string[] = [];
  if (roleOf(model, credential, memory.owner) === "viewer") why.push("role_forbidden");
  if (memory.bucket === "ledger" && !holds(credential, "ledger:write")) why.push("insufficient_scope");
  return why;
}

/** The same for a permanent removal: in a team for its owners and admins. */
export function whyNotErase(model: Model, credential: Credential, memory: Memory): string[] {
  const why = whyNotWrite(model, credential, memory);
  if (roleOf(model, credential, memory.owner) === "member") why.push("role_forbidden");
  return why;
}
