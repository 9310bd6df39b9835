import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import type { Sql } from "../../src/adapters/postgres/database/client.ts";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { createApp } from "../../src/compose/app.ts";
import { readConfig } from "../../src/compose/config.ts";
import { createLog } from "../../src/compose/log.ts";
import { openServiceOn, type Service } from "../../src/compose/service.ts";
import { freePort } from "../../test/support/free-port.ts";
import type { fill } from "../scale/fill.ts";

/** A service of this process, on a database of its own, that a browser can reach. */
export interface Served {
  readonly url: string;
  readonly service: Service;
  readonly sql: Sql;
  /** Of its database. */
  readonly connection: Parameters<typeof fill>[0];
  /** A person with an account, signed in: the cookie, and what they may ask for. */
  person(name: string): Promise<Person>;
  close(): Promise<void>;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly cookie: { readonly name: string; readonly value: string };
  /** Calls a procedure as the admin UI does. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
  ask(procedure: string, input: object): Promise<any>;
}

export async function openServed(settings: Readonly<Record<string, string>> = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "recollect-admin-"));
  const postgres = await openEmbeddedPostgres({
    dataDir: join(folder, "data"),
    role: "server",
    log: () => {},
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = readConfig({ APP_ENV: "test", LOG_LEVEL: "error", ...settings, PUBLIC_URL: url });
  const service = await openServiceOn(
    { address: postgres.connection, died: new Promise(() => {}), stop: async () => {} },
    config,
    { role: "server", log: () => {}, report: console.error },
  );
  const app = createApp(service, config, createLog(config));
  const listener = await listen({
    fetch: (request) => Promise.resolve(app.handle(request)),
    host: "127.0.0.1",
    port,
  });
  return {
    url,
    service,
    sql: service.sql,
    connection: postgres.connection,
    person: (name) => personOf(service, url, name),
    async close() {
      await listener.close();
      await service.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function personOf(service: Service, url: string, name: string): Promise<Person> {
  const owner = await service.credentials.ensureOwner("user", name);
  const { secret } = await service.accounts.invite(owner);
  const account = { email: `${name}@example.com`, password: "correct horse battery staple" };
  const outcome = await service.accounts.accept(secret, { headers: new Headers(), address: null }, account);
  if ("refused" in outcome) throw new Error(`no account was made: ${outcome.refused}`);
  const [pair = ""] = (outcome.cookies[0] ?? "").split(";");
  const [cookieName = "", ...value] = pair.split("=");
  return {
    id: owner.id,
    name,
    cookie: { name: cookieName, value: value.join("=") },
    async ask(procedure, input) {
      const response = await fetch(`${url}/trpc/${procedure}`, {
        method: "POST",
        headers: { origin: url, "content-type": "application/json", cookie: pair },
        body: JSON.stringify(input),
      });
      const body = (await response.json()) as { error?: unknown; result: { data: unknown } };
      if (body.error) throw new Error(`${procedure}: ${JSON.stringify(body.error)}`);
      return body.result.data;
    },
  };
}
