import { listen } from "../../../src/adapters/runtime/listen.ts";
import { freePort } from "../../support/free-port.ts";
import { openWorld, type World } from "../../support/world.ts";

/** A service that a browser can reach, at the address it calls its own. */
export interface Served {
  readonly world: World;
  readonly url: string;
  close(): Promise<void>;
}

export async function openServed(
  hostname = "127.0.0.1",
  settings: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const port = await freePort();
  const url = `http://${hostname}:${port}`;
  const world = await openWorld({ ...settings, PUBLIC_URL: url });
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
