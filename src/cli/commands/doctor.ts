import { command, json } from "../command.ts";
import { broken, type Finding, warning } from "../doctor/check.ts";
import { checkDatabase, checkDriver } from "../doctor/database.ts";
import { checkDataDir, checkEmbedder, checkRuntime } from "../doctor/machine.ts";
import { checkPort } from "../doctor/port.ts";
import { checkProviders } from "../doctor/provider.ts";
import { explain } from "../failure.ts";
import { misspeltInEnvironment, settings } from "../open.ts";
import { print, printJson } from "../terminal.ts";

export const doctorCommand = command(
  {
    meta: { name: "doctor", description: "Check that everything the service needs is there" },
    args: json,
    async run({ args }) {
      const report = await examine();
      const isBroken = report.findings.some((finding) => finding.status === "broken");
      if (args.json) printJson({ ok: !isBroken, ...report });
      else print(report.findings.map(lineOf).join("\n"));
      return isBroken ? 1 : 0;
    },
  },
  {
    notes: `
It looks at the runtime, the database driver, the settings, the data folder and its disk, the database (reachable,
Postgres 15 or newer, migrations, contents, what waits), the embedder's table, the port, and where the settings name them
the embedding provider (reachable, its dimension) and Elasticsearch (reachable, its version, the credentials, health, the
index and how far it is behind), and changes nothing. Where something is not right it says what to do. The exit status is
1 if anything is broken; a warning alone is 0.

With --json it prints {ok, findings: [{check, status: ok|warning|broken, found, advice}], counts: {owners, memories,
outbox, outbox_late, without_embedding} | null}.

EXAMPLES

  recollect doctor
  DATABASE_URL=postgres://recollect@db/recollect recollect doctor --json`,
  },
);

async function examine() {
  const findings: Finding[] = [checkRuntime(), checkDriver(), await checkEmbedder()];
  let config: ReturnType<typeof settings>;
  try {
    config = settings();
  } catch (error) {
    return { findings: [...findings, broken("settings", "not valid", explain(error))], counts: null };
  }
  findings.push(
    ...misspeltInEnvironment().map((found) => warning("settings", found, "Rename or remove it.")),
  );
  const providers = await checkProviders(config);
  const place = await checkDataDir(config);
  const database = await checkDatabase(config);
  // The engine's client is large, and loaded where it is used.
  const { checkSearchEngine } = await import("../doctor/search-engine.ts");
  const engine = await checkSearchEngine(config, database.projection);
  const port = await checkPort(config);
  return {
    findings: [...findings, ...providers, ...place, ...database.findings, ...engine, port],
    counts: database.counts,
  };
}

const MARKS = { ok: "ok     ", warning: "warning", broken: "BROKEN " } as const;

function lineOf({ check, status, found, advice }: Finding): string {
  const line = `${MARKS[status]}  ${check.padEnd(13)} ${found}`;
  return advice === null ? line : `${line}\n${" ".repeat(23)} ${advice}`;
}
