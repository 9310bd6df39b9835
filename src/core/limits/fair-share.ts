import type { Pace } from "../../recall/work.ts";
import type { Owner } from "../access/credential.ts";
import { type After, createPlaces, type PlaceBounds, type PlaceFigures, type Requester } from "./places.ts";
import type { Turns } from "./turns.ts";

/** How the service is shared by those who ask it at the same time. */
export interface FairShare {
  /**
   * Carries out what a request asks for: once it has a place among those that run, and at the pace that `work` is
   * handed, which it asks where it takes the processor for long. The place is given back however the work ends.
   * `overloaded` where there is no place for it in time.
   */
  run<T>(who: Requester, work: (pace: Pace) => Promise<T>, callOff?: CancelSignals): Promise<T>;
  /** Resolves when it is the requester's turn with the processor, for what takes it before there is a place. */
  turn(who: Requester): Promise<void>;
  figures(): FairShareFigures;
}

/** Signals that cancel a request, for instance because its sender has disconnected. */
export interface CancelSignals {
  readonly waiting?: AbortSignal;
  readonly running?: AbortSignal;
}

export interface FairShareFigures extends PlaceFigures {
  /** Stretches of work that wait for the processor. */
  readonly waitingForTurn: number;
}

export function createFairShare(turns: Turns, bounds: PlaceBounds, after: After): FairShare {
  const places = createPlaces(bounds, after);
  return {
    async run(who, work, callOff = {}) {
      const leave = await places.take(who, callOff.waiting);
      try {
        return await work(turns.paceOf(who.party, callOff.running));
      } finally {
        leave();
      }
    },
    async turn({ party }) {
      await turns.paceOf(party).pause();
    },
    figures: () => ({ ...places.figures(), waitingForTurn: turns.waiting }),
  };
}

/**
 * The bounds for a service with so many connections to its database. The transactions of one party never hold all of
 * them, whatever they wait for, nor does one credential take all places of its party: others can always be let in.
 */
export function placeBoundsFor(databaseConnections: number): PlaceBounds {
  const perParty = Math.max(1, Math.floor(databaseConnections * 0.75));
  return {
    perCredential: Math.max(1, Math.floor(databaseConnections / 2)),
    perParty,
    total: databaseConnections * 4,
    waitingPerParty: 64,
    waitingTotal: 256,
    waitMs: 8000,
  };
}

/**
 * Returns the party whose share of the service a request uses. A user or team has one share with all its credentials. An
 * agent that is not bound to a user, or an anonymous client, shares with its whole network, since a hundred agents are
 * registered as easily as one.
 */
export function partyOf(owner: Owner | null, network: string | null): string {
  return owner === null || owner.kind === "agent" ? `${NETWORK_PARTY}${network ?? "nowhere"}` : owner.id;
}

const NETWORK_PARTY = "from ";

/** True if the party is a network of unbound agents and anonymous clients rather than a user or a team. */
export function isNetworkParty(party: string): boolean {
  return party.startsWith(NETWORK_PARTY);
}
