/**
 * Which hits are marked as good or bad, by what was asked. Kept for the tab alone, by ids: no content is stored in the
 * browser. Good hits become the questions of evaluation sets.
 */
import { useSyncExternalStore } from "react";
import { client } from "../../shell/trpc.ts";
import type { Request } from "./asking.ts";

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

const JUDGED_MAX = 20;

/** The questions that have a good hit, for an evaluation set: by their words alone, so that each side's settings apply. */
export function questionsFrom(marks: typeof all): { query: string; relevant: string[] }[] {
  const relevant = new Map<string, Set<string>>();
  for (const { request, marks: each } of Object.values(marks)) {
    const good = Object.keys(each).filter((id) => each[id]);
    if (good.length > 0)
      relevant.set(request.query, new Set([...(relevant.get(request.query) ?? []), ...good]));
  }
  return [...relevant].map(([query, ids]) => ({ query, relevant: [...ids].slice(0, JUDGED_MAX) }));
}
