import { randomUUID } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { openAccounts } from "../adapters/accounts/open-accounts.ts";
import { openEmbeddedPostgres } from "../adapters/embedded-postgres/open-embedded-postgres.ts";
import { loadLexicon } from "../adapters/embedding/builtin.ts";
import { createGuardedFetch, outboundAllow } from "../adapters/outbound/guarded-fetch.ts";
import { createWebhookSender } from "../adapters/outbound/webhook-sender.ts";
import { createAgentStore } from "../adapters/postgres/access/agent-store.ts";
import { createCredentialStore } from "../adapters/postgres/access/credential-store.ts";
import { createTeamStore } from "../adapters/postgres/access/team-store.ts";
import { awaitServer } from "../adapters/postgres/database/await-server.ts";
import { type Address, connect, openPool, type Sql } from "../adapters/postgres/database/client.ts";
import { withSessionLock } from "../adapters/postgres/database/locks.ts";
import { secret } from "../adapters/postgres/database/service-secret.ts";
import { createErasureStore } from "../adapters/postgres/erasure/erasure-store.ts";
import { createEventUpkeep } from "../adapters/postgres/events/advance.ts";
import { createDeliveryQueue } from "../adapters/postgres/events/delivery-queue.ts";
import { createEventLog } from "../adapters/postgres/events/event-log.ts";
import { createWebhookStore } from "../adapters/postgres/events/webhook-store.ts";
import { countOwners } from "../adapters/postgres/memory/usage.ts";
import { createProjectionStatus } from "../adapters/postgres/recall/outbox.ts";
import { createRetentionStore } from "../adapters/postgres/retention/retention-store.ts";
import { createSystemOfRecord } from "../adapters/postgres/system-of-record.ts";
import { createSecretScanner } from "../adapters/secret-scan/create-secret-scanner.ts";
import type { Accounts } from "../core/access/accounts.ts";
import { TOKEN_PREFIXES } from "../core/access/credential.ts";
import type { CredentialStore } from "../core/access/credential-store.ts";
import { type ErasureStore, finishErasures } from "../core/access/erasure.ts";
import type { OAuthServer } from "../core/access/oauth.ts";
import type { TeamStore } from "../core/access/team-store.ts";
import type { AgentClaims } from "../core/agent/agent-claims.ts";
import { createAgentClaims } from "../core/agent/create-agent-claims.ts";
import { type Application, createApplication } from "../core/application.ts";
import type { WebhookSender } from "../core/events/delivery.ts";
import { createFairShare, type FairShare, placeBoundsFor } from "../core/limits/fair-share.ts";
import { areOwnersBounded } from "../core/limits/storage-limits.ts";
import { createTurns } from "../core/limits/turns.ts";
import { maintainOnSchedule } from "../core/maintenance/run.ts";
import { HandedOut } from "../core/memory/handed-out.ts";
import type { Ports } from "../core/ports.ts";
import type { RetentionStore } from "../core/retention/apply-retention.ts";
import type { Readiness } from "../surfaces/rest/service-endpoints.ts";
import { type EventPulse, startEventPulse } from "../worker/event-pulse.ts";
import { startLoop, type Worker } from "../worker/loop.ts";
import { startRetention } from "../worker/retention-worker.ts";
import { startWebhookWorker } from "../worker/webhook-worker.ts";
import type { Config } from "./config.ts";
import { rerankerOf } from "./providers.ts";
import { createReadiness } from "./readiness.ts";
import { openRecall } from "./recall.ts";
import { schemaIsReady } from "./schema.ts";
import { sha256 } from "./sha256.ts";
import { outsideDatabase } from "./storage-settings.ts";
import { openWatching, type Watching } from "./watching.ts";

/** Everything that runs below the doors. */
export interface Service {
  readonly application: Application;
  /** How those who ask it at the same time share it: one for all doors. */
  readonly share: FairShare;
  readonly watching: Watching;
  readonly credentials: CredentialStore;
  readonly teams: TeamStore;
  readonly agentClaims: AgentClaims;
  readonly erasures: ErasureStore;
  readonly retention: RetentionStore;
  /** Loaded with its first use, like the next. */
  readonly accounts: Accounts;
  readonly oauth: OAuthServer;
  readonly ports: Ports;
  readonly sql: Sql;
  /** Tells of growth of the event log; null where this is no server. */
  readonly pulse: EventPulse | null;
  /** The embedding generation that is written now. */
  readonly generation: number;
  /** How everything that it stands on is, by name; never rejects. */
  readonly readiness: () => Promise<Readiness>;
  /** Resolves with a sentence if the embedded database dies; never otherwise. */
  readonly died: Promise<string>;
  /** Whether it is about to stop, and whoever chooses between servers should choose another. It answers all the same. */
  isDraining(): boolean;
  beginDrain(): void;
  /** Aborts when the service is about to close: what goes on until somebody ends it, ends. */
  readonly stopping: AbortSignal;
  /** Aborts `stopping`. */
  beginStop(): void;
  /** Lets go of everything, database last. Work in the background has ten seconds to come to an end. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A server owns the embedded database's folder and works off the outbox; a tool may work beside a server. */
  readonly role: "server" | "tool";
  /** Progress of what somebody may wait for; never content. */
  readonly log: (message: string) => void;
  readonly report: (error: unknown) => void;
  /** A server is, unless a measurement of what that costs asks otherwise. */
  readonly isWatched?: boolean;
  /** Told why a server is not ready yet, where that may take longer than opening does: its schema is not what it needs. */
  readonly waiting?: (why: string) => void;
  /** How addresses that strangers name are fetched; guarded, and for tests alone another one. */
  readonly fetchOutbound?: typeof fetch;
}

/** Opens the database, sees to its schema, and puts the application together on it. */
export async function openService(config: Config, options: OpenOptions): Promise<Service> {
  const database = await openDatabase(config, options);
  return openServiceOn(database, config, options);
}

/** The same on a database that is open already, which it stops when it closes. */
export async function openServiceOn(
  database: Database,
  config: Config,
  options: OpenOptions,
): Promise<Service> {
  const watching = await openWatching(config, options, connect(database.address, config.databaseConnections));
  const { sql } = watching;
  try {
    await awaitServer(sql, options.log);
    return await assemble(config, { ...options, report: watching.report }, database, watching);
  } catch (error) {
    await watching.close();
    await sql.end({ timeout: 1 });
    await database.stop();
    throw error;
  }
}

/** A database server, and how to let go of it. */
export interface Database {
  readonly address: Address;
  readonly died: Promise<string>;
  stop(): Promise<void>;
}

async function openDatabase(config: Config, { role, log }: OpenOptions): Promise<Database> {
  const outside = outsideDatabase(config);
  if (outside !== null) return { address: outside, died: new Promise(() => {}), stop: async () => {} };
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, log, role });
  return { address: embedded.connection, died: embedded.died, stop: () => embedded.stop() };
}

async function assemble(
  config: Config,
  { role, log, report, waiting = () => {}, fetchOutbound = createGuardedFetch() }: OpenOptions,
  database: Database,
  watching: Watching,
): Promise<Service> {
  const { sql } = watching;
  const turns = createTurns({ now: () => performance.now(), soon: (task) => void setImmediate(task) });
  const ready = schemaIsReady(sql, { migrates: config.migratesOnStart, role, log, waiting });
  const [lexicon] = await Promise.all([loadLexicon(), ready]);
  if (role === "server" && areOwnersBounded(config.storage)) await countOwners(sql);
  const recall = await openRecall(config, {
    sql,
    watching,
    lexicon,
    paceOf: (party) => turns.paceOf(party),
    role,
    log,
    report,
  });
  const { embedder, generation } = recall;
  const credentials = createCredentialStore(sql, config.storage);
  const handedOut = new HandedOut({ hash: sha256, clock: Date.now, key: randomUUID(), later: setImmediate });
  const erasures = createErasureStore(
    sql,
    (ids) => handedOut.forget(ids),
    () => credentials.forgetCached(),
  );
  const projection = createProjectionStatus(sql);
  const sender = webhookSenderOf(config.events.webhooks);
  const reranker = config.rerank && rerankerOf(config.rerank, { after, log });
  const ports: Ports = {
    store: createSystemOfRecord(sql, generation, config.storage, (ids) => handedOut.forget(ids)),
    agents: createAgentStore(sql, () => credentials.forgetCached(), config.storage),
    keys: credentials,
    erasures,
    events: createEventLog(sql),
    webhooks: createWebhookStore(sql),
    webhookSender: sender,
    settings: { publicUrl: config.publicUrl, selfRegistration: config.selfRegistration },
    serving: recall.serving,
    reranker,
    embedder,
    lexicon,
    clock: Date.now,
    newId: uuidv7,
    hash: sha256,
    secrets: { scanner: createSecretScanner(), policy: config.secretPolicy },
    junk: { policy: config.junkPolicy, handedOut },
    pace: turns.paceOf(OWN_WORK),
    report,
    watch: watching.watch,
    figures: watching.figures,
    health: async () => {
      const { oldestSeconds, unembedded } = await projection();
      return { outages: recall.outages(), oldestSeconds, isEmbeddingLate: unembedded > 0 };
    },
  };
  if (role === "server" && config.bootstrapApiKey !== null)
    await credentials.bootstrap(config.bootstrapApiKey);
  if (role === "server") recall.start();
  const maintenance = role === "server" ? startMaintenance(ports, report) : null;
  const retention = createRetentionStore(sql, { generation, onErased: (ids) => handedOut.forget(ids) });
  const keeping =
    role === "server"
      ? startRetention(
          { retention, clock: Date.now, alone: (work) => withSessionLock(sql, "retention", work) },
          config.retention,
          { report, log },
        )
      : null;
  const erasing = role === "server" ? startErasing(erasures, report) : null;
  const stopping = new AbortController();
  let isDraining = false;
  const upkeep = createEventUpkeep(sql, config.events.retentionHours);
  const pulse = role === "server" ? startEventPulse(upkeep, report) : null;
  const webhooks = pulse && startWebhooks(config, { ports, sql, sender, pulse }, report);
  const people = openAccounts({
    openPool: (options) => openPool(database.address, options),
    publicUrl: config.publicUrl,
    secret: async () => (await secret(sql, "accounts")).toString("base64url"),
    fetchOutbound,
    requireRoom: credentials.requireRoom,
    report,
  });
  const share = createFairShare(turns, placeBoundsFor(config.databaseConnections), after);
  const readiness = createReadiness(
    {
      sql: watching.pool,
      dependencies: () => ({
        ...recall.dependencies(),
        ...(reranker && {
          reranker: reranker.isLeftAlone() ? "it keeps failing, and is left alone for now" : null,
        }),
        ...(pulse && { events: pulse.outage() }),
        disk: watching.outOfRoom(),
      }),
      isStopping: () => isDraining || stopping.signal.aborted,
    },
    config,
  );
  await watching.begin({ share: share.figures, readiness });
  return {
    application: createApplication(ports),
    share,
    watching,
    credentials: withOAuth(credentials, people.oauth),
    accounts: people.accounts,
    oauth: people.oauth,
    teams: createTeamStore(sql, config.teams),
    agentClaims: createAgentClaims(ports),
    retention,
    erasures,
    ports,
    sql,
    pulse,
    generation,
    readiness,
    died: database.died,
    isDraining: () => isDraining,
    beginDrain() {
      isDraining = true;
    },
    stopping: stopping.signal,
    beginStop: () => stopping.abort(),
    async close() {
      stopping.abort();
      const work = Promise.all([
        recall.close(),
        maintenance?.stop(),
        keeping?.stop(),
        erasing?.stop(),
        webhooks?.stop(),
      ]);
      // Others may take its work when its leases end.
      if (!(await isDoneWithin(work, WORK_ENDS_WITHIN_MS)))
        log("Background work did not finish in time; another server will continue it.");
      await pulse?.stop();
      await people.close();
      await watching.close();
      await sql.end({ timeout: 5 });
      await database.stop();
    },
  };
}

/** Together with what requests have to finish, less than what systemd and Kubernetes wait before they kill. */
const WORK_ENDS_WITHIN_MS = 10_000;

async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<false>((resolve) => {
    cancel = after(ms, () => resolve(false));
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  cancel();
  return isDone;
}

/** The party of what no request asks for: due maintenance, and what is imported. */
const OWN_WORK = "the service";

function after(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}

function webhookSenderOf({ allow, timeoutSeconds }: Config["events"]["webhooks"]): WebhookSender {
  const allowed = outboundAllow(allow);
  return createWebhookSender({
    allow: allowed,
    fetch: createGuardedFetch({
      allow: allowed,
      methods: ["POST"],
      ignoresBody: true,
      timeoutMs: timeoutSeconds * 1000,
    }),
  });
}

/** How much longer than a request a webhook is a server's: for what is between two of its requests. */
const LEASE_MARGIN_SECONDS = 30;

interface Webhooks {
  readonly ports: Ports;
  readonly sql: Sql;
  readonly sender: WebhookSender;
  readonly pulse: EventPulse;
}

function startWebhooks(
  { events: { webhooks } }: Config,
  { ports, sql, sender, pulse }: Webhooks,
  report: (error: unknown) => void,
): Worker {
  const { attempts, retrySeconds, timeoutSeconds } = webhooks;
  const leaseSeconds = timeoutSeconds + LEASE_MARGIN_SECONDS;
  const queue = createDeliveryQueue(sql, { attemptsMax: attempts, retrySeconds, leaseSeconds });
  const deliverPorts = { ...ports, queue, sender, elapsed: () => performance.now() };
  // A request that begins at the last moment is over before the lease is.
  const holdMs = (LEASE_MARGIN_SECONDS / 2) * 1000;
  return startWebhookWorker(deliverPorts, { pulse, holdMs }, report);
}

const MAINTENANCE_PAUSE_MS = 5000;

/** Looks for projects whose maintenance is due, and for runs that were broken off, as long as the service runs. */
function startMaintenance(ports: Ports, report: (error: unknown) => void): Worker {
  return startLoop((signal) => maintainOnSchedule(ports, { isStopping: () => signal.aborted }), {
    pauseMs: MAINTENANCE_PAUSE_MS,
    report,
  });
}

const ERASING_PAUSE_MS = 1000;

/** Carries out the erasures that are asked for over the network, and those that were broken off, wherever that was. */
function startErasing(erasures: ErasureStore, report: (error: unknown) => void): Worker {
  return startLoop((signal) => finishErasures(erasures, { isStopping: () => signal.aborted }), {
    pauseMs: ERASING_PAUSE_MS,
    report,
  });
}

/**
 * The store, with the access tokens of OAuth among its secrets. Keys of ours begin with their prefix, and a bootstrap
 * key may look like anything: only what has the form of a signed token is tried as one, and then as a key.
 */
function withOAuth<Store extends CredentialStore>(
  store: Store,
  oauth: Pick<OAuthServer, "authenticate">,
): Store {
  return {
    ...store,
    authenticate: async (secret) =>
      (isSigned(secret) ? await oauth.authenticate(secret) : null) ?? (await store.authenticate(secret)),
  };
}

function isSigned(secret: string): boolean {
  return (
    !Object.values(TOKEN_PREFIXES).some((prefix) => secret.startsWith(prefix)) &&
    secret.split(".").length === 3
  );
}
