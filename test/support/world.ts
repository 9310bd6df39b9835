import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { type Scope, scopes } from "../../src/contract/scope.ts";
import type { TokenSpace } from "../../src/core/credential/credential.ts";
import { createLog } from "../../src/log.ts";
import { openServiceOn, type Service } from "../../src/service.ts";
import { addressOf, TEMPLATE } from "./database-address.ts";
import { clientOf } from "./http-client.ts";

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
  close(): Promise<void>;
}

export const everyScope = Object.keys(scopes) as Scope[];

export async function openWorld(env: Record<string, string> = {}): Promise<World> {
  const database = `recollect_test_${randomBytes(6).toString("hex")}`;
  const server = inject("databaseServer");
  await administer(`create database ${database} template ${TEMPLATE}`);
  const config = readConfig({ APP_ENV: "test", LOG_LEVEL: "error", DATABASE_CONNECTIONS: "8", ...env });
  const log = createLog(config);
  const service = await openServiceOn(
    { address: addressOf(server, database), died: new Promise(() => {}), stop: async () => {} },
    config,
    { role: "server", log: () => {}, report: (error) => log.failure("background", error) },
  );
  const app = createApp(service, config, log);
  const handle = (request: Request) => Promise.resolve(app.handle(request));
  return {
    service,
    handle,
    withToken: (token) => clientOf("http://localhost", token, handle),
    async client(options = {}) {
      const { secret, tokenId, ownerId } = await issue(service, options);
      return { ...clientOf("http://localhost", secret, handle), tokenId, ownerId };
    },
    async close() {
      await service.close();
      await administer(`drop database ${database} with (force)`);
    },
  };
}

async function administer(statement: string): Promise<void> {
  const server = inject("databaseServer");
  const address = addressOf(
    server,
    server.kind === "socket" ? server.database : new URL(server.url).pathname.slice(1),
  );
  const options = { max: 1, onnotice: () => {} };
  const sql = "url" in address ? postgres(address.url, options) : postgres({ ...address, ...options });
  await sql.unsafe(statement);
  await sql.end();
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
