import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How often each server is asked whether it is ready. */
const PROBE_EVERY_MS = 200;

interface Backend {
  readonly url: string;
  readonly agent: Agent;
  isReady: boolean;
}

/** What stands before several servers: it sends requests to those that say they are ready, and sends none again. */
export interface Balancer {
  readonly url: string;
  add(url: string): void;
  remove(url: string): void;
  /** How many requests each server has answered. */
  answered(url: string): number;
}

/** Connections to servers are kept, as usual proxies do; it goes with the test. */
export async function startBalancer(): Promise<Balancer> {
  const backends: Backend[] = [];
  const counts = new Map<string, number>();
  let turn = 0;
  const listener = createServer((incoming, answer) => {
    const ready = backends.filter(({ isReady }) => isReady);
    turn += 1;
    const backend = ready[turn % ready.length];
    if (backend === undefined) {
      answer.writeHead(502).end("There is no server that is ready.");
      return;
    }
    counts.set(backend.url, (counts.get(backend.url) ?? 0) + 1);
    pass(backend, incoming, answer);
  });
  const probing = setInterval(() => {
    for (const backend of backends) void probe(backend);
  }, PROBE_EVERY_MS);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    clearInterval(probing);
    for (const { agent } of backends) agent.destroy();
    listener.closeAllConnections();
    listener.close();
  });
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    add: (url) => void backends.push({ url, agent: new Agent({ keepAlive: true }), isReady: false }),
    remove(url) {
      const at = backends.findIndex((backend) => backend.url === url);
      backends.splice(at, 1)[0]?.agent.destroy();
    },
    answered: (url) => counts.get(url) ?? 0,
  };
}

async function probe(backend: Backend): Promise<void> {
  backend.isReady = await fetch(`${backend.url}/readyz`, { headers: { connection: "close" } }).then(
    (answer) => answer.ok,
    () => false,
  );
}

function pass({ url, agent }: Backend, incoming: IncomingMessage, answer: ServerResponse): void {
  const { connection: _, ...headers } = incoming.headers;
  const onward = request(`${url}${incoming.url}`, { method: incoming.method, headers, agent }, (response) => {
    const { connection: __, ...back } = response.headers;
    answer.writeHead(response.statusCode ?? 502, back);
    response.pipe(answer);
  });
  onward.on("error", (error) => {
    if (!answer.headersSent) answer.writeHead(502);
    answer.end(`${url}: ${error.message}`);
  });
  incoming.pipe(onward);
}
