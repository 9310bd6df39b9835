import type { Command } from "@commander-js/extra-typings";
import { CommandFailure } from "./failure.ts";
import { settings, withSchema } from "./open.ts";
import { jsonOption, value } from "./options.ts";
import { print, printJson, say } from "./terminal.ts";

export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("Bring the schema of the database up to date")
    .option("--check", "Change nothing; fail if the schema is not up to date")
    .option("--grant-to <role>", "Give this role what a server needs of the database", value(String))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Servers do the same when they start, unless MIGRATE_ON_START=off: then this is a step of its own, before the new version
is rolled out, by the role that owns the schema. It may run while servers do, and again after it was broken off: it goes on
where it stopped. Waiting for a lock, it tries again and again, and holds up nobody for longer than a quarter of a second.

With --grant-to the servers' role may read and write rows, and nothing else. Make the role first: create role NAME login.

With --json it prints {applied: [NAME], missing: [NAME], newer: [NAME]}: what it applied, what is not applied, and what a
newer version has applied.

Examples:
  recollect migrate
  recollect migrate --check
  DATABASE_URL=postgres://recollect_owner@db/recollect recollect migrate --grant-to recollect_app`,
    )
    .action(async ({ check = false, grantTo, json }) => {
      if (check && grantTo !== undefined)
        throw new Error("--check changes nothing, and --grant-to does: give one of them.");
      const { before, after } = await withSchema(settings(), async ({ inspect, migrate, grantToRuntime }) => {
        const found = await inspect();
        if (check) return { before: found, after: found };
        await migrate(say);
        if (grantTo !== undefined) await grantToRuntime(grantTo);
        return { before: found, after: await inspect() };
      });
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
    ...newer.map((name) => `Of a newer version, which this one works with: ${name}.`),
    ...tooNew.map((name) => `Of a newer version, which this one cannot work with: ${name}.`),
  ];
  return applied.length + missing.length + tooNew.length === 0
    ? [...lines, "The schema is up to date."]
    : lines;
}
