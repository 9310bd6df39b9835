import { spawn } from "node:child_process";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { askedAfter, type Memory, type Space } from "./data-set.ts";
import { type Figures, figuresOf } from "./figures.ts";

/** Read by `fts5-search.ts`. */
export interface Fts5Request {
  readonly memories: readonly Pick<Memory, "content" | "speaker">[];
  /** `after`: how many memories are stored when the query is asked. */
  readonly queries: readonly { readonly query: string; readonly after: number }[];
  readonly limit: number;
}

const BUN = fileURLToPath(new URL("../../node_modules/.bin/bun", import.meta.url));
const SEARCH = fileURLToPath(new URL("./fts5-search.ts", import.meta.url));
const HITS = 20;

/**
 * Figures of SQLite's FTS5 for each query of the space that has relevant memories: any of the query's words, by BM25,
 * without stemming; trigrams for scripts without spaces. SQLite is Bun's, in a process of its own.
 */
export async function fts5Figures(space: Space): Promise<Figures[]> {
  const { memories } = space;
  const queries = space.queries.filter(({ relevant }) => relevant.length > 0);
  const found = await searchFts5({
    memories: memories.map(({ content, speaker }) => ({ content, speaker })),
    queries: queries.map((query) => ({ query: query.query, after: askedAfter(query, space) })),
    limit: HITS,
  });
  return queries.map(({ relevant }, at) => {
    const refs = (found[at] ?? []).map((place) => (memories[place] as Memory).ref);
    return figuresOf(refs, relevant);
  });
}

async function searchFts5(request: Fts5Request): Promise<number[][]> {
  const child = spawn(BUN, [SEARCH], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(request));
  return (await json(child.stdout)) as number[][];
}
