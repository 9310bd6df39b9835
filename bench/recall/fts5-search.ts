import { text } from "node:stream/consumers";
import { anyOf, openFts5, trigramsOf, wordsOf } from "../speed/sqlite.ts";
import type { Fts5Request } from "./fts5.ts";

/** Reads a request from stdin and writes the places of the memories that each query finds, as JSON. Needs Bun. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;
/** Share of characters in such scripts from which a space is indexed by trigrams. */
const UNSPACED_SHARE = 0.2;

async function main(): Promise<void> {
  const { memories, queries, limit } = JSON.parse(await text(process.stdin)) as Fts5Request;
  const isUnspaced = unspacedShare(memories.map(({ content }) => content).join("")) > UNSPACED_SHARE;
  const database = await openFts5("content, speaker", isUnspaced ? "trigram" : "unicode61");
  const insert = database.query("insert into memories (rowid, content, speaker) values (?, ?, ?)");
  database.transaction(() => {
    for (const [at, { content, speaker }] of memories.entries()) insert.run(at, content, speaker);
  })();
  const search = database.query<{ rowid: number }, [string, number, number]>(
    "select rowid from memories where memories match ? and rowid < ? order by rank limit ?",
  );
  const found = queries.map(({ query, after }) => {
    const terms = isUnspaced ? wordsOf(query).flatMap(trigramsOf) : wordsOf(query);
    return terms.length === 0 ? [] : search.all(anyOf(terms), after, limit).map(({ rowid }) => rowid);
  });
  process.stdout.write(JSON.stringify(found));
}

function unspacedShare(characters: string): number {
  return (characters.match(UNSPACED)?.length ?? 0) / Math.max(1, characters.length);
}

await main();
