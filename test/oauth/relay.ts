import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Address } from "../../src/adapters/postgres/database/client.ts";

/** A way to the database that can be cut. */
export interface Relay {
  readonly address: Address;
  /** Breaks what is connected; connections are refused until it is mended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function relayTo(database: Address): Promise<Relay> {
  const open = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(socketOf(database));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from
        .on("error", () => {})
        .on("close", () => {
          open.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => listener.listen(port, "127.0.0.1", () => resolve()));
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  await listen(0);
  onTestFinished(() => {
    breakAll();
    listener.close();
  });
  const { port } = listener.address() as { port: number };
  return {
    address: through(database, port),
    async cut() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      breakAll();
      await closed;
    },
    mend: () => listen(port),
  };
}

function socketOf(database: Address) {
  if ("path" in database) return { path: database.path };
  const { hostname, port } = new URL(database.url);
  return { host: hostname, port: Number(port || 5432) };
}

function through(database: Address, port: number): Address {
  if ("path" in database) {
    return { url: `postgres://${database.username}@127.0.0.1:${port}/${database.database}` };
  }
  const url = new URL(database.url);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return { url: url.toString() };
}
