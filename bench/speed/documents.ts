import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import type { Table } from "./table.ts";

const DOCUMENTS = ["docs/recall/measured.md", "docs/operations/sizes.md"].map((path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url)),
);

/** The runtime, the number of cores, and the load when the run began. */
export const MACHINE = `${process.versions.bun ? `Bun ${process.versions.bun}` : `Node ${process.versions.node}`}, ${cpus().length} cores, load ${(loadavg()[0] as number).toFixed(1)} at the start`;

/**
 * Puts tables wherever a document has a place for them: between `<!-- measured: NAME -->` and `<!-- measured -->`. Answers
 * how many places there were.
 */
export function putIntoDocuments(name: string, tables: readonly Table[]): number {
  let places = 0;
  for (const file of DOCUMENTS) {
    const before = readFileSync(file, "utf8");
    const [begin, end] = [`<!-- measured: ${name} -->`, "<!-- measured -->"];
    const after = before.replace(new RegExp(`${begin}[^]*?${end}`, "g"), () => {
      places += 1;
      return `${begin}\n${tables.map(asMarkdown).join("\n\n")}\n${end}`;
    });
    if (after !== before) writeFileSync(file, after);
  }
  return places;
}

function asMarkdown({ title, columns, rows, remark }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(columns.map(() => "---"));
  return [
    `${title} (${MACHINE}):`,
    "",
    line(columns),
    rule,
    ...rows.map(line),
    ...(remark ? ["", remark] : []),
  ].join("\n");
}
