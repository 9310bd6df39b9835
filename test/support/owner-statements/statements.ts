import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Every statement of the record that touches a table which is divided by owner and does not name its owner: it runs on every
 * part of a record that is partitioned by owner (docs/decisions/0063). Each is an exception with a reason.
 *
 * It reads the tagged templates of `src`. A statement names its owner where it has an owner's column, or a predicate that has
 * one (`visible` and what is made of it). A fragment that is put in by a name is judged with the text that the file gives that
 * name; other fragments with the text they have.
 */
const SOURCE = fileURLToPath(new URL("../../../src/", import.meta.url));

/** Tables whose rows are an owner's, with an owner's column or of a row that has one. */
export const DIVIDED: readonly string[] = [
  ...[
    "memories",
    "memory_versions",
    "embeddings",
    "token_vectors",
    "index_snapshots",
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
  ...["memory_counts", "memory_count_changes"],
];
const TABLES = new RegExp(
  `\\b(?:from|join|into|update|using)\\s+(?:only\\s+)?\\(?(${DIVIDED.join("|")})\\b`,
  "gi",
);
const STATEMENT = /^(with|select|insert|update|delete|\(?select)\b/i;
const OWNER =
  /owner|memoriesNamed|visible\(|isFor\(|\$\{(workspace|ofProject|allowed|rows|comparable)\}|\b(of|isOf)\(|\$\{isOf/i;

export interface OwnerlessStatement {
  /** Below `src`. */
  readonly file: string;
  readonly tables: readonly string[];
  /** Its first words, by which it is known again. */
  readonly begins: string;
}

function* sources(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith(".ts")) yield path;
  }
}

/** In the order of files. */
export function ownerlessStatements(): OwnerlessStatement[] {
  const found: OwnerlessStatement[] = [];
  for (const path of sources(SOURCE)) {
    const code = readFileSync(path, "utf8");
    for (const { index, 0: tag } of code.matchAll(/\b\w+`/g)) {
      const text = inOneLine(templateAt(code, index + tag.length));
      if (!STATEMENT.test(text)) continue;
      const tables = tablesOf(text);
      if (tables.length === 0 || OWNER.test(withFragments(text, code))) continue;
      found.push({ file: path.slice(SOURCE.length), tables, begins: text.slice(0, 90).trim() });
    }
  }
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

export function keyOf({ file, begins }: Pick<OwnerlessStatement, "file" | "begins">): string {
  return `${file}: ${begins}`;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The statement, and behind it the fragments of the same file that it puts in by their names. */
function withFragments(text: string, code: string): string {
  const fragments = [...text.matchAll(/\$\{(\w+)\}/g)].flatMap(([, name]) =>
    [...code.matchAll(new RegExp(`\\b${name}(?: =|:) sql\``, "g"))].map(({ index, 0: head }) =>
      templateAt(code, index + head.length),
    ),
  );
  return inOneLine([text, ...fragments].join(" "));
}

function tablesOf(text: string): string[] {
  const tables = [...new Set([...text.matchAll(TABLES)].map(([, table]) => (table as string).toLowerCase()))];
  // Fragments that put tables in.
  return text.includes("${withEmbedding(") ? [...tables, "memories", "embeddings"] : tables;
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
