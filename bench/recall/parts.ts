import type { DataSet, Space } from "./data-set.ts";
import { type Figures, mean } from "./figures.ts";
import { fts5Figures } from "./fts5.ts";
import { type IndexName, openIndex } from "./in-process.ts";

/** The ranker, then what it has to be no worse than. */
const RANKINGS = ["hybrid", "lexical", "dense", "fts5"] as const;
type Ranking = (typeof RANKINGS)[number];
export type Part = Exclude<Ranking, "hybrid">;

/** Figures of the same queries, in the same order, by each ranking. */
export interface PartsRow {
  readonly label: string;
  readonly figures: Readonly<Record<Ranking, readonly Figures[]>>;
}

/** Replays a set by the ranker, by words alone, by vectors alone and by FTS5: a row for each kind of query, then the whole. */
export async function measureParts(
  data: DataSet,
  options: { readonly index: IndexName; readonly isMultilingual: boolean },
): Promise<PartsRow[]> {
  const opened = await openIndex(options.index, data.spaces, {
    isTogether: false,
    among: 0,
    hasTokens: false,
    isMultilingual: options.isMultilingual,
  });
  try {
    const asked: { readonly kind: string; readonly figures: Record<Ranking, Figures> }[] = [];
    for (const space of data.spaces) asked.push(...(await replayAll(space, opened.replay)));
    const kinds = [...new Set(asked.map(({ kind }) => kind))];
    const rowOf = (label: string, queries: typeof asked): PartsRow => ({
      label,
      figures: {
        hybrid: queries.map(({ figures }) => figures.hybrid),
        lexical: queries.map(({ figures }) => figures.lexical),
        dense: queries.map(({ figures }) => figures.dense),
        fts5: queries.map(({ figures }) => figures.fts5),
      },
    });
    const ofKinds = kinds.map((kind) =>
      rowOf(
        `${data.name}: ${kind}`,
        asked.filter((one) => one.kind === kind),
      ),
    );
    return [...(kinds.length > 1 ? ofKinds : []), rowOf(data.name, asked)];
  } finally {
    await opened.close();
  }
}

async function replayAll(
  space: Space,
  replay: (space: Space, modes: readonly string[]) => Promise<Map<string, Figures[]>>,
) {
  const ranked = await replay(space, ["hybrid", "lexical", "dense"]);
  const fts5 = await fts5Figures(space);
  const of = (ranking: string, at: number) => ranked.get(ranking)?.[at] as Figures;
  return space.queries
    .filter(({ relevant }) => relevant.length > 0)
    .map(({ kind = "" }, at) => ({
      kind,
      figures: {
        hybrid: of("hybrid", at),
        lexical: of("lexical", at),
        dense: of("dense", at),
        fts5: fts5[at] as Figures,
      },
    }));
}

/** R@10 of each ranking, in percent. */
export function recallOf({ figures }: PartsRow): Record<Ranking, number> {
  const of = (ranking: Ranking) => 100 * mean(figures[ranking]).recall10;
  return { hybrid: of("hybrid"), lexical: of("lexical"), dense: of("dense"), fts5: of("fts5") };
}

/** Rankings alone that find more than the ranker: each breaks the rule that it is no worse than its parts. */
function betterParts(row: PartsRow): Part[] {
  const recall = recallOf(row);
  return (["lexical", "dense", "fts5"] as const).filter((part) => recall[part] > recall.hybrid + 1e-9);
}

export const PARTS_HEAD =
  "R@10, first            hybrid        words alone   vectors alone FTS5          (queries)  hybrid is below";

export function partsLine(row: PartsRow): string {
  const cells = RANKINGS.map((ranking) => {
    const { recall10, any1 } = mean(row.figures[ranking]);
    const cell = [recall10, any1].map((share) => (100 * share).toFixed(1).padStart(5)).join(" ");
    return cell.padEnd(13);
  });
  const mark = betterParts(row).join(", ");
  return `${row.label.padEnd(22)} ${cells.join(" ")} ${String(row.figures.hybrid.length).padStart(5)}      ${mark}`.trimEnd();
}
