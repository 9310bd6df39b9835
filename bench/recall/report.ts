import { type Figures, mean } from "./figures.ts";

export const HEAD =
  "set        ranked   R@5   R@10  R@20  | any@10 all@10 | nDCG@10 MRR | R@10 of the worst and best space";

/** One line of figures, over the queries of all spaces. */
export function reportLine(name: string, mode: string, spaces: readonly Figures[][]): string {
  const all = spaces.flat();
  const perSpace = spaces.map((figures) => mean(figures).recall10);
  const f = mean(all);
  const percent = (share: number) => (100 * share).toFixed(1).padStart(5);
  return (
    `${name.padEnd(10)} ${mode.padEnd(8)} ${percent(f.recall5)} ${percent(f.recall10)} ${percent(f.recall20)} | ` +
    `${percent(f.any10)} ${percent(f.all10)} | ${percent(f.ndcg10)} ${percent(f.mrr)} | ` +
    `${percent(Math.min(...perSpace))} ..${percent(Math.max(...perSpace))}  (${all.length} queries)`
  );
}

export const KINDS_HEAD =
  "space                kind                    ranked   first  in three  in five  in ten  | MRR";

/** A line for each kind of query in a space. */
export function kindLines(space: string, mode: string, asked: readonly AskedQuery[]): string[] {
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const ofKind = asked.filter((one) => one.kind === kind);
    return firstsLine(`${space.padEnd(20)} ${kind.padEnd(23)}`, mode, ofKind);
  });
}

/** A line for each group of queries, over all spaces. */
export function groupLines(mode: string, asked: readonly AskedQuery[]): string[] {
  const groups = [...new Set(asked.flatMap(({ group }) => group ?? []))];
  return groups.map((group) => {
    const inGroup = asked.filter((one) => one.group === group);
    return firstsLine(group.padEnd(44), mode, inGroup);
  });
}

function firstsLine(label: string, mode: string, asked: readonly AskedQuery[]): string {
  const f = mean(asked.map(({ figures }) => figures));
  const percent = (share: number) => (100 * share).toFixed(1).padStart(5);
  return `${label} ${mode.padEnd(8)} ${percent(f.any1)}     ${percent(f.any3)}    ${percent(f.any5)}   ${percent(f.any10)}  | ${percent(f.mrr)}`;
}

/** The figures of a query, and the way in which it asks. */
export interface AskedQuery {
  readonly kind: string;
  readonly group: string | undefined;
  readonly figures: Figures;
}
