import { fileURLToPath } from "node:url";
import { EXCEPTIONS } from "./exceptions.ts";
import { keyOf, ownerlessStatements } from "./statements.ts";

export const DECISION = fileURLToPath(
  new URL("../../../docs/decisions/0063-partitioning-by-owner.md", import.meta.url),
);

/** The page with the list of exceptions in place of its own. */
export function withList(page: string): string {
  const end = page.indexOf("**Order of the work.**");
  const begin = page.search(/^\d+ statements run over all owners:/m);
  if (begin < 0 || end < begin) throw new Error("Decision 63 has no list of statements.");
  return `${page.slice(0, begin)}${list()}\n\n${page.slice(end)}`;
}

function list(): string {
  const tables = new Map(ownerlessStatements().map((one) => [keyOf(one), one.tables.join(", ")]));
  const rows = EXCEPTIONS.map(({ file, begins, why }) => {
    const text = begins.replaceAll("|", "\\|").replaceAll("`", "'");
    return `| \`${file}\` | ${tables.get(keyOf({ file, begins })) ?? ""} | \`${text}\` | ${why} |`;
  });
  return [
    `${EXCEPTIONS.length} statements run over all owners:\n`,
    "| where | tables | begins | why |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}
