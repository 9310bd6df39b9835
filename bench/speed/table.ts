/** A table of text, its first column the names of the rows. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly remark?: string;
}

export function render({ title, columns, rows, remark }: Table): string {
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [title, "", line(columns), rule, ...rows.map(line), ...(remark ? ["", remark] : []), ""].join("\n");
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
}

export function ratio(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}
