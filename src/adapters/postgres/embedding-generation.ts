import type { EmbeddingGeneration } from "../../core/recall/embedder.ts";
import type { Sql } from "./client.ts";

/** The number of the generation, made if it is new. */
export async function ensureGeneration(sql: Sql, generation: EmbeddingGeneration): Promise<number> {
  const { provider, model, dimension } = generation;
  await sql`
    insert into embedding_generations (provider, model, dimension) values (${provider}, ${model}, ${dimension})
    on conflict do nothing`;
  const [row] = await sql`
    select id from embedding_generations
    where provider = ${provider} and model = ${model} and dimension = ${dimension}`;
  return row?.id as number;
}
