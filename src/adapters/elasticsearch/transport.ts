import type { ClientRequest, RequestOptions } from "node:http";
import {
  type ConnectionOptions,
  errors,
  HttpConnection,
  SniffingTransport,
  type TransportOptions,
  type TransportRequestOptions,
  type TransportRequestParams,
} from "@elastic/elasticsearch";

/** The client's transport, with headers that engines of two versions take, and errors that may be logged. */
export class PlainTransport extends SniffingTransport {
  constructor(options: TransportOptions) {
    super({
      ...options,
      // Asked once, by `inspectEngine`, which can tell another product from a proxy's page.
      productCheck: null as unknown as string,
      // The client's own name its version, and an engine of the version before refuses them.
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

/** What stands between may answer 200 and a page of its own. Every answer that is used here is JSON. */
function requireJson(
  { method }: TransportRequestParams,
  options: TransportRequestOptions | undefined,
  answer: unknown,
): void {
  const body = options?.meta ? (answer as { body: unknown }).body : answer;
  if (method === "HEAD" || (typeof body === "object" && body !== null)) return;
  throw new errors.DeserializationError("The answer is no JSON object.", "");
}

/** Engines quote what was sent in their reasons, and an error's message ends in a log: its type says enough. */
function named(error: errors.ResponseError): errors.ResponseError {
  const { body } = error;
  const type =
    typeof body === "object" && body !== null ? (body as { error?: { type?: unknown } }).error?.type : null;
  error.message = `${typeof type === "string" ? type : "an error"} (status ${error.statusCode})`;
  return error;
}

/** So that the client's own limit, which has the better name, comes first where it holds. */
const GRACE_MS = 20;

/** A time limit over the whole exchange: the client's own ends with the first byte of the answer. */
export class BoundedConnection extends HttpConnection {
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
