import { type MemoryItem, memoryItem } from "../../contract/memory.ts";
import { CHANGED_BY } from "../../contract/service-members.ts";
import { type Caller, sharedOwner } from "../caller.ts";
import { boundaryOf } from "./boundary.ts";
import { wireName } from "./member-table.ts";
import { type MemoryRecord, type NameOf, SHOWN_AS_IT_IS, type ShownMemory } from "./memory-record.ts";
import { teamOf } from "./place.ts";
import { asItStands, statusAt } from "./supersession.ts";

/** A memory without the caller's relation to it, as a version of it is shown. */
export function presentState(stored: ShownMemory, now: number): State {
  const memory = asItStands(stored, now);
  const state: Record<string, unknown> = {};
  for (const [name, read] of SHOWN) state[name] = read(memory, now);
  return state as Promised;
}

export function present(caller: Caller, memory: ShownMemory, now: number): MemoryItem {
  return {
    ...presentState(memory, now),
    boundary: boundaryOf(caller.attribution, memory),
    ...sharedMark(caller, memory),
  };
}

/** Marks one of the application's own memories that its end user sees. */
export function sharedMark(caller: Caller, { ownerId }: Pick<ShownMemory, "ownerId">): { shared?: true } {
  return ownerId === sharedOwner(caller) ? { shared: true } : {};
}

/** The validator of a memory's current state, for `ETag` and `If-Match`. */
export function etagOf(memory: Pick<MemoryRecord, "id" | "revision">): string {
  return `"${memory.id.slice(-12)}-${memory.revision}"`;
}

/** An instant as RFC 3339 in UTC. */
export function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

type State = Omit<MemoryItem, "boundary" | "shared">;

/** The members of an answer that are derived. */
const MADE = {
  id: (memory: ShownMemory) => memory.memoryId,
  team_id: teamOf,
  status: statusAt,
  provenance: publicProvenance,
};

/**
 * The provenance without the id of the member who changed the memory, which would keep naming somebody who has left the
 * team.
 */
function publicProvenance({ provenance }: ShownMemory): MemoryRecord["provenance"] {
  const { [CHANGED_BY]: _, ...shown } = provenance;
  return shown;
}

type AsItIs = typeof SHOWN_AS_IT_IS;

type Shown = { readonly [Name in keyof typeof MADE]: ReturnType<(typeof MADE)[Name]> } & {
  [Name in keyof AsItIs as NameOf<Name>]: AsItIs[Name] extends { readonly isInstant: true }
    ? string | Extract<MemoryRecord[Name], null>
    : MemoryRecord[Name];
};

/**
 * Ensures that the table and the contract agree: a member that only one of them has does not compile, here or in
 * `presentState`.
 */
type Promised = [Exclude<keyof Shown, keyof State>] extends [never] ? Shown : never[];

type Read = (memory: ShownMemory, now: number) => unknown;

const READ: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(
    Object.entries(SHOWN_AS_IT_IS).map(([member, entry]): [string, Read] => {
      const name = member as keyof AsItIs;
      const isInstant = "isInstant" in entry && entry.isInstant;
      return [wireName(member, entry), (memory) => shown(memory[name], isInstant)];
    }),
  ),
  ...MADE,
};

/** The function that reads each member of an answer, in the contract's order. */
const SHOWN = Object.keys(memoryItem.shape).flatMap((name): [string, Read][] =>
  READ[name] ? [[name, READ[name]]] : [],
);

function shown(value: unknown, isInstant: boolean): unknown {
  if (value === null) return null;
  if (isInstant) return rfc3339(value as number);
  return typeof value === "object" ? { ...value } : value;
}

/** An instant as RFC 3339 in UTC, or null if there is none. */
export function timeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : rfc3339(milliseconds);
}
