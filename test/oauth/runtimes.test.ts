import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";
import { openService, type Service } from "../../src/compose/service.ts";
import { freePort } from "../support/free-port.ts";
import { home, runtimesUnderTest, startServer } from "../support/server.ts";
import { browserOf } from "./browser.ts";
import { memoryProvider } from "./mcp-provider.ts";
import { accountOn } from "./server.ts";

/** The ports beside a running server, on its database: they stand for the pages. */
async function beside(at: { dataDir: string; url: string | null }, publicUrl: string): Promise<Service> {
  const place = at.url === null ? {} : { DATABASE_URL: at.url };
  const config = readConfig({ DATA_DIR: at.dataDir, PUBLIC_URL: publicUrl, ...place });
  const service = await openService(config, { role: "tool", log: () => {}, report: () => {} });
  onTestFinished(() => service.close());
  return service;
}

test.each(runtimesUnderTest)(
  "an MCP client comes in to a server on %s, and is shown out",
  async (runtime) => {
    const at = await home();
    const port = String(await freePort());
    const { url } = await startServer(at, runtime, { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
    const service = await beside(at, url);
    const account = await accountOn(service);
    const provider = memoryProvider();
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
    const client = new Client({ name: "test", version: "1" });

    const first = transport();
    await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
    const { redirectTo } = await browserOf(service).visit(provider.authorizationUrl());
    await first.finishAuth(redirectTo.searchParams);
    await client.connect(transport());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("recall_context");
    await client.close();

    const tokens = (await provider.tokens()) as { access_token: string; refresh_token: string };
    const [grant] = await service.oauth.grants(account);
    await service.oauth.revoke(account, grant?.id as string);
    const refreshed = await fetch(`${url}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: tokens.refresh_token,
        client_id: grant?.clientId as string,
      }),
    });
    expect([refreshed.status, refreshed.headers.get("content-type")]).toEqual([400, "application/json"]);
  },
);
