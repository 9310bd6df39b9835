import { render, type Table } from "../../speed/table.ts";

/** What a suite found: its tables, and in words each case that was not answered as it should be. */
export interface Findings {
  readonly tables: readonly Table[];
  readonly failures: readonly string[];
}

export function printFindings(suite: string, { tables, failures }: Findings): void {
  for (const failure of failures) process.stderr.write(`${suite}: ${failure}\n`);
  for (const table of tables) process.stdout.write(`${render(table)}\n`);
}

/** Counts cases in rows, and of each row how many had something. */
export class Tally<Column extends string> {
  readonly #columns: readonly Column[];
  readonly #rows = new Map<string, { cases: number; counts: Map<Column, number> }>();

  /** Rows stand in the order given here, others after them in the order in which they are first counted. */
  constructor(columns: readonly Column[], rows: readonly string[] = []) {
    this.#columns = columns;
    for (const name of rows) this.#rows.set(name, { cases: 0, counts: new Map() });
  }

  /** One more case of these rows, with what was so of it. */
  add(rows: readonly string[], had: Partial<Readonly<Record<Column, boolean>>>): void {
    for (const name of rows) {
      const row = this.#rows.get(name) ?? { cases: 0, counts: new Map() };
      this.#rows.set(name, row);
      row.cases += 1;
      for (const column of this.#columns) {
        if (had[column]) row.counts.set(column, (row.counts.get(column) ?? 0) + 1);
      }
    }
  }

  count(row: string, column: Column): number {
    return this.#rows.get(row)?.counts.get(column) ?? 0;
  }

  cases(row: string): number {
    return this.#rows.get(row)?.cases ?? 0;
  }

  /** Counts as shares in %, or as they are; rows without a case are left out. */
  table(title: string, as: "percent" | "count", remark?: string): Table {
    const shown = (count: number, cases: number) =>
      as === "percent" ? percent(count, cases) : String(count);
    return {
      title,
      columns: ["", "cases", ...this.#columns],
      rows: [...this.#rows]
        .filter(([, { cases }]) => cases > 0)
        .map(([name, { cases, counts }]) => [
          name,
          String(cases),
          ...this.#columns.map((column) => shown(counts.get(column) ?? 0, cases)),
        ]),
      ...(remark === undefined ? {} : { remark }),
    };
  }
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : (100 * (part / whole)).toFixed(1);
}

/** The beginning of a text, on one line: for failures. */
export function shortened(text: string, lengthMax = 160): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= lengthMax ? line : `${line.slice(0, lengthMax)}…`;
}
