import { closedLoop, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";

const LIMIT = 10;

/** Asks for the best ten memories of so many by a query of its own each time. */
export type SqliteSearch = (slice: { readonly clients: number; readonly count: number }) => Promise<Timing>;

/**
 * The same memories in SQLite's full text, in this process and its memory, without a service, a key or a vector: what has
 * any of the query's words, by BM25. Bun has it built in; on other runtimes it throws.
 */
export async function fillSqlite(corpus: Corpus, size: number): Promise<SqliteSearch> {
  const database = await openFts5("content, path, source", corpus.hasSpaces ? "unicode61" : "trigram");
  const insert = database.query("insert into memories (content, path, source) values (?, ?, ?)");
  database.transaction(() => {
    for (let number = 0; number < size; number += 1) {
      const { content, path, source } = corpus.memory(number);
      insert.run(content, path, source);
    }
  })();
  const search = database.query(
    "select content, path, source from memories where memories match ? order by rank limit ?",
  );
  let asked = 0;
  return ({ clients, count }) =>
    closedLoop(clients, count, async () => {
      const words = wordsOf(corpus.query(asked++));
      const terms = corpus.hasSpaces ? words : words.flatMap(trigramsOf);
      if (terms.length > 0) search.all(anyOf(terms), LIMIT);
    });
}

/** Opens an in-memory database with the full-text table `memories`. Throws on runtimes other than Bun. */
export async function openFts5(columns: string, tokenizer: "unicode61" | "trigram" = "unicode61") {
  const { Database } = await import("bun:sqlite");
  const database = new Database(":memory:");
  database.run(`create virtual table memories using fts5 (${columns}, tokenize = '${tokenizer}')`);
  return database;
}

export function wordsOf(text: string): string[] {
  return text.match(/\p{L}+|\p{N}+/gu) ?? [];
}

export function trigramsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(""));
}

/** Returns the FTS5 expression for texts with any of the terms. */
export function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term}"`).join(" OR ");
}
