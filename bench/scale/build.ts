import postgres from "postgres";
import { eventually } from "../../test/support/processes.ts";

const BUILT_WITHIN_MS = 3_600_000;
const LOOK_EVERY_MS = 1000;

export interface Built {
  /** From the making of the index to searches using it, the comparison with the record included. */
  readonly seconds: number;
  readonly perSecond: number;
}

/** Waits until the service has built its index, and answers how long that took by the record's own clock. */
export async function built(
  connection: { path: string; database: string; username: string },
  memories: number,
  onProgress: (message: string) => void,
): Promise<Built> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  let told = 0;
  try {
    const seconds = await eventually(
      "the index to be built",
      async () => {
        const [index] = await sql<{ state: string; scanned: number; seconds: number }[]>`
          select state, scanned::int, extract(epoch from active_at - created_at)::float as seconds
          from index_generations order by created_at desc limit 1`;
        if (index === undefined) return undefined;
        if (index.state === "active") return index.seconds;
        if (index.scanned >= told + memories / 10) {
          told = index.scanned;
          onProgress(`${told} memories sent`);
        }
        return undefined;
      },
      { withinMs: BUILT_WITHIN_MS, everyMs: LOOK_EVERY_MS },
    );
    return { seconds: Number(seconds.toFixed(1)), perSecond: Math.round(memories / seconds) };
  } finally {
    await sql.end();
  }
}
