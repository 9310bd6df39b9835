import { say } from "../chaos/say.ts";
import { double, type Growth, type Judging, type Subject } from "./doubling.ts";
import type { HttpRequest, Target } from "./target.ts";

/** As long as a memory may be; as JSON it is six times that. */
const LARGEST = `a fact about the harbour ${"\u0001".repeat(60_000)}`;
const SEARCH = { query: "harbour", limit: 100, candidate_count: 1000 };
const PROJECT = "/v1/projects/rows";

/** What a request costs beside so many rows of one kind. */
interface Multiplied {
  readonly name: string;
  readonly sizes: readonly number[];
  /** Makes `from` rows into `to`. */
  readonly grow: (from: number, to: number) => Promise<void>;
  readonly asks: Readonly<Record<string, HttpRequest>>;
}

export interface RowsFound {
  readonly name: string;
  readonly what: string;
  readonly found: Growth;
}

/** Multiplies stored rows of each kind, and measures the requests that read them. */
export async function measureRows(target: Target, judging: Judging, match: RegExp): Promise<RowsFound[]> {
  const all: RowsFound[] = [];
  for (const kind of [versions, contents, trails, memberships, streams]) {
    const { name, sizes, grow, asks, secret, end } = await kind(target);
    if (match.test(name)) {
      const found = await measured({ name, sizes, grow, asks }, target, secret, judging);
      for (const one of found) say(`${one.name}, ${one.what}: at most ${one.found.worstMs.toFixed(0)} ms`);
      all.push(...found);
    }
    end?.();
  }
  return all;
}

/** All requests at one size before the next: rows are not taken away again. */
async function measured(
  { name, sizes, grow, asks }: Multiplied,
  target: Target,
  secret: string,
  judging: Judging,
): Promise<RowsFound[]> {
  const costs = new Map<string, Map<number, { ms: number; status: number }>>();
  let rows = 0;
  for (const size of sizes) {
    await grow(rows, size);
    rows = size;
    await target.settle();
    for (const [what, request] of Object.entries(asks)) {
      await target.send(request, secret);
      const { ms, status = 0 } = await target.cost(request, secret);
      costs.set(what, (costs.get(what) ?? new Map()).set(size, { ms, status }));
    }
  }
  const found: RowsFound[] = [];
  for (const [what, of] of costs) {
    const measure: Subject["measure"] = async (size) => of.get(size) as { ms: number; status: number };
    found.push({ name, what, found: await double({ name: `${name}, ${what}`, sizes, measure }, judging) });
  }
  return found;
}

type Kind = (target: Target) => Promise<Multiplied & { readonly secret: string; readonly end?: () => void }>;

const get = (path: string): HttpRequest => ({ method: "GET", path });
const send = (method: string, path: string, body: object = {}): HttpRequest => ({
  method,
  path,
  body: JSON.stringify(body),
});
const post = (path: string, body?: object) => send("POST", path, body);

const versions: Kind = async (target) => {
  const secret = await target.credential("versions");
  const { id } = await done(target, secret, post("/v1/memories", { content: LARGEST, path: "p" }));
  return {
    name: "versions of a memory",
    secret,
    sizes: [25, 50, 100, 200],
    grow: async (from, to) => {
      for (let n = from; n < to; n += 1)
        await done(target, secret, send("PATCH", `/v1/memories/${id}`, { metadata: { n } }));
    },
    asks: { listVersions: get(`/v1/memories/${id}/versions`), getMemory: get(`/v1/memories/${id}`) },
  };
};

const contents: Kind = async (target) => {
  const secret = await target.credential("contents");
  return {
    name: "memories of the largest size",
    secret,
    sizes: [25, 50, 100],
    grow: async (from, to) => {
      for (let n = from; n < to; n += 1)
        await done(target, secret, post("/v1/memories", { content: `${n} ${LARGEST}`, path: "p" }));
    },
    asks: {
      listMemories: get("/v1/memories?limit=1000"),
      search: post("/v1/memories/search", SEARCH),
      context: post("/v1/recall/context", { query: "harbour", max_items: 1000, max_tokens: 50_000 }),
    },
  };
};

const trails: Kind = async (target) => {
  const secret = await target.credential("trails");
  const { todo_id } = await done(target, secret, post(`${PROJECT}/todos`, { content: "Paint it." }));
  const todo = `${PROJECT}/todos/${todo_id}`;
  return {
    name: "audit lines of a todo",
    secret,
    sizes: [100, 200, 400],
    grow: async (from, to) => {
      for (let n = from; n < to; n += 2) {
        await done(target, secret, post(`${todo}/block`, { reason: "\u0001".repeat(1000) }));
        await done(target, secret, post(`${todo}/unblock`));
      }
    },
    asks: { getTodo: get(todo), listTodos: get(`${PROJECT}/todos`) },
  };
};

const memberships: Kind = async (target) => {
  const secret = await target.credential("member");
  await done(target, secret, post("/v1/memories", { content: "About the harbour.", path: "p" }));
  return {
    name: "teams of a user",
    secret,
    sizes: [375, 750, 1500, 3000],
    grow: (from, to) => target.join("member", from, to),
    asks: {
      listMemories: get("/v1/memories"),
      search: post("/v1/memories/search", SEARCH),
      context: post("/v1/recall/context", { query: "harbour" }),
      listEvents: get("/v1/events"),
    },
  };
};

const streams: Kind = async (target) => {
  const secret = await target.credential("streams");
  const ends = new AbortController();
  return {
    name: "streams of a user",
    secret,
    sizes: [8, 16, 32],
    grow: async (from, to) => {
      for (let n = from; n < to; n += 8) {
        const key = await target.credential("streams");
        for (let at = 0; at < 8; at += 1) await target.stream(key, ends.signal);
      }
    },
    asks: {
      "createMemory, which they tell of": post("/v1/memories", { content: "Said once more.", path: "p" }),
    },
    end: () => ends.abort(),
  };
};

async function done(target: Target, secret: string, request: HttpRequest): Promise<Record<string, string>> {
  const { status, body } = await target.send(request, secret);
  if (status >= 300)
    throw new Error(`${request.method} ${request.path} answered ${status}: ${JSON.stringify(body)}`);
  return body as Record<string, string>;
}
