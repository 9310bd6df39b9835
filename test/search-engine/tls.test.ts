/** A node behind TLS, with a certificate of its operator's own. */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createElasticsearchClient, inspectEngine } from "../../src/adapters/elasticsearch/client.ts";
import { certificateFor } from "../oauth/certificate.ts";

const { key, cert } = certificateFor("localhost");

async function found(ca: string | null) {
  const server = createServer({ key, cert }, (_, response) =>
    response.setHeader("content-type", "application/json").end('{"version": {"number": "9.4.3"}}'),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const nodes = [`https://localhost:${(server.address() as AddressInfo).port}`];
  const client = createElasticsearchClient({ nodes, auth: null, ca, requestTimeoutMs: 5000 });
  onTestFinished(() => client.close());
  return inspectEngine(client, 5000);
}

test("is trusted by the certificates that the settings name", async () => {
  expect(await found(cert)).toEqual({ kind: "supported", version: "9.4.3" });
});

test("is not trusted by anything else, and that is what is said", async () => {
  const untrusted = { kind: "unavailable", why: "its certificate is not trusted" };
  expect(await found(null)).toEqual(untrusted);
  expect(await found(certificateFor("localhost").cert)).toEqual(untrusted);
});
