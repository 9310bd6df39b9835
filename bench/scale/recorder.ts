import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { openProxy, type Wanted } from "../../test/faults/proxy.ts";

/** What one recall asks of the engine, request after request. */
export type Asked = readonly Wanted[];

/** Where the service finds the node: a plain pipe, but while its searches are written down. */
export interface Recorder {
  readonly url: string;
  /** Does each piece of work and answers what the service asked of the engine's searches meanwhile. */
  record(works: readonly (() => Promise<unknown>)[]): Promise<Asked[]>;
  close(): Promise<void>;
}

/** The service holds connections open; so long it may take to notice that they are gone. */
const RECONNECTED_WITHIN_MS = 500;

const isRecall = ({ path }: { path: string }) => /\/_msearch\b/.test(path);

export async function openRecorder(node: string): Promise<Recorder> {
  const proxy = await openProxy(node);
  let target = node;
  const sockets = new Set<Socket>();
  const pipe = await openPipe(() => target, sockets);

  async function lead(to: string): Promise<void> {
    target = to;
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, RECONNECTED_WITHIN_MS));
  }

  return {
    url: `http://127.0.0.1:${pipe.port}`,
    async record(works) {
      let heard: Wanted[] = [];
      const instead = (wanted: Wanted) => {
        heard.push(wanted);
        return wanted;
      };
      await proxy.inject({ kind: "ask", instead }, isRecall);
      await lead(proxy.url);
      const asked: Asked[] = [];
      for (const work of works) {
        heard = [];
        await work();
        asked.push(heard);
      }
      await lead(node);
      return asked;
    },
    async close() {
      pipe.server.close();
      for (const socket of sockets) socket.destroy();
      await proxy.close();
    },
  };
}

/** Carries bytes both ways as they come: unlike the proxy it waits for no end of an answer. */
async function openPipe(
  target: () => string,
  sockets: Set<Socket>,
): Promise<{ server: Server; port: number }> {
  const server = createServer((near) => {
    const { hostname, port } = new URL(target());
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      // Whichever end breaks, so does the other.
      socket.on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { server, port: typeof address === "object" && address ? address.port : 0 };
}
