import { render } from "../speed/table.ts";
import { type DataSet, readDataSet, type Space } from "./data-set.ts";
import type { Figures } from "./figures.ts";
import { isIndexName, openIndex } from "./in-process.ts";
import { isSuiteName, makeSuite } from "./made-sets.ts";
import { measureParts, PARTS_HEAD, partsLine } from "./parts.ts";
import { type AskedQuery, groupLines, HEAD, KINDS_HEAD, kindLines, reportLine } from "./report.ts";
import { replay, Service } from "./service.ts";
import { measureStages, stageTable } from "./stages.ts";

/**
 * Remembers and recalls data sets and prints recall figures.
 *
 *   RECOLLECT_API_KEY=... npm run -s bench:recall -- [--url http://127.0.0.1:8787] [--retrievers hybrid,lexical,dense] FILE|--suite NAME...
 *   npm run -s bench:recall -- --index embedded|elasticsearch [--together] [--among 20000] [--token-model] [--retrievers ...] FILE...
 *   npm run -s bench:recall -- --index embedded|elasticsearch --stages [--token-model] FILE...
 *   npm run -s bench:recall -- --index embedded|elasticsearch --parts [--words] FILE...
 *
 * The first goes through the public REST API of an empty service. The second asks an index and the ranker alone, in this
 * process, which is faster; Elasticsearch is the node of ELASTICSEARCH_URL. With `--together` all spaces of a file are
 * one scope, with `--among` it also holds so many older memories of another kind.
 *
 * With `--token-model` the token model of the service orders what is found, as with `TOKEN_MODEL=on`; a service that is asked
 * through REST goes by its own setting, and has to have made its vectors.
 *
 * With `--stages` and an index each set goes through the service's own code, in this process and on a database of its own, and
 * what is printed is what part of the relevant memories is left after each stage, and how long it takes: proposed by words,
 * by vector, as one of the newest or as a neighbour, ranked, read, packed.
 *
 * With `--parts` and an index a table has R@10 and the share of relevant memories in the first place, by the ranker, by words
 * alone, by vectors alone and by SQLite's FTS5, and names those that find more than the ranker.
 *
 * `--suite scripts` is a set that is made here, by `--seed`: two hundred sentences in each of eighteen scripts, asked for by
 * some of their words, and by other forms of them. `--suite languages` is sixty facts in each of many languages, asked for
 * in another language than they are stored in; `--languages nl,de` asks in these alone.
 *
 * A file is `{name, license, spaces: [{space, memories, queries}]}`, as JSON or gzipped JSON. A query with `after` is
 * asked when only the first `after` memories of its space are stored.
 */
interface Options {
  readonly url: string;
  readonly index: string | null;
  readonly isTogether: boolean;
  readonly areStages: boolean;
  readonly areParts: boolean;
  readonly hasTokens: boolean;
  readonly isMultilingual: boolean;
  readonly among: number;
  readonly modes: readonly string[];
  readonly seed: number;
  readonly languages: readonly string[] | undefined;
  readonly files: readonly string[];
  readonly suites: readonly string[];
}

const USAGE = `Usage: RECOLLECT_API_KEY=... npm run -s bench:recall -- [--url URL] [--retrievers hybrid,lexical,dense] FILE|--suite NAME...
       npm run -s bench:recall -- --index embedded|elasticsearch [--together] [--among COUNT] [--token-model] [--retrievers ...] FILE|--suite NAME...
       npm run -s bench:recall -- --index embedded|elasticsearch --stages [--token-model] FILE|--suite NAME...
       npm run -s bench:recall -- --index embedded|elasticsearch --parts [--words] FILE|--suite NAME...`;

const SWITCHES: ReadonlySet<string> = new Set([
  "--together",
  "--stages",
  "--parts",
  "--token-model",
  "--words",
]);

function options(argv: readonly string[]): Options {
  const [files, suites]: [string[], string[]] = [[], []];
  const given = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] as string;
    if (SWITCHES.has(argument)) given.set(argument, "");
    else if (argument === "--suite") suites.push(argv[++at] ?? "");
    else if (argument.startsWith("--")) given.set(argument, argv[++at] ?? "");
    else files.push(argument);
  }
  return {
    url: given.get("--url") ?? "http://127.0.0.1:8787",
    index: given.get("--index") ?? null,
    isTogether: given.has("--together"),
    areStages: given.has("--stages"),
    areParts: given.has("--parts"),
    hasTokens: given.has("--token-model"),
    isMultilingual: !given.has("--words"),
    among: Number(given.get("--among") ?? 0),
    modes: (given.get("--retrievers") ?? "hybrid,lexical,dense").split(","),
    languages: given.get("--languages")?.split(","),
    seed: Number(given.get("--seed") ?? 1),
    files,
    suites,
  };
}

type Replay = (space: Space, modes: readonly string[]) => Promise<Map<string, Figures[]>>;

/** What answers the queries of a data set, and how it is left. */
async function open(
  { index, url, isTogether, among, hasTokens, isMultilingual }: Options,
  data: DataSet,
): Promise<{ replay: Replay; close(): Promise<void> } | null> {
  if (index !== null)
    return isIndexName(index)
      ? openIndex(index, data.spaces, { isTogether, among, hasTokens, isMultilingual })
      : null;
  const key = process.env.RECOLLECT_API_KEY;
  if (!key) return null;
  return {
    replay: (space, modes) => replay(new Service(url, key), space, modes),
    close: async () => {},
  };
}

async function dataSets({ files, suites, seed, languages }: Options): Promise<DataSet[]> {
  const made = suites.map((name) => (isSuiteName(name) ? makeSuite(name, { seed, languages }) : usage()));
  return [...(await Promise.all(files.map(readDataSet))), ...made];
}

function usage(): never {
  console.error(USAGE);
  process.exit(2);
}

async function main(): Promise<void> {
  const asked = options(process.argv.slice(2));
  if (asked.areStages) return printStages(asked);
  if (asked.areParts) return printParts(asked);
  for (const data of await dataSets(asked)) {
    const opened = (await open(asked, data)) ?? usage();
    const bySpace: Map<string, Figures[]>[] = [];
    for (const space of data.spaces) {
      console.error(
        `${data.name} (${data.license}): ${space.space}, ${space.memories.length} memories, ${space.queries.length} queries`,
      );
      bySpace.push(await opened.replay(space, asked.modes));
    }
    await opened.close();
    report(data, asked.modes, bySpace);
  }
}

async function printStages(asked: Options): Promise<void> {
  const index = asked.index ?? usage();
  if (!isIndexName(index)) return usage();
  for (const data of await dataSets(asked))
    console.log(render(stageTable(data.name, index, await measureStages(index, data, asked))));
}

async function printParts({ index, isMultilingual, ...asked }: Options): Promise<void> {
  if (index === null || !isIndexName(index)) return usage();
  console.log(PARTS_HEAD);
  for (const data of await dataSets({ index, isMultilingual, ...asked }))
    for (const row of await measureParts(data, { index, isMultilingual })) console.log(partsLine(row));
}

/** A line for each kind of query in each space and for each group, or one for the whole if the set has no kinds. */
function report(data: DataSet, modes: readonly string[], bySpace: readonly Map<string, Figures[]>[]): void {
  const hasKinds = data.spaces.some(({ queries }) => queries.some(({ kind }) => kind !== undefined));
  console.log(hasKinds ? KINDS_HEAD : HEAD);
  for (const mode of modes) {
    const figures = bySpace.map((space) => space.get(mode) ?? []);
    const all: AskedQuery[] = [];
    if (!hasKinds) console.log(reportLine(data.name, mode, figures));
    for (const [at, { space, queries }] of hasKinds ? data.spaces.entries() : []) {
      const asked = queries.map(({ kind = "", group }, place) => ({
        kind,
        group,
        figures: figures[at]?.[place] as Figures,
      }));
      for (const line of kindLines(space, mode, asked)) console.log(line);
      all.push(...asked);
    }
    for (const line of groupLines(mode, all)) console.log(line);
  }
}

await main();
