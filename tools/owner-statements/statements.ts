import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Every statement of the record that touches a table which would be divided by owner and does not name its owner: what
 * stands between the schema as it is and one that is partitioned by owner (docs/decisions/0063).
 *
 * It reads the tagged templates of `src`. A statement names its owner where it has an owner's column, or a predicate that has
 * one (`visible` and what is made of it). Fragments that are put into another statement are judged with the text they have.
 */
const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));

/** Tables whose rows are an owner's, with an owner's column or of a row that has one. */
const DIVIDED = [
  ...[
    "memories",
    "memory_versions",
    "embeddings",
    "token_vectors",
    "tombstones",
    "audit_log",
    "outbox",
    "outbox_owners",
  ],
  ...[
    "receipts",
    "recall_feedback",
    "todos",
    "todo_dependencies",
    "decisions",
    "workspace_events",
    "owner_usage",
  ],
  ...[
    "maintenance_settings",
    "maintenance_runs",
    "maintenance_items",
    "maintenance_survivors",
    "idempotency_keys",
  ],
  ...["events", "event_inbox", "event_instants", "webhooks", "webhook_deliveries"],
];
const TABLES = new RegExp(
  `\\b(?:from|join|into|update|using)\\s+(?:only\\s+)?\\(?(${DIVIDED.join("|")})\\b`,
  "gi",
);
const STATEMENT = /^(with|select|insert|update|delete|\(?select)\b/i;
const OWNER =
  /owner|memoriesNamed|visible\(|\$\{(workspace|ofProject|allowed|rows|comparable)\}|\b(of|isOf)\(|\$\{isOf/i;

/** Why a statement has no owner, told by its form; the first that fits. */
const REASONS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["adds rows", /^insert/i],
  ["by lease", /lease/i],
  [
    "by id",
    /\b(id|id::text|memory|item|todo|run|webhook|token_id|supersedes|depends_on|d\.todo|ctid)\b\s*(=|in|&&)|items && |coalesce\(|unnest\(|waiting\.id/i,
  ],
  ["all owners", /./],
];

interface Found {
  readonly file: string;
  readonly tables: readonly string[];
  readonly text: string;
  readonly reason: string;
}

function* sources(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith(".ts")) yield path;
  }
}

/** The list as Markdown, as decision 63 has it. A new statement without an owner makes it longer. */
export function ownerStatements(): string {
  const found: Found[] = [];
  for (const path of sources(SOURCE)) {
    const code = readFileSync(path, "utf8");
    for (const { index, 0: tag } of code.matchAll(/\b\w+`/g)) {
      const text = templateAt(code, index + tag.length)
        .replace(/\s+/g, " ")
        .trim();
      if (!STATEMENT.test(text)) continue;
      const tables = tablesOf(text);
      if (tables.length === 0) continue;
      if (OWNER.test(text)) continue;
      const [reason] = REASONS.find(([, pattern]) => pattern.test(text)) as readonly [string, RegExp];
      found.push({ file: path.slice(SOURCE.length), tables, text, reason });
    }
  }
  const summary = `${found.length} statements name no owner.`;
  return [summary, ...REASONS.map(([reason]) => tableOf(reason, found))].join("\n\n");
}

function tablesOf(text: string): string[] {
  const tables = [...new Set([...text.matchAll(TABLES)].map(([, table]) => (table as string).toLowerCase()))];
  // Fragments that put tables in.
  return text.includes("${withEmbedding(") ? [...tables, "memories", "embeddings"] : tables;
}

function tableOf(reason: string, found: readonly Found[]): string {
  const those = found
    .filter((one) => one.reason === reason)
    .map(({ file, tables, text }) => {
      const begins = text.slice(0, 90).trim().replaceAll("|", "\\|").replaceAll("`", "'");
      return `| \`${file}\` | ${tables.join(", ")} | \`${begins}\` |`;
    })
    .sort();
  return [`**${reason}** (${those.length})\n`, "| where | tables | begins |", "|---|---|---|", ...those].join(
    "\n",
  );
}

/** The text of a template from behind its opening quote, with what is put into it as it is written. */
function templateAt(code: string, from: number): string {
  let depth = 0;
  let at = from;
  for (; at < code.length && (depth > 0 || code[at] !== "`"); at++) {
    if (code[at] === "\\") at++;
    else if (code.startsWith("${", at)) {
      depth++;
      at++;
    } else if (depth > 0 && code[at] === "{") depth++;
    else if (depth > 0 && code[at] === "}") depth--;
  }
  return code.slice(from, at);
}
