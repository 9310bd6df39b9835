import type { Client } from "./client.ts";
import { say } from "./say.ts";

/** Each owner's checks side by side: a search is mostly waiting for the engine. */
const AT_ONCE = 2;
const TELL_EVERY = 1000;

/** Asks for every memory that any client ever wrote, by a search and by a read. What is wrong is in the tallies. */
export async function checkAll(clients: readonly Client[]): Promise<void> {
  let checked = 0;
  const all = clients.reduce((sum, { known }) => sum + known.length, 0);
  const check = async (client: Client) => {
    const left = client.known.values();
    const checker = async () => {
      for (const known of left) {
        await client.checkFound(known);
        await client.checkRecord(known);
        checked += 1;
        if (checked % TELL_EVERY === 0) say(`${checked} of ${all} memories are checked`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, checker));
  };
  await Promise.all(clients.map(check));
}
