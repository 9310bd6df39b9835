import type { Server as HttpServer } from "node:http";
import { type Server, serve } from "srvx";

/** Where to listen, and what answers. */
export interface ListenOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** A server that accepts connections. */
export interface Listener {
  /** With the port it really has, and without a slash at the end. */
  readonly url: string;
  /** Stops accepting, lets what runs finish for up to ten seconds, then cuts off the rest. */
  close(): Promise<void>;
}

const CLOSE_WITHIN_MS = 10_000;
const SWEEP_MS = 50;

/** Longer than the idle timeout of the usual proxies, which otherwise send into a connection that just closed. */
const IDLE_SECONDS = 75;

/**
 * Serves over HTTP on Bun, Deno and Node alike. Resolves once the port is really ours; rejects with one sentence where
 * it is not to be had.
 */
export async function listen({ fetch, host, port }: ListenOptions): Promise<Listener> {
  try {
    const server = serve({
      fetch,
      hostname: host,
      port,
      silent: true,
      manual: true,
      // Signals are the composition root's business.
      gracefulShutdown: false,
      error: failed,
      bun: { idleTimeout: IDLE_SECONDS },
      node: { keepAliveTimeout: IDLE_SECONDS * 1000 },
    });
    const sweep = sweepOf(server);
    await server.serve();
    return {
      url: (server.url ?? `http://${host}:${port}`).replace(/\/$/, ""),
      close: () => close(server, sweep),
    };
  } catch (cause) {
    throw new Error(whyNot(cause, host, port), { cause });
  }
}

/** The application answers its own failures; this is for what fails around it, and says nothing. */
function failed(): Response {
  return new Response(null, { status: 500 });
}

async function close(server: Server, sweep: () => void): Promise<void> {
  const sweeping = setInterval(sweep, SWEEP_MS);
  const isDone = await inTime(server.close());
  clearInterval(sweeping);
  if (!isDone) await inTime(server.close(true), 1000);
}

/**
 * What cuts the connections that nothing runs on while a server closes. Bun and Deno let them go by themselves; Node
 * would wait for as long as a client keeps them, even those that never sent anything.
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

/** False where the work takes longer, or fails. */
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

function whyNot(cause: unknown, host: string, port: number): string {
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
