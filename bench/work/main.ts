import { say } from "../chaos/say.ts";
import { Home } from "../speed/processes.ts";
import { render, type Table } from "../speed/table.ts";
import type { Growth, Judging } from "./doubling.ts";
import { fill } from "./fill.ts";
import { readers } from "./functions.ts";
import { measureReader } from "./measure-functions.ts";
import { measureOperations, READER } from "./measure-operations.ts";
import { measureRows } from "./measure-rows.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { Target } from "./target.ts";

/** What takes less than this is noise, and harmless: of a function, and of a request with all that is behind it. */
const FLOOR_MS = { function: 4, request: 20 };
/** Nothing is doubled that takes longer. */
const ENOUGH_MS = 3000;

/** A line of a table: what was measured, with what, and what came of it. */
interface Line {
  readonly name: string;
  readonly what: string;
  readonly found: Growth;
}

/** See `HELP`. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    process.stdout.write(HELP);
    return;
  }
  say(`seed ${options.seed}`);
  const failures: string[] = [];
  if (options.only.includes("functions")) {
    const lines = await functions(options);
    show("Functions: processor time of one call", lines, options);
    failures.push(...failuresOf(lines, options));
  }
  if (options.only.includes("operations")) {
    const { lines, refused } = await withTarget((target) => operations(target, options));
    failures.push(...refused);
    show("Operations: processor time of one request, the database's included", lines, options);
    failures.push(...failuresOf(lines, options));
  }
  if (options.only.includes("rows")) {
    const judged = judging(options, FLOOR_MS.request);
    const found = await withTarget((target) => measureRows(target, judged, options.match));
    const lines = found.map((one) => ({
      ...one,
      name: `${one.name}: ${one.what}`,
      what: `${one.found.worstSize}`,
    }));
    show("Stored rows: processor time of one request, the database's included", lines, options);
    failures.push(...failuresOf(lines, options));
  }
  for (const failure of failures) process.stdout.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
}

async function functions(options: Options): Promise<Line[]> {
  const lines: Line[] = [];
  for (const reader of await readers()) {
    if (!options.match.test(reader.name)) continue;
    const found = await measureReader(reader, { ...options, judging: judging(options, FLOOR_MS.function) });
    lines.push(...found.map(({ shape, found }) => ({ name: reader.name, what: shape.name, found })));
    const most = Math.max(...found.map(({ found }) => found.worstMs));
    const grown = Math.max(...found.map(({ found }) => found.growth));
    say(
      `${reader.name}: at most ${most.toFixed(1)} ms${grown > options.growth ? `, grows ${grown.toFixed(1)} times` : ""}`,
    );
  }
  return lines;
}

async function operations(
  target: Target,
  options: Options,
): Promise<{ readonly lines: readonly Line[]; readonly refused: readonly string[] }> {
  say(`storing ${options.memories} memories`);
  await fill(target, await target.credential(READER), options.memories, options.seed);
  await target.settle();
  const { found, refused } = await measureOperations({
    ...options,
    target,
    judging: judging(options, FLOOR_MS.request),
  });
  const lines = found.map(({ operation, attack, shape, found }) => ({
    name: operation,
    what: `${attack}, ${shape}`,
    found,
  }));
  return { lines, refused };
}

function judging({ rounds, growth }: Options, floorMs: number): Judging {
  return { rounds, growthMax: growth, floorMs, enoughMs: ENOUGH_MS };
}

/** Of each name the worst growth and the worst time, the longest first. */
function show(title: string, lines: readonly Line[], { growth }: Options): void {
  const byName = Map.groupBy(lines, ({ name }) => name);
  const rows = [...byName].map(([name, of]) => {
    const slowest = of.toSorted((a, b) => b.found.worstMs - a.found.worstMs)[0] as Line;
    const steepest = of.toSorted((a, b) => b.found.growth - a.found.growth)[0] as Line;
    return {
      slowest,
      cells: [name, milliseconds(slowest.found.worstMs), ratio(steepest.found, growth), slowest.what],
    };
  });
  const table: Table = {
    title,
    columns: ["what", "most", "growth", "of"],
    rows: rows
      .toSorted((a, b) => b.slowest.found.worstMs - a.slowest.found.worstMs)
      .map(({ cells }) => cells),
    remark:
      "growth: the most that one doubling multiplied the time by, above the floor; - where all is below it",
  };
  process.stdout.write(`${render(table)}\n`);
}

function failuresOf(lines: readonly Line[], { growth, ceiling }: Options): string[] {
  return lines.flatMap(({ name, what, found }) => {
    const wrong = [
      found.growth > growth && `grows ${found.growth.toFixed(1)} times from ${found.between?.join(" to ")}`,
      found.worstMs > ceiling && `takes ${milliseconds(found.worstMs)} at ${found.worstSize}`,
      found.statuses.some((status) => status >= 500) && `is answered ${found.statuses.join(", ")}`,
    ].filter((reason) => reason !== false);
    return wrong.length === 0 ? [] : [`FAILED ${name}: ${wrong.join(", ")}: ${what}`];
  });
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

function ratio({ growth }: Growth, max: number): string {
  return growth === 0 ? "-" : `${growth.toFixed(2)}${growth > max ? " !" : ""}`;
}

/** Removes what was started however the work ends, Ctrl-C included. */
async function withTarget<T>(work: (target: Target) => Promise<T>): Promise<T> {
  const home = new Home();
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => reject(new Error("Interrupted.")));
  });
  const run = async () => {
    const target = await Target.start(home);
    try {
      return await work(target);
    } finally {
      await target.stop();
    }
  };
  try {
    return await Promise.race([run(), interrupted]);
  } finally {
    await home.remove();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
