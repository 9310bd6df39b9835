/**
 * The clients of the official SDK, old and new, where things go wrong: an answer that is lost, two windows that refresh at
 * once, and a server whose data was replaced while they keep what they had.
 */
import * as sdk2 from "@modelcontextprotocol/client";
import { UnauthorizedError as UnauthorizedError1 } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { browserOf } from "./browser.ts";
import { memoryProvider } from "./mcp-provider.ts";
import { accountOn, openServer, server } from "./server.ts";

type Provider = ReturnType<typeof memoryProvider>;

/** One attempt to connect: `unauthorized` once the person has been sent to the browser, and how the answer is given. */
interface Attempt {
  readonly outcome: "connected" | "unauthorized";
  finish(answer: URLSearchParams): Promise<void>;
}

interface Sdk {
  attempt(url: string, provider: Provider, fetchIt?: typeof fetch): Promise<Attempt>;
}

async function attempted(connect: () => Promise<void>, unauthorized: new (...given: never[]) => Error) {
  try {
    await connect();
    return "connected" as const;
  } catch (error) {
    if (error instanceof unauthorized) return "unauthorized" as const;
    throw error;
  }
}

const SDKS: Readonly<Record<string, Sdk>> = {
  "@modelcontextprotocol/sdk 1.32.2": {
    async attempt(url, provider, fetchIt = fetch) {
      const transport = new Transport1(new URL(`${url}/mcp`), {
        authProvider: provider as never,
        fetch: fetchIt as never,
      });
      const client = new Client1({ name: "test", version: "1" });
      const connect = async () => {
        await client.connect(transport as never);
        expect((await client.listTools()).tools.length).toBeGreaterThan(0);
        await client.close();
      };
      const outcome = await attempted(connect, UnauthorizedError1);
      return { outcome, finish: (answer) => transport.finishAuth(answer.get("code") as string) };
    },
  },
  "@modelcontextprotocol/client 2.4.0": {
    async attempt(url, provider, fetchIt = fetch) {
      const transport = new sdk2.StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        authProvider: provider,
        fetch: fetchIt,
      });
      const client = new sdk2.Client({ name: "test", version: "1" });
      const connect = async () => {
        await client.connect(transport);
        expect((await client.listTools()).tools.length).toBeGreaterThan(0);
        await client.close();
      };
      const outcome = await attempted(connect, sdk2.UnauthorizedError);
      return { outcome, finish: (answer) => transport.finishAuth(answer) };
    },
  },
};

/** Connects through the browser; answers the client id that the person was asked for. */
async function throughBrowser(
  sdk: Sdk,
  { url, service }: Pick<Awaited<ReturnType<typeof openServer>>, "url" | "service">,
  provider: Provider,
): Promise<string | null> {
  const first = await sdk.attempt(url, provider);
  expect(first.outcome).toBe("unauthorized");
  const asked = provider.authorizationUrl();
  const { redirectTo } = await browserOf(service).visit(asked);
  await first.finish(redirectTo.searchParams);
  expect((await sdk.attempt(url, provider)).outcome).toBe("connected");
  return asked.searchParams.get("client_id");
}

/** What is kept, with an access token that no longer works: the next request refreshes. */
async function outdate(provider: Provider): Promise<void> {
  const tokens = await provider.tokens();
  if (!tokens) throw new Error("There are no tokens to outdate.");
  await provider.saveTokens({ ...tokens, access_token: "eyJ.outdated.token" });
}

describe.each(Object.entries(SDKS))("%s", (_, sdk) => {
  test("two windows of one client refresh at once, and both go on", async () => {
    const at = await server();
    await accountOn(at.service);
    const provider = memoryProvider();
    await throughBrowser(sdk, at, provider);
    for (let round = 0; round < 3; round += 1) {
      await outdate(provider);
      const windows = await Promise.all([1, 2].map(() => sdk.attempt(at.url, provider)));
      expect(windows.map(({ outcome }) => outcome)).toEqual(["connected", "connected"]);
    }
  });

  test("an answer that is lost costs the person nothing", async () => {
    const at = await server();
    await accountOn(at.service);
    const provider = memoryProvider();
    await throughBrowser(sdk, at, provider);
    await outdate(provider);
    let lost = 0;
    const losing = (async (address: string | URL | Request, init?: RequestInit) => {
      const answer = await fetch(address, init);
      if (!String(address).endsWith("/oauth2/token")) return answer;
      lost += 1;
      throw new TypeError("fetch failed");
    }) as typeof fetch;
    await sdk.attempt(at.url, provider, losing).catch(() => {});
    expect(lost).toBe(1);
    expect((await sdk.attempt(at.url, provider)).outcome).toBe("connected");
  });

  test("with a server whose data was replaced the client registers again by itself", async () => {
    const { close, ...before } = await openServer();
    await accountOn(before.service);
    const provider = memoryProvider();
    const first = await throughBrowser(sdk, before, provider);
    await close();

    const after = await server({ insteadOf: before.url });
    await accountOn(after.service);
    const second = await throughBrowser(sdk, after, provider);
    expect(second).not.toBe(first);
    await outdate(provider);
    expect((await sdk.attempt(after.url, provider)).outcome).toBe("connected");
  });
});
