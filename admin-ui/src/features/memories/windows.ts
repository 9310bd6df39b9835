/** A list of any length, of which only the windows that are seen are asked for: a jump to its end costs one request. */
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useRef } from "react";
import { client, type Outputs, trpc } from "../../shell/trpc.ts";
import type { MemoriesSearch } from "./address.ts";
import type { Filter } from "./filter.ts";

export type ListedMemory = Outputs["listMemories"]["memories"][number];

const WINDOW = 200;
const NONE: readonly ListedMemory[] = [];

/** The first and the last row that are seen. */
export type Seen = readonly [number, number];

type Asked = Filter & Order & { readonly limit: number; readonly offset: number };

/** A window of large memories comes in several answers, since each is bounded in bytes. */
async function wholeWindow(asked: Asked) {
  const { memories, ...first } = await client.listMemories.query(asked);
  const length = Math.min(asked.limit, first.total - asked.offset);
  while (memories.length < length) {
    const offset = asked.offset + memories.length;
    const more = await client.listMemories.query({ ...asked, offset, limit: length - memories.length });
    if (more.memories.length === 0) break;
    memories.push(...more.memories);
  }
  return { ...first, memories };
}

export interface Order {
  readonly sort?: NonNullable<MemoriesSearch["sort"]>;
  readonly ascending?: boolean;
}

export const orderOf = ({ sort, order }: MemoriesSearch): Order => ({
  ...(sort !== undefined && { sort }),
  ...(order !== undefined && { ascending: true }),
});

export function useMemoryWindows(filter: Filter & Order, [first, last]: Seen) {
  const from = Math.floor(first / WINDOW);
  const until = Math.floor(last / WINDOW);
  const windows = Array.from({ length: until - from + 1 }, (_, at) => from + at);
  const results = useQueries({
    queries: windows.map((window) => {
      const asked = { ...filter, limit: WINDOW, offset: window * WINDOW };
      return {
        ...trpc.listMemories.queryOptions(
          asked,
          // Of another filter's list the top is shown until this one's is here; further down it would be another's.
          window === 0 ? { placeholderData: keepPreviousData } : {},
        ),
        queryFn: () => wholeWindow(asked),
      };
    }),
  });
  const latest = results
    .filter(({ data }) => data !== undefined)
    .sort((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0];
  // Where a jump leads to, nothing is here yet: the list is as long as it was.
  const known = useRef<number | null>(null);
  known.current = latest?.data?.total ?? known.current;
  const itemAt = (index: number): ListedMemory | undefined =>
    results[Math.floor(index / WINDOW) - from]?.data?.memories[index % WINDOW];
  /** Where a memory is by now, among what is here. */
  const indexOf = (id: string): number => {
    for (const [at, { data }] of results.entries()) {
      const place = data?.memories.findIndex((memory) => memory.id === id) ?? -1;
      if (place >= 0) return (from + at) * WINDOW + place;
    }
    return -1;
  };
  return {
    total: known.current,
    windows: results.map(({ data }) => data?.memories ?? NONE),
    itemAt,
    indexOf,
    isStale: results.some(({ isPlaceholderData }) => isPlaceholderData),
    error: results.find(({ isError }) => isError)?.error ?? null,
    refetch: () => void Promise.all(results.map((result) => result.refetch())),
  };
}

/** How often each of these memories was recalled, by its id, as far as it is known yet. */
export function useRecallCounts(
  windows: readonly (readonly ListedMemory[])[],
  isShown: boolean,
): ReadonlyMap<string, number> {
  const asked = (isShown ? windows : []).filter((memories) => memories.length > 0);
  return useQueries({
    queries: asked.map((memories) =>
      trpc.memoryRecalls.queryOptions(
        { memory_ids: memories.map(({ id }) => id) },
        { staleTime: 60_000, placeholderData: keepPreviousData },
      ),
    ),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, at) =>
          data === undefined
            ? []
            : [
                ...(asked[at] ?? []).map(({ id }) => [id, 0] as const),
                ...data.memories.map(({ id, recalls }) => [id, recalls] as const),
              ],
        ),
      ),
  });
}
