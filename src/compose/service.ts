import { openAccounts } from "../adapters/accounts/open-accounts.ts";
import { openEmbeddedPostgres } from "../adapters/embedded-postgres/open-embedded-postgres.ts";
import { loadLexicon } from "../adapters/embedding/builtin.ts";
import { createGuardedFetch } from "../adapters/outbound/guarded-fetch.ts";
import { createTeamStore } from "../adapters/postgres/access/team-store.ts";
import { awaitServer } from "../adapters/postgres/database/await-server.ts";
import { type Address, connect, openPool, type Sql } from "../adapters/postgres/database/client.ts";
import { secret } from "../adapters/postgres/database/service-secret.ts";
import { countOwners } from "../adapters/postgres/memory/usage.ts";
import type { Accounts } from "../core/access/accounts.ts";
import { TOKEN_PREFIXES } from "../core/access/credential.ts";
import type { CredentialStore } from "../core/access/credential-store.ts";
import type { ErasureStore } from "../core/access/erasure.ts";
import type { OAuthServer } from "../core/access/oauth.ts";
import type { TeamStore } from "../core/access/team-store.ts";
import type { AgentClaims } from "../core/agent/agent-claims.ts";
import { createAgentClaims } from "../core/agent/create-agent-claims.ts";
import { type Application, createApplication } from "../core/application.ts";
import type { Readiness } from "../core/doctor/health.ts";
import { createFairShare, type FairShare, placeBoundsFor } from "../core/limits/fair-share.ts";
import { areOwnersBounded } from "../core/limits/storage-limits.ts";
import { createTurns } from "../core/limits/turns.ts";
import type { Ports } from "../core/ports.ts";
import type { RetentionStore } from "../core/retention/apply-retention.ts";
import type { EventPulse } from "../worker/event-pulse.ts";
import { startBackground } from "./background.ts";
import type { Config } from "./config.ts";
import { createPorts } from "./ports.ts";
import { after } from "./providers.ts";
import { createReadiness } from "./readiness.ts";
import { openRecall } from "./recall.ts";
import { schemaIsReady } from "./schema.ts";
import { outsideDatabase } from "./storage-settings.ts";
import { openWatching, type Watching } from "./watching.ts";

/** Everything that runs below the surfaces. */
export interface Service {
  readonly application: Application;
  /** How those who ask it at the same time share it: one for all surfaces. */
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
  const { credentials, reranker, ...stores } = createPorts(config, {
    sql,
    recall,
    watching,
    lexicon,
    pace: turns.paceOf(OWN_WORK),
    log,
    report,
  });
  const { ports, retention } = stores;
  if (role === "server" && config.bootstrapApiKey !== null)
    await credentials.bootstrap(config.bootstrapApiKey);
  if (role === "server") recall.start();
  const background =
    role === "server" ? startBackground(config, { ports, sql, retention, log, report }) : null;
  const pulse = background?.pulse ?? null;
  const stopping = new AbortController();
  let isDraining = false;
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
    erasures: stores.erasures,
    ports,
    sql,
    pulse,
    generation: recall.generation,
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
      const work = Promise.all([recall.close(), background?.stop()]);
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
