import type { Command } from "@commander-js/extra-typings";
import { CommandFailure } from "./failure.ts";
import { settings, withSchema } from "./open.ts";
import { jsonOption, value } from "./options.ts";
import { print, printJson, say } from "./terminal.ts";

export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("Bring the database schema up to date")
    .option("--check", "Change nothing; only fail if the schema is not up to date")
    .option("--grant-to <role>", "Grant this role what a server needs in the database", value(String))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Servers do this when they start, unless MIGRATE_ON_START=off. With that setting,
run this command as the role that owns the schema before you roll out a new
version. It can run while servers are running, and again if it was interrupted:
it continues where it stopped. While it waits for a lock it keeps retrying, and
never holds up other work for more than a quarter of a second.

With --grant-to the servers' role may read and write rows, and nothing else.
Create the role first: create role NAME login.

With --json it prints {applied: [NAME], missing: [NAME], newer: [NAME]}: the
migrations that it applied, those not applied, and those that a newer version
applied.

Examples:
  recollect migrate
  recollect migrate --check
  DATABASE_URL=postgres://recollect_owner@db/recollect recollect migrate --grant-to recollect_app`,
    )
    .action(async ({ check = false, grantTo, json }) => {
      if (check && grantTo !== undefined)
        throw new Error(
          "--check and --grant-to cannot be combined: --check changes nothing. Give one of them.",
        );
      const { before, after } = await withSchema(
        settings(),
        async ({ inspect, migrate, grantToRuntime }) => {
          const found = await inspect();
          if (check) return { before: found, after: found };
          await migrate(say);
          if (grantTo !== undefined) await grantToRuntime(grantTo);
          return { before: found, after: await inspect() };
        },
        { makesDatabase: !check },
      );
      const applied = before.missing.filter((name) => !after.missing.includes(name));
      const { missing, newer, tooNew } = after;
      if (json) printJson({ applied, missing, newer: [...newer, ...tooNew] });
      else for (const line of inWords({ applied, missing, newer, tooNew })) print(line);
      if (missing.length > 0 || tooNew.length > 0) throw new CommandFailure();
    });
}

interface Outcome {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  readonly newer: readonly string[];
  readonly tooNew: readonly string[];
}

function inWords({ applied, missing, newer, tooNew }: Outcome): string[] {
  const lines = [
    ...applied.map((name) => `Applied ${name}.`),
    ...missing.map((name) => `Not applied: ${name}.`),
    ...newer.map((name) => `Applied by a newer version that this one works with: ${name}.`),
    ...tooNew.map(
      (name) =>
        `Applied by a newer version that this one cannot work with: ${name}. Use the newer version of Recollect.`,
    ),
  ];
  return applied.length + missing.length + tooNew.length === 0
    ? [...lines, "The schema is up to date."]
    : lines;
}
