import type { Command } from "@commander-js/extra-typings";
import { settings, withTools } from "./open.ts";
import { jsonOption } from "./options.ts";
import { figure, print, printJson, table } from "./terminal.ts";

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
      if (json) printJson({ memories_max: ownerMemoriesMax, bytes_max: ownerBytesMax, owners });
      else if (owners.length === 0) print("Nothing is stored yet.");
      else
        print(
          table(
            ["OWNER", "KIND", "MEMORIES", "OF", "BYTES", "OF"],
            owners.map(({ name, kind, memories, bytes }) => [
              name,
              kind,
              figure(memories),
              share(memories, ownerMemoriesMax),
              figure(bytes),
              share(bytes, ownerBytesMax),
            ]),
          ),
        );
    });
}

/** How much of a bound is used; a dash where there is none. */
function share(used: number, max: number | null): string {
  return max === null ? "-" : `${Math.floor((100 * used) / max)} %`;
}
