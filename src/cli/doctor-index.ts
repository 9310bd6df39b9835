import type { Client } from "@elastic/elasticsearch";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { createIncarnations } from "../adapters/postgres/database/incarnation.ts";
import { createIndexGenerations } from "../adapters/postgres/recall/index-generations.ts";
import { createIndexSource } from "../adapters/postgres/recall/index-source.ts";
import type { ElasticsearchConfig } from "../compose/elasticsearch-settings.ts";
import type { Lexicon } from "../recall/language/lexicon.ts";
import { type Finding, ok, warning } from "./finding.ts";

/**
 * Checks that the search engine's index matches the database: the same history and the same number of memories. Changes
 * nothing.
 */
export async function checkIndexContents(
  client: Client,
  config: ElasticsearchConfig,
  { sql, lexicon }: { sql: Sql; lexicon: Lexicon },
): Promise<Finding[]> {
  const active = (await createIndexGenerations(sql).live()).find(({ state }) => state === "active");
  if (active === undefined) return [];
  const { createProjection } = await import("../compose/search-engine.ts");
  const engine = await createProjection(client, config, { sql, lexicon });
  const found = await engine.find(active.name);
  if (found === null || found.uuid !== active.uuid)
    return [wrong(`${active.name} is missing, was emptied, or belongs to another record`)];
  const why = await whyOfAnother(sql, found.of);
  if (why !== null) return [wrong(`${active.name} ${why}`)];
  await engine.refresh(active.name);
  const there = (await engine.sums(active.name, null)).reduce((sum, { count }) => sum + count, 0);
  const record = await createIndexSource(sql, active.embeddingGeneration).count();
  const [row] = await sql`select count(distinct memory)::int as count from outbox where kind <> 'embed'`;
  const waiting = row?.count as number;
  const both = `${there} memories in the index, ${record} in the record, ${waiting} waiting to be written`;
  const advice =
    "A server corrects it within the hour. recollect reindex --verify corrects it at once and says what differed.";
  return [Math.abs(there - record) <= waiting ? ok("comparison", both) : warning("comparison", both, advice)];
}

async function whyOfAnother(
  sql: Sql,
  of: { readonly incarnation: string; readonly log: bigint } | null,
): Promise<string | null> {
  if (of === null) return null;
  const incarnations = createIncarnations(sql);
  if ((await incarnations.movedBy()) !== null)
    return "belongs to the record before it was restored, copied or taken over";
  const [last] = await sql`select id from record_incarnations order by number desc limit 1`;
  if (last !== undefined && last.id !== of.incarnation) return "belongs to the record before it was restored";
  if (of.log > (await incarnations.log()))
    return "is ahead of the record, which was returned to an earlier state";
  return null;
}

function wrong(found: string): Finding {
  const advice =
    "A running server notices, uses the index in memory and builds another one. To do it by hand, run recollect reindex.";
  return warning("comparison", found, advice);
}
