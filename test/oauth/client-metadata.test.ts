import { expect, test } from "vitest";
import { createGuardedFetch } from "../../src/adapters/outbound/guarded-fetch.ts";
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

test("from one address only so many documents are asked for in a minute", async () => {
  const { url, service, id } = await documented();
  const ask = async (address: string) => {
    const wish = clientNamed(url, id).authorization();
    const { headers } = await service.oauth.handle(new Request(wish), address);
    return new URL(headers.get("location") as string).pathname;
  };
  const places = await Promise.all(Array.from({ length: 61 }, () => ask("192.0.2.1")));
  expect(places).toContain("/sign-in");
  expect(places).toContain("/oauth/error");
  expect(await ask("192.0.2.2")).toBe("/sign-in");
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
