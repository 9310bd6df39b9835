import { reembed } from "../../core/recall/reembed.ts";
import { command, json } from "../command.ts";
import { withTools } from "../open.ts";
import { count, createProgress, figure, interruptible, print, printJson, say } from "../terminal.ts";

export const reembedCommand = command(
  {
    meta: {
      name: "reembed",
      alias: "reindex",
      description: "Embed every memory that has no vector of the current embedding model",
    },
    args: json,
    run: ({ args }) => interruptible((signal) => embedAll(signal, args.json === true)),
  },
  {
    aliases: ["reindex"],
    notes: `
A running server does this by itself for what is written; this is for afterwards: another embedding model, a restored
database, an embedding provider that was away. It may be stopped and run again.

The embedded recall index is built from the record whenever it is needed, so reindex has nothing else to rebuild.

With --json it prints {embedded, remaining}. The exit status is 1 where it was stopped before the end.

EXAMPLES

  recollect reembed
  recollect reindex --json`,
  },
);

async function embedAll(signal: AbortSignal, asJson: boolean): Promise<number> {
  const progress = createProgress();
  const { embedded, remaining } = await withTools((tools) =>
    reembed(tools, {
      signal,
      onProgress: (done, of) =>
        progress.show(
          (seconds) =>
            `${figure(done)} of ${count(of, "memory", "memories")}, ${figure(Math.round(done / seconds))}/s`,
        ),
    }),
  );
  progress.end();
  if (asJson) printJson({ embedded, remaining });
  else print(`Embedded ${count(embedded, "memory", "memories")}; ${remaining} without a vector.`);
  if (!signal.aborted) return 0;
  say("Stopped before the end: run it again to go on.");
  return 1;
}
