import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readStaticTable } from "../../src/recall/language/lexicon.ts";

interface Asked {
  readonly path: string;
  /** A GET without it. */
  readonly body?: unknown;
}

const TABLE = fileURLToPath(new URL("../../models/static-256.bin", import.meta.url));
const words = readStaticTable(readFileSync(TABLE)).words.filter((word) => /^[a-z]{3,}$/.test(word));

/** So many characters of words, each request with others: what a service remembers of words is of no help. */
function text(number: number, characters: number): string {
  const said: string[] = [];
  for (let at = 0, length = 0; length < characters; at += 1) {
    const word = words[(number * 1777 + at * 7) % words.length] as string;
    said.push(at % 9 === 8 ? `${word}.` : word);
    length += word.length + 2;
  }
  return said.join(" ").slice(0, characters);
}

const QUERY_CHARACTERS = 60_000;
const BATCH_ITEMS = 100;
const ITEM_CHARACTERS = 8_000;

/** A memory as long as may be that has changed two hundred times, and the path of memories of that size. */
export const CHANGED_OFTEN = "changed-often";
export const LARGEST_PATH = "largest";

/** The requests that ask for the most work, by name. Each takes the number of the request. */
export const WORST: Readonly<Record<string, (number: number) => Asked>> = {
  pack: (number) => ({
    path: "/v1/recall/context",
    body: { query: text(number, QUERY_CHARACTERS), max_items: 1000, max_tokens: 50_000, limit: 1000 },
  }),
  search: (number) => ({
    path: "/v1/memories/search",
    body: { query: text(number, QUERY_CHARACTERS), limit: 100, candidate_count: 1000, explain: true },
  }),
  versions: () => ({ path: `/v1/memories/${CHANGED_OFTEN}/versions` }),
  largest: () => ({ path: `/v1/memories?path=${LARGEST_PATH}&limit=1000` }),
  teams: (number) => ({
    path: "/v1/memories/search",
    body: { query: text(number, 60), limit: 100, candidate_count: 1000 },
  }),
  batch: (number) => ({
    path: "/v1/memories/batch",
    body: {
      items: Array.from({ length: BATCH_ITEMS }, (_, at) => ({
        path: "bench",
        content: text(number * BATCH_ITEMS + at, ITEM_CHARACTERS),
      })),
    },
  }),
};
