import { DomainError } from "../error.ts";
import { isNetworkParty } from "./fair-share.ts";
import type { Requester } from "./places.ts";

/** How many streams may be open at once. */
export interface StreamBounds {
  /** On this server. */
  readonly total: number;
  /** For one party with all its credentials; see `partyOf`. */
  readonly perParty: number;
  readonly perCredential: number;
}

interface OpenStream extends Requester {
  readonly end: () => void;
}

/** Limits the number of open streams, over all surfaces. */
export interface OpenStreams {
  /**
   * Counts a stream, and returns a function that stops counting it. `end` is called if the stream must make way for
   * another party's; its client can resume from its last event.
   */
  open(who: Requester, end: () => void): () => void;
}

/**
 * At the server's limit, the party with the most streams loses its oldest to a party that would still have fewer. An
 * anonymous network (`isNetworkParty`) always makes way for a user or a team, since network addresses cost nothing.
 */
export function createOpenStreams(bounds: StreamBounds): OpenStreams {
  const open = new Set<OpenStream>();
  const countOf = (party: string) => count(open, (stream) => stream.party === party);

  function displaceFor(party: string): boolean {
    const counts = new Map<string, number>();
    for (const stream of open) counts.set(stream.party, (counts.get(stream.party) ?? 0) + 1);
    const anonymous = [...counts].filter(([other]) => isNetworkParty(other) && !isNetworkParty(party));
    const candidates = anonymous.length > 0 ? anonymous : [...counts];
    const [most, streams] = candidates.reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
    if (anonymous.length === 0 && streams <= (counts.get(party) ?? 0) + 1) return false;
    const oldest = [...open].find((stream) => stream.party === most);
    if (!oldest) return false;
    open.delete(oldest);
    oldest.end();
    return true;
  }

  return {
    open({ credential, party }, end) {
      if (count(open, (stream) => stream.credential === credential) >= bounds.perCredential)
        throw refusal("This credential has as many streams open as it may: end one of them first.");
      if (countOf(party) >= bounds.perParty)
        throw refusal(
          isNetworkParty(party)
            ? "Agents that are not bound to a user have as many streams open from your network as they may."
            : "This user or team has as many streams open as it may: end one of them first.",
        );
      if (open.size >= bounds.total && !displaceFor(party))
        throw refusal("This server has as many streams open as it may.");
      const stream = { credential, party, end };
      open.add(stream);
      return () => open.delete(stream);
    },
  };
}

function count<T>(all: Iterable<T>, isCounted: (one: T) => boolean): number {
  let counted = 0;
  for (const one of all) if (isCounted(one)) counted += 1;
  return counted;
}

const RETRY_AFTER_SECONDS = 15;

function refusal(why: string): DomainError {
  return new DomainError("overloaded", `${why} Try again in ${RETRY_AFTER_SECONDS} seconds.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
