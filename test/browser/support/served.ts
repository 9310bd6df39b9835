import { createServer } from "node:net";
import { listen } from "../../../src/adapters/runtime/listen.ts";
import { openWorld, type World } from "../../support/world.ts";

/** A service that a browser can reach, at the address it calls its own. */
export interface Served {
  readonly world: World;
  readonly url: string;
  close(): Promise<void>;
}

export async function openServed(hostname = "127.0.0.1"): Promise<Served> {
  const port = await freePort();
  const url = `http://${hostname}:${port}`;
  const world = await openWorld({ PUBLIC_URL: url });
  const listener = await listen({ fetch: world.handle, host: "127.0.0.1", port });
  return {
    world,
    url,
    async close() {
      await listener.close();
      await world.close();
    },
  };
}

/** The service must know its address before it listens there. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
