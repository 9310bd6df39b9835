import { eventually } from "../../test/support/processes.ts";
import type { Client, Plan } from "./client.ts";

/** More than any healing should take. */
export const HEALS_WITHIN_MS = 600_000;
const ASKED_EVERY_MS = 250;

/** How long recall fell back, and what it said meanwhile: how often, of all that asked. */
export interface Recovery {
  readonly fallbackMs: number;
  readonly said: Readonly<Record<string, number>>;
}

/** Waits until the recall of every client runs on Elasticsearch with nothing left out. */
export async function recovered(clients: readonly Client[]): Promise<Recovery> {
  const startedAt = performance.now();
  const said: Record<string, number> = {};
  for (const client of clients) {
    await eventually(
      "recall to be whole",
      async () => {
        const missing = missingOf(await client.plan());
        for (const what of missing) said[what] = (said[what] ?? 0) + 1;
        return missing.length === 0 || undefined;
      },
      { withinMs: HEALS_WITHIN_MS, everyMs: ASKED_EVERY_MS },
    );
  }
  return { fallbackMs: Math.round(performance.now() - startedAt), said };
}

function missingOf({ engine, degraded, coverage }: Plan): readonly string[] {
  if (degraded.length > 0) return degraded;
  if (engine !== "elasticsearch") return [`answered by ${engine}`];
  return coverage < 1 ? ["memories without a vector"] : [];
}
