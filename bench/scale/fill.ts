import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Writable } from "node:stream";
import postgres, { type Sql } from "postgres";
import { uuidv7 } from "uuidv7";
import { loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { encodeVectors } from "../../src/core/embedding/vector-bytes.ts";
import type { Lexicon } from "../../src/core/recall/lexicon.ts";
import { passageTexts } from "../../src/core/text/passages.ts";
import type { Corpus } from "../speed/corpus.ts";

/** An owner and which of the corpus's memories are its own: from `first` on, `count` of them. */
export interface Share {
  readonly name: string;
  readonly first: number;
  readonly count: number;
}

const AT_ONCE = 10_000;
const TELL_EVERY = 100_000;

/** How many memories each owner has: the largest has most, by Zipf's law, and the smallest one at least. */
export function sharesOf(memories: number, owners: number): Share[] {
  const harmonic = Array.from({ length: owners }, (_, n) => 1 / (n + 1)).reduce((sum, part) => sum + part);
  let first = 0;
  return Array.from({ length: owners }, (_, n) => {
    const isLast = n === owners - 1;
    const count = isLast ? memories - first : Math.max(1, Math.floor(memories / (n + 1) / harmonic));
    const share = { name: `scale-${n}`, first, count };
    first += count;
    return share;
  });
}

/**
 * Writes them as the service would have written them, without asking it: by COPY, and with the secondary indexes made
 * afterwards. Nothing is left in the outbox or told as an event, as after a service has done all of that long ago.
 */
export async function fill(
  connection: { path: string; database: string; username: string },
  corpus: Pick<Corpus, "memory">,
  shares: readonly Share[],
): Promise<void> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  const lexicon = await loadLexicon();
  const [newest] = await sql`select max(id) as id from embedding_generations`;
  try {
    await sql`set session_replication_role = replica`;
    await sql`set maintenance_work_mem = '1GB'`;
    const owners = await makeOwners(sql, shares);
    const indexes = await dropIndexes(sql);
    let written = 0;
    for (const portion of portions(shares, owners)) {
      await copy(sql, corpus, lexicon, portion, newest?.id as number);
      written += portion.length;
      if (written % TELL_EVERY < portion.length) process.stderr.write(`  ${written} memories written\n`);
    }
    process.stderr.write("  indexes are made\n");
    for (const definition of indexes) await sql.unsafe(definition);
    await sql`analyze`;
  } finally {
    await sql.end();
  }
}

async function makeOwners(sql: Sql, shares: readonly Share[]): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (let at = 0; at < shares.length; at += AT_ONCE) {
    const names = shares.slice(at, at + AT_ONCE).map(({ name }) => name);
    const made = await sql`
      insert into owners (id, kind, name)
      select id, 'user', name from unnest(${names.map(() => uuidv7())}::uuid[], ${names}::text[]) as made (id, name)
      on conflict (kind, name) do update set name = excluded.name returning id, name`;
    for (const { id, name } of made) owners.set(name as string, id as string);
  }
  return owners;
}

/** All but those of constraints, which the next start would miss. Answers what makes them again. */
async function dropIndexes(sql: Sql): Promise<string[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
    where i.indrelid in ('memories'::regclass, 'embeddings'::regclass) and c.oid is null`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  return indexes.map(({ definition }) => definition);
}

interface Numbered {
  readonly ownerId: string;
  readonly number: number;
}

function* portions(
  shares: readonly Share[],
  owners: ReadonlyMap<string, string>,
): Iterable<readonly Numbered[]> {
  let portion: Numbered[] = [];
  for (const { name, first, count } of shares) {
    for (let number = first; number < first + count; number++) {
      portion.push({ ownerId: owners.get(name) as string, number });
      if (portion.length === AT_ONCE) {
        yield portion;
        portion = [];
      }
    }
  }
  if (portion.length > 0) yield portion;
}

async function copy(
  sql: Sql,
  corpus: Pick<Corpus, "memory">,
  lexicon: Lexicon,
  portion: readonly Numbered[],
  generation: number,
): Promise<void> {
  const made = portion.map(({ ownerId, number }) => ({ id: uuidv7(), ownerId, ...corpus.memory(number) }));
  const rows = made.map(rowOf);
  const columns = Object.keys(rows[0] as object);
  const memories = await sql`copy memories (${sql(columns)}) from stdin`.writable();
  await send(
    memories,
    rows.map((row) => Object.values(row)),
  );
  const embeddings =
    await sql`copy embeddings (owner_id, memory, generation, vector, passages) from stdin`.writable();
  await send(
    embeddings,
    made.map(({ id, ownerId, content }) => {
      const { bytes, count } = encodeVectors(passageTexts(content).map(lexicon.embed));
      return [ownerId, id, generation, `\\x${Buffer.from(bytes).toString("hex")}`, count];
    }),
  );
}

async function send(to: Writable, rows: readonly (readonly unknown[])[]): Promise<void> {
  const finished = once(to, "finish");
  to.end(rows.map((row) => `${row.map(escaped).join("\t")}\n`).join(""));
  await finished;
}

/** A value as COPY reads it. */
function escaped(value: unknown): string {
  return String(value).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

type Made = { readonly id: string; readonly ownerId: string } & ReturnType<Corpus["memory"]>;

function rowOf({ id, ownerId, content, path, source, provenance }: Made) {
  const now = new Date().toISOString();
  return {
    id,
    owner_id: ownerId,
    memory_id: id,
    author_id: ownerId,
    author_token: "00000000-0000-0000-0000-000000000000",
    scope: "private",
    path,
    bucket: "default",
    memory_type: "semantic",
    status: "active",
    content,
    version: 1,
    importance: 0.5,
    confidence: 0.5,
    source,
    metadata: "{}",
    provenance: JSON.stringify(provenance),
    session_id: provenance.session_id,
    created_at: now,
    updated_at: now,
  };
}
