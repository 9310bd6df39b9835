import type { TokenKind } from "../../contract/credential.ts";
import type { ListedCredential, NewCredential } from "../access/credential-store.ts";
import type { Role } from "../access/team-store.ts";
import type { Clock, Hash, IdSource, Settings } from "../environment.ts";
import type { StorageLimits, Usage } from "../limits/storage-limits.ts";
import type { Actor } from "../project/actor.ts";
import type { Moved, Quarantined } from "./adopted-memory.ts";
import type { AgentChange, AgentRecord, NewAgent } from "./agent.ts";

/** The record of agents: who they are, what was granted to them, and their tokens. */
export interface AgentStore {
  /** 256 bits that belong to this agent and that nobody can tell without the service's secret, in hexadecimal. */
  claimSeed(agentId: string): Promise<string>;
  /** A new confirmation token: random, and recognisable by its prefix. */
  newConfirmationToken(): string;
  find(agentId: string): Promise<AgentRecord | null>;
  findByClaim(claimHash: string): Promise<AgentRecord | null>;
  /** The newest thousand of the agents this user approved, newest first; of all where null. */
  list(approverId: string | null): Promise<{ agent: AgentRecord; lastUsedAt: number | null }[]>;
  /** When a token ends; null for never and for an unknown one. */
  tokenExpiry(tokenId: string): Promise<number | null>;
  /**
   * Runs the work in one transaction that is committed durably before this resolves, or not at all. It may be run again
   * after a deadlock, so it must have no effect but on the transaction.
   */
  transaction<T>(work: (transaction: AgentTransaction) => Promise<T>): Promise<T>;
  /** The same for registrations, one after the other: a flood of them holds no more than one connection. */
  registration<T>(work: (transaction: AgentTransaction) => Promise<T>): Promise<T>;
}

/** A line of the audit log. Never content, never a secret. */
export interface AgentAudit {
  readonly operation: string;
  readonly ownerId: string;
  readonly agentId: string;
  readonly tokenId?: string | null;
  readonly requestId?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface AgentTransaction {
  /** Locks everything of these owners until the end. Before any row is locked. */
  lockOwners(ownerIds: readonly string[]): Promise<void>;
  /** The agent as it is now and unlocked: to know what to lock. */
  find(agentId: string): Promise<AgentRecord | null>;
  /** The agent, locked against other changes of it and of its tokens. */
  findForChange(agentId: string): Promise<AgentRecord | null>;
  /**
   * Makes room for one more unclaimed agent from this network: where there are as many as there may be, the oldest goes.
   * Answers where there is no room; null where there is.
   */
  makeRoomForAgent(network: string | null): Promise<"network" | "all" | null>;
  /** Storage quotas. */
  readonly limits: StorageLimits;
  /** Returns an owner's usage, with the writes of this transaction. */
  usage(ownerId: string): Promise<Usage>;
  /** Writes the agent with a quarantine of its own, and answers the quarantine's id. */
  register(agent: NewAgent): Promise<string>;
  change(agentId: string, change: AgentChange): Promise<void>;
  /** The user's role in the team as of now. */
  roleIn(teamId: string, userId: string): Promise<Role | null>;
  issue(
    credential: NewCredential,
    requestId: string,
  ): Promise<{ credential: ListedCredential; secret: string }>;
  /** A token that is valid now, and whether another one has replaced it; null where it has ended. */
  validToken(tokenId: string): Promise<{ expiresAt: number | null; isReplaced: boolean } | null>;
  /** Ends the agent's tokens of these kinds at once. */
  revokeTokens(agentId: string, kinds: readonly TokenKind[]): Promise<void>;
  /** Ends every formal token of the agent but this one, which ends at `until` at the latest and counts as replaced. */
  replaceToken(agentId: string, tokenId: string, until: number): Promise<void>;
  /**
   * Ends the agent's formal token that no other one has replaced, if nobody was ever let in with it; false where somebody
   * was. Whoever is let in with it at the same moment is let in before this, which is then false, or not at all.
   */
  endUnusedToken(agentId: string): Promise<boolean>;
  /** When the agent's temporary token ends, where it has not ended yet; with `onlyFor`, it is good for that alone, from now on. */
  limitTemporaryToken(agentId: string, until: number, onlyFor?: string): Promise<void>;
  /** Everything in a quarantine, whose size is bounded, in order of storing; locked where it is to be moved. */
  quarantined(quarantineId: string, how: { isLocked: boolean }): Promise<Quarantined[]>;
  /** Which of these public ids the owner has already. */
  takenIds(ownerId: string, memoryIds: readonly string[]): Promise<Set<string>>;
  /** Returns which of these keys the owner states, or has stated in memories that are not permanently deleted, as `factKey`. */
  factsOf(ownerId: string, semanticKeys: readonly string[]): Promise<Set<string>>;
  /**
   * Moves memories out of a quarantine, with their versions, and tells both owners' indexes. Their embeddings go, since
   * callers may have chosen them. Each todo and decision gets a line in its audit trail.
   */
  move(
    from: string,
    moved: readonly Moved[],
    audit: AgentAudit,
    by: { readonly at: number; readonly actor: Actor },
  ): Promise<void>;
  audit(line: AgentAudit): Promise<void>;
}

/** Ports of the use cases of agents. Each takes the part that it needs by `Pick`. */
export interface AgentPorts {
  readonly agents: AgentStore;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly hash: Hash;
}
