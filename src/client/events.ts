import { readAnswer } from "./answer.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import { isRecollectError, RecollectError } from "./error.ts";
import { type EventBlock, eventBlocks } from "./event-stream.ts";
import { backOff, pause, unlessAborted } from "./pause.ts";
import { queryOf } from "./request.ts";
import type { Transport } from "./transport.ts";

/** A change of a memory, todo or decision. It has no content: read what it names. */
export interface MemoryEvent {
  /** The position from which the stream goes on after this event. */
  readonly id: string;
  /** Such as `memory.created`. */
  readonly type: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly data: {
    /** Kind of the changed thing: a memory, a todo or a decision. */
    readonly subject: string;
    readonly id: string;
    readonly project_id: string | null;
    readonly team_id: string | null;
    readonly revision: number;
  } & Readonly<Record<string, unknown>>;
}

export interface EventsOptions {
  /** Goes on after this event: the `id` of the last one that was dealt with. Without it, with what happens from now on. */
  readonly after?: string | undefined;
  /** Only events about memories, todos or decisions. */
  readonly subject?: "memory" | "todo" | "decision" | undefined;
  readonly projectId?: string | undefined;
  /** Only events of this memory, todo or decision. */
  readonly memoryId?: string | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Told how far the stream is, after each event and where nothing happened for the caller too. Whoever keeps it goes on
   * from there after a restart, however long it was quiet.
   */
  readonly onPosition?: ((id: string) => void) | undefined;
  /** A connection that is silent for so long is made anew. 90 seconds unless given; the service breaks silence before. */
  readonly idleTimeoutMs?: number | undefined;
}

const IDLE_TIMEOUT_MS = 90_000;
const BACK_OFF_MS = 500;
const BACK_OFF_MAX_MS = 30_000;

/**
 * The events from a position on, without end: a connection that breaks is made again where it left off, for as long as it
 * takes. Each event comes at least once, those of one memory in order. Rejects where the service refuses, with `events_gone`
 * where the position is too old to go on from; an aborted signal ends it.
 */
export async function* streamEvents(
  transport: Transport,
  options: EventsOptions,
): AsyncGenerator<MemoryEvent, void, void> {
  const { signal, onPosition } = options;
  let position = options.after;
  let failures = 0;
  // A delay that the stream sets holds until it sets another; a refusal's Retry-After holds once.
  let reconnectionMs = 0;
  while (!signal?.aborted) {
    let waitMs = 0;
    try {
      for await (const block of connection(transport, position, options)) {
        failures = 0;
        reconnectionMs = block.retryMs ?? reconnectionMs;
        const event = block.data === null ? null : eventOf(block.data, block.id);
        if (event) yield event;
        if (block.id) {
          position = block.id;
          onPosition?.(position);
        }
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isRecollectError(error) || !isPassing(error)) throw error;
      waitMs = error.retryAfterMs ?? 0;
    }
    failures += 1;
    try {
      const own = backOff(failures, BACK_OFF_MS, BACK_OFF_MAX_MS);
      await pause(Math.max(reconnectionMs, waitMs, own), signal);
    } catch {
      return;
    }
  }
}

/** The blocks of one connection, until it ends or breaks. */
async function* connection(
  transport: Transport,
  after: string | undefined,
  { signal, idleTimeoutMs = IDLE_TIMEOUT_MS, subject, projectId, memoryId }: EventsOptions,
): AsyncGenerator<EventBlock, void, void> {
  const path = `/v1/events${queryOf({ after, subject, project_id: projectId, memory_id: memoryId })}`;
  const headers = await unlessAborted(transport.headersWith({ accept: "text/event-stream" }), signal);
  const deadline = createDeadline(idleTimeoutMs, signal);
  try {
    const response = await unbroken(transport.fetch(path, { headers, signal: deadline.signal }));
    const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
    if (!response.ok || !isStream || !response.body) throw await refusalOf(response);
    yield* eventBlocks(textOf(response.body, deadline));
  } finally {
    deadline.end();
  }
}

async function* textOf(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      deadline.restart();
      const { done, value } = await unbroken(reader.read());
      // While the caller is busy with what came, the service is not silent: nobody listens.
      deadline.stop();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Also where the caller stops listening: the connection is let go of.
    await reader.cancel().catch(() => {});
  }
}

/** Marks errors of the step as connection failures; errors that the caller throws are not. */
async function unbroken<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    throw new RecollectError("The event stream broke off.", { code: "connection_failed", cause });
  }
}

async function refusalOf(response: Response): Promise<RecollectError> {
  const outcome = await readAnswer(response);
  if (!outcome.isDone) return new RecollectError(outcome.message, outcome.details);
  return new RecollectError("The answer is no event stream.", {
    code: "unexpected_answer",
    status: response.status,
  });
}

/** True for failures that may pass. Refusals and unreadable answers do not. */
function isPassing({ status, code }: RecollectError): boolean {
  if (status === null) return code !== "unexpected_answer";
  return status === 408 || status === 429 || status >= 500;
}

/** null for what is no event of this kind: a later version may send others. */
function eventOf(data: string, id: string | null): MemoryEvent | null {
  try {
    const event = JSON.parse(data) as Partial<MemoryEvent> | null;
    if (typeof event?.type !== "string" || typeof event.data !== "object") return null;
    return { ...event, id: id ?? event.id } as MemoryEvent;
  } catch (cause) {
    throw new RecollectError("An event cannot be read.", { code: "unexpected_answer", cause });
  }
}
