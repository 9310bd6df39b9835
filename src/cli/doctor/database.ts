import { HOW_TO_PATCH, isDriverPatched, type Sql } from "../../adapters/postgres/database/client.ts";
import { type DatabaseState, inspectDatabase } from "../../adapters/postgres/database/inspect.ts";
import { createProjectionStatus } from "../../adapters/postgres/recall/projection-status.ts";
import type { Config } from "../../compose/config.ts";
import type { ProjectionStatus } from "../../core/projection/projection-status.ts";
import { explain } from "../failure.ts";
import { withDatabase } from "../open.ts";
import { broken, type Finding, ok, warning } from "./check.ts";

const VERSION_MIN = 15;

/** Whether the driver is as the service needs it. */
export function checkDriver(): Finding {
  return isDriverPatched()
    ? ok("driver", "postgres, with this project's patch")
    : broken("driver", "postgres, without this project's patch", HOW_TO_PATCH);
}

/** Whether the database is there, what it is, and what is in it. Changes nothing. */
export async function checkDatabase(
  config: Config,
): Promise<{ findings: Finding[]; counts: DatabaseState["counts"]; projection: ProjectionStatus | null }> {
  const kind = config.databaseUrl === null ? "embedded" : "DATABASE_URL";
  const nothing = { counts: null, projection: null };
  let looked: Awaited<ReturnType<typeof look>> | null;
  try {
    looked = await withDatabase(config, look);
  } catch (error) {
    return { findings: [broken("database", `${kind}, not reachable`, explain(error))], ...nothing };
  }
  if (looked === null) {
    return {
      findings: [warning("database", `${kind}, not made yet`, "The first start of the service makes it.")],
      ...nothing,
    };
  }
  const { state, projection } = looked;
  const found = `${kind}, Postgres ${state.version}`;
  const isOld = state.majorVersion < VERSION_MIN;
  const server = isOld
    ? broken("database", found, `Use Postgres ${VERSION_MIN} or newer.`)
    : ok("database", found);
  const findings = [server, ...checkSchema(state), ...checkContents(state.counts)];
  return { findings, counts: state.counts, projection };
}

async function look(sql: Sql) {
  const state = await inspectDatabase(sql);
  const isCurrent = state.migrations.missing.length === 0;
  return { state, projection: isCurrent ? await createProjectionStatus(sql)() : null };
}

function checkSchema({ migrations }: DatabaseState): Finding[] {
  const { applied, missing, unknown } = migrations;
  if (unknown.length > 0) {
    return [
      broken(
        "migrations",
        `the database has ${unknown.join(", ")}, which this version does not know`,
        "Use a newer version of Recollect.",
      ),
    ];
  }
  if (missing.length === 0) return [ok("migrations", `all ${applied} applied`)];
  return [
    warning(
      "migrations",
      `${missing.length} not applied yet: ${missing.join(", ")}`,
      "The next start of the service applies them.",
    ),
  ];
}

function checkContents(counts: DatabaseState["counts"]): Finding[] {
  if (counts === null) return [];
  const backlog = `${counts.outbox} waiting`;
  return [
    ok("contents", `${counts.owners} owners, ${counts.memories} memories`),
    counts.outbox_late > 0
      ? warning(
          "outbox",
          `${backlog}, ${counts.outbox_late} of them for more than a minute`,
          "Start the service, or look at its log if it runs: its worker does what waits.",
        )
      : ok("outbox", backlog),
    counts.without_embedding > counts.outbox
      ? warning(
          "embeddings",
          `${counts.without_embedding} memories have none`,
          "recollect reembed makes them.",
        )
      : ok(
          "embeddings",
          counts.without_embedding === 0 ? "every memory has one" : `${counts.without_embedding} being made`,
        ),
  ];
}
