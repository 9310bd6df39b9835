/** Identifies memories whose weights were set by somebody other than the reader, and names their authors. */
import { CHANGED_BY } from "../../contract/service-members.ts";
import type { Caller } from "../caller.ts";
import type { MemoryChange, MemoryRecord } from "./memory-record.ts";
import type { MemoryStore } from "./memory-store.ts";
import { VOUCHING } from "./metadata.ts";
import { withServiceMembers } from "./service-members.ts";

type Written = Pick<MemoryRecord, "scope" | "authorId"> & Partial<Pick<MemoryRecord, "provenance">>;

/**
 * True for a team's memory that another member wrote or changed. Its importance, authority and review dates are that
 * member's claims: they are marked as such and give it no advantage over the reader's own memories. A team's own
 * credential reads as the team, so all of the team's memories are its own.
 */
export function isOthersWord({ owner }: Pick<Caller, "owner">, memory: Written): boolean {
  if (memory.scope !== "team" || owner.kind !== "user") return false;
  return memory.authorId !== owner.id || changedBy(memory) !== null;
}

/**
 * The id of the person responsible for a memory's text and weights: the last one who changed it besides its author,
 * otherwise the author.
 */
export function claimantOf(memory: Written): string {
  return changedBy(memory) ?? memory.authorId;
}

function changedBy({ provenance }: Pick<Written, "provenance">): string | null {
  const id = provenance?.[CHANGED_BY];
  return typeof id === "string" ? id : null;
}

/** The author of a team's memory, as shown to a reader. */
export interface Whose {
  /** The team's name; null for the reader's own memories. */
  readonly team: string | null;
  readonly isOthers: boolean;
  /** The name of the responsible member, if that is not the reader; null if the member is unknown or has left. */
  readonly claimant: string | null;
}

type Owned = Written & Pick<MemoryRecord, "ownerId">;

/** Looks up the names of the authors of these memories. Makes no query if all are the reader's own. */
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

/** The members that hold a memory's text and weights. */
const WORD: readonly (keyof MemoryChange)[] = ["content", "importance", "confidence", "metadata"];

/** Adds who makes the change to its provenance, if that is somebody other than the memory's author. */
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

/** An authority as it counts for the reader: a vouching authority of another person counts as an observation. */
export function countedAuthority(authority: string, isOthers: boolean): string {
  return isOthers && VOUCHING.includes(authority) ? "observation" : authority;
}

/** The importance that neither raises nor lowers a memory. */
const NEUTRAL_IMPORTANCE = 0.5;

/** The importance as it counts for the reader: another person's memory counts as neutral at most. */
export function countedImportance(importance: number, isOthers: boolean): number {
  return isOthers ? Math.min(NEUTRAL_IMPORTANCE, importance) : importance;
}
