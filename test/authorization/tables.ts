/** One row of a Markdown table, by the names of its columns. */
export type Row = ReadonlyMap<string, string>;

/** The rows of the table that follows the heading. Throws where there is none: a renamed heading must not pass. */
export function tableUnder(markdown: string, heading: string): Row[] {
  const lines = markdown.split("\n");
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
  if (start === -1) throw new Error(`the page has no heading "${heading}"`);
  const end = lines.findIndex((line, at) => at > start && /^#+ /.test(line));
  const section = lines.slice(start, end === -1 ? undefined : end);
  const table = section.filter((line) => line.startsWith("|")).map(cellsOf);
  const [names, , ...rows] = table;
  if (!names || rows.length === 0) throw new Error(`there is no table under "${heading}"`);
  return rows.map((row) => new Map(names.map((name, at) => [name, row[at] ?? ""])));
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim().replaceAll("`", ""));
}

/** The cell of that column. Throws where the table has no such column. */
export function cell(row: Row, column: string): string {
  const value = row.get(column);
  if (value === undefined) throw new Error(`the table has no column "${column}"`);
  return value;
}

/** The words of a cell, separated by commas; none where it is empty or says `none`. */
export function words(row: Row, column: string): string[] {
  const value = cell(row, column);
  if (value === "" || value === "none") return [];
  return value.split(",").map((word) => word.trim());
}
