import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";
import { openService, type Service } from "../../src/compose/service.ts";
import { freePort } from "../support/free-port.ts";
import { eventually } from "../support/processes.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { home, startServer } from "../support/server.ts";
import { browserOf } from "./browser.ts";
import { rawClient } from "./client.ts";
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

test.each(runtimesUnderTest)(
  "a refresh whose server on %s is killed before its answer is read is answered alike after the restart",
  async (runtime) => {
    const at = await home();
    const port = String(await freePort());
    const env = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };
    const { url, server } = await startServer(at, runtime, env);
    const service = await beside(at, url);
    await accountOn(service);
    const client = await rawClient(url);
    const { refresh_token } = await client.connect(browserOf(service));
    const answering = client.refresh(refresh_token).catch(() => null);
    await eventually("the token to be exchanged", async () => {
      const [row] = await service.sql`
        select from auth."oauthRefreshToken" where "clientId" = ${client.clientId} and revoked is not null`;
      return row !== undefined || undefined;
    });
    await server.kill();
    const lost = await answering;

    await startServer(at, runtime, env);
    const again = await beside(at, url);
    // However long the restart took.
    await again.sql`update auth."oauthRefreshToken" set "rotatedAt" = now() where revoked is not null`;
    const answer = await client.refresh(refresh_token);
    expect(answer.status).toBe(200);
    if (lost) expect(answer.body.refresh_token).toBe(lost.body.refresh_token);
    expect(await client.refresh(answer.body.refresh_token)).toMatchObject({ status: 200 });
  },
);
