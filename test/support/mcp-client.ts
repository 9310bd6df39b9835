import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { World } from "./world.ts";

/** The revisions of the protocol that this service speaks. */
export const NEWEST = "2026-07-28";
export const ONE_BEFORE = "2025-11-25";
export const revisions = [NEWEST, ONE_BEFORE] as const;

export interface Connecting {
  readonly token: string;
  readonly revision?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A real client of the MCP door, connected until the test ends. `url`: of a server in another process. */
export async function mcpClient(
  { handle, url = "http://localhost" }: Pick<World, "handle"> & { readonly url?: string },
  { token, revision = NEWEST, headers = {} }: Connecting,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: revision === NEWEST ? { pin: revision } : "legacy" } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", url), {
      fetch: (address, init) => handle(new Request(address, init)),
      requestInit: { headers: { Authorization: `Bearer ${token}`, ...headers } },
    }),
  );
  onTestFinished(() => client.close());
  return client;
}
