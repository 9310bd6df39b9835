import { existsSync } from "node:fs";
import { get as httpGet } from "node:http";
import { get as httpsGet } from "node:https";
import { createServer } from "node:net";
import { resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { Client } from "@elastic/elasticsearch";
import type { EngineFound } from "../adapters/elasticsearch/client.ts";
import { dataFolderProblem } from "../adapters/embedded-postgres/data-folder.ts";
import { loadLexicon } from "../adapters/embedding/builtin.ts";
import { HOW_TO_PATCH, isDriverPatched, type Sql } from "../adapters/postgres/database/client.ts";
import { type DatabaseState, inspectDatabase } from "../adapters/postgres/database/inspect.ts";
import { readDatabaseUpkeep } from "../adapters/postgres/database/upkeep.ts";
import { createEventStatus } from "../adapters/postgres/events/event-status.ts";
import { countNearlyFull, nearlyFullLine } from "../adapters/postgres/memory/usage.ts";
import { createProjectionStatus } from "../adapters/postgres/recall/outbox.ts";
import { openTokenEncoder } from "../adapters/token-encoder/token-encoder.ts";
import { authorityOf, type Config } from "../compose/config.ts";
import type { ElasticsearchConfig } from "../compose/elasticsearch-settings.ts";
import { printable, printableLines } from "../compose/printable.ts";
import type { EmbedderConfig } from "../compose/provider-settings.ts";
import { create, inspectReranker } from "../compose/providers.ts";
import { diskRoom } from "../compose/readiness.ts";
import { SERVICE_ID, SERVICE_NAME, SERVICE_VERSION } from "../contract/service.ts";
import { isLoopback } from "../core/access/loopback.ts";
import type { StorageLimits } from "../core/limits/storage-limits.ts";
import type { ProjectionStatus } from "../core/projection/projection-status.ts";
import { checkUpkeep } from "./doctor-database.ts";
import { checkEvents } from "./doctor-events.ts";
import { checkIndexContents } from "./doctor-index.ts";
import { CommandFailure, explain } from "./failure.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";
import { misspeltInEnvironment, settings, withDatabase } from "./open.ts";
import { jsonOption } from "./options.ts";
import { count, print, printJson } from "./terminal.ts";

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("Check that the service has everything it needs")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The command checks, and changes nothing:
  - the runtime, the database driver, the settings, the data folder, its disk and
    the port
  - the database: whether it can be reached, its version (Postgres 15 or newer),
    migrations, whether it accepts writes, its clock, whether it was restored,
    connections, open transactions, unfinished erasures, contents, waiting
    changes, events and webhooks
  - the built-in embedder's table
  - if they are set up, the embedding provider, the token model, the reranker and
    Elasticsearch: whether they can be reached, the version, credentials and
    health, and whether the index belongs to this record and is up to date

For every problem it says what to do. The exit status is 1 if anything is
broken; with warnings alone it is 0.

With --json it prints {ok, findings: [{check, status: ok|warning|broken, found,
advice}], counts: {owners, memories, outbox, outbox_late, without_embedding,
without_token_vectors} | null}.

Examples:
  recollect doctor
  DATABASE_URL=postgres://recollect@db/recollect recollect doctor --json`,
    )
    .action(async ({ json }) => {
      const report = await examine();
      const isBroken = report.findings.some((finding) => finding.status === "broken");
      if (json) printJson({ ok: !isBroken, ...report });
      else print(report.findings.map(lineOf).join("\n"));
      if (isBroken) throw new CommandFailure();
    });
}

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
  const database = await checkDatabase(config);
  findings.push(
    ...(await checkProviders(config)),
    ...(await checkReranker(config)),
    ...(await checkDataDir(config)),
    ...database.findings,
    ...(await checkTokenModel(config, database.counts)),
    ...(await checkSearchEngine(config, database.projection)),
    await checkPort(config),
    ...(await checkPublicUrl(config)),
  );
  return { findings, counts: database.counts };
}

const MARKS = { ok: "ok     ", warning: "warning", broken: "BROKEN " } as const;

function lineOf({ check, status, found, advice }: Finding): string {
  // Findings may contain text from other programs.
  const line = `${MARKS[status]}  ${check.padEnd(13)} ${printable(found)}`;
  return advice === null ? line : `${line}\n${" ".repeat(23)} ${printableLines(advice)}`;
}

function checkRuntime(): Finding {
  const { bun, deno, node } = process.versions as Record<string, string | undefined>;
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`;
  const found = `${SERVICE_NAME} ${SERVICE_VERSION} on ${runtime}, ${process.platform} ${process.arch}`;
  const isOld = !bun && !deno && isBefore(node ?? "", [20, 19]);
  return isOld ? broken("runtime", found, "Use Node 20.19 or newer, Bun or Deno.") : ok("runtime", found);
}

function isBefore(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ours = 0, oursMinor = 0] = version.split(".").map(Number);
  return ours < major || (ours === major && oursMinor < minor);
}

/** Checks the folder of the embedded database and its free space. */
async function checkDataDir({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl !== null) return [ok("data folder", "not used, because DATABASE_URL is set")];
  const folder = resolve(dataDir);
  const problem = dataFolderProblem(folder);
  if (problem !== null) return [broken("data folder", problem.why, problem.advice)];
  const place = existsSync(folder)
    ? ok("data folder", folder)
    : warning("data folder", `${folder} does not exist yet`, "The service creates it when it first starts.");
  return [place, await checkDisk(folder)];
}

async function checkDisk(folder: string): Promise<Finding> {
  const { state, found } = await diskRoom(folder);
  const advice = "Free some space, or set DATA_DIR to a folder on a larger disk.";
  if (state === "full") return broken("disk", found, advice);
  return state === "low" ? warning("disk", found, advice) : ok("disk", found);
}

/** Checks the tables of the builtin embedder. */
async function checkEmbedder(): Promise<Finding> {
  try {
    const { dimension } = await loadLexicon();
    return ok("embedder", `builtin, ${dimension} dimensions`);
  } catch (error) {
    return broken(
      "embedder",
      `a table of word pieces is missing or damaged: ${(error as Error).message}`,
      "Install Recollect again, or restore the file from its package.",
    );
  }
}

const VERSION_MIN = 15;

/** Checks that the database driver has this project's patch. */
function checkDriver(): Finding {
  return isDriverPatched()
    ? ok("driver", "postgres, with this project's patch")
    : broken("driver", "postgres, without this project's patch", HOW_TO_PATCH);
}

/** Checks that the database is reachable, its version and its contents. Changes nothing. */
async function checkDatabase(
  config: Config,
): Promise<{ findings: Finding[]; counts: DatabaseState["counts"]; projection: ProjectionStatus | null }> {
  const kind = config.databaseUrl === null ? "embedded" : "DATABASE_URL";
  const nothing = { counts: null, projection: null };
  let inspected: Awaited<ReturnType<typeof inspect>> | null;
  try {
    inspected = await withDatabase(config, (sql) => inspect(sql, config.storage));
  } catch (error) {
    return { findings: [broken("database", `${kind}, not reachable`, explain(error))], ...nothing };
  }
  if (inspected === null) {
    const advice = "The service creates it when it first starts.";
    return { findings: [warning("database", `${kind}, not created yet`, advice)], ...nothing };
  }
  const { state, projection, room, events, upkeep } = inspected;
  const found = `${kind}, Postgres ${state.version}`;
  const isOld = state.majorVersion < VERSION_MIN;
  const server = isOld
    ? broken("database", found, `Use Postgres ${VERSION_MIN} or newer.`)
    : ok("database", found);
  const findings = [
    server,
    checkSchema(state.migrations),
    ...checkUpkeep(upkeep, config.databaseConnections),
    ...checkContents(state.counts),
    ...checkEvents(events),
    ...roomFindings(room),
  ];
  return { findings, counts: state.counts, projection };
}

async function inspect(sql: Sql, limits: StorageLimits) {
  const state = await inspectDatabase(sql);
  const isCurrent = state.migrations.missing.length === 0;
  if (!isCurrent) return { state, projection: null, room: null, events: null, upkeep: null };
  const room = nearlyFullLine(await countNearlyFull(sql, limits));
  const events = await createEventStatus(sql)();
  const upkeep = await readDatabaseUpkeep(sql);
  return { state, projection: await createProjectionStatus(sql)(), room, events, upkeep };
}

function roomFindings(nearlyFull: string | null): Finding[] {
  const advice =
    "Run recollect usage to see them. Raise OWNER_MEMORIES_MAX or OWNER_BYTES_MAX, or ask them to delete memories.";
  return nearlyFull === null ? [] : [warning("room", nearlyFull, advice)];
}

function checkSchema({ applied, missing, newer, tooNew }: DatabaseState["migrations"]): Finding {
  if (tooNew.length > 0) {
    const found = `the database has ${tooNew.join(", ")}, which this version cannot work with`;
    return broken("migrations", found, "Use a newer version of Recollect.");
  }
  if (missing.length > 0) {
    const advice =
      "Run recollect migrate. The service also applies them when it starts, unless MIGRATE_ON_START=off.";
    return warning("migrations", `${missing.length} not applied yet: ${missing.join(", ")}`, advice);
  }
  const others =
    newer.length === 0 ? "" : `, ${newer.length} of them from a newer version that this one works with`;
  return ok("migrations", `all ${applied} applied${others}`);
}

function checkContents(counts: DatabaseState["counts"]): Finding[] {
  if (counts === null) return [];
  const { owners, memories, outbox, outbox_late: late, without_embedding: unembedded } = counts;
  const isLate =
    "Start the service. If it is running, look in its log: its worker should process these changes.";
  return [
    ok("contents", `${count(owners, "owner")}, ${count(memories, "memory", "memories")}`),
    late > 0
      ? warning("outbox", `${outbox} waiting, ${late} of them for more than a minute`, isLate)
      : ok("outbox", `${outbox} waiting`),
    unembedded > outbox
      ? warning("embeddings", `${unembedded} memories have none`, "Run recollect reembed to make them.")
      : ok("embeddings", unembedded === 0 ? "every memory has one" : `${unembedded} being made`),
  ];
}

const SERVER_ANSWERS_WITHIN_MS = 3000;

/** Checks that the service can listen on its port, or already does. */
async function checkPort({ host, port }: Config): Promise<Finding> {
  if (port === 0) return ok("port", "any free port");
  const address = authorityOf(host, port);
  const failure = await listenFailure(host, port);
  if (failure === null) return ok("port", `${address} is free`);
  if (failure === "EADDRINUSE") return whoServes(address);
  return failure === "EACCES"
    ? broken("port", `this user may not listen on ${address}`, "Set PORT to 1024 or above.")
    : broken(
        "port",
        `${address} cannot be listened on (${failure})`,
        "Set HOST to an address of this machine.",
      );
}

function listenFailure(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

async function whoServes(address: string): Promise<Finding> {
  const advice = "Stop that program, or set PORT to a free port.";
  const other = broken("port", `${address} is taken by another program`, advice);
  const origin = callable(address);
  try {
    const health = (await getJson(`${origin}/healthz`)) as { status?: unknown; version?: unknown };
    const service = (await getJson(origin)) as { service?: unknown };
    if (service.service !== SERVICE_ID) return other;
    const what = `${SERVICE_NAME} ${String(health.version)}, status ${String(health.status)}`;
    return ok("port", `${address} is served by ${what}`);
  } catch {
    return other;
  }
}

/** The URL to call a listening address. A wildcard address is replaced by the loopback address. */
function callable(address: string): string {
  return `http://${address.replace(/^(0\.0\.0\.0|\[::\]):/, "127.0.0.1:")}`;
}

/** Checks that a running server accepts the host of PUBLIC_URL, both locally and through that address. */
async function checkPublicUrl({ host, port, publicUrl }: Config): Promise<Finding[]> {
  if (port === 0) return [];
  const name = new URL(publicUrl).host;
  if (await refusesHost(callable(authorityOf(host, port)), name)) {
    const found = `the running server does not accept ${name}, the host in PUBLIC_URL`;
    return [broken("public url", found, "It was started with other settings: restart it with these.")];
  }
  if (await refusesHost(publicUrl, null)) {
    const found = `what answers at ${publicUrl} passes on another host name, which the server refuses`;
    const advice = `Have the proxy pass on the Host header, or add the name that it sends to ALLOWED_HOSTS.`;
    return [broken("public url", found, advice)];
  }
  return [];
}

/** True if a server answers that it refuses that host (`null`: the host in the address). */
function refusesHost(origin: string, host: string | null): Promise<boolean> {
  const get = origin.startsWith("https:") ? httpsGet : httpGet;
  const headers = { accept: "application/json", ...(host === null ? {} : { host }) };
  return new Promise((resolve) => {
    const request = get(`${origin}/healthz`, { headers, timeout: SERVER_ANSWERS_WITHIN_MS }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text = (text + part).slice(0, 1000);
      });
      answer.once("close", () => resolve(answer.statusCode === 403 && text.includes('"host_not_allowed"')));
    });
    request.once("timeout", () => request.destroy()).once("error", () => resolve(false));
  });
}

async function getJson(url: string): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(SERVER_ANSWERS_WITHIN_MS),
  });
  return answer.json();
}

/** Checks that the configured embedding providers answer with vectors of their dimension. */
async function checkProviders({ embedding }: Config): Promise<Finding[]> {
  const { current, previous, timeoutMs } = embedding;
  const named = [
    { check: "provider", config: current },
    ...(previous ? [{ check: "previous", config: previous }] : []),
  ];
  const findings = await Promise.all(
    named.map(({ check, config }) => checkProvider(check, config, timeoutMs)),
  );
  return findings.filter((finding) => finding !== null);
}

async function checkProvider(
  check: string,
  config: EmbedderConfig,
  timeoutMs: number,
): Promise<Finding | null> {
  if (config.provider === "builtin") return null;
  const asked = create(config, timeoutMs, await loadLexicon());
  const found = `${config.provider}, ${config.model}, ${config.dimensions} dimensions`;
  const problem = await asked.check?.();
  if (!problem) return ok(check, `${found}, answers`);
  return broken(
    check,
    `${found}: ${problem.problem}`,
    problem.isWrongDimension
      ? "Set EMBEDDING_DIMENSIONS to the dimension of the model; otherwise the service does not start."
      : "New memories are embedded once it answers; until then recall matches by words only.",
  );
}

/** Checks that the configured reranker answers. */
async function checkReranker({ rerank }: Config): Promise<Finding[]> {
  if (rerank === null) return [];
  const found = rerank.model === null ? rerank.provider : `${rerank.provider}, ${rerank.model}`;
  const problem = await inspectReranker(rerank);
  if (problem === null) return [ok("reranker", `${found}, answers`)];
  const advice =
    "Until it answers, recall works without reranking. Check RERANK_BASE_URL, RERANK_PROVIDER, the key and its log.";
  return [broken("reranker", `${found}: ${problem}`, advice)];
}

/** Checks that the configured token model runs here, and how many memories have its vectors. */
async function checkTokenModel({ tokenModel }: Config, counts: DatabaseState["counts"]): Promise<Finding[]> {
  if (!tokenModel) return [];
  try {
    const encoder = await openTokenEncoder(await loadLexicon());
    await encoder.close();
    return [ok("token model", `${encoder.generation.model}, ${backlogOf(counts)}`)];
  } catch (error) {
    const found = "TOKEN_MODEL=on has no effect: recall works without the token model";
    return [warning("token model", found, explain(error))];
  }
}

function backlogOf(counts: DatabaseState["counts"]): string {
  const missing = counts === null ? null : counts.without_token_vectors;
  if (missing === null) return "no vectors yet; a running server makes them";
  return missing === 0 ? "every memory has vectors" : `${missing} memories still need vectors`;
}

const ENGINE_ANSWERS_WITHIN_MS = 5000;
const LATE_SECONDS = 60;

/** Checks that the configured search engine is reachable, its version, and the state of its index. Changes nothing. */
async function checkSearchEngine(config: Config, status: ProjectionStatus | null): Promise<Finding[]> {
  const { elasticsearch } = config;
  if (elasticsearch === null) return [];
  // The engine's client is large, so it is loaded only here.
  const { inspectEngine, unsupported } = await import("../adapters/elasticsearch/client.ts");
  let client: Client;
  try {
    const { clientFor } = await import("../compose/search-engine.ts");
    client = await clientFor(elasticsearch);
  } catch (error) {
    return [broken("search engine", "not usable", explain(error))];
  }
  try {
    const found = await inspectEngine(client, ENGINE_ANSWERS_WITHIN_MS);
    const engine =
      found.kind === "supported" ? await checkHealth(client, found.version) : absent(found, unsupported);
    const contents =
      found.kind === "supported" && status !== null ? await compareIndex(config, client, elasticsearch) : [];
    return [
      engine,
      ...plainPassword(elasticsearch),
      ...(status === null ? [] : indexFindings(status)),
      ...contents,
    ];
  } finally {
    await client.close();
  }
}

async function compareIndex(
  config: Config,
  client: Client,
  elasticsearch: ElasticsearchConfig,
): Promise<Finding[]> {
  const lexicon = await loadLexicon();
  try {
    return (
      (await withDatabase(config, (sql) => checkIndexContents(client, elasticsearch, { sql, lexicon }))) ?? []
    );
  } catch (error) {
    return [warning("comparison", "the index could not be compared with the record", explain(error))];
  }
}

function absent(
  found: Exclude<EngineFound, { kind: "supported" }>,
  unsupported: (found: string) => string,
): Finding {
  if (found.kind === "unsupported") {
    const advice = "Upgrade it; the service does not start with this version.";
    return broken("search engine", `${unsupported(found.found)}.`, advice);
  }
  const advice =
    "Until it answers, recall uses the index in memory. Check ELASTICSEARCH_URL, the credentials and the engine's log.";
  return broken("search engine", `Elasticsearch: ${found.why}`, advice);
}

async function checkHealth(client: Client, version: string): Promise<Finding> {
  const product = `Elasticsearch ${version}`;
  const health = await client.cluster
    .health({}, { requestTimeout: ENGINE_ANSWERS_WITHIN_MS })
    .catch(() => null);
  if (health === null) {
    const advice = "Grant the credentials the cluster privilege `monitor`.";
    return warning("search engine", `${product}, which does not report its health`, advice);
  }
  const found = `${product}, ${health.number_of_nodes} nodes, ${health.status}`;
  if (health.status !== "red") return ok("search engine", found);
  const advice = "Some shards have no working copy: see GET _cluster/allocation/explain.";
  return broken("search engine", found, advice);
}

/** Warns about a password that is sent unencrypted over the network. */
function plainPassword({ nodes, auth }: ElasticsearchConfig): Finding[] {
  const isElsewhere = (url: string) => url.startsWith("http:") && !isLoopback(new URL(url).hostname);
  if (auth === null || !nodes.some(isElsewhere)) return [];
  const advice = "Use https in ELASTICSEARCH_URL, unless the network in between is private.";
  return [warning("search TLS", "credentials are sent to the search engine unencrypted", advice)];
}

function indexFindings({ indexes, pending, oldestSeconds, setAside }: ProjectionStatus): Finding[] {
  const active = indexes.find(({ state }) => state === "active");
  const building = indexes.find(({ state }) => state === "building");
  const progress = building && `${building.name} is being built: ${building.scanned} of ${building.total}`;
  const noneYet = "A running service builds it; until then recall uses the index in memory.";
  const late =
    "Recall still finds them, but more slowly. Start the service. If it is running, look in its log.";
  const seconds = Math.round(oldestSeconds ?? 0);
  const lag = pending === 0 ? "nothing waiting" : `${pending} changes waiting, the oldest for ${seconds} s`;
  const reasons = Object.entries(setAside).map(([reason, count]) => `${count} by ${reason}`);
  const refused = `changes that are no longer retried: ${reasons.join(", ")}`;
  return [
    active
      ? ok("search index", progress ? `${active.name}; ${progress}` : active.name)
      : warning("search index", progress ?? "there is none yet", noneYet),
    (oldestSeconds ?? 0) < LATE_SECONDS ? ok("projection", lag) : warning("projection", lag, late),
    ...(reasons.length === 0
      ? []
      : [warning("set aside", refused, "Once the cause is fixed, run recollect reindex to retry them.")]),
  ];
}
