import type { Client, estypes } from "@elastic/elasticsearch";
import { IndexUnavailable, type Unavailability } from "../../core/recall/index-unavailable.ts";
import { sealSearch } from "./seal.ts";

/** Where is searched: an index, and the owners whose shards are asked. */
export interface SearchPlace {
  readonly index: string;
  readonly owners: readonly string[];
}

/** A query of the engine, and a search, as JSON. */
export type Query = Readonly<Record<string, unknown>>;
export type SearchBody = Readonly<Record<string, unknown>>;

/** What is read of an answer. Each hit has the fields that its search asked for. */
export interface SearchAnswer {
  readonly total: number;
  readonly hits: readonly Hit[];
  // biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are aggregations
  readonly aggregations: Readonly<Record<string, any>>;
}

export interface Hit {
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly sort?: readonly number[];
}

/** Nothing else is sent back. */
const READ = [
  "status",
  "error.type",
  "timed_out",
  "_shards.failed",
  "hits.total.value",
  "hits.hits.fields",
  "hits.hits.sort",
  "aggregations",
];

/**
 * Asks several searches at once. Rejects with `IndexUnavailable` unless each of them is answered in full, by an index that
 * was made here.
 */
export async function searchAll(
  client: Client,
  { index, owners }: SearchPlace,
  bodies: readonly SearchBody[],
  signal: AbortSignal | undefined,
): Promise<SearchAnswer[]> {
  if (owners.length === 0) return bodies.map(() => ({ total: 0, hits: [], aggregations: {} }));
  const asked = [...bodies.map((body) => ({ body, routing: owners.join(",") })), sealSearch];
  const answer = await client.msearch(
    {
      searches: asked.flatMap(({ body, routing }) => [
        { index, routing, allow_partial_search_results: false },
        body as estypes.MsearchRequestItem,
      ]),
      filter_path: READ.map((path) => `responses.${path}`),
    },
    { ...(signal === undefined ? {} : { signal }), meta: false },
  );
  const responses = (answer as { responses?: unknown }).responses;
  if (!Array.isArray(responses) || responses.length !== asked.length)
    throw new IndexUnavailable("unintelligible");
  const answers = responses.map(wholeAnswer);
  if (answers.pop()?.total !== 1) throw new IndexUnavailable("building");
  return answers;
}

interface Response {
  readonly status?: number;
  readonly error?: { readonly type?: string };
  readonly timed_out?: boolean;
  readonly _shards?: { readonly failed?: number };
  readonly hits?: { readonly total?: { readonly value?: number }; readonly hits?: readonly Hit[] };
  readonly aggregations?: SearchAnswer["aggregations"];
}

function wholeAnswer({ status, error, timed_out, _shards, hits, aggregations }: Response): SearchAnswer {
  if (error !== undefined)
    throw new IndexUnavailable(reasonOf(status), { detail: `${status} ${error.type ?? ""}` });
  if (timed_out) throw new IndexUnavailable("slow");
  if (timed_out === undefined || _shards?.failed === undefined) throw new IndexUnavailable("unintelligible");
  if (_shards.failed > 0) throw new IndexUnavailable("incomplete");
  return { total: hits?.total?.value ?? 0, hits: hits?.hits ?? [], aggregations: aggregations ?? {} };
}

function reasonOf(status: number | undefined): Unavailability {
  if (status === 404) return "building";
  if (status === 429) return "overloaded";
  return status === 503 || status === 504 ? "incomplete" : "failed";
}
