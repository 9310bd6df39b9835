import { isList } from "./answer.ts";
import { type Attribution, mergedAttribution } from "./attribution.ts";
import type { Operations } from "./contract.ts";
import { type EventsOptions, type MemoryEvent, streamEvents } from "./events.ts";
import type { OperationName } from "./operation-table.ts";
import { OPERATION_NAMES, prepare } from "./request.ts";
import { type Fetch, send, type Transport } from "./transport.ts";

/** Input of an operation as one object: members of the path, the query, the body and headers. */
export type Input<N extends OperationName> = Operations[N]["input"];

/** Answer of an operation. */
export type Answer<N extends OperationName> = Operations[N]["answer"];

/** How one request is sent. */
export interface RequestOptions {
  /** Aborting it rejects at once with its reason; what a write has done by then stays done. */
  readonly signal?: AbortSignal | undefined;
  /** For one attempt; the client's unless given. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first; the client's unless given. */
  readonly retries?: number | undefined;
  /** Made for each write unless given. One that you keep makes a write safe to repeat after a restart, for 24 hours. */
  readonly idempotencyKey?: string | undefined;
  /** Whom the request is from, where it is not whom the client was made for. */
  readonly attribution?: Attribution | undefined;
}

export interface ClientOptions extends Attribution {
  /** Address of the service, such as `https://memory.example`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`. A function is asked before each attempt, so that a rotated key is taken up. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** An OAuth access token, sent as `Authorization: Bearer`, in place of a key. */
  readonly accessToken?: string | (() => string | Promise<string>) | undefined;
  /** For one attempt, 30 seconds unless given. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first, 4 unless given. */
  readonly retries?: number | undefined;
  /** The bound of the first pause between attempts, 200 milliseconds unless given. It doubles, up to 10 seconds. */
  readonly backOffMs?: number | undefined;
  /** The longest `Retry-After` that is waited for, 65 seconds unless given: the window of the rate limits is 60. */
  readonly retryAfterMaxMs?: number | undefined;
  /** In place of the runtime's own. */
  readonly fetch?: Fetch | undefined;
}

type Method<N extends OperationName> =
  Record<never, never> extends Input<N>
    ? (input?: Input<N>, options?: RequestOptions) => Promise<Answer<N>>
    : (input: Input<N>, options?: RequestOptions) => Promise<Answer<N>>;

/** Every operation of the service as a method. */
export type OperationMethods = { readonly [N in keyof Operations]: Method<N> };

/** The operations that answer a list, whole or in pages. */
export type ListName = {
  [N in OperationName]: Answer<N> extends readonly unknown[] | { next_cursor: string | null } ? N : never;
}[OperationName];

/** Item of such a list. */
export type ListItem<N extends ListName> =
  Answer<N> extends readonly (infer I)[]
    ? I
    : { [K in keyof Answer<N>]: Answer<N>[K] extends readonly (infer I)[] ? I : never }[keyof Answer<N>];

export interface Client extends OperationMethods {
  /** Calls an operation by its name, for programs that choose one as they run. */
  call<N extends OperationName>(name: N, input: Input<N>, options?: RequestOptions): Promise<Answer<N>>;
  /** Every item of a list, page by page, each page asked for when it is reached. `limit` is the size of a page. */
  each<N extends ListName>(name: N, ...given: Parameters<Method<N>>): AsyncGenerator<ListItem<N>, void, void>;
  /** Changes as they happen, without end; see `EventsOptions`. */
  events(options?: EventsOptions): AsyncGenerator<MemoryEvent, void, void>;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 4;
const BACK_OFF_MS = 200;
const RETRY_AFTER_MAX_MS = 65_000;

/**
 * A client of one service with one credential. It keeps no connection and no state: make as many as you like.
 * TypeError where the address is no http or https address.
 */
export function createClient(options: ClientOptions): Client {
  const transport = transportOf(options);
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, backOffMs = BACK_OFF_MS } = options;
  const { retryAfterMaxMs = RETRY_AFTER_MAX_MS } = options;

  const call = async (
    name: OperationName,
    input: object = {},
    given: RequestOptions = {},
  ): Promise<unknown> => {
    const attribution = mergedAttribution(given.attribution, options);
    const request = prepare(name, input as Readonly<Record<string, unknown>>, {
      attribution,
      idempotencyKey: given.idempotencyKey,
    });
    return send(transport, request, {
      timeoutMs: given.timeoutMs ?? timeoutMs,
      retries: given.retries ?? retries,
      backOffMs,
      retryAfterMaxMs,
      signal: given.signal,
    });
  };
  const methods = Object.fromEntries(
    OPERATION_NAMES.map((name) => [
      name,
      (input?: object, given?: RequestOptions) => call(name, input, given),
    ]),
  );
  return {
    ...methods,
    call,
    each: (name: ListName, input: object = {}, given?: RequestOptions) => eachItem(call, name, input, given),
    events: (given: EventsOptions = {}) => streamEvents(transport, given),
  } as Client;
}

function transportOf({ baseUrl, apiKey, accessToken, fetch: given }: ClientOptions): Transport {
  const { protocol, search, hash, origin } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || search !== "" || hash !== "") {
    throw new TypeError("baseUrl must be an http or https address without query or fragment.");
  }
  const base = baseUrl.replace(/\/+$/, "");
  return {
    origin,
    async headersWith(own) {
      const [key, token] = [await currentOf(apiKey), await currentOf(accessToken)];
      const headers = new Headers(own);
      if (key !== undefined) headers.set("x-api-key", key);
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
      return headers;
    },
    // The runtime's at the time of the request: tracing and tests put another in its place.
    fetch: (path, init) => (given ?? fetch)(base + path, { ...init, redirect: "manual" }),
  };
}

function currentOf(source: string | (() => string | Promise<string>) | undefined) {
  return typeof source === "function" ? source() : source;
}

type Call = (name: OperationName, input?: object, options?: RequestOptions) => Promise<unknown>;

async function* eachItem(
  call: Call,
  name: ListName,
  input: object,
  options: RequestOptions | undefined,
): AsyncGenerator<unknown, void, void> {
  // The cursor is already past the entries that the first page skipped.
  const { offset: _, ...filters } = input as { offset?: unknown };
  let page = input;
  let last: unknown;
  for (;;) {
    const answer = (await call(name, page, options)) as Readonly<Record<string, unknown>>;
    const items = [answer, ...Object.values(answer)].find(isList) ?? [];
    // A list without a cursor of its own continues after its last item.
    const { next_cursor: cursor = idOf(items.at(-1)) } = answer;
    // A service that knows no parts of such lists answers the whole list again.
    if (cursor && cursor === last) return;
    yield* items;
    if (!cursor) return;
    last = cursor;
    page = { ...filters, cursor };
  }
}

function idOf(item: unknown): string | undefined {
  const { todo_id, decision_id } = (item ?? {}) as { todo_id?: string; decision_id?: string };
  return todo_id ?? decision_id;
}
