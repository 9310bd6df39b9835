import type { Address } from "../../src/adapters/postgres/database/client.ts";
import { createApp } from "../../src/compose/app.ts";
import { createLog } from "../../src/compose/log.ts";
import { openServiceOn, type Service } from "../../src/compose/service.ts";
import { type Scope, scopes } from "../../src/contract/scope.ts";
import type { TokenSpace } from "../../src/core/access/credential.ts";
import { clientOf } from "./http-client.ts";
import { indexUnderTest } from "./index-under-test.ts";
import { createDatabase } from "./own-database.ts";
import { serviceConfig } from "./service-config.ts";

/** An answer as a client sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  readonly body: any;
}

/** A client with one credential, over the real REST surface. */
export interface Client {
  readonly token: string;
  readonly tokenId: string;
  readonly ownerId: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface ClientOptions {
  readonly owner?: string;
  readonly team?: string;
  readonly scopes?: readonly Scope[];
  readonly space?: Partial<TokenSpace>;
  readonly expiresAt?: number;
}

/** A service on a database of its own, with real clients. */
export interface World {
  readonly service: Service;
  client(options?: ClientOptions): Promise<Client>;
  /** A client with any token, valid or not. */
  withToken(token: string): Omit<Client, "tokenId" | "ownerId">;
  handle(request: Request): Promise<Response>;
  /**
   * Opens another service on the same database and index, as a replica is, with `env` besides the settings of the first;
   * answers its `handle`. It goes with the first.
   */
  replica(env?: Readonly<Record<string, string>>): Promise<World["handle"]>;
  close(): Promise<void>;
}

export const everyScope = Object.keys(scopes) as Scope[];

/** On the index of `RECOLLECT_INDEX`, unless the settings name another. */
export async function openWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  return openWorldOn(await createDatabase(), env);
}

/** The same on a database that is there, which is dropped when it closes. */
export async function openWorldOn(
  database: { readonly address: Address; drop(): Promise<void> },
  env: Readonly<Record<string, string>> = {},
): Promise<World> {
  const index = indexUnderTest();
  const configWith = (more: Readonly<Record<string, string>>) =>
    serviceConfig({ DATABASE_CONNECTIONS: "8", ...index.settings, ...env, ...more });
  const config = configWith({});
  const log = createLog(config);
  const open = (more: Readonly<Record<string, string>> = {}) =>
    openServiceOn(
      { address: database.address, died: new Promise(() => {}), stop: async () => {} },
      configWith(more),
      { role: "server", log: () => {}, report: (error) => log.failure("background", error) },
    );
  const handleOf = (of: Service): World["handle"] => {
    const app = createApp(of, config, log);
    return (request) => Promise.resolve(app.handle(request));
  };
  const service = await open();
  const replicas: Service[] = [];
  const handle = handleOf(service);
  return {
    service,
    handle,
    async replica(more) {
      const other = await open(more);
      replicas.push(other);
      return handleOf(other);
    },
    withToken: (token) => clientOf("http://localhost", token, handle),
    async client(options = {}) {
      const { secret, tokenId, ownerId } = await issue(service, options);
      return { ...clientOf("http://localhost", secret, handle), tokenId, ownerId };
    },
    async close() {
      await Promise.all([service, ...replicas].map((each) => each.close()));
      await index.remove();
      await database.drop();
    },
  };
}

async function issue(service: Service, options: ClientOptions) {
  const kind = options.team ? "team" : "user";
  const owner = await service.credentials.ensureOwner(kind, options.team ?? options.owner ?? "alice");
  const { credential, secret } = await service.credentials.issue({
    kind: "api_key",
    ownerId: owner.id,
    name: null,
    scopes: options.scopes ?? everyScope,
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null, ...options.space },
    expiresAt: options.expiresAt ?? null,
  });
  return { secret, tokenId: credential.tokenId, ownerId: owner.id };
}
