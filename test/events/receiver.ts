import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChangeEvent } from "../../src/contract/event.ts";

/** A delivery as a receiver gets it. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: ChangeEvent;
  /** What it was answered. */
  readonly status: number;
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Those that it took. */
  taken(): readonly Received[];
  close(): Promise<void>;
}

type Answer = number | { readonly status: number; readonly body?: string; readonly headers?: object };

/** Answers each delivery as `answer` says, with 204 unless it says otherwise. */
export async function openReceiver(
  answer: (event: ChangeEvent) => Answer | Promise<Answer> = () => 204,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const event = JSON.parse(body) as ChangeEvent;
    const answered = await answer(event);
    const how = typeof answered === "number" ? { status: answered } : answered;
    received.push({ headers: request.headers, body, event, status: how.status });
    response.writeHead(how.status, how.headers as Record<string, string>).end(how.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    taken: () => received.filter(({ status }) => status < 300),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Revisions of each memory in the order in which they first came: at least once means that some come again. */
export function firstRevisions(events: readonly ChangeEvent[]): Map<string, number[]> {
  const told = new Set<string>();
  const revisions = new Map<string, number[]>();
  for (const { id, data } of events) {
    if (told.has(id)) continue;
    told.add(id);
    revisions.set(data.id, [...(revisions.get(data.id) ?? []), data.revision]);
  }
  return revisions;
}
