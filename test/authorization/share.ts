import { rotating } from "../support/random.ts";
import type { Cell } from "./cells.ts";
import { expectedOf } from "./expectation.ts";
import type { Rules } from "./rules.ts";

/** Cells that this run tries: one with each outcome of each operation, and a share of the others. */
export function shareOf(rules: Rules, cells: readonly Cell[], others = cells): Cell[] {
  const outcomes = firstWithEach(cells, (cell) => [
    `${cell.rule.operation} ${cell.rule.mode} ${expectedOf(rules, cell)}`,
  ]);
  return [...new Set([...outcomes, ...rotating(others)])];
}

/** Cells with something that none before has. */
export function firstWithEach(cells: readonly Cell[], thingsOf: (cell: Cell) => readonly string[]): Cell[] {
  const seen = new Set<string>();
  return cells.filter((cell) => {
    const news = thingsOf(cell).filter((thing) => !seen.has(thing));
    for (const thing of news) seen.add(thing);
    return news.length > 0;
  });
}
