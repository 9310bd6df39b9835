import { createHash } from "node:crypto";
import postgres from "postgres";
import type { OwnNode } from "../../test/support/own-node.ts";
import type { Service } from "./service.ts";

/** How many memories are in each, and a hash over all of them: which word, under which id, at which revision. */
export interface Comparison {
  readonly record: Side;
  readonly index: Side;
  readonly isEqual: boolean;
}

interface Side {
  readonly count: number;
  readonly hash: string;
}

const WORD = "w[0-9a-f]{32}";
const AT_ONCE = 500;

/** Reads both as they are, by nothing of the service's own. */
export async function compare(service: Service, node: OwnNode, prefix: string): Promise<Comparison> {
  const sql = postgres({ ...(await service.database()), max: 1, onnotice: () => {} });
  try {
    const rows = await sql<Document[]>`
      select id, revision, status, path, substring(content from ${WORD}) as word from memories order by id`;
    const words = rows.flatMap(({ word }) => word ?? []);
    const record = rows.map(lineOf);
    const index = await indexed(node, prefix, words);
    const sides = { record: sideOf(record), index: sideOf(index) };
    return { ...sides, isEqual: sides.record.hash === sides.index.hash };
  } finally {
    await sql.end();
  }
}

interface Document {
  readonly id: string;
  readonly revision: number;
  readonly status: string;
  readonly path: string;
  readonly word: string | null;
}

function lineOf({ id, revision, status, path, word }: Document): string {
  return `${id} ${revision} ${status} ${path} ${word}`;
}

function sideOf(lines: readonly string[]): Side {
  const hash = createHash("sha256")
    .update([...lines].sort().join("\n"))
    .digest("hex");
  return { count: lines.length, hash };
}

/** Every document with an owner: the others are traces of what was removed. */
async function indexed(node: OwnNode, prefix: string, words: readonly string[]): Promise<string[]> {
  await ask(node, `/${prefix}/_refresh`);
  const wordOf = await wordsById(node, prefix, words);
  const found: string[] = [];
  for (let after: unknown[] | undefined; ; ) {
    const { hits } = await ask(node, `/${prefix}/_search`, {
      size: 5000,
      query: { exists: { field: "owner" } },
      docvalue_fields: ["revision", "status", "path"],
      _source: false,
      sort: [{ seq: "asc" }],
      ...(after ? { search_after: after } : {}),
    });
    for (const { _id: id, fields } of hits.hits) {
      const [[projected], [status], [path]] = [fields.revision, fields.status, fields.path];
      // Twice the record's, and one more with the vector.
      const revision = Math.floor(projected / 2);
      found.push(lineOf({ id, revision, status, path, word: wordOf.get(id) ?? null }));
    }
    if (hits.hits.length === 0) return found;
    after = hits.hits.at(-1).sort;
  }
}

/** By document, those of the words that a search finds it by. */
async function wordsById(
  node: OwnNode,
  prefix: string,
  words: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < words.length; at += AT_ONCE) {
    const some = words.slice(at, at + AT_ONCE);
    const lines = some.flatMap((word) => [
      "{}",
      JSON.stringify({ query: { term: { "content.exact": word } }, _source: false, size: 10 }),
    ]);
    const { responses } = await ask(node, `/${prefix}/_msearch`, `${lines.join("\n")}\n`);
    for (const [n, { hits }] of responses.entries())
      for (const { _id } of hits.hits) found.set(_id, `${found.get(_id) ?? ""}${some[n]}`);
  }
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function ask({ url, authorization }: OwnNode, path: string, body?: unknown): Promise<any> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      authorization,
      "content-type": typeof body === "string" ? "application/x-ndjson" : "application/json",
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
