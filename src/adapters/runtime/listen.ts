import nodeHttp, { type Server as HttpServer, STATUS_CODES } from "node:http";
import { createServer } from "node:net";
import type { Duplex } from "node:stream";
import { type Server, serve } from "srvx";

/** Address to listen at, and the handler. */
export interface ListenOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Whether further processes listen on the same port. */
  readonly sharesPort?: boolean;
  /** Answers a request whose head is too large to read, on Node. Bun and Deno refuse it themselves. */
  readonly headTooLarge?: () => Response;
}

/** A server that accepts connections. */
export interface Listener {
  /** With the actual port, and without a trailing slash. */
  readonly url: string;
  /** Stops accepting, lets running requests finish for up to ten seconds, then cuts off the rest. */
  close(): Promise<void>;
}

const CLOSE_WITHIN_MS = 10_000;
const SWEEP_MS = 50;

/**
 * Longer than the idle timeout of common proxies, which otherwise might send into a connection that was just closed.
 */
const IDLE_SECONDS = 75;

/**
 * How long a head may take to arrive on Node, where a whole request may take as long as the connection may be idle. Bun
 * has such limits of its own, 12 seconds and the idle timeout; Deno has none but the one for bodies (`readBytes`).
 */
const HEAD_SECONDS = 15;
/** How often Node checks for heads that take longer. */
const CHECKED_SECONDS = 5;

/**
 * How large a request's address and headers may be together. Bun and Node read 16 KiB unless told otherwise, which a
 * percent-encoded question in Chinese or Japanese soon exceeds. Deno has limits of its own: 64 KiB for an address.
 */
const HEAD_BYTES_MAX = 128 * 1024;

/**
 * Serves HTTP on Bun, Deno and Node. Resolves once the server listens; rejects with one sentence if the port is
 * unavailable.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { fetch, host, port, sharesPort = false, headTooLarge } = options;
  try {
    // Bun has no such option for a single server.
    if ("Bun" in globalThis) Object.assign(nodeHttp, { maxHeaderSize: HEAD_BYTES_MAX });
    const server = serve({
      fetch: (request) => fetch(addressed(request)),
      hostname: host,
      port,
      reusePort: sharesPort,
      silent: true,
      manual: true,
      // The composition root handles signals.
      gracefulShutdown: false,
      error: failed,
      // By itself Bun refuses bodies beyond 128 MiB, with a bare 413. The application refuses far smaller ones.
      bun: { idleTimeout: IDLE_SECONDS, maxRequestBodySize: Number.MAX_SAFE_INTEGER },
      node: {
        keepAliveTimeout: IDLE_SECONDS * 1000,
        maxHeaderSize: HEAD_BYTES_MAX,
        headersTimeout: HEAD_SECONDS * 1000,
        requestTimeout: IDLE_SECONDS * 1000,
        connectionsCheckingInterval: CHECKED_SECONDS * 1000,
        // Lets the application answer it, as on the other runtimes.
        requireHostHeader: false,
      },
    });
    if (headTooLarge) answerUnreadable(server, headTooLarge);
    ignoreExpectations(server);
    const sweep = sweepOf(server);
    await server.serve();
    return {
      url: (server.url ?? `http://${host}:${port}`).replace(/\/$/, ""),
      close: () => close(server, sweep),
    };
  } catch (cause) {
    throw new Error(explainFailure(cause, host, port), { cause });
  }
}

/** The first Node of each line that can share a port. */
const NODES_THAT_SHARE: readonly (readonly [major: number, minor: number])[] = [
  [22, 12],
  [23, 1],
];

/**
 * Why processes cannot share a port here, in a sentence that says what to do; null if they can. Only Linux spreads
 * connections over them.
 */
export function noPortSharing(): string | null {
  if (process.platform !== "linux") return "Several processes share a port only on Linux: set PROCESSES=1.";
  if ("Bun" in globalThis || "Deno" in globalThis) return null;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 23 || NODES_THAT_SHARE.some(([of, from]) => major === of && minor >= from)) return null;
  return `Several processes share a port from Node 22.12 on, and this is ${process.version}: upgrade Node, start on Bun or Deno, or set PROCESSES=1.`;
}

/**
 * Rejects if processes cannot share the port here, or if another program has it: two servers that share their ports
 * would both get it, and each would answer requests that were meant for the other.
 */
export async function requireShareablePort(host: string, port: number): Promise<void> {
  const obstacle = noPortSharing();
  if (obstacle !== null) throw new Error(obstacle);
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (cause) => reject(new Error(explainFailure(cause, host, port), { cause })));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

/** Base address of a request whose own address is unreadable. */
const NOWHERE = "http://nowhere.invalid";

/**
 * Backslashes, and segments that begin with a dot, percent-encoded or not. Bun has resolved them in every address; Deno
 * has in none, and the parser of Node 20 overlooks `/a/.b/../c`.
 */
const UNRESOLVED = /\\|\/(?:\.|%2e)/i;

/**
 * The request with an address that can be read, is resolved, and is the one in `Host`. The runtimes make up addresses
 * each in its own way where the header is missing or malformed, or where the target of the request names another host:
 * the header then is none, or both names, and the application refuses it as it does every malformed one. (Bun tells
 * nothing of the host in a target.)
 */
function addressed(request: Request): Request {
  const host = request.headers.get("host") ?? "";
  if (host !== "" && request.url.startsWith(`http://${host}/`))
    return UNRESOLVED.test(request.url) ? resolved(request) : request;
  const [named, asked] = [hostIn(`http://${host}/`), hostIn(request.url)];
  if (host !== "" && named !== null && named === asked) return resolved(request);
  const headers = new Headers(request.headers);
  const both = named === null ? host : `${named}, ${asked}`;
  headers.set("host", asked === null ? "" : both);
  const hasBody = request.body !== null && /^(?:POST|PUT|PATCH|DELETE)$/.test(request.method);
  return new Request(NOWHERE, {
    headers,
    ...(hasBody && { method: request.method, body: request.body, duplex: "half" }),
  });
}

/** Returns the host of an HTTP address; null if it is not one. */
function hostIn(address: string): string | null {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return null;
  return new URL(address).host;
}

/** Returns the request with its resolved address. A copy would lose the sender's address. */
function resolved(request: Request): Request {
  const { host, pathname, search, hash } = new URL(request.url);
  const url = `http://${host}${withoutDotSegments(pathname)}${search}${hash}`;
  return Object.defineProperty(request, "url", { value: url });
}

const DOT = /^(?:\.|%2e)$/i;
const TWO_DOTS = /^(?:\.|%2e){2}$/i;

/** As the URL standard has it: a path that ends with such a segment ends with a slash. */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  for (const [at, segment] of segments.entries()) {
    if (TWO_DOTS.test(segment)) kept.pop();
    else if (!DOT.test(segment)) {
      kept.push(segment);
      continue;
    }
    if (at === segments.length - 1) kept.push("");
  }
  return `/${kept.join("/")}`;
}

/** Answers failures outside the application, which answers its own. Reveals nothing. */
function failed(): Response {
  return new Response(null, { status: 500 });
}

/** Node's own answers to requests that it cannot parse. */
const NODES_OWN: Readonly<Record<string, string>> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** How long a client may keep sending unread data before it reads the response. */
const UNREAD_MS_MAX = 1000;

function answerUnreadable(server: Server, headTooLarge: () => Response): void {
  const http = server.node?.server as HttpServer | undefined;
  http?.on("clientError", async (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable) return void socket.destroy();
    const code = error.code ?? "";
    const bare = `HTTP/1.1 ${NODES_OWN[code] ?? "400 Bad Request"}\r\nConnection: close\r\n\r\n`;
    socket.end(code === "HPE_HEADER_OVERFLOW" ? await written(headTooLarge()) : bare);
    // Closing a connection while data arrives resets it, so that the client would not see the response.
    socket.resume();
    setTimeout(() => socket.destroy(), UNREAD_MS_MAX).unref();
  });
}

/** Node refuses every `Expect` header but 100-continue with a bare 417; Bun and Deno ignore them, as RFC 9110 allows. */
function ignoreExpectations(server: Server): void {
  const http = server.node?.server as HttpServer | undefined;
  http?.on("checkExpectation", (request, response) => http.emit("request", request, response));
}

/** Serialises a response for the wire. */
async function written(response: Response): Promise<string> {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines}\r\n${await response.text()}`;
}

async function close(server: Server, sweep: () => void): Promise<void> {
  const sweeping = setInterval(sweep, SWEEP_MS);
  const isDone = await inTime(server.close());
  clearInterval(sweeping);
  if (!isDone) await inTime(server.close(true), 1000);
}

/**
 * Closes connections without a running request while a server closes. Bun and Deno do so themselves; Node would wait as
 * long as clients keep them open, even unused ones.
 */
function sweepOf(server: Server): () => void {
  const http = server.node?.server as HttpServer | undefined;
  let running = 0;
  http?.on("request", (_, response) => {
    running += 1;
    response.once("close", () => {
      running -= 1;
    });
  });
  return () => (running === 0 ? http?.closeAllConnections() : http?.closeIdleConnections());
}

/** Returns false if the work takes longer, or fails. */
async function inTime(work: Promise<unknown>, ms = CLOSE_WITHIN_MS): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([done, late]);
  clearTimeout(timer);
  return isDone;
}

function explainFailure(cause: unknown, host: string, port: number): string {
  const { code, name } = cause as { code?: unknown; name?: unknown };
  const is = (wanted: string) => code === wanted || name === wanted;
  if (is("EADDRINUSE") || is("AddrInUse")) {
    return `Port ${port} on ${host} is taken: stop what listens there, or set another, such as PORT=${port + 1}.`;
  }
  if (is("EACCES") || is("PermissionDenied")) {
    return `Port ${port} on ${host} is not allowed to this user: set another, such as PORT=8787.`;
  }
  if (is("EADDRNOTAVAIL") || is("AddrNotAvailable") || is("ENOTFOUND")) {
    return `This machine has no address ${host}: set HOST to one it has, such as HOST=127.0.0.1.`;
  }
  return `Cannot listen on ${host}, port ${port}: set other values for HOST and PORT.`;
}
