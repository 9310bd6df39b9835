import type { Address } from "../../src/adapters/postgres/database/client.ts";

/** The Postgres of a test run. */
export type Server =
  | { readonly kind: "socket"; readonly path: string; readonly username: string; readonly database: string }
  | { readonly kind: "url"; readonly url: string };

export function addressOf(server: Server, database: string): Address {
  if (server.kind === "socket") return { path: server.path, username: server.username, database };
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return { url: url.toString() };
}
