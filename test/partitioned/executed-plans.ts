/** What a database did for each statement: its plans as they were carried out, read from the log of the run's own Postgres. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "../../src/adapters/postgres/database/client.ts";
import { partitionNamed } from "../support/partitioned.ts";

export interface Executed {
  /** In one line. */
  readonly statement: string;
  /** The partitions that were read or written, by their number, of all tables. */
  readonly partitions: ReadonlySet<number>;
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Loops"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Has the sessions that begin from now on tell of every statement, those inside of functions and triggers as well. */
export async function recordPlans(sql: Sql, sharedFolder: string): Promise<() => Executed[]> {
  const [row] = await sql`select quote_ident(current_database()) as name`;
  for (const [name, value] of Object.entries({
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_format": "json",
  }))
    await sql.unsafe(`alter database ${row?.name} set ${name} = '${value}'`);
  const log = join(sharedFolder, "data", "postgres.log");
  const from = statSync(log).size;
  return () =>
    readFileSync(log)
      .subarray(from)
      .toString()
      .split(/^(?=\S)/m)
      .flatMap(readEntry);
}

function readEntry(entry: string): Executed[] {
  const begin = entry.indexOf("plan:\n");
  if (begin < 0) return [];
  const { "Query Text": text, Plan: plan } = JSON.parse(entry.slice(begin + "plan:\n".length));
  const partitions = new Set<number>();
  walk(plan, partitions);
  return [{ statement: text.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim(), partitions }];
}

function walk(node: PlanNode, partitions: Set<number>): void {
  const partition = partitionNamed(node["Relation Name"] ?? "");
  if (partition && (node["Actual Loops"] ?? 0) > 0) partitions.add(partition.at);
  for (const child of node.Plans ?? []) walk(child, partitions);
}
