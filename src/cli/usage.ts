import type { Command } from "@commander-js/extra-typings";
import { settings, withTools } from "./open.ts";
import { jsonOption } from "./options.ts";
import { figure, printJson, printList } from "./terminal.ts";

const LISTED_MAX = 1000;

export function addUsage(program: Command): void {
  program
    .command("usage")
    .description("List what users and teams store, largest first")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Bytes count text, metadata, provenance and earlier versions. OWNER_MEMORIES_MAX
and OWNER_BYTES_MAX limit what an owner may store; by default there is no limit.
The thousand largest owners are listed.

With --json it prints {memories_max, bytes_max, owners: [{kind: user|team, name,
memories, bytes}]}; a limit that is not set is null.

Examples:
  recollect usage`,
    )
    .action(async ({ json }) => {
      const { ownerMemoriesMax, ownerBytesMax } = settings().storage;
      const owners = await withTools(({ usage }) => usage(LISTED_MAX));
      if (json) {
        printJson({ memories_max: ownerMemoriesMax, bytes_max: ownerBytesMax, owners });
        return;
      }
      printList(false, owners, {
        json: (owner) => owner,
        empty: "Nothing is stored yet.",
        columns: [
          ["OWNER", ({ name }) => name],
          ["KIND", ({ kind }) => kind],
          ["MEMORIES", ({ memories }) => figure(memories)],
          ["OF", ({ memories }) => share(memories, ownerMemoriesMax)],
          ["BYTES", ({ bytes }) => figure(bytes)],
          ["OF", ({ bytes }) => share(bytes, ownerBytesMax)],
        ],
      });
    });
}

/** The used share of a limit; a dash if there is no limit. */
function share(used: number, max: number | null): string {
  return max === null ? "-" : `${Math.floor((100 * used) / max)} %`;
}
