import { compareIndex } from "../../core/projection/compare-index.ts";
import { command, json } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { activeOf, type IndexTools, rebuild, withIndexTools } from "../search-index.ts";
import { count, interruptible, print, printJson, say } from "../terminal.ts";

export const reindexCommand = command(
  {
    meta: { name: "reindex", description: "Build the search engine's index anew from the record" },
    args: {
      verify: {
        type: "boolean",
        description: "Compare the index with the record and put right what differs",
      },
      ...json,
    },
    run: ({ args }) =>
      interruptible((signal) =>
        withIndexTools((tools) =>
          args.verify === true
            ? verify(tools, signal, args.json === true)
            : buildAnew(tools, signal, args.json === true),
        ),
      ),
  },
  {
    notes: `
It works beside running servers: recall goes on with the old index until the new one is complete, and what is written
meanwhile goes to both. It may be stopped; the next run, or a running server, goes on where it was. A server does this by
itself where the index is gone or of an older version. Needed by hand after the database was restored from a backup.

--verify counts and compares memories and their revisions, and sends again what is missing or outdated. Both try once more
what the engine or the embedder had refused and was set aside.

With --json it prints {index, memories}, or with --verify {index, missing, outdated, foreign, refused}: memories that the index
lacked, had in an older state, had and should not, and that the engine refuses. The exit status is 1 where it was stopped
before the end, or where the engine refuses memories.

EXAMPLES

  recollect reindex
  recollect reindex --verify --json`,
  },
);

async function buildAnew(tools: IndexTools, signal: AbortSignal, asJson: boolean): Promise<number> {
  await tools.outbox.retrySetAside();
  const index = await rebuild(tools, signal);
  if (index === null) {
    say("Stopped before the end: run it again to go on. A running server goes on by itself.");
    return 1;
  }
  if (asJson) printJson({ index: index.name, memories: index.scanned });
  else print(`The index ${index.name} serves now, with ${count(index.scanned, "memory", "memories")}.`);
  return 0;
}

async function verify(tools: IndexTools, signal: AbortSignal, asJson: boolean): Promise<number> {
  await tools.outbox.retrySetAside();
  const index = await activeOf(tools.ports);
  if (index === null) throw new CommandFailure("There is no index yet: recollect reindex builds one.");
  const { missing, outdated, foreign, refused } = await compareIndex(tools.ports, index, { signal });
  if (asJson) printJson({ index: index.name, missing, outdated, foreign, refused });
  else if (missing + outdated + foreign === 0) print("The index holds what the record does.");
  else
    print(
      `Put right: ${count(missing, "memory", "memories")} missing, ${outdated} outdated, ${foreign} that should not be there; ${refused} refused by the engine.`,
    );
  return refused > 0 || signal.aborted ? 1 : 0;
}
