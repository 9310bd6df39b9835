import { describe, expect, test } from "vitest";
import { createGuardedFetch } from "../../src/adapters/outbound/guarded-fetch.ts";
import { eventually } from "../support/processes.ts";
import { browserOf, locationOf } from "./browser.ts";
import { certificateFor } from "./certificate.ts";
import { clientNamed, REDIRECT_URI } from "./client.ts";
import { httpsServer } from "./https-server.ts";
import { accountOn, server } from "./server.ts";

const NAME = "client.example.com";
const certificate = certificateFor(NAME);

/** A client whose id is the address of a document, which says this of it. */
async function documented(more: Record<string, unknown> = {}) {
  const port = await httpsServer(certificate, (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        client_id: id,
        client_name: "Documented client",
        redirect_uris: [REDIRECT_URI, "https://client.example.com/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "none",
        ...more,
      }),
    );
  });
  const id = `https://${NAME}:${port}/client.json`;
  const fetchOutbound = createGuardedFetch({
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    allowLoopback: true,
    ca: certificate.cert,
  });
  const at = await server({ fetchOutbound });
  await accountOn(at.service);
  return { ...at, id };
}

test("a client is known by its document, without registering", async () => {
  const { url, service, id } = await documented();
  const client = clientNamed(url, id);
  const browser = browserOf(service);
  const visited = await browser.visit(client.authorization());
  expect(visited.asked).toMatchObject({ clientId: id, clientName: "Documented client", isVerified: false });
  const { status, body } = await client.exchange(visited.redirectTo.searchParams.get("code") as string);
  expect(status).toBe(200);
  expect(await service.oauth.authenticate(body.access_token)).toMatchObject({ owner: { name: "alice" } });
  expect(await client.refresh(body.refresh_token)).toMatchObject({ status: 200 });
});

test("a program that anybody can pass for is asked for each time, a website once", async () => {
  const { url, service, id } = await documented();
  const browser = browserOf(service);
  const program = clientNamed(url, id);
  await program.connect(browser);
  expect((await browser.visit(program.authorization())).asked).not.toBe(null);
  const website = clientNamed(url, id, "https://client.example.com/callback");
  await website.connect(browser);
  expect((await browser.visit(website.authorization())).asked).toBe(null);
});

test.each([
  ["names another client", { client_id: "https://client.example.com/other.json" }],
  ["has no name", { client_name: undefined }],
  ["has a secret", { client_secret: "x" }],
  ["sends answers elsewhere", { redirect_uris: ["javascript:alert(1)"] }],
  ["wants to be told of logouts", { backchannel_logout_uri: "https://client.example.com/logout" }],
])("a document that %s is refused", async (_, more) => {
  const { url, id } = await documented(more);
  const location = await locationOf(clientNamed(url, id).authorization());
  expect(location.origin).toBe(url);
  expect(location.pathname).not.toBe("/sign-in");
});

describe("documents are counted by the address that had them fetched", () => {
  /** Clients of so many hosts, each with a document of its own, and what was fetched of them. */
  async function clients() {
    const fetched: string[] = [];
    let named = 0;
    const fetchOutbound = (async (id: string) => {
      fetched.push(String(id));
      return Response.json({
        client_id: id,
        client_name: "Documented client",
        redirect_uris: [REDIRECT_URI],
        token_endpoint_auth_method: "none",
      });
    }) as typeof fetch;
    const { service, url } = await server({ fetchOutbound });
    const asked = {
      authorize: (id: string) => new Request(clientNamed(url, id).authorization()),
      revoke: (id: string) => form("/oauth2/revoke", { token: "eyJ.eyJ.x", client_id: id }),
    };
    const form = (path: string, members: Record<string, string>) =>
      new Request(url + path, { method: "POST", body: new URLSearchParams(members) });
    return {
      fetched,
      ask: (
        endpoint: keyof typeof asked,
        address: string | null,
        id = `https://c${++named}.example.com/c.json`,
      ) => service.oauth.handle(asked[endpoint](id), address),
    };
  }

  test.each(["authorize", "revoke"] as const)(
    "at %s, and one address leaves most of them to the others",
    async (endpoint) => {
      const { ask, fetched } = await clients();
      for (let count = 0; count < 130; count += 1) await ask(endpoint, "192.0.2.1");
      const ofOne = fetched.length;
      expect(ofOne).toBeGreaterThan(10);
      expect(ofOne).toBeLessThanOrEqual(40);
      await ask(endpoint, "192.0.2.2");
      expect(fetched).toHaveLength(ofOne + 1);
    },
  );

  test("at all endpoints together, and in the words of OAuth", async () => {
    const { ask } = await clients();
    for (let count = 0; count < 60; count += 1) await ask("revoke", "192.0.2.1");
    const refused = await ask("revoke", "192.0.2.1");
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: "temporarily_unavailable" }]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const { headers } = await ask("authorize", "192.0.2.1");
    const location = new URL(headers.get("location") as string);
    expect([location.pathname, location.searchParams.get("error")]).toEqual([
      "/oauth/error",
      "temporarily_unavailable",
    ]);
  });

  test("the person is told that the app's document could not be read, not that the app got it wrong", async () => {
    const { service } = await server({
      fetchOutbound: (() => Promise.reject(new TypeError("fetch failed"))) as unknown as typeof fetch,
    });
    const asked = new URLSearchParams({
      ...{ response_type: "code", client_id: "https://away.example.com/client.json" },
      ...{ redirect_uri: "http://127.0.0.1:7777/callback", code_challenge: "x".repeat(43) },
      code_challenge_method: "S256",
    });
    const request = new Request(`http://127.0.0.1/oauth2/authorize?${asked}`);
    const { headers } = await service.oauth.handle(request, "192.0.2.1");
    const location = new URL(headers.get("location") as string);
    expect([location.pathname, location.searchParams.get("error")]).toEqual([
      "/oauth/error",
      "unreadable_client",
    ]);
  });

  test("a document that is known is not fetched again, and not counted", async () => {
    const { ask, fetched } = await clients();
    const id = "https://known.example.com/client.json";
    for (let count = 0; count < 130; count += 1) await ask("authorize", "192.0.2.1", id);
    expect(fetched).toEqual([id]);
    const { headers } = await ask("authorize", "192.0.2.1");
    expect(new URL(headers.get("location") as string).pathname).toBe("/sign-in");
  });

  test("of those that take long, one address has a few at a time", async () => {
    let open = 0;
    let release: () => void = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fetchOutbound = (async () => {
      open += 1;
      await slow;
      throw new Error("gone");
    }) as unknown as typeof fetch;
    const { service, url } = await server({ fetchOutbound });
    const ask = (count: number, address: string) =>
      service.oauth.handle(
        new Request(clientNamed(url, `https://s${count}.example.com/c.json`).authorization()),
        address,
      );
    let refused = 0;
    const asked = Array.from({ length: 12 }, async (_, count) => {
      const { headers } = await ask(count, "192.0.2.1");
      if (headers.get("location")?.includes("temporarily_unavailable")) refused += 1;
    });
    await eventually("eight refusals", () => (refused === 8 ? true : undefined));
    expect(open).toBe(4);
    release();
    await Promise.all(asked);
  });
});

test("a document is not fetched from an address that is not public", async () => {
  const { url } = await server();
  for (const id of [
    "https://127.0.0.1/client.json",
    "https://169.254.169.254/client.json",
    "https://[::1]/client.json",
    "https://localhost/client.json",
  ]) {
    const location = await locationOf(clientNamed(url, id).authorization());
    expect({ id, origin: location.origin }).toEqual({ id, origin: url });
    expect(location.pathname).not.toBe("/sign-in");
  }
});
