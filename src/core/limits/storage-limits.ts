import { DomainError } from "../error.ts";

/** How much the record keeps, whatever is sent. Bytes are of text with metadata, provenance and former states. */
export interface StorageLimits {
  /** Bound for each user and each team; null if there is none. */
  readonly ownerMemoriesMax: number | null;
  readonly ownerBytesMax: number | null;
  /** Keys, tokens for skills, bound agents and OAuth grants of each user and each team that are valid. */
  readonly ownerCredentialsMax: number;
  /** Agents that nobody has bound: in all, and from one network. */
  readonly unclaimedAgentsMax: number;
  readonly unclaimedAgentsPerNetworkMax: number;
  /** Bytes written by all of them, and by those from one network. */
  readonly quarantineBytesMax: number;
  readonly quarantineBytesPerNetworkMax: number;
}

const MIB = 1024 * 1024;

/** Default limits. */
export const STORAGE_LIMITS: StorageLimits = {
  ownerMemoriesMax: null,
  ownerBytesMax: null,
  ownerCredentialsMax: 250,
  unclaimedAgentsMax: 10_000,
  unclaimedAgentsPerNetworkMax: 100,
  quarantineBytesMax: 1024 * MIB,
  quarantineBytesPerNetworkMax: 64 * MIB,
};

/** True where users and teams have a bound at all. */
export function areOwnersBounded({ ownerMemoriesMax, ownerBytesMax }: StorageLimits): boolean {
  return ownerMemoriesMax !== null || ownerBytesMax !== null;
}

/** `quota_exceeded` for a credential of an owner that has as many valid ones as it may. */
export function tooManyCredentials(max: number): DomainError {
  return new DomainError(
    "quota_exceeded",
    `There are ${max} valid credentials of this user or team, the most it may have. Revoke one that is no longer used, or ask the operator to raise OWNER_CREDENTIALS_MAX.`,
  );
}

/** Amounts that an owner stores. */
export interface Usage {
  readonly memories: number;
  readonly bytes: number;
}
