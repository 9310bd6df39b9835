import type { TextSearch } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/** What Postgres makes of words and names that are searched for. */
export interface TextQuestion {
  /** Of each word the query for it; empty where it says nothing, as "the". */
  readonly words: readonly string[];
  /** Of the names that say something. */
  readonly names: readonly string[];
}

/** What `memory_words` takes for blanks. */
const SIGNS = "_-./:@<>&#'\"+=~%?!|\\*()[]{}^$;,`";

/** The query for a column `name`: what `memory_words` takes for blanks is blank in it too. */
export function queryOfName(sql: AnySql): Fragment {
  return sql`plainto_tsquery('english', translate(name, ${SIGNS}, repeat(' ', ${SIGNS.length})))`;
}

/** The queries for what is searched for. */
export async function understood(
  sql: AnySql,
  { words, names }: Pick<TextSearch, "words" | "names">,
): Promise<TextQuestion> {
  const [row] = await sql`
    select
      array(
        select plainto_tsquery('english', word)::text from unnest(${words as string[]}::text[]) with ordinality as w (word, place)
        order by place
      ) as words,
      array(
        select ${queryOfName(sql)}::text
        from unnest(${names as string[]}::text[]) with ordinality as n (name, place) order by place
      ) as names`;
  const made = row as unknown as { words: string[]; names: string[] };
  return { words: made.words, names: made.names.filter((name) => name !== "") };
}

/** The query for what has any of these; null where none of them says anything. */
export function anyOf(queries: readonly string[]): string | null {
  return queries.filter((query) => query !== "").join(" | ") || null;
}
