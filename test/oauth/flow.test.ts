import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { browserOf } from "./browser.ts";
import { memoryProvider } from "./mcp-provider.ts";
import { accountOn, server } from "./server.ts";

test("an MCP client comes in with nothing but the address", async () => {
  const { url, service } = await server();
  await accountOn(service);
  const provider = memoryProvider();
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  const client = new Client({ name: "test", version: "1" });

  const first = transport();
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
  const { redirectTo, asked } = await browserOf(service).visit(provider.authorizationUrl());
  expect(asked).toMatchObject({
    clientName: "An MCP client",
    isVerified: false,
    scopes: ["memory:read", "memory:write"],
  });
  await first.finishAuth(redirectTo.searchParams);

  await client.connect(transport());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("recall_context");
  const [credential] = await service.credentials.list();
  expect(credential).toMatchObject({
    kind: "oauth",
    name: "An MCP client",
    scopes: ["memory:read", "memory:write"],
    owner: { name: "alice" },
  });
  await client.close();
});
