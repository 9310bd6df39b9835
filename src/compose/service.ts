import { randomUUID } from "node:crypto";
import { openAccounts } from "../adapters/accounts/open-accounts.ts";
import { openEmbeddedPostgres } from "../adapters/embedded-postgres/open-embedded-postgres.ts";
import { loadLexicon } from "../adapters/embedding/builtin.ts";
import { createGuardedFetch } from "../adapters/outbound/guarded-fetch.ts";
import { createTeamStore } from "../adapters/postgres/access/team-store.ts";
import { awaitServer } from "../adapters/postgres/database/await-server.ts";
import { type Address, connect, openPool, type Sql } from "../adapters/postgres/database/client.ts";
import { secret } from "../adapters/postgres/database/service-secret.ts";
import { countOwners } from "../adapters/postgres/memory/usage.ts";
import { readTokenVocabulary } from "../adapters/token-vocabulary.ts";
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
import { areOwnersBounded, limitsOfEndUsers } from "../core/limits/storage-limits.ts";
import { createTurns } from "../core/limits/turns.ts";
import type { Ports } from "../core/ports.ts";
import type { RetentionStore } from "../core/retention/apply-retention.ts";
import { provideVocabulary } from "../recall/pack/count-tokens.ts";
import type { EventPulse } from "../worker/event-pulse.ts";
import { startBackground } from "./background.ts";
import type { Config } from "./config.ts";
import { createPorts } from "./ports.ts";
import type { Siblings } from "./processes.ts";
import { after } from "./providers.ts";
import { createReadiness } from "./readiness.ts";
import { openRecall } from "./recall.ts";
import { schemaIsReady } from "./schema.ts";
import { outsideDatabase } from "./storage-settings.ts";
import { openWatching, type Watching } from "./watching.ts";

/** Everything that runs below the surfaces. */
export interface Service {
  readonly application: Application;
  /** Shares the service among concurrent requesters, over all surfaces. */
  readonly share: FairShare;
  readonly watching: Watching;
  readonly credentials: CredentialStore;
  readonly teams: TeamStore;
  readonly agentClaims: AgentClaims;
  readonly erasures: ErasureStore;
  readonly retention: RetentionStore;
  /** Loaded on first use, like `oauth`. */
  readonly accounts: Accounts;
  readonly oauth: OAuthServer;
  readonly ports: Ports;
  readonly sql: Sql;
  /** Signals growth of the event log; null in a tool. */
  readonly pulse: EventPulse | null;
  /** The embedding generation of new vectors. */
  readonly generation: number;
  /** Returns the state of all dependencies, by name; never rejects. */
  readonly readiness: () => Promise<Readiness>;
  /** Resolves with a sentence if the embedded database dies; never otherwise. */
  readonly died: Promise<string>;
  /** Whether it is about to stop, so that load balancers should choose another server. It still answers requests. */
  isDraining(): boolean;
  beginDrain(): void;
  /** Aborts when the service is about to close, which ends open-ended work such as streams. */
  readonly stopping: AbortSignal;
  /** Aborts `stopping`. */
  beginStop(): void;
  /** Releases everything, the database last. Background work has ten seconds to finish. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A server owns the embedded database's folder and processes the outbox; a tool may run beside a server. */
  readonly role: "server" | "tool";
  /** Logs progress of long work; never content. */
  readonly log: (message: string) => void;
  readonly report: (error: unknown) => void;
  /** Default: true in a server. Benchmarks turn it off to measure its cost. */
  readonly isWatched?: boolean;
  /** The other processes of this server, if it has several. */
  readonly siblings?: Siblings | null;
  /** Called with the reason why a server is not ready yet, when it waits for its schema. */
  readonly waiting?: (why: string) => void;
  /** Fetches addresses that others choose. Default: the guarded fetch. Replaced only in tests. */
  readonly fetchOutbound?: typeof fetch;
}

/** Opens the database, ensures its schema, and creates the service. */
export async function openService(config: Config, options: OpenOptions): Promise<Service> {
  const database = await openDatabase(config, options);
  return openServiceOn(database, config, options);
}

/** The same on a database that is already open, which it stops when it closes. */
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

/** A database server, and how to release it. */
export interface Database {
  readonly address: Address;
  readonly died: Promise<string>;
  stop(): Promise<void>;
}

async function openDatabase(config: Config, options: OpenOptions): Promise<Database> {
  const outside = outsideDatabase(config);
  if (outside !== null) return { address: outside, died: new Promise(() => {}), stop: async () => {} };
  const { dataDir, process } = config;
  // The first process has the folder, and the others use its database.
  const role = process === null || process === 1 ? options.role : "tool";
  const embedded = await openEmbeddedPostgres({ dataDir, log: options.log, role });
  return { address: embedded.connection, died: embedded.died, stop: () => embedded.stop() };
}

async function assemble(
  config: Config,
  {
    role,
    log,
    report,
    waiting = () => {},
    fetchOutbound = createGuardedFetch(),
    siblings = null,
  }: OpenOptions,
  database: Database,
  watching: Watching,
): Promise<Service> {
  const { sql } = watching;
  provideVocabulary(readTokenVocabulary);
  const turns = createTurns({ now: () => performance.now(), soon: (task) => void setImmediate(task) });
  const ready = schemaIsReady(sql, { migrates: config.migratesOnStart, role, log, waiting });
  const [lexicon] = await Promise.all([loadLexicon(), ready]);
  if (role === "server" && areOwnersBounded(config.storage)) await countOwners(sql, ["user", "team"]);
  if (role === "server" && areOwnersBounded(limitsOfEndUsers(config.storage)))
    await countOwners(sql, ["end_user"]);
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
    siblings,
    digestKey: siblings ? (await secret(sql, "recent answers")).toString("hex") : randomUUID(),
    lexicon,
    pace: turns.paceOf(OWN_WORK),
    log,
    report,
  });
  const { ports, retention } = stores;
  if (role === "server" && config.bootstrapApiKey !== null)
    await credentials.bootstrap(config.bootstrapApiKey);
  if (role === "server") recall.start();
  const teams = createTeamStore(sql, config.teams);
  const background =
    role === "server" ? startBackground(config, { ports, sql, retention, teams, log, report }) : null;
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
  await watching.begin({ share: share.figures, readiness, secrets: ports.secrets });
  return {
    application: createApplication(ports),
    share,
    watching,
    credentials: withOAuth(credentials, people.oauth),
    accounts: people.accounts,
    oauth: people.oauth,
    teams,
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
      // Other servers can take over its work when its leases expire.
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

/** Together with the time for running requests, less than the kill timeout of systemd and Kubernetes. */
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

/** The party of work without a request: due maintenance, and imports. */
const OWN_WORK = "the service";

/**
 * Extends the store to accept OAuth access tokens. Only a secret in the form of a signed token is tried as one, and
 * then as a key, since a bootstrap key may have any form.
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
