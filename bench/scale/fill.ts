import { Buffer } from "node:buffer";
import postgres from "postgres";
import { uuidv7 } from "uuidv7";
import { loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { encodeVectors } from "../../src/core/embedding/vector-bytes.ts";
import { passageTexts } from "../../src/core/text/passages.ts";
import type { Corpus } from "../speed/corpus.ts";

/** An owner and which of the corpus's memories are its own: from `first` on, `count` of them. */
export interface Share {
  readonly name: string;
  readonly first: number;
  readonly count: number;
}

const AT_ONCE = 1000;
const TELL_EVERY = 20_000;

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

/** Writes them as the service would have written them, without asking it. */
export async function fill(
  connection: { path: string; database: string; username: string },
  corpus: Pick<Corpus, "memory">,
  shares: readonly Share[],
): Promise<void> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  const lexicon = await loadLexicon();
  const [generation] = await sql`select max(id) as id from embedding_generations`;
  try {
    let written = 0;
    for (const { name, first, count } of shares) {
      const [owner] = await sql`
        insert into owners ${sql({ id: uuidv7(), kind: "user", name })}
        on conflict (kind, name) do update set name = excluded.name returning id`;
      for (let at = 0; at < count; at += AT_ONCE) {
        const numbers = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, n) => first + at + n);
        const made = numbers.map((number) => ({ id: uuidv7(), ...corpus.memory(number) }));
        await sql`insert into memories ${sql(made.map((memory) => rowOf(memory, owner?.id as string)))}`;
        const vectors = made.map(({ id: memory, content }) => {
          const { bytes, count } = encodeVectors(passageTexts(content).map(lexicon.embed));
          return {
            memory,
            generation: generation?.id as number,
            vector: Buffer.from(bytes),
            passages: count,
          };
        });
        await sql`insert into embeddings ${sql(vectors)}`;
        written += made.length;
        if (written % TELL_EVERY < made.length) process.stderr.write(`  ${written} memories written\n`);
      }
    }
    await sql`analyze`;
  } finally {
    await sql.end();
  }
}

type Made = { readonly id: string } & ReturnType<Corpus["memory"]>;

function rowOf({ id, content, path, source, provenance }: Made, ownerId: string) {
  const now = new Date();
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
    metadata: {},
    provenance,
    session_id: provenance.session_id,
    created_at: now,
    updated_at: now,
  };
}
