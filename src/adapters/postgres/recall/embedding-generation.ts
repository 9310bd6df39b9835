import type { EmbeddingGeneration } from "../../../core/embedding/embedder.ts";
import type { Sql } from "../database/client.ts";

/** The number of the generation, made if it is new. */
export async function ensureGeneration(sql: Sql, generation: EmbeddingGeneration): Promise<number> {
  const { provider, model, dimension } = generation;
  await sql`
    insert into embedding_generations (provider, model, dimension) values (${provider}, ${model}, ${dimension})
    on conflict do nothing`;
  return (await findGeneration(sql, generation)) as number;
}

/** The number of a generation that was in use, or null. */
export async function findGeneration(sql: Sql, generation: EmbeddingGeneration): Promise<number | null> {
  const { provider, model, dimension } = generation;
  const [row] = await sql`
    select id from embedding_generations
    where provider = ${provider} and model = ${model} and dimension = ${dimension}`;
  return row ? (row.id as number) : null;
}

/** The dimension of each generation that was ever in use, by its number. */
export async function generationDimensions(sql: Sql): Promise<Map<number, number>> {
  const rows = await sql`select id, dimension from embedding_generations`;
  return new Map(rows.map((row) => [row.id as number, row.dimension as number]));
}
