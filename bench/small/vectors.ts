import postgres from "postgres";
import { TOKEN_GENERATION } from "../../src/adapters/token-encoder/model-file.ts";
import type { Lexicon } from "../../src/recall/language/lexicon.ts";
import type { Home } from "../speed/processes.ts";

const ROWS = 1000;
/** Two components a byte. */
const PIECE_BYTES = TOKEN_GENERATION.dimension / 2;

/**
 * Gives each memory that has no token vectors some of the right size, without the model: it would take a core some ten minutes
 * for 100,000. They mean nothing, and cost a search the same.
 */
export async function makeUpVectors(home: Home, lexicon: Lexicon): Promise<void> {
  await withDatabase(home, async (sql) => {
    const { model, dimension } = TOKEN_GENERATION;
    await sql`insert into token_generations (model, dimension) values (${model}, ${dimension}) on conflict do nothing`;
    const [generation] = await sql`select id from token_generations where model = ${model}`;
    for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
      const rows = await sql`
        select m.id, m.content from memories m
        where m.id > ${after} and not exists (select from token_vectors t where t.memory = m.id)
        order by m.id limit ${ROWS}`;
      if (rows.length === 0) return;
      after = rows.at(-1)?.id;
      const hex = rows.map(({ content }) => madeUp(lexicon.pieces(content).length * PIECE_BYTES));
      await sql`
        insert into token_vectors (owner_id, memory, generation, passage, vectors)
        select owner_id, memory, ${generation?.id}, 0, decode(made.vectors, 'hex')
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${hex}::text[]) as made (memory, vectors)
        join memories m on m.id = made.memory`;
    }
  });
}

/** Any bytes, but not the same ones: the database must not pack them better than real ones. */
function madeUp(bytes: number): string {
  const made = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at++) made[at] = Math.floor(Math.random() * 256);
  return made.toString("hex");
}

/** Resolves when so many memories have token vectors, or all of them, to how many do. */
export async function areMade(home: Home, atLeast = Number.POSITIVE_INFINITY): Promise<number> {
  return withDatabase(home, async (sql) => {
    for (;;) {
      const [row] = await sql`
        select count(*)::int as waiting, (select count(distinct memory)::int from token_vectors) as made
        from memories m where not exists (select from token_vectors t where t.memory = m.id)`;
      if (row?.waiting === 0 || row?.made >= atLeast) return row?.made;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
}

/** What the vectors take on disk, indexes included, for each memory. */
export async function bytesPerMemory(home: Home): Promise<number> {
  return withDatabase(home, async (sql) => {
    const [row] = await sql`
      select pg_total_relation_size('token_vectors')::float8 / (select count(*) from memories) as bytes`;
    return row?.bytes;
  });
}

async function withDatabase<T>(home: Home, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...(await home.database()), max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
