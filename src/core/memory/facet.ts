import { changedWithin, expiresWithin, type Facet } from "../../contract/facet.ts";
import { authorities } from "../../contract/memory.ts";
import type { MemoryRecord } from "./memory-record.ts";

type Fields = Pick<
  MemoryRecord,
  "projectId" | "memoryType" | "bucket" | "agentId" | "metadata" | "updatedAt" | "expiresAt"
>;

const DAY_MS = 24 * 3_600_000;

/** Where each value of `changed` ends, in days, but for the last. */
export const CHANGED_DAYS = [1, 7, 30, 90] as const satisfies readonly number[];
/** How soon a memory expires within a week, in days. */
export const EXPIRES_DAYS = 7;

/** A memory's value of each facet, empty if it has none. Counterpart of `facetValue` in Postgres. */
export const facetValues: Readonly<Record<Facet, (memory: Fields, now: number) => string>> = {
  project: ({ projectId }) => projectId ?? "",
  type: ({ memoryType }) => memoryType,
  bucket: ({ bucket }) => bucket,
  agent: ({ agentId }) => agentId ?? "",
  authority: ({ metadata }) => authorities.find((authority) => authority === metadata.authority) ?? "",
  changed({ updatedAt }, now) {
    const at = CHANGED_DAYS.findIndex((days) => updatedAt > now - days * DAY_MS);
    return changedWithin.at(at) as string;
  },
  expires({ expiresAt }, now) {
    const [past, week, later] = expiresWithin;
    if (expiresAt === null) return "";
    if (expiresAt <= now) return past;
    return expiresAt <= now + EXPIRES_DAYS * DAY_MS ? week : later;
  },
};
