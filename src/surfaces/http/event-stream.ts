import type { ChangeEvent, EventsAnswer } from "../../contract/event.ts";
import { DomainError } from "../../core/error.ts";
import { partyOf } from "../../core/limits/fair-share.ts";
import type { OpenStreams } from "../../core/limits/streams.ts";
import { preferenceFor } from "./media-type.ts";
import type { RequestContext } from "./pipeline.ts";

export const EVENT_STREAM = "text/event-stream";

/** Waits for the next events; see `EventPulse`. */
export interface Following {
  wait(ms: number): Promise<void>;
  end(): void;
}

export interface StreamDependencies {
  readonly open: OpenStreams;
  /** The longest silence before a heartbeat is sent. A consumer that reads nothing for twice as long is dropped. */
  readonly heartbeatMs: number;
  readonly follow: () => Following;
  /** Aborts when the server stops, so that open streams do not delay it. */
  readonly stopping: AbortSignal;
}

/** True if a request asks for a stream rather than a list. */
export function wantsStream({ method, headers }: Request): boolean {
  const accept = headers.get("accept");
  const preference = preferenceFor(accept, EVENT_STREAM);
  return method === "GET" && preference > 0 && preference >= preferenceFor(accept, "application/json");
}

/** Reads the events after a position; null once the credential has ended or may no longer read. */
export type ReadOn = (after: string) => Promise<EventsAnswer | null>;

/** Opens a stream. The limit on open streams covers all surfaces. `heartbeatMs` overrides the server's interval. */
export type EventStreams = (
  context: Pick<RequestContext, "request" | "requester">,
  first: EventsAnswer,
  readOn: ReadOn,
  heartbeatMs?: number,
) => Response;

export function createEventStreams(deps: StreamDependencies): EventStreams {
  return ({ request, requester }, first, readOn, heartbeatMs = deps.heartbeatMs) => {
    const makingWay = new AbortController();
    // Admitted requests have a requester; any other shares one anonymous slot.
    const who = requester ?? { credential: null, party: partyOf(null, null) };
    const release = deps.open.open(who, () => makingWay.abort());
    const signal = AbortSignal.any([request.signal, makingWay.signal]);
    const body = streamOf({ ...deps, heartbeatMs }, { first, readOn, signal, release });
    return new Response(body, {
      headers: {
        "content-type": EVENT_STREAM,
        // Disables buffering in proxies, which would hold back every event.
        "x-accel-buffering": "no",
      },
    });
  };
}

interface OneStream {
  readonly first: EventsAnswer;
  readonly readOn: ReadOn;
  readonly signal: AbortSignal;
  /** Called once, however the stream ends. */
  readonly release: () => void;
}

/**
 * Pull-based, so that a slow consumer costs no more than one block of memory. A consumer that reads nothing for two
 * heartbeats is cut off, since it would hold its slot forever; it can resume from its last event.
 */
function streamOf(
  { follow, heartbeatMs, stopping }: StreamDependencies,
  { first, readOn, signal, release }: OneStream,
): ReadableStream<Uint8Array> {
  const following = follow();
  let waiting: EventsAnswer | null = first;
  let place = first.next;
  let isOver = false;
  let stalled: ReturnType<typeof setTimeout> | undefined;
  let end = () => {};

  function over(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(stalled);
    following.end();
    signal.removeEventListener("abort", end);
    stopping.removeEventListener("abort", end);
    release();
  }

  /**
   * Returns the next block: events, or the stream's position if there are none within a heartbeat. null: the stream is
   * over.
   */
  async function next(): Promise<string | null> {
    for (const until = performance.now() + heartbeatMs; !isOver; ) {
      const answer: EventsAnswer | null = waiting ?? (await readOn(place));
      if (answer === null) return null;
      const isFirst = waiting !== null;
      waiting = null;
      place = answer.next;
      if (answer.events.length > 0) return answer.events.map(block).join("");
      const left = until - performance.now();
      if (isFirst || left <= 0) return `id: ${place}\n\n`;
      await following.wait(left);
    }
    return null;
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        end = () => {
          if (isOver) return;
          over();
          controller.close();
        };
        signal.addEventListener("abort", end);
        stopping.addEventListener("abort", end);
        if (signal.aborted || stopping.aborted) end();
      },
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const text = await next();
          if (isOver) return;
          if (text === null) return end();
          controller.enqueue(utf8.encode(text));
          stalled = setTimeout(() => {
            over();
            controller.error(new Error("a consumer of events takes nothing"));
          }, heartbeatMs * 2);
        } catch (error) {
          // Closing the stream makes the client reconnect and resume.
          if (!isOver) end();
          if (!(error instanceof DomainError)) throw error;
        }
      },
      cancel: over,
    },
    { highWaterMark: 1 },
  );
}

const utf8 = new TextEncoder();

/** Formats an event as an SSE block, without an event name, so that browsers deliver it to `onmessage`. */
function block(event: ChangeEvent): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}
