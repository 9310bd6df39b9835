import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A loopback address that passes everything on to the server, with a credential where there is none. */
export interface BearerProxy {
  readonly url: string;
  close(): void;
}

/** The conformance suite's server tests send no credential, and this service takes nothing without one. */
export async function bearerProxy(to: string, token: string): Promise<BearerProxy> {
  const { hostname, port } = new URL(to);
  const server = createServer((incoming, outgoing) => {
    const headers = { authorization: `Bearer ${token}`, ...incoming.headers };
    const { url: path, method } = incoming;
    const passedOn = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passedOn.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passedOn.destroy());
    incoming.pipe(passedOn);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
