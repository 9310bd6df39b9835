import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Random } from "../support/random.ts";

/**
 * What goes wrong between a client and the service. Of the first three the service hears nothing; after the others it has
 * done what it was asked.
 */
export const FAULTS = [
  "cut before the service",
  "refused by a gateway",
  "told to come back later",
  "cut before the answer",
  "cut in the answer",
  "answer garbled",
  "answer ended early",
  "answer replaced by a gateway's",
  "answer too late",
] as const;
type FaultKind = (typeof FAULTS)[number];

export interface FaultyProxy {
  readonly url: string;
  /** How often each has happened. */
  readonly happened: ReadonlyMap<FaultKind, number>;
  /** Requests in all. */
  count(): number;
  close(): Promise<void>;
}

/** Stands before a service and does one of `FAULTS` to that share of all requests. */
export async function faultyProxy(service: string, random: Random, share: number): Promise<FaultyProxy> {
  const happened = new Map<FaultKind, number>();
  let count = 0;
  const late = new Set<ServerResponse>();
  const server = createServer((incoming, outgoing) => {
    count += 1;
    const fault = random.next() < share ? random.pick(FAULTS) : null;
    if (fault) happened.set(fault, (happened.get(fault) ?? 0) + 1);
    carry(service, incoming, outgoing, fault, late).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    happened,
    count: () => count,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function carry(
  service: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: FaultKind | null,
  late: Set<ServerResponse>,
): Promise<void> {
  if (fault === "cut before the service") return void outgoing.destroy();
  const body = await bytesOf(incoming);
  if (fault === "refused by a gateway") return void outgoing.writeHead(502).end("Bad gateway");
  if (fault === "told to come back later") {
    const refusal = { detail: "Later.", code: "rate_limited", retry_after_seconds: 0 };
    const headers = { "content-type": "application/json", "retry-after": "0" };
    return void outgoing.writeHead(429, headers).end(JSON.stringify(refusal));
  }
  const { status, headers, bytes } = await answerOf(service, incoming, body);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  const { "content-length": _, "transfer-encoding": __, connection: ___, ...kept } = headers;
  switch (fault) {
    case "cut before the answer":
      return void outgoing.destroy();
    case "answer replaced by a gateway's":
      return void outgoing.writeHead(504).end("Gateway timeout");
    case "answer too late":
      // Nothing more comes; the client's patience ends first.
      return void late.add(outgoing);
    case "cut in the answer":
      outgoing.writeHead(status, { ...kept, "content-length": String(bytes.length) });
      return void outgoing.write(half, () => outgoing.destroy());
    case "answer ended early":
      return void outgoing.writeHead(status, kept).end(half);
    case "answer garbled":
      return void outgoing.writeHead(status, kept).end(bytes.toString("latin1").replaceAll(/[:"]/g, "\x07"));
    default:
      outgoing.writeHead(status, kept).end(bytes);
  }
}

interface ServiceAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

function answerOf(service: string, incoming: IncomingMessage, body: Buffer): Promise<ServiceAnswer> {
  const {
    host: _,
    connection: __,
    "transfer-encoding": ___,
    "content-length": ____,
    ...headers
  } = incoming.headers;
  const method = incoming.method ?? "GET";
  const length = body.length > 0 ? { "content-length": String(body.length) } : {};
  return new Promise((resolve, reject) => {
    const asking = request(
      service + (incoming.url ?? "/"),
      { method, headers: { ...headers, ...length } },
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
