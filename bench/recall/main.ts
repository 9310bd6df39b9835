import { type DataSet, readDataSet, type Space } from "./data-set.ts";
import type { Figures } from "./figures.ts";
import { isIndexName, openIndex } from "./in-process.ts";
import { HEAD, reportLine } from "./report.ts";
import { replay, Service } from "./service.ts";

/**
 * Remembers and recalls data sets and prints recall figures.
 *
 *   RECOLLECT_API_KEY=... npm run -s bench:recall -- [--url http://127.0.0.1:8787] [--retrievers hybrid,lexical,dense] FILE...
 *   npm run -s bench:recall -- --index embedded|elasticsearch [--together] [--among 20000] [--retrievers ...] FILE...
 *
 * The first goes through the public REST API of an empty service. The second asks an index and the ranker alone, in this
 * process, which is faster; Elasticsearch is the node of ELASTICSEARCH_URL. With `--together` all spaces of a file are
 * one scope, with `--among` it also holds so many older memories of another kind.
 *
 * A file is `{name, license, spaces: [{space, memories, queries}]}`, as JSON or gzipped JSON. A query with `after` is
 * asked when only the first `after` memories of its space are stored.
 */
interface Options {
  readonly url: string;
  readonly index: string | null;
  readonly isTogether: boolean;
  readonly among: number;
  readonly modes: readonly string[];
  readonly files: readonly string[];
}

const USAGE = `Usage: RECOLLECT_API_KEY=... npm run -s bench:recall -- [--url URL] [--retrievers hybrid,lexical,dense] FILE...
       npm run -s bench:recall -- --index embedded|elasticsearch [--together] [--among COUNT] [--retrievers ...] FILE...`;

function options(argv: readonly string[]): Options {
  const files: string[] = [];
  const given = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] as string;
    if (argument === "--together") given.set(argument, "");
    else if (argument.startsWith("--")) given.set(argument, argv[++at] ?? "");
    else files.push(argument);
  }
  return {
    url: given.get("--url") ?? "http://127.0.0.1:8787",
    index: given.get("--index") ?? null,
    isTogether: given.has("--together"),
    among: Number(given.get("--among") ?? 0),
    modes: (given.get("--retrievers") ?? "hybrid,lexical,dense").split(","),
    files,
  };
}

type Replay = (space: Space, modes: readonly string[]) => Promise<Map<string, Figures[]>>;

/** What answers the queries of a data set, and how it is left. */
async function open(
  { index, url, isTogether, among }: Options,
  data: DataSet,
): Promise<{ replay: Replay; close(): Promise<void> } | null> {
  if (index !== null) return isIndexName(index) ? openIndex(index, data.spaces, { isTogether, among }) : null;
  const key = process.env.RECOLLECT_API_KEY;
  if (!key) return null;
  return {
    replay: (space, modes) => replay(new Service(url, key), space, modes),
    close: async () => {},
  };
}

async function main(): Promise<void> {
  const asked = options(process.argv.slice(2));
  console.log(HEAD);
  for (const file of asked.files) {
    const data = await readDataSet(file);
    const opened = await open(asked, data);
    if (opened === null) {
      console.error(USAGE);
      process.exit(2);
    }
    const bySpace: Map<string, Figures[]>[] = [];
    for (const space of data.spaces) {
      console.error(
        `${data.name} (${data.license}): ${space.space}, ${space.memories.length} memories, ${space.queries.length} queries`,
      );
      bySpace.push(await opened.replay(space, asked.modes));
    }
    await opened.close();
    for (const mode of asked.modes) {
      const figures = bySpace.map((space) => space.get(mode) ?? []);
      console.log(reportLine(data.name, mode, figures));
    }
  }
}

await main();
