import { setTimeout as sleep } from "node:timers/promises";
import type { OwnNode } from "../../test/support/own-node.ts";
import type { Client } from "./client.ts";
import { type Recovery, recovered } from "./recovery.ts";
import { say } from "./say.ts";
import type { Service } from "./service.ts";

/** What was killed, and how recall came back. */
export interface Disaster extends Recovery {
  readonly killed: "Elasticsearch" | "the service";
  /** From the kill until it was ready again. */
  readonly awayMs: number;
}

const KILLS = 3;

/**
 * Elasticsearch is killed three times and away for a while each; after the first the service is killed, once. The next
 * disaster waits until recall has got over the last.
 */
export async function disasters(
  ms: number,
  node: OwnNode,
  service: Service,
  clients: readonly Client[],
): Promise<Disaster[]> {
  const over = performance.now() + ms;
  const pause = (share: number) => sleep(share * ms);
  const seen: Disaster[] = [];
  const killing = async (killed: Disaster["killed"], work: () => Promise<void>) => {
    const killedAt = performance.now();
    say(`${killed} is killed`);
    await work();
    const awayMs = Math.round(performance.now() - killedAt);
    say(`${killed} is back`);
    const recovery = await recovered(clients);
    say(`recall fell back for ${recovery.fallbackMs} ms more`);
    seen.push({ killed, awayMs, ...recovery });
  };
  for (let kills = 0; kills < KILLS; kills += 1) {
    await pause(0.12);
    await killing("Elasticsearch", async () => {
      await node.kill();
      await pause(0.08);
      await node.start();
    });
    if (kills > 0) continue;
    await pause(0.08);
    await killing("the service", () => service.killAndStart());
  }
  await pause(0.12);
  await sleep(Math.max(0, over - performance.now()));
  return seen;
}
