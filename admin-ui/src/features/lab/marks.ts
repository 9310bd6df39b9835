/**
 * Which hits are marked as good or bad, by what was asked. Kept for the tab alone, by ids: no content is stored in the
 * browser. From these a file for `bench:recall` is made.
 */
import { useSyncExternalStore } from "react";
import { client } from "../../shell/trpc.ts";
import type { Hit, Request } from "./asking.ts";

interface Marked {
  readonly request: Request;
  readonly marks: Readonly<Record<string, boolean>>;
  /** Of these recall has been told. */
  readonly told: readonly string[];
}

const KEY = "recollect-lab-marks";
const listeners = new Set<() => void>();
let all: Readonly<Record<string, Marked>> = read();

function read(): Readonly<Record<string, Marked>> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

function write(next: typeof all): void {
  all = next;
  sessionStorage.setItem(KEY, JSON.stringify(all));
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function useMarks(): Readonly<Record<string, Marked>> {
  return useSyncExternalStore(subscribe, () => all);
}

/** The same question by the same credential is one, whatever the budget. */
const keyOf = ({ query, as }: Request) => JSON.stringify([as, query]);

export const markOf = (marks: typeof all, request: Request, id: string): boolean | undefined =>
  marks[keyOf(request)]?.marks[id];

/** Marks a hit; marking it the same again takes the mark away. */
export function mark(request: Request, id: string, isGood: boolean): void {
  const key = keyOf(request);
  const { marks = {}, told = [] } = all[key] ?? {};
  const { [id]: before, ...others } = marks;
  const next = before === isGood ? others : { ...others, [id]: isGood };
  const { [key]: _, ...rest } = all;
  write(Object.keys(next).length === 0 ? rest : { ...rest, [key]: { request, marks: next, told } });
}

export function clearMarks(): void {
  write({});
}

export function countOf(marks: typeof all) {
  const each = Object.values(marks).flatMap((one) => Object.values(one.marks));
  const untold = Object.values(marks).reduce(
    (sum, one) => sum + Object.keys(one.marks).filter((id) => !one.told.includes(id)).length,
    0,
  );
  const good = each.filter(Boolean).length;
  return { good, bad: each.length - good, queries: Object.keys(marks).length, untold };
}

/** Tells recall of every mark that it has not been told of. Answers how many it took, and the first refusal of the others. */
export async function tellRecall(): Promise<{ told: number; refused: number; error: unknown }> {
  let [told, refused, error] = [0, 0, null as unknown];
  for (const [key, { request, marks, told: before }] of Object.entries(all))
    for (const [id, helpful] of Object.entries(marks)) {
      if (before.includes(id)) continue;
      try {
        await client.recallFeedback.mutate({ memory_id: id, helpful, query: request.query });
        told += 1;
        const now = all[key];
        if (now) write({ ...all, [key]: { ...now, told: [...now.told, id] } });
      } catch (thrown) {
        refused += 1;
        error ??= thrown;
      }
    }
  return { told, refused, error };
}

interface BenchMemory {
  readonly ref: string;
  readonly content: string;
  readonly created_at: string;
  readonly session: string;
  readonly speaker: string;
}

interface BenchSpace {
  readonly memories: Map<string, BenchMemory>;
  readonly queries: { readonly id: string; readonly query: string; readonly relevant: readonly string[] }[];
}

/**
 * A file as `bench:recall` reads it: a space for each credential that was asked by, with the hits of its queries as memories
 * in the order of storing. A query's good hits are what is relevant to it; a bad one is a memory that is not.
 */
export async function benchFile(name: string): Promise<string> {
  const spaces = new Map<string, BenchSpace>();
  for (const { request, marks } of Object.values(all)) {
    const { hits } = await client.labRecall.query({ ...request, limit: 200 });
    const key = request.as ?? "own";
    const space: BenchSpace = spaces.get(key) ?? { memories: new Map(), queries: [] };
    spaces.set(key, space);
    for (const hit of hits) space.memories.set(hit.id, benchMemory(hit));
    const relevant = Object.keys(marks).filter((id) => marks[id] && space.memories.has(id));
    space.queries.push({ id: `q${space.queries.length + 1}`, query: request.query, relevant });
  }
  const file = {
    name,
    license: "private",
    spaces: [...spaces].map(([space, { memories, queries }]) => ({
      space,
      memories: [...memories.values()].sort((a, b) => (a.created_at < b.created_at ? -1 : 1)),
      queries,
    })),
  };
  return JSON.stringify(file, null, 2);
}

/** What is of no session is next to nothing: it has one of its own. */
function benchMemory({ id, content, created_at, session_id, speaker }: Hit): BenchMemory {
  return { ref: id, content, created_at, session: session_id ?? id, speaker: speaker ?? "unknown" };
}
