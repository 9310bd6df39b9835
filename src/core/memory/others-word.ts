/** Names the author of a memory, if somebody else than the reader may have set its weights. */
import { CHANGED_BY } from "../../contract/service-members.ts";
import type { Caller } from "../caller.ts";
import type { MemoryChange, MemoryRecord } from "./memory-record.ts";
import type { MemoryStore } from "./memory-store.ts";
import { withServiceMembers } from "./service-members.ts";

type Written = Pick<MemoryRecord, "scope" | "authorId"> & Partial<Pick<MemoryRecord, "provenance">>;

/**
 * True for a team's memory that another member wrote or changed. Its importance, authority and review dates are that
 * member's claims: they are shown as such, and win nothing against what the reader wrote. A team's own credential reads as
 * the team, so that all of it is its own.
 */
export function isOthersWord({ owner }: Pick<Caller, "owner">, memory: Written): boolean {
  if (memory.scope !== "team" || owner.kind !== "user") return false;
  return memory.authorId !== owner.id || changedBy(memory) !== null;
}

/** The owner whose word a memory is: whoever changed it last beside its author, otherwise the author. */
export function claimantOf(memory: Written): string {
  return changedBy(memory) ?? memory.authorId;
}

function changedBy({ provenance }: Pick<Written, "provenance">): string | null {
  const id = provenance?.[CHANGED_BY];
  return typeof id === "string" ? id : null;
}

/** The author of a team's memory, as shown to a reader. */
export interface Whose {
  /** The team's name; null for what is the reader's own. */
  readonly team: string | null;
  readonly isOthers: boolean;
  /** The name of the member whose word it is, if that is not the reader; null for somebody who is unknown or has left. */
  readonly claimant: string | null;
}

type Owned = Written & Pick<MemoryRecord, "ownerId">;

/** Looks up what is needed to tell whose these memories are; asks for nothing if all are the reader's own. */
export async function whoseOf(
  store: Pick<MemoryStore, "namesIn">,
  caller: Pick<Caller, "owner">,
  memories: readonly Owned[],
): Promise<(memory: Owned) => Whose> {
  const ofTeams = caller.owner.kind === "user" ? memories.filter(({ scope }) => scope === "team") : [];
  const ids = (idOf: (memory: Owned) => string) => [...new Set(ofTeams.map(idOf))];
  const names =
    ofTeams.length === 0
      ? null
      : await store.namesIn(
          ids(({ ownerId }) => ownerId),
          ids(claimantOf),
        );
  return (memory) => {
    const isOthers = isOthersWord(caller, memory);
    const isOfTeam = memory.scope === "team" && caller.owner.kind === "user";
    return {
      team: isOfTeam ? (names?.get(memory.ownerId) ?? null) : null,
      isOthers,
      claimant: isOthers ? (names?.get(claimantOf(memory)) ?? null) : null,
    };
  };
}

/** Members by which a memory speaks and is weighed. */
const WORD: readonly (keyof MemoryChange)[] = ["content", "importance", "confidence", "metadata"];

/** The change with a note of who makes it, if that is somebody else than the memory's author. */
export function withChanger(
  { owner }: Pick<Caller, "owner">,
  memory: Pick<MemoryRecord, "scope" | "authorId" | "provenance">,
  change: MemoryChange,
): MemoryChange {
  const isOthers = memory.scope === "team" && memory.authorId !== owner.id;
  if (!isOthers || !WORD.some((name) => name in change)) return change;
  const provenance = change.provenance ?? memory.provenance;
  return { ...change, provenance: withServiceMembers("provenance", provenance, { [CHANGED_BY]: owner.id }) };
}

/** Authorities that speak for a person. */
const VOUCHING: readonly unknown[] = ["verified", "directive"];

/** An authority as it counts for a reader: another's is no more than an observation. */
export function countedAuthority(authority: string, isOthers: boolean): string {
  return isOthers && VOUCHING.includes(authority) ? "observation" : authority;
}

/** Neither raised nor lowered. */
const NEUTRAL_IMPORTANCE = 0.5;

/** The importance as it counts beside the reader's own memories: another's is not raised. */
export function countedImportance(importance: number, isOthers: boolean): number {
  return isOthers ? Math.min(NEUTRAL_IMPORTANCE, importance) : importance;
}
