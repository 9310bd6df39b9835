import { Client } from "@elastic/elasticsearch";
import { BoundedConnection, PlainTransport } from "./transport.ts";

export interface ElasticsearchOptions {
  /** One or more addresses of one cluster. */
  readonly nodes: readonly string[];
  readonly auth:
    | { readonly apiKey: string }
    | { readonly username: string; readonly password: string }
    | null;
  /** Certificates that are trusted, in PEM; null: those of the runtime. */
  readonly ca: string | null;
  /** How long a request may take, its answer's last byte included, unless it says otherwise by `requestTimeout`. */
  readonly requestTimeoutMs: number;
}

/** More than any answer that is asked for; a proxy may answer anything. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;
const SOCKETS_MAX = 64;

/**
 * A client that asks once and answers or fails within its time. Who asks decides whether to try again: a recall has an
 * index to fall back to, and the worker has all the time there is. Its errors hold nothing of what was sent.
 */
export function createElasticsearchClient(options: ElasticsearchOptions): Client {
  return new Client({
    nodes: [...options.nodes],
    ...(options.auth === null ? {} : { auth: options.auth }),
    ...(options.ca === null ? {} : { tls: { ca: options.ca } }),
    // The client's own choice does not run on Bun.
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
