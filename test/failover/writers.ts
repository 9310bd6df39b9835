/** Clients that write at servers that come and go, and remember what was acknowledged. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { KEY } from "../support/server.ts";

/** What the writers of a test know. */
export interface Written {
  /** By id, the content that a server has acknowledged last. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Answers that are neither a success nor a refusal that says when to try again. */
  readonly wrong: readonly string[];
  /** How many were acknowledged by each server. */
  readonly perServer: readonly number[];
  stop(): Promise<void>;
}

/** A writer for each place in `servers()`, which may change from call to call; a place without a server is null. */
export function startWriters(servers: () => readonly (string | null)[], writersPerServer = 2): Written {
  const acknowledged = new Map<string, string>();
  const wrong: string[] = [];
  const perServer = servers().map(() => 0);
  let isOver = false;

  async function writeAt(place: number): Promise<void> {
    while (!isOver) {
      const url = servers()[place];
      const id = randomUUID();
      const content = `The gardener wrote w${id.replaceAll("-", "")} into the book.`;
      const answer = url
        ? await send(url, "POST", "/v1/memories", { memory_id: id, content, path: "chaos" })
        : null;
      if (answer === null) await sleep(50);
      else if (answer.status === 201) {
        acknowledged.set(id, content);
        perServer[place] = (perServer[place] ?? 0) + 1;
      } else if (answer.status === 503 && answer.retryAfter > 0 && answer.code !== undefined) await sleep(50);
      else wrong.push(`${answer.status} ${answer.code}`);
    }
  }

  const writers = servers().flatMap((_, place) =>
    Array.from({ length: writersPerServer }, () => writeAt(place)),
  );
  return {
    acknowledged,
    wrong,
    perServer,
    async stop() {
      isOver = true;
      await Promise.all(writers);
    },
  };
}

/** null where no answer came: the server was killed, or its connection cut. */
async function send(url: string, method: string, path: string, body?: unknown) {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { "x-api-key": KEY, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { code?: string; content?: string };
    return {
      status: response.status,
      retryAfter: Number(response.headers.get("retry-after")),
      code: answer.code,
      content: answer.content,
    };
  } catch {
    return null;
  }
}

/** What was acknowledged and is not there, or is not what was acknowledged, as each of the servers has it. */
export async function lostFrom(servers: readonly string[], { acknowledged }: Written): Promise<string[]> {
  const all = [...acknowledged];
  const lost: string[] = [];
  for (const [place, [id, content]] of all.entries()) {
    const url = servers[place % servers.length] as string;
    const answer = await send(url, "GET", `/v1/memories/${id}`);
    if (answer?.status !== 200 || answer.content !== content) lost.push(`${id}: ${answer?.status}`);
  }
  return lost;
}

/** How many of the last that were acknowledged recall does not find by their word. */
export async function notFoundIn(url: string, { acknowledged }: Written, last: number): Promise<string[]> {
  const missed: string[] = [];
  for (const [id, content] of [...acknowledged].slice(-last)) {
    const word = /w[0-9a-f]{32}/.exec(content)?.[0];
    const response = await fetch(`${url}/v1/memories/search?query=${word}&limit=3`, {
      headers: { "x-api-key": KEY },
    });
    if (!(await response.text()).includes(id)) missed.push(id);
  }
  return missed;
}
