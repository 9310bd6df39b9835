import { isLive, statusAt } from "../memory/supersession.ts";
import type { ScannedMemory } from "./scanned-memory.ts";
import type { Settings } from "./settings.ts";

export const DAY_MS = 86_400_000;

/** Why a memory is due for an action, or null where it is not. */
export type Judge = (memory: ScannedMemory, settings: Settings, now: number) => string | null;

/** Its time has run out, and it is still kept as if it were live. */
export const expiry: Judge = (memory, _, now) =>
  memory.workspaceItem === null && memory.expiresAt !== null && statusAt(memory, now) === "expired"
    ? `expired ${day(memory.expiresAt)}`
    : null;

/** Nobody has kept it up, or its review is due; or it is a finished todo or superseded decision of long ago. */
export const staleness: Judge = (memory, settings, now) => {
  if (memory.workspaceItem !== null) return retention(memory, settings, now);
  if (!isLive(memory, now)) return null;
  const review = instantOf(memory.reviewAfter);
  const verified = instantOf(memory.lastVerifiedAt);
  if (review !== null && review > now) return null;
  // Who has verified it since has reviewed it.
  if (review !== null && (verified === null || verified < review)) return `review due since ${day(review)}`;
  // What is still to come is not over, however long ago it was written.
  if ((instantOf(memory.dueAt) ?? now) > now) return null;
  const keptUp = Math.max(memory.updatedAt, verified ?? Number.NEGATIVE_INFINITY);
  return now - keptUp >= settings.staleAfterDays * DAY_MS
    ? `neither changed nor verified since ${day(keptUp)}`
    : null;
};

const retention: Judge = ({ workspaceItem, status, endedAt }, { completedRetentionDays }, now) => {
  if (endedAt === null || status === "archived" || now - endedAt < completedRetentionDays * DAY_MS)
    return null;
  return workspaceItem === "todo" ? `finished ${day(endedAt)}` : `superseded ${day(endedAt)}`;
};

/** It was soft-deleted long enough ago. */
export const purge: Judge = ({ status, updatedAt }, settings, now) =>
  status === "soft_deleted" && now - updatedAt >= settings.purgeDeletedAfterDays * DAY_MS
    ? `soft-deleted ${day(updatedAt)}`
    : null;

/** It cannot be found by meaning, and nothing is under way to change that. */
export const missingEmbedding: Judge = (memory) =>
  isIndexed(memory) && !memory.isEmbedded && !memory.isQueued
    ? "no vector of the present embedding generation"
    : null;

/** Its projection has failed, so that the index may be behind. */
export const doubtfulProjection: Judge = (memory) =>
  isIndexed(memory) && memory.isStuck ? "its projection has failed and waits" : null;

/** Whoever names a memory doubts its projection. */
export const namedProjection: Judge = (memory) => (isIndexed(memory) ? "named" : null);

function isIndexed({ status }: ScannedMemory): boolean {
  return status !== "redacted" && status !== "soft_deleted";
}

/** A member of metadata as an instant; null where it is none. */
function instantOf(text: string | null): number | null {
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

function day(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
