import type { ClientRequest, RequestOptions } from "node:http";
import {
  Client,
  type ConnectionOptions,
  errors,
  HttpConnection,
  SniffingTransport,
  type TransportOptions,
  type TransportRequestOptions,
  type TransportRequestParams,
} from "@elastic/elasticsearch";
import { IndexUnavailable, UNAVAILABLE, type Unavailability } from "../../recall/index/index-unavailable.ts";

export interface ElasticsearchOptions {
  /** One or more addresses of one cluster. */
  readonly nodes: readonly string[];
  readonly auth:
    | { readonly apiKey: string }
    | { readonly username: string; readonly password: string }
    | null;
  /** Trusted certificates, in PEM; null: those of the runtime. */
  readonly ca: string | null;
  /** Time limit for a request, up to the last byte of its answer. A request can override it with `requestTimeout`. */
  readonly requestTimeoutMs: number;
}

/** More than any expected answer. A proxy may answer anything. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;
const SOCKETS_MAX = 64;

/**
 * Creates a client that sends each request once, and resolves or fails within the time limit. Callers decide whether to
 * retry: a recall has a fallback index, and the worker has no deadline. Errors contain nothing of what was sent.
 */
export function createElasticsearchClient(options: ElasticsearchOptions): Client {
  return new Client({
    nodes: [...options.nodes],
    ...(options.auth === null ? {} : { auth: options.auth }),
    ...(options.ca === null ? {} : { tls: { ca: options.ca } }),
    // The client's default does not run on Bun.
    Connection: BoundedConnection,
    Transport: PlainTransport,
    agent: { keepAlive: true, maxSockets: SOCKETS_MAX, maxFreeSockets: SOCKETS_MAX },
    maxRetries: 0,
    requestTimeout: options.requestTimeoutMs,
    maxResponseSize: ANSWER_BYTES_MAX,
    maxCompressedResponseSize: ANSWER_BYTES_MAX,
    enableMetaHeader: false,
    name: "recollect",
    redaction: { type: "remove" },
  });
}

/** The oldest engine that has every feature used here. */
const VERSION_MIN = [8, 15] as const;

/** The server found at the address of the search engine. */
export type EngineFound =
  | { readonly kind: "supported"; readonly version: string }
  /** `found` names product and version. */
  | { readonly kind: "unsupported"; readonly found: string }
  /** `why` in a few words, as in `UNAVAILABLE`. */
  | { readonly kind: "unavailable"; readonly why: string };

/** Determines an engine's product and version. Never rejects. */
export async function inspectEngine(client: Client, timeoutMs: number): Promise<EngineFound> {
  try {
    const { version } = await client.info({}, { requestTimeout: timeoutMs });
    const { number, distribution } = version as { number?: unknown; distribution?: unknown };
    if (typeof number !== "string") return { kind: "unavailable", why: UNAVAILABLE.unintelligible };
    if (distribution !== undefined) return { kind: "unsupported", found: `${distribution} ${number}` };
    const isSupported = !isOlder(number);
    return isSupported
      ? { kind: "supported", version: number }
      : { kind: "unsupported", found: `Elasticsearch ${number}` };
  } catch (error) {
    return { kind: "unavailable", why: UNAVAILABLE[unavailabilityOf(error) ?? "unintelligible"] };
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1]);
}

/** The message about an engine that is not supported. */
export function unsupported(found: string): string {
  return `${found} is not supported: Elasticsearch ${VERSION_MIN.join(".")} or newer is needed`;
}

/** Returns why the engine is unavailable, or null if the error is not the engine's. */
export function unavailabilityOf(error: unknown): Unavailability | null {
  if (error instanceof IndexUnavailable) return error.reason;
  if (error instanceof errors.ResponseError) return ofStatus(error);
  if (error instanceof errors.TimeoutError || error instanceof errors.RequestAbortedError) return "slow";
  if (error instanceof errors.DeserializationError) return "unintelligible";
  if (error instanceof errors.ElasticsearchClientError) {
    return /certificate/i.test(error.message) ? "untrusted" : "away";
  }
  return null;
}

function ofStatus(error: errors.ResponseError): Unavailability | null {
  const status = error.statusCode ?? 0;
  if (status === 401) return "credentials";
  if (status === 403) return isBlock(error) ? "failed" : "forbidden";
  if (status === 404) return "building";
  if (status === 429) return "overloaded";
  if (status === 502 || status === 504) return "away";
  // Elasticsearch itself answers 503 if no copy of a shard can be searched.
  if (status === 503) return isJson(error) ? "incomplete" : "away";
  // Any other status concerns this one request.
  return status >= 500 ? "failed" : null;
}

/** A read-only or closed index answers 403 as well, whatever the credentials. */
function isBlock(error: errors.ResponseError): boolean {
  return isJson(error) && error.message.startsWith("cluster_block_exception");
}

function isJson(error: errors.ResponseError): boolean {
  return typeof error.body === "object" && error.body !== null;
}

/**
 * The client's transport, with headers that engines of two major versions accept, and with errors that are safe to log.
 */
class PlainTransport extends SniffingTransport {
  constructor(options: TransportOptions) {
    super({
      ...options,
      // `inspectEngine` checks the product once. It can tell another product from a proxy's page.
      productCheck: null as unknown as string,
      // The client's default headers name its major version, and an engine of the version before refuses them.
      vendoredHeaders: {
        jsonContentType: "application/json",
        ndjsonContentType: "application/x-ndjson",
        accept: "application/json,text/plain",
      },
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the client differ in what they answer
  override async request(params: TransportRequestParams, options?: TransportRequestOptions): Promise<any> {
    try {
      const answer = await super.request(params, options);
      requireJson(params, options, answer);
      return answer;
    } catch (error) {
      throw error instanceof errors.ResponseError ? named(error) : error;
    }
  }
}

/**
 * Throws unless the answer is JSON, as every answer used here is. A proxy in between may answer 200 with a page of its
 * own.
 */
function requireJson(
  { method }: TransportRequestParams,
  options: TransportRequestOptions | undefined,
  answer: unknown,
): void {
  const body = options?.meta ? (answer as { body: unknown }).body : answer;
  if (method === "HEAD" || (typeof body === "object" && body !== null)) return;
  throw new errors.DeserializationError("The answer is not a JSON object.", "");
}

/** Reduces an error's message to its type. Engines quote the request in their reasons, and messages end up in logs. */
function named(error: errors.ResponseError): errors.ResponseError {
  const { body } = error;
  const type =
    typeof body === "object" && body !== null ? (body as { error?: { type?: unknown } }).error?.type : null;
  error.message = `${typeof type === "string" ? type : "an error"} (status ${error.statusCode})`;
  return error;
}

/** Lets the client's own timeout, whose error is more specific, fire first if it applies. */
const GRACE_MS = 20;

/** Limits the time of the whole exchange. The client's own timeout ends with the first byte of the answer. */
class BoundedConnection extends HttpConnection {
  constructor(options: ConnectionOptions) {
    super(options);
    const start = this.makeRequest as (options: RequestOptions) => ClientRequest;
    const bounded = (params: RequestOptions) => {
      const request = start(params);
      if (params.timeout === undefined) return request;
      const tooLong = () => request.destroy(new Error("The answer took too long."));
      const timer = setTimeout(tooLong, params.timeout + GRACE_MS);
      request.once("close", () => clearTimeout(timer));
      return request;
    };
    this.makeRequest = bounded as HttpConnection["makeRequest"];
  }
}
