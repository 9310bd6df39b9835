import { readAnswer } from "./answer.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import { isRecollectError, RecollectError } from "./error.ts";
import { type EventBlock, eventBlocks } from "./event-stream.ts";
import { backOff, pause, unlessAborted } from "./pause.ts";
import { queryOf } from "./request.ts";
import type { Transport } from "./transport.ts";

/** A change of a memory, todo or decision. It has no content; read that by its ids. */
export interface MemoryEvent {
  /** The position from which to resume after this event. */
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
  /** Resume after this event: the `id` of the last one processed. Default: only events from now on. */
  readonly after?: string | undefined;
  /** Only events about memories, todos or decisions. */
  readonly subject?: "memory" | "todo" | "decision" | undefined;
  readonly projectId?: string | undefined;
  /** Only events of this memory, todo or decision. */
  readonly memoryId?: string | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the stream's position, after each event and during silence. Store it to resume after a restart, however
   * long the stream was quiet.
   */
  readonly onPosition?: ((id: string) => void) | undefined;
  /**
   * A connection that is silent for this long is reopened. Default: 90 seconds, longer than the service's heartbeat.
   */
  readonly idleTimeoutMs?: number | undefined;
}

/** The client's end user decides whose events they are. */
interface EventsOfUser extends EventsOptions {
  readonly user?: string | undefined;
}

const IDLE_TIMEOUT_MS = 90_000;
const BACK_OFF_MS = 500;
const BACK_OFF_MAX_MS = 30_000;

/**
 * Iterates over events from a position on, endlessly. A broken connection is reopened at the last position, for as long
 * as it takes. Each event comes at least once, those of one memory in order. Rejects if the service refuses, with
 * `events_gone` if the position is too old; an aborted signal ends the iteration.
 */
export async function* streamEvents(
  transport: Transport,
  options: EventsOfUser,
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

/** Yields the blocks of one connection, until it ends or breaks. */
async function* connection(
  transport: Transport,
  after: string | undefined,
  { signal, idleTimeoutMs = IDLE_TIMEOUT_MS, subject, projectId, memoryId, user }: EventsOfUser,
): AsyncGenerator<EventBlock, void, void> {
  const path = `/v1/events${queryOf({ after, subject, project_id: projectId, memory_id: memoryId, user_id: user })}`;
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
      // The time that the caller spends on events does not count as silence.
      deadline.stop();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Releases the connection, also if the caller stops iterating.
    await reader.cancel().catch(() => {});
  }
}

/** Converts errors of the step to connection failures, as opposed to errors that the caller throws. */
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

/** True for temporary failures, as opposed to refusals and unreadable answers. */
function isPassing({ status, code }: RecollectError): boolean {
  if (status === null) return code !== "unexpected_answer";
  return status === 408 || status === 429 || status >= 500;
}

/** Parses an event; null for an unknown kind, which a later version may send. */
function eventOf(data: string, id: string | null): MemoryEvent | null {
  try {
    const event = JSON.parse(data) as Partial<MemoryEvent> | null;
    if (typeof event?.type !== "string" || typeof event.data !== "object") return null;
    return { ...event, id: id ?? event.id } as MemoryEvent;
  } catch (cause) {
    throw new RecollectError("An event cannot be read.", { code: "unexpected_answer", cause });
  }
}
