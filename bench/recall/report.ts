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
