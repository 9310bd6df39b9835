import { loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { merged, quantile, quantileMs, type Timing } from "../speed/closed-loop.ts";
import { Corpus } from "../speed/corpus.ts";
import { fill } from "../speed/fill.ts";
import { type Contestant, interleave } from "../speed/interleave.ts";
import { positive } from "../speed/options.ts";
import { Home, type Running, residentMegabytes, withClients } from "../speed/processes.ts";
import { type Counter, repeating, search, storing } from "../speed/requests.ts";
import { milliseconds, ratio, render, type Table } from "../speed/table.ts";
import { bench } from "./bench.ts";
import { areMade, bytesPerMemory, makeUpVectors } from "./vectors.ts";

const HELP = `Measures what the token model costs: two servers, one without and one with it, asked in turns.

  npm run bench:token-model -- [--sizes 10000,100000] [--seconds 40]

The build on a server that nobody asks anything, then searches of one client at each size, then writes of one client. The vectors of what is filled in are made up, since the model
would take a core ten minutes for 100,000; queries and writes are encoded by the model. Progress goes to stderr, tables to
stdout.
`;

const HITS = new URLSearchParams({ explain: "true", limit: "10" });

/** Built beside nothing else: some ten seconds of one core. */
const BUILT = 300;

/** A server with a database of its own, and the settings that it is started with. */
interface Side {
  readonly home: Home;
  server: Running;
}

async function openSide(): Promise<Side> {
  const home = new Home();
  return { home, server: await home.server() };
}

/** Fills it up to a size, by a server without the model. */
async function fillUp(side: Side, corpus: Corpus, from: number, to: number): Promise<void> {
  console.error(`filling up to ${to}`);
  await fill(side.server, corpus, from, to);
}

async function restart(side: Side, settings: Record<string, string>): Promise<void> {
  await side.server.stop();
  side.server = await side.home.server(settings);
}

/** Both with so many memories, one of them with the model and vectors of them all. */
async function prepare(sides: Sides, corpus: Corpus, from: number, to: number): Promise<void> {
  await restart(sides.with, {});
  for (const side of [sides.without, sides.with]) await fillUp(side, corpus, from, to);
  await makeUpVectors(sides.with.home, await loadLexicon());
  await restart(sides.with, { TOKEN_MODEL: "on" });
  await restart(sides.without, {});
  await isComparing(sides.with.server, corpus);
}

interface Sides {
  readonly without: Side;
  readonly with: Side;
}

/** Throws where late interaction takes no part: a bench without it would be fast. */
async function isComparing(server: Running, corpus: Corpus): Promise<void> {
  await withClients(server, 1, async ([client]) => {
    const query = encodeURIComponent(corpus.query(1));
    const answer = await client?.get(`/v1/memories/search?query=${query}&${HITS}`);
    if (!answer?.body.toString().includes('"late":')) throw new Error("The token model takes no part.");
  });
}

/** How fast the build goes while nobody asks anything, from the first vectors on. */
async function measureBuild(corpus: Corpus): Promise<Table> {
  const side = await openSide();
  try {
    await fillUp(side, corpus, 0, BUILT);
    await restart(side, { TOKEN_MODEL: "on" });
    const first = await areMade(side.home, 1);
    const from = performance.now();
    await areMade(side.home);
    const perSecond = (BUILT - first) / ((performance.now() - from) / 1000);
    return {
      title: "The build, on an idle server",
      columns: ["texts", "texts a second"],
      rows: [[String(BUILT), perSecond.toFixed(1)]],
    };
  } finally {
    await side.home.remove();
  }
}

async function measureSearches(
  sides: Sides,
  corpus: Corpus,
  { size, seconds }: { size: number; seconds: number },
): Promise<Table> {
  const turns = await inTurns(sides, seconds, (clients) => {
    const asked: Counter = { next: size };
    return repeating(clients, (client) => search(client, corpus, asked));
  });
  const disk = await bytesPerMemory(sides.with.home);
  const memory = [sides.without, sides.with].map(({ server }) => residentMegabytes(server).toFixed(0));
  return tableOf(
    `Searches at ${size} memories of one owner`,
    turns,
    `Resident memory: ${memory.join(" MB without, ")} MB with. On disk: ${disk.toFixed(0)} bytes a memory.`,
  );
}

async function measureWrites(
  sides: Sides,
  corpus: Corpus,
  { from, seconds }: { from: number; seconds: number },
): Promise<Table> {
  const turns = await inTurns(sides, seconds, (clients, side) => {
    const write = storing(clients, corpus, { next: from });
    if (side !== sides.with) return write;
    return async (count) => {
      const timing = await write(count);
      // What this side has left to do is not to slow the other one down.
      await areMade(side.home);
      return timing;
    };
  });
  return tableOf("Writes, 1 client", turns, "POST /v1/memories, while the model encodes what was written.");
}

function inTurns(
  sides: Sides,
  seconds: number,
  contestant: (clients: Parameters<typeof storing>[0], side: Side) => Contestant,
): Promise<{ without: Timing[]; with: Timing[] }> {
  return withClients(sides.without.server, 1, (without) =>
    withClients(sides.with.server, 1, (its) =>
      interleave({ without: contestant(without, sides.without), with: contestant(its, sides.with) }, seconds),
    ),
  );
}

function tableOf(
  title: string,
  turns: { readonly without: readonly Timing[]; readonly with: readonly Timing[] },
  remark: string,
): Table {
  const ratios = turns.with.map(
    (turn, round) => quantileMs(turn, 0.5) / quantileMs(turns.without[round] as Timing, 0.5),
  );
  const of = (name: "without" | "with") => {
    const timing = merged(turns[name]);
    return [milliseconds(quantileMs(timing, 0.5)), milliseconds(quantileMs(timing, 0.95))];
  };
  return {
    title,
    columns: ["", "p50", "p95", "ratio"],
    rows: [
      ["without the token model", ...of("without"), ""],
      ["with it", ...of("with"), ratio(quantile(ratios, 0.5))],
    ],
    remark: `The ratio is the median of ${ratios.length} rounds' ratios of p50. ${remark}`,
  };
}

export const program = bench(
  HELP,
  { sizes: "10000,100000", seconds: 40 },
  async ({ sizes: asked, seconds }) => {
    const sizes = asked.split(",").map((size) => positive("sizes", size));
    const corpus = new Corpus();
    console.log(render(await measureBuild(corpus)));
    const sides: Sides = { without: await openSide(), with: await openSide() };
    try {
      let filled = 0;
      for (const size of sizes.sort((a, b) => a - b)) {
        await prepare(sides, corpus, filled, size);
        filled = size;
        console.log(render(await measureSearches(sides, corpus, { size, seconds })));
      }
      console.log(render(await measureWrites(sides, corpus, { from: filled, seconds })));
    } finally {
      await Promise.all([sides.without.home.remove(), sides.with.home.remove()]);
    }
  },
);
