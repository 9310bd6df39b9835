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
  /** Aborting rejects at once with the signal's reason. A write may already have taken effect. */
  readonly signal?: AbortSignal | undefined;
  /** For one attempt. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first. Default: the client's. */
  readonly retries?: number | undefined;
  /**
   * Default: a new key for each write. A key that you store makes a write safe to repeat after a restart, for 24 hours.
   */
  readonly idempotencyKey?: string | undefined;
  /** Overrides the client's attribution. */
  readonly attribution?: Attribution | undefined;
}

export interface ClientOptions extends Attribution {
  /**
   * The end user in whose space everything takes place, by your own id. Needs a key with `users:act`. Default: the
   * application's own space.
   */
  readonly user?: string | undefined;
  /** Address of the service, such as `https://memory.example`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`. A function is called before each attempt, so that a rotated key is used. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** An OAuth access token, sent as `Authorization: Bearer`, instead of a key. */
  readonly accessToken?: string | (() => string | Promise<string>) | undefined;
  /** For one attempt. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first. Default: 4. */
  readonly retries?: number | undefined;
  /**
   * Upper bound of the first pause between attempts. Default: 200 milliseconds. Doubles each time, up to 10 seconds.
   */
  readonly backOffMs?: number | undefined;
  /** The longest `Retry-After` to wait for. Default: 65 seconds, since the window of the rate limits is 60. */
  readonly retryAfterMaxMs?: number | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: Fetch | undefined;
}

type Method<N extends OperationName> =
  Record<never, never> extends Input<N>
    ? (input?: Input<N>, options?: RequestOptions) => Promise<Answer<N>>
    : (input: Input<N>, options?: RequestOptions) => Promise<Answer<N>>;

/** Every operation of the service as a method. */
export type OperationMethods = { readonly [N in keyof Operations]: Method<N> };

/** Names of operations that return a list, whole or in pages. */
export type ListName = {
  [N in OperationName]: Answer<N> extends readonly unknown[] | { next_cursor: string | null } ? N : never;
}[OperationName];

/** An item of such a list. */
export type ListItem<N extends ListName> =
  Answer<N> extends readonly (infer I)[]
    ? I
    : { [K in keyof Answer<N>]: Answer<N>[K] extends readonly (infer I)[] ? I : never }[keyof Answer<N>];

export interface Client extends OperationMethods {
  /** Calls an operation by name, for programs that choose it at run time. */
  call<N extends OperationName>(name: N, input: Input<N>, options?: RequestOptions): Promise<Answer<N>>;
  /** Iterates over all items of a list. Pages are requested as they are reached; `limit` is the page size. */
  each<N extends ListName>(name: N, ...given: Parameters<Method<N>>): AsyncGenerator<ListItem<N>, void, void>;
  /** Iterates over changes as they happen, endlessly; see `EventsOptions`. */
  events(options?: EventsOptions): AsyncGenerator<MemoryEvent, void, void>;
  /**
   * Returns a client for one end user of your application, by your own id: everything takes place in that end user's
   * space. Operations that are about no space, such as `rotateKey` and `listEndUsers`, stay the application's.
   */
  forUser(user: string): Client;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 4;
const BACK_OFF_MS = 200;
const RETRY_AFTER_MAX_MS = 65_000;

/**
 * Creates a client of one service with one credential. It holds no connection or state, so you can create any number.
 * Throws a TypeError if the address is not an http or https URL.
 */
export function createClient(options: ClientOptions): Client {
  const transport = transportOf(options);
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, backOffMs = BACK_OFF_MS } = options;
  const { retryAfterMaxMs = RETRY_AFTER_MAX_MS, user } = options;

  const call = async (
    name: OperationName,
    input: object = {},
    given: RequestOptions = {},
  ): Promise<unknown> => {
    const attribution = mergedAttribution(given.attribution, options);
    const request = prepare(name, input as Readonly<Record<string, unknown>>, {
      attribution,
      user,
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
    events: (given: EventsOptions = {}) => streamEvents(transport, { ...given, user }),
    forUser: (other: string) => createClient({ ...options, user: other }),
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
    // Looks up the runtime's `fetch` at the time of the request, because tracing and tests replace it.
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
  // `offset` applies to the first page only: the cursor already accounts for it.
  const { offset: _, ...filters } = input as { offset?: unknown };
  let page = input;
  let last: unknown;
  for (;;) {
    const answer = (await call(name, page, options)) as Readonly<Record<string, unknown>>;
    const items = [answer, ...Object.values(answer)].find(isList) ?? [];
    // A list without a cursor of its own continues after its last item.
    const { next_cursor: cursor = idOf(items.at(-1)) } = answer;
    // An older service without paging for this list returns the whole list again.
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
