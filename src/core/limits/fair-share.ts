import type { Pace } from "../../recall/work.ts";
import { type Owner, principalOf } from "../access/credential.ts";
import { type Caller, holds } from "../caller.ts";
import { type After, createPlaces, type PlaceBounds, type PlaceFigures, type Requester } from "./places.ts";
import type { Turns } from "./turns.ts";

/** Shares the service among concurrent requesters. */
export interface FairShare {
  /**
   * Runs a request's work in a slot, which is released however the work ends. Long computations must yield through the
   * `pace` that `work` gets. Rejects with `overloaded` if no slot is free in time.
   */
  run<T>(who: Requester, work: (pace: Pace) => Promise<T>, callOff?: CancelSignals): Promise<T>;
  /** Resolves when it is the requester's turn to use the CPU, for computations before the request has a slot. */
  turn(who: Requester): Promise<void>;
  figures(): FairShareFigures;
}

/** Signals that cancel a request, such as when its sender has disconnected. */
export interface CancelSignals {
  readonly waiting?: AbortSignal;
  readonly running?: AbortSignal;
}

export interface FairShareFigures extends PlaceFigures {
  /** Stretches of work that wait for the CPU. */
  readonly waitingForTurn: number;
}

export function createFairShare(turns: Turns, bounds: PlaceBounds, after: After): FairShare {
  const places = createPlaces(bounds, after);
  return {
    async run(who, work, callOff = {}) {
      const leave = await places.take(who, callOff.waiting);
      try {
        return await work(turns.paceOf(who.party, callOff.running, who.member));
      } finally {
        leave();
      }
    },
    async turn({ party, member }) {
      await turns.paceOf(party, undefined, member).pause();
    },
    figures: () => ({ ...places.figures(), waitingForTurn: turns.waiting }),
  };
}

/**
 * Returns the bounds for a service with that many database connections. One party's transactions can never hold all
 * connections, nor one credential or end user all slots of its party, so that others always get a slot.
 */
export function placeBoundsFor(databaseConnections: number): PlaceBounds {
  const perParty = Math.max(1, Math.floor(databaseConnections * 0.75));
  return {
    perCredential: Math.max(1, Math.floor(databaseConnections / 2)),
    perMember: Math.max(1, Math.floor(databaseConnections / 4)),
    perParty,
    total: databaseConnections * 4,
    waitingPerParty: 64,
    waitingTotal: 256,
    waitMs: 8000,
  };
}

/**
 * Returns the party whose share of the service a request uses. A user or team has one share with all its credentials and
 * the end users of its application. An agent that is not bound to a user, or an anonymous client, shares with its whole network, since a hundred agents are
 * registered as easily as one.
 */
export function partyOf(owner: Owner | null, network: string | null): string {
  return owner === null || owner.kind === "agent"
    ? `${NETWORK_PARTY}${network ?? "nowhere"}`
    : principalOf(owner);
}

/** Returns the end user whose share of the service a request uses, before anything of it was checked; null if none. */
export function memberOfParty(caller: Caller, input: unknown): string | null {
  if (caller.owner.kind === "end_user") return caller.owner.name;
  const given = (input as { readonly user_id?: unknown } | null | undefined)?.user_id;
  const named = given ?? caller.userId;
  return typeof named === "string" && holds(caller, "users:act") ? named : null;
}

const NETWORK_PARTY = "from ";

/** True if the party is a network of unbound agents and anonymous clients rather than a user or a team. */
export function isNetworkParty(party: string): boolean {
  return party.startsWith(NETWORK_PARTY);
}
