import { z } from "zod";
import { STORAGE_LIMITS, type StorageLimits } from "../core/storage-limits.ts";

const MIB = 1024 * 1024;
const mebibytes = z.coerce.number().int().min(1).max(1_000_000);
const count = z.coerce.number().int().min(1).max(100_000);
const bound = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Bounds on what is kept. */
export const storageShape = {
  OWNER_MEMORIES_MAX: bound.optional(),
  OWNER_BYTES_MAX: bound.optional(),
  OWNER_CREDENTIALS_MAX: count.default(STORAGE_LIMITS.ownerCredentialsMax),
  AGENT_UNCLAIMED_MAX: count.default(STORAGE_LIMITS.unclaimedAgentsMax),
  AGENT_UNCLAIMED_PER_NETWORK_MAX: count.default(STORAGE_LIMITS.unclaimedAgentsPerNetworkMax),
  QUARANTINE_TOTAL_MB: mebibytes.default(STORAGE_LIMITS.quarantineBytesMax / MIB),
  QUARANTINE_PER_NETWORK_MB: mebibytes.default(STORAGE_LIMITS.quarantineBytesPerNetworkMax / MIB),
};

const settings = z.object(storageShape);

/** Returns the limits that the settings give. */
export function storageOf(given: z.output<typeof settings>): StorageLimits {
  return {
    ownerMemoriesMax: given.OWNER_MEMORIES_MAX ?? null,
    ownerBytesMax: given.OWNER_BYTES_MAX ?? null,
    ownerCredentialsMax: given.OWNER_CREDENTIALS_MAX,
    unclaimedAgentsMax: given.AGENT_UNCLAIMED_MAX,
    unclaimedAgentsPerNetworkMax: given.AGENT_UNCLAIMED_PER_NETWORK_MAX,
    quarantineBytesMax: given.QUARANTINE_TOTAL_MB * MIB,
    quarantineBytesPerNetworkMax: given.QUARANTINE_PER_NETWORK_MB * MIB,
  };
}
