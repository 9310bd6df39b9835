import { reembed } from "../../core/projection/reembed.ts";
import { command, json } from "../command.ts";
import { settings, type Tools, withTools } from "../open.ts";
import { activeOf, rebuild, withIndexTools } from "../search-index.ts";
import { count, createProgress, figure, interruptible, print, printJson, say } from "../terminal.ts";

export const reembedCommand = command(
  {
    meta: {
      name: "reembed",
      description: "Embed every memory that has no vector of the current embedding model",
    },
    args: json,
    run: ({ args }) => interruptible((signal) => embedAll(signal, args.json === true)),
  },
  {
    notes: `
A running server does this by itself; this is for doing it beforehand or by hand: another embedding model, a restored
database, an embedding provider that was away. It may be stopped and run again.

With a search engine whose index has the vectors of another model it then builds the next index and puts it in place
(see recollect reindex). Until then queries go on with the old one.

With --json it prints {embedded, remaining, index}: the index that was built, or null. The exit status is 1 where it was
stopped before the end.

EXAMPLES

  recollect reembed
  recollect reembed --json`,
  },
);

async function embedAll(signal: AbortSignal, asJson: boolean): Promise<number> {
  const { embedded, remaining } = await withTools((tools) => embedHere(tools, signal));
  const index = settings().elasticsearch === null || signal.aborted ? null : await buildNext(signal);
  if (asJson) printJson({ embedded, remaining, index });
  else {
    print(`Embedded ${count(embedded, "memory", "memories")}; ${remaining} without a vector.`);
    if (index !== null) print(`The index ${index} serves now.`);
  }
  if (!signal.aborted) return 0;
  say("Stopped before the end: run it again to go on.");
  return 1;
}

async function embedHere(tools: Tools, signal: AbortSignal) {
  const progress = createProgress();
  try {
    return await reembed(tools, {
      signal,
      onProgress: (done, of) =>
        progress.show(
          (seconds) =>
            `${figure(done)} of ${count(of, "memory", "memories")}, ${figure(Math.round(done / seconds))}/s`,
        ),
    });
  } finally {
    progress.end();
  }
}

/** The name of the next index, where the active one has other vectors. */
function buildNext(signal: AbortSignal): Promise<string | null> {
  return withIndexTools(async (tools) => {
    const active = await activeOf(tools.ports);
    if (active === null || active.embeddingGeneration === tools.target.embeddingGeneration) return null;
    return (await rebuild(tools, signal))?.name ?? null;
  });
}
