import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { uuidv7 } from "uuidv7";
import { loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { encodeVectors } from "../../src/recall/index/vector-bytes.ts";
import type { Lexicon } from "../../src/recall/language/lexicon.ts";
import { passageTexts } from "../../src/recall/language/passages.ts";
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
  const [sql, other] = [1, 2].map(() => postgres({ ...connection, max: 1, onnotice: () => {} })) as [
    Sql,
    Sql,
  ];
  const lexicon = await loadLexicon();
  const [newest] = await sql`select max(id) as id from embedding_generations`;
  try {
    for (const one of [sql, other]) await one`set session_replication_role = replica`;
    await sql`set maintenance_work_mem = '1GB'`;
    const owners = await makeOwners(sql, shares);
    const indexes = await dropIndexes(sql);
    let written = 0;
    let copying = Promise.resolve();
    for (const portion of portions(shares, owners)) {
      const made = madeOf(corpus, lexicon, portion, newest?.id as number);
      // The next one is made while the database takes this one.
      await copying;
      copying = copy([sql, other], made).then(() => {
        written += portion.length;
        if (written % TELL_EVERY < portion.length) process.stderr.write(`  ${written} memories written\n`);
      });
      await setImmediate();
    }
    await copying;
    for (const [at, definition] of indexes.entries()) {
      process.stderr.write(`  index ${at + 1} of ${indexes.length} is made\n`);
      await sql.unsafe(definition);
    }
    await sql`select recount_memories()`;
    await sql`analyze`;
  } finally {
    await Promise.all([sql.end(), other.end()]);
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

/** What COPY reads of a portion of both tables. */
function madeOf(
  corpus: Pick<Corpus, "memory">,
  lexicon: Lexicon,
  portion: readonly Numbered[],
  generation: number,
) {
  const made = portion.map(({ ownerId, number }) => ({ id: uuidv7(), ownerId, ...corpus.memory(number) }));
  const rows = made.map(rowOf);
  return {
    columns: Object.keys(rows[0] as object),
    memories: lines(rows.map((row) => Object.values(row))),
    embeddings: lines(
      made.map(({ id, ownerId, content }) => {
        const { bytes, count } = encodeVectors(passageTexts(content).map(lexicon.embed));
        return [ownerId, id, generation, `\\x${Buffer.from(bytes).toString("hex")}`, count];
      }),
    ),
  };
}

/** Both tables at once, each by a connection of its own. */
async function copy([sql, other]: readonly [Sql, Sql], made: ReturnType<typeof madeOf>): Promise<void> {
  const memories = await sql`copy memories (${sql(made.columns)}) from stdin`.writable();
  const embeddings =
    await other`copy embeddings (owner_id, memory, generation, vector, passages) from stdin`.writable();
  await Promise.all([send(memories, made.memories), send(embeddings, made.embeddings)]);
}

async function send(to: Writable, text: string): Promise<void> {
  const finished = once(to, "finish");
  to.end(text);
  await finished;
}

function lines(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(escaped).join("\t")}\n`).join("");
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
