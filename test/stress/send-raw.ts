import { connect } from "node:net";
import type { WireRequest } from "./hostile-requests.ts";

/** What came back; status 0 where the server closed without an answer or did not answer in time. */
export interface WireAnswer {
  readonly status: number;
  readonly text: string;
}

const ANSWER_WITHIN_MS = 30_000;
/** What is broken may be waited for by the server: the client goes away. */
const BROKEN_WITHIN_MS = 200;

/** Sends a request byte by byte as it is, on a connection of its own. */
export function sendRaw(url: string, request: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  const lines = request.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = `${request.method} ${request.target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n${lines}\r\n`;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const settle = () => {
      socket.destroy();
      const text = Buffer.concat(chunks).toString("utf8");
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    };
    socket.on("data", (chunk) => chunks.push(chunk));
    // An answer may come, and the connection end, before all is sent: no fault.
    socket.once("error", settle);
    socket.once("close", settle);
    socket.setTimeout(request.isBroken ? BROKEN_WITHIN_MS : ANSWER_WITHIN_MS, settle);
    socket.write(Buffer.concat([Buffer.from(head, "latin1"), request.body]));
  });
}
