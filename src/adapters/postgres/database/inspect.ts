import { withoutEmbedding } from "../recall/embeddings.ts";
import { withoutTokenVectors } from "../recall/token-vectors.ts";
import type { Sql } from "./client.ts";
import { inspectMigrations, type Migrations } from "./migrations-applied.ts";

/** State of a database, read without changing it. */
export interface DatabaseState {
  /** Version of Postgres, such as 15.4. */
  readonly version: string;
  readonly majorVersion: number;
  readonly migrations: Migrations;
  /** null if the schema is not complete. */
  readonly counts: {
    readonly owners: number;
    readonly memories: number;
    readonly outbox: number;
    /** Outbox lines that have been due for more than a minute. */
    readonly outbox_late: number;
    /** Memories that lack a vector of the newest embedding generation and could have one. */
    readonly without_embedding: number;
    /** The same for the newest token model; null if there never was one. */
    readonly without_token_vectors: number | null;
  } | null;
}

export async function inspectDatabase(sql: Sql): Promise<DatabaseState> {
  const [server] = await sql`select current_setting('server_version_num')::int as number`;
  const number = server?.number as number;
  const migrations = await inspectMigrations(sql);
  return {
    version: `${Math.floor(number / 10_000)}.${number % 10_000}`,
    majorVersion: Math.floor(number / 10_000),
    migrations,
    counts: migrations.missing.length === 0 ? await countAll(sql) : null,
  };
}

async function countAll(sql: Sql): Promise<DatabaseState["counts"]> {
  const [row] = await sql`
    select (select count(*) from owners) as owners, (select count(*) from memories) as memories,
           (select count(*) from outbox) as outbox,
           (select count(*) from outbox where available_at < now() - interval '1 minute') as outbox_late,
           (select count(*) ${withoutEmbedding(sql, sql`(select max(id) from embedding_generations)`)}) as without_embedding,
           case when exists (select from token_generations)
             then (select count(*) ${withoutTokenVectors(sql, sql`(select max(id) from token_generations)`)}) end
             as without_token_vectors`;
  return row as unknown as DatabaseState["counts"];
}
