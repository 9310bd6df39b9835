import { onTestFinished } from "vitest";
import type { Address } from "../../src/adapters/postgres/database/client.ts";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { createApp } from "../../src/compose/app.ts";
import { createLog } from "../../src/compose/log.ts";
import { openServiceOn, type Service } from "../../src/compose/service.ts";
import type { Account } from "../../src/core/access/accounts.ts";
import { freePort } from "../support/free-port.ts";
import { createDatabase } from "../support/own-database.ts";
import { serviceConfig } from "../support/service-config.ts";

/** A service that listens on a real port, which is its public address. It goes with the test. */
export interface OAuthServerUnderTest {
  readonly url: string;
  readonly service: Service;
  readonly address: Address;
}

export interface ServerOptions {
  /** An earlier server's database, to be a replica of it. */
  readonly address?: Address;
  /** An earlier server's address, which both are reached by. */
  readonly publicUrl?: string;
  /** The address of a server that was closed: this one listens there. */
  readonly insteadOf?: string;
  readonly fetchOutbound?: typeof fetch;
}

export async function server(options: ServerOptions = {}): Promise<OAuthServerUnderTest> {
  const { close, ...opened } = await openServer(options);
  onTestFinished(close);
  return opened;
}

/** The same for all tests of a file, which close it. Each is to have users and clients of its own there. */
export async function openServer(
  options: ServerOptions = {},
): Promise<OAuthServerUnderTest & { close(): Promise<void> }> {
  const database = options.address ? undefined : await createDatabase();
  const address = options.address ?? (database?.address as Address);
  const port = options.insteadOf ? Number(new URL(options.insteadOf).port) : await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = serviceConfig({
    DATABASE_CONNECTIONS: "4",
    PUBLIC_URL: options.publicUrl ?? url,
  });
  const log = createLog(config);
  const { fetchOutbound } = options;
  const service = await openServiceOn(
    { address, died: new Promise(() => {}), stop: async () => {} },
    config,
    {
      role: "server",
      log: () => {},
      report: (error) => log.failure("background", error),
      ...(fetchOutbound && { fetchOutbound }),
    },
  );
  const app = createApp(service, config, log);
  const listener = await listen({ fetch: (request) => app.handle(request), host: "127.0.0.1", port });
  const close = async () => {
    await listener.close();
    await service.close();
    await database?.drop();
  };
  return { url, service, address, close };
}

export const PASSWORD = "correct horse battery staple";

/** Makes a user with a sign-in account. */
export async function accountOn(service: Service, name = "alice"): Promise<Account> {
  const owner = await service.credentials.ensureOwner("user", name);
  const { secret } = await service.accounts.invite(owner);
  const made = await service.accounts.accept(secret, fromNowhere, {
    email: `${name}@example.com`,
    password: PASSWORD,
  });
  if ("refused" in made) throw new Error(`The account was refused: ${made.refused}`);
  return made.account;
}

export const fromNowhere = { headers: new Headers(), address: null };

/** The headers of a browser that keeps these cookies. */
export function withCookies(cookies: readonly string[]): Headers {
  return new Headers({ cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") });
}
