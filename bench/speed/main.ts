import { measureBulk } from "./bulk.ts";
import { measureCores } from "./cores.ts";
import { Corpus, type CorpusName } from "./corpus.ts";
import { MACHINE, putIntoDocuments } from "./documents.ts";
import { fill, settle } from "./fill.ts";
import { runFloor } from "./floor.ts";
import { measureGrowth } from "./growth.ts";
import { measureLimits } from "./limits.ts";
import { measureLists } from "./lists.ts";
import { HELP, type Options, readOptions, type Section } from "./options.ts";
import { measurePeers } from "./peers/measure-peers.ts";
import { Home, KEY } from "./processes.ts";
import { measureProjects } from "./project.ts";
import { measureReads } from "./reads.ts";
import type { Read } from "./requests.ts";
import { measureRuntimes } from "./runtimes.ts";
import { measureStages } from "./stages.ts";
import { render, type Table } from "./table.ts";
import { measureWrites } from "./writes.ts";

/** See `HELP`. With `--floor FOLDER` it is the bare process that the floors are measured in. */
async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv[0] === "--floor") {
    const [, folder, name, words] = argv as [string, string, CorpusName, string | undefined];
    return runFloor(folder, new Corpus(name, words === undefined ? null : Number(words)), KEY);
  }
  const options = readOptions(argv);
  if (options === "help") {
    process.stdout.write(HELP);
    return;
  }
  const forDocuments = new Map<string, Table[]>();
  const show = (table: Table, name?: string): void => {
    process.stdout.write(`${render(table)}${MACHINE}\n\n`);
    if (!name || !options.write) return;
    const tables = [...(forDocuments.get(name) ?? []), table];
    forDocuments.set(name, tables);
    putIntoDocuments(name, tables);
  };
  for (const name of options.corpora)
    for (const words of options.words) await measureCorpus(new Corpus(name, words), options, show);
}

type Show = (table: Table, name?: string) => void;

async function measureCorpus(corpus: Corpus, options: Options, showTable: Show): Promise<void> {
  const show: Show = (table, name) =>
    showTable({ ...table, title: `${table.title}, ${corpus.origin}` }, name);
  if (options.only.some((section) => AT_ONE_SIZE.includes(section))) {
    await withHome((home) => measureAtOneSize(home, corpus, options, show));
  }
  if (options.only.includes("limits")) {
    await withHome(async (home) => show(await measureLimits(home, corpus, options.seconds)));
  }
  if (options.only.includes("cores")) {
    await withHome(async (home) => show(await measureCores(home, corpus, options)));
  }
  if (options.only.includes("project")) {
    await withHome(async (home) => show(await measureProjects(home, corpus, options.seconds)));
  }
  if (options.only.includes("lists")) {
    await withHome(async (home) => show(await measureLists(home, options.lists, options.seconds)));
  }
  if (options.only.includes("bulk")) {
    await withHome(async (home) => show(await measureBulk(home, corpus, options.bulk)));
  }
  if (options.only.includes("growth")) {
    await withHome(async (home) =>
      show(await measureGrowth(home, corpus, options.growth, options.seconds), "growth"),
    );
  }
  if (options.only.includes("runtimes")) {
    await withHome(async (home) =>
      show(await measureRuntimes(home, corpus, options.growth, options.seconds), "runtimes"),
    );
  }
}

/** What is measured on the memories of one owner, as many as `--memories` says. */
const AT_ONE_SIZE: readonly Section[] = ["writes", "search", "context", "stages", "peers"];

/** Reads before writes, since writes make the owner larger. */
async function measureAtOneSize(
  home: Home,
  corpus: Corpus,
  { memories, only, seconds, peers: folder }: Options,
  show: Show,
): Promise<void> {
  const server = await home.server();
  console.error(`filling up to ${memories} memories`);
  await fill(server, corpus, 0, memories);
  await settle(server);
  const floor = await home.floor(corpus);
  const reads = (["search", "context"] as const).filter((read: Read) => only.includes(read));
  if (reads.length > 0) {
    console.error(`measuring ${reads.join(" and ")}`);
    show(
      await measureReads({ server, floor }, corpus, {
        reads,
        size: memories,
        seconds: seconds * reads.length,
      }),
      "reads",
    );
  }
  if (only.includes("stages")) {
    console.error("measuring stages");
    show(await measureStages(server, corpus, { size: memories, seconds }), "stages");
  }
  if (only.includes("peers")) {
    console.error("measuring beside other stores");
    show(
      await measurePeers({ server, floor }, corpus, { size: memories, seconds: seconds * 2, folder }),
      "peers",
    );
  }
  if (only.includes("writes")) {
    console.error("measuring writes");
    show(await measureWrites(server, floor, corpus, { next: memories }, seconds), "writes");
  }
}

/** Removes the home however the work ends, Ctrl-C included. */
async function withHome(work: (home: Home) => Promise<void>): Promise<void> {
  const home = new Home();
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.once(signal, () => reject(new Error("Interrupted.")));
    }
  });
  try {
    await Promise.race([work(home), interrupted]);
  } finally {
    await home.remove();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
