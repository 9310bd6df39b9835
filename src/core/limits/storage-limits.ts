import { DomainError } from "../error.ts";

/** Limits on stored data. Bytes include text, metadata, provenance and former states. */
export interface StorageLimits {
  /** Limit for each user and each team, not counting the end users of its application; null: unlimited. */
  readonly ownerMemoriesMax: number | null;
  readonly ownerBytesMax: number | null;
  /** Limit for each end user of an application; null: unlimited. */
  readonly endUserMemoriesMax: number | null;
  readonly endUserBytesMax: number | null;
  /** Valid keys, skill tokens, bound agents and OAuth grants of each user and each team. */
  readonly ownerCredentialsMax: number;
  /** Unclaimed agents: in total, and from one network. */
  readonly unclaimedAgentsMax: number;
  readonly unclaimedAgentsPerNetworkMax: number;
  /** Bytes written by all unclaimed agents, and by those from one network. */
  readonly quarantineBytesMax: number;
  readonly quarantineBytesPerNetworkMax: number;
}

const MIB = 1024 * 1024;

/** Default limits. */
export const STORAGE_LIMITS: StorageLimits = {
  ownerMemoriesMax: null,
  ownerBytesMax: null,
  endUserMemoriesMax: null,
  endUserBytesMax: null,
  ownerCredentialsMax: 250,
  unclaimedAgentsMax: 10_000,
  unclaimedAgentsPerNetworkMax: 100,
  quarantineBytesMax: 1024 * MIB,
  quarantineBytesPerNetworkMax: 64 * MIB,
};

/** True if owners have any limit. */
export function areOwnersBounded({ ownerMemoriesMax, ownerBytesMax }: StorageLimits): boolean {
  return ownerMemoriesMax !== null || ownerBytesMax !== null;
}

/** The limits for an end user: its own take the place of the owner limits. */
export function limitsOfEndUsers(limits: StorageLimits): StorageLimits {
  const { endUserMemoriesMax, endUserBytesMax } = limits;
  return { ...limits, ownerMemoriesMax: endUserMemoriesMax, ownerBytesMax: endUserBytesMax };
}

/** `quota_exceeded`, for an owner that has the maximum number of valid credentials. */
export function tooManyCredentials(max: number): DomainError {
  return new DomainError(
    "quota_exceeded",
    `This user or team has ${max} valid credentials, which is the maximum. Revoke one that is no longer used, or ask the operator to raise OWNER_CREDENTIALS_MAX.`,
  );
}

/** Amounts of data that an owner stores. */
export interface Usage {
  readonly memories: number;
  readonly bytes: number;
}
