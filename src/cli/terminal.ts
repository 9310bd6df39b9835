import { once } from "node:events";
import { printable, printableJson, rewriteLine, writeJson, writeLines } from "../compose/printable.ts";

/** Prints the result for machines. Nothing else is written to standard output. */
export function printJson(value: unknown): void {
  writeJson(`${printableJson(value)}\n`);
}

/** Prints the result for people. */
export function print(text: string): void {
  writeLines("stdout", text);
}

/** Prints progress, warnings and errors. */
export function say(text: string): void {
  writeLines("stderr", text);
}

/** Writes lines of JSON, and waits if the reader is slower. */
export async function writeOut(data: string): Promise<void> {
  if (!writeJson(data)) await once(process.stdout, "drain");
}

/**
 * A table of left-aligned columns without control characters. If it is wider than the terminal, each row becomes a
 * block with one line per column. In a pipe, each row is always one line.
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY,
): string {
  const [titles = [], ...cells] = [header, ...rows].map((row) => row.map(printable));
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const lines = [titles, ...cells].map((row) => line(row, widths));
  if (lines.every(({ length }) => length <= columns)) return lines.join("\n");
  const width = Math.max(...titles.map(({ length }) => length));
  return cells.map((row) => block(titles, row, { width, columns })).join("\n\n");
}

/** Prints a list: as JSON for machines; for people as a table of these columns, or a sentence if it is empty. */
export function printList<Item>(
  asJson: boolean | undefined,
  items: readonly Item[],
  how: {
    readonly json: (item: Item) => unknown;
    readonly empty: string;
    readonly columns: readonly (readonly [title: string, cell: (item: Item) => string])[];
  },
): void {
  if (asJson) printJson(items.map(how.json));
  else if (items.length === 0) print(how.empty);
  else
    print(
      table(
        how.columns.map(([title]) => title),
        items.map((item) => how.columns.map(([, cell]) => cell(item))),
      ),
    );
}

/** Prints the result of a change: the value as JSON for machines, the text for people. */
export function printResult(asJson: boolean | undefined, value: unknown, text: string): void {
  if (asJson) printJson(value);
  else print(text);
}

/** Lines with a name and a value each, the values aligned. */
export function fields(values: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(values).map(({ length }) => length)) + 2;
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}${value}`)
    .join("\n");
}

function line(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join("  ")
    .trimEnd();
}

/** A row as a block with a line for each non-empty column. Long values are wrapped below their beginning. */
function block(
  titles: readonly string[],
  row: readonly string[],
  { width, columns }: { readonly width: number; readonly columns: number },
): string {
  const room = Math.max(columns - width - 2, 1);
  return titles
    .flatMap((title, at) => {
      const value = row[at] ?? "";
      if (value === "" || value === "-") return [];
      return folded(value, room).map((part, n) => `${(n === 0 ? title : "").padEnd(width)}  ${part}`);
    })
    .join("\n");
}

/** Splits a value into parts that fit, after a comma or a space if possible. */
function folded(value: string, room: number): string[] {
  if (value.length <= room) return [value];
  const at = Math.max(value.lastIndexOf(",", room - 1), value.lastIndexOf(" ", room - 1)) + 1 || room;
  return [value.slice(0, at).trimEnd(), ...folded(value.slice(at).trimStart(), room)];
}

const TERMINAL_EVERY_MS = 200;
const LOG_EVERY_MS = 5000;

/** Shows progress on standard error: one line that is rewritten on a terminal, otherwise a new line now and then. */
export function createProgress() {
  const isTerminal = process.stderr.isTTY === true;
  const startedAt = performance.now();
  let shownAt = isTerminal ? 0 : startedAt;
  let isShown = false;
  return {
    /** Shows the line with the rate per second: `1,200 of 5,000 lines, 300/s`. */
    show(done: number, line: string): void {
      const now = performance.now();
      if (now - shownAt < (isTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) return;
      shownAt = now;
      isShown = true;
      const text = `${line}, ${figure(Math.round((1000 * done) / (now - startedAt)))}/s`;
      if (isTerminal) rewriteLine(text);
      else say(text);
    },
    /** Clears the progress line before other output. */
    end(): void {
      if (isTerminal && isShown) rewriteLine("");
    },
  };
}

/** Ctrl-C also reaches the launcher, which forwards it. A second signal within this time is a duplicate. */
const SAME_SIGNAL_MS = 500;

/** Runs the work with an abort signal that Ctrl-C and SIGTERM trigger. A second one ends the process immediately. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let askedAt = 0;
  const stop = () => {
    if (!controller.signal.aborted) {
      askedAt = performance.now();
      say("Stopping after the current batch. Press Ctrl-C again to stop at once.");
      controller.abort();
    } else if (performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${figure(number)} ${number === 1 ? one : many}`;
}

export function figure(number: number): string {
  return number.toLocaleString("en");
}

/** An instant as RFC 3339 in UTC. */
export function iso<Instant extends number | null>(instant: Instant): Instant extends null ? null : string {
  return (instant === null ? null : new Date(instant).toISOString()) as never;
}

/** The same for a table column: to the minute, or a dash for null. */
export function minute(instant: number | null): string {
  return iso(instant)?.slice(0, 16).concat("Z") ?? "-";
}
