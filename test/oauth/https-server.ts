import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { onTestFinished } from "vitest";
import type { Certificate } from "./certificate.ts";

/** A server on this machine for https. It goes with the test. Answers its port. */
export async function httpsServer(certificate: Certificate, listener: RequestListener): Promise<number> {
  const server = createServer(certificate, listener);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as { port: number }).port;
}
