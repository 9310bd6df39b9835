import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A request as a fault sees it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** All of a request but its headers. */
export interface Wanted extends Asked {
  readonly body: string;
}

/** What an answer may be changed to. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Change = (answer: any, asked: Asked) => unknown;

/** What goes wrong between a service and its node. */
export type Fault =
  /** Nobody listens, and connections there were break. */
  | { readonly kind: "refuse" }
  /**
   * The connection breaks: before the node has heard of the request, after the first half of the answer, or after the
   * node has done what was asked and before a word of the answer.
   */
  | { readonly kind: "cut"; readonly at: "request" | "middle" | "answer" }
  /** Nothing more comes, and the connection stays: before the answer, or in its middle. */
  | { readonly kind: "stall"; readonly at: "answer" | "middle" }
  /** The answer comes, a few bytes at a time: the connection is never idle, and never done in time. */
  | { readonly kind: "drip" }
  /** The request reaches the node after this pause. */
  | { readonly kind: "delay"; readonly ms: () => number }
  /** The node does not hear of it, and this is answered. */
  | { readonly kind: "answer"; readonly status: number; readonly body: unknown; readonly type?: string }
  /** The node is asked this instead. */
  | { readonly kind: "ask"; readonly instead: (wanted: Wanted) => Omit<Wanted, "method"> }
  /** The node's answer, changed. */
  | { readonly kind: "change"; readonly to: Change }
  /** The node's answer, with bytes of it replaced. */
  | { readonly kind: "garble" };

/** Stands between a service and a node, and does as it is told. */
export interface NodeProxy {
  readonly url: string;
  /** How many requests a fault has hit. */
  hits(): number;
  /** From now on, for the requests that `only` picks; it takes the place of the fault before. */
  inject(fault: Fault, only?: (asked: Asked) => boolean): Promise<void>;
  /** No fault from now on. What stalls is let go of. */
  heal(): Promise<void>;
  /** The node is another from now on. */
  lead(node: string): void;
  close(): Promise<void>;
}

const DRIP_BYTES = 4;
const DRIP_EVERY_MS = 300;
const PRODUCT = { "x-elastic-product": "Elasticsearch" };
const VENDOR_JSON = "application/vnd.elasticsearch+json;compatible-with=9";

export async function openProxy(node: string): Promise<NodeProxy> {
  let target = node;
  let fault: { readonly fault: Fault; readonly only: (asked: Asked) => boolean } | null = null;
  let hits = 0;
  const stalled = new Set<ServerResponse>();

  const server = createServer((incoming, outgoing) => {
    const asked = { method: incoming.method ?? "GET", path: incoming.url ?? "/" };
    const hit = fault?.only(asked) ? fault.fault : null;
    if (hit) hits += 1;
    carry(target, incoming, outgoing, asked, hit, stalled).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 60_000;
  const port = await listen(server, 0);

  return {
    url: `http://127.0.0.1:${port}`,
    hits: () => hits,
    async inject(next, only = () => true) {
      fault = { fault: next, only };
      hits = 0;
      if (next.kind === "refuse") await refuse(server);
      else await listen(server, port);
    },
    async heal() {
      fault = null;
      for (const outgoing of stalled) outgoing.destroy();
      stalled.clear();
      await listen(server, port);
    },
    lead(to) {
      target = to;
    },
    close: () => refuse(server),
  };
}

async function listen(server: Server, port: number): Promise<number> {
  if (!server.listening) {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  }
  return (server.address() as AddressInfo).port;
}

async function refuse(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function carry(
  node: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  asked: Asked,
  fault: Fault | null,
  stalled: Set<ServerResponse>,
): Promise<void> {
  if (fault?.kind === "cut" && fault.at === "request") return void outgoing.destroy();
  const body = await bytesOf(incoming);
  if (fault?.kind === "stall" && fault.at === "answer") return void stalled.add(outgoing);
  if (fault?.kind === "delay") await sleep(fault.ms());
  if (fault?.kind === "answer") {
    const isText = typeof fault.body === "string";
    const product = fault.type === undefined ? PRODUCT : {};
    outgoing.writeHead(fault.status, { "content-type": fault.type ?? VENDOR_JSON, ...product });
    return void outgoing.end(isText ? fault.body : JSON.stringify(fault.body));
  }
  const sent =
    fault?.kind === "ask" ? fault.instead({ ...asked, body: body.toString() }) : { ...asked, body };
  const answer = await answerOf(node, incoming, sent);
  if (fault?.kind === "cut" && fault.at === "answer") return void outgoing.destroy();
  const bytes = altered(answer.bytes, asked, fault);
  const { "transfer-encoding": _, connection: __, ...headers } = answer.headers;
  // The length of an answer to HEAD is that of a body which does not come.
  const length = asked.method === "HEAD" ? {} : { "content-length": String(bytes.length) };
  outgoing.writeHead(answer.status, { ...headers, ...length });
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (fault?.kind === "cut") return void outgoing.write(half, () => outgoing.destroy());
  if (fault?.kind === "stall") {
    outgoing.write(half);
    return void stalled.add(outgoing);
  }
  if (fault?.kind === "drip") await drip(outgoing, half);
  else outgoing.end(bytes);
}

async function drip(outgoing: ServerResponse, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += DRIP_BYTES) {
    outgoing.write(bytes.subarray(at, at + DRIP_BYTES));
    await sleep(DRIP_EVERY_MS);
  }
  outgoing.destroy();
}

function altered(bytes: Buffer, asked: Asked, fault: Fault | null): Buffer {
  if (fault?.kind === "garble") return Buffer.from(bytes.toString("latin1").replaceAll(/[:"]/g, "\x07"));
  if (fault?.kind !== "change" || bytes.length === 0) return bytes;
  try {
    return Buffer.from(JSON.stringify(fault.to(JSON.parse(bytes.toString()), asked)));
  } catch {
    return bytes;
  }
}

interface NodeAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

/** What the node answers, not compressed, so that it can be changed. */
function answerOf(
  node: string,
  incoming: IncomingMessage,
  { path, body }: { readonly path: string; readonly body: string | Buffer },
): Promise<NodeAnswer> {
  const {
    "accept-encoding": _,
    host: __,
    connection: ___,
    "content-length": ____,
    ...headers
  } = incoming.headers;
  const length = body.length > 0 ? { "content-length": String(Buffer.byteLength(body)) } : {};
  return new Promise((resolve, reject) => {
    const asking = request(
      node + path,
      { method: incoming.method ?? "GET", headers: { ...headers, ...length } },
      (answer) => {
        bytesOf(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, bytes }),
          reject,
        );
      },
    );
    asking.once("error", reject);
    asking.end(body);
  });
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
