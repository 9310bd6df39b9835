import type { Model } from "./model.ts";
import { playRead } from "./play-read.ts";
import { recordFault } from "./record.ts";
import type { Stage } from "./stage.ts";
import type { Read } from "./step.ts";

/** The record, and every door for every credential. */
export async function lookEverywhere(stage: Stage, model: Model): Promise<string | null> {
  const fault = await recordFault(stage, model);
  if (fault) return fault;
  const ids = [...new Set([...model.memories.values()].map(({ id }) => id))];
  for (const [by, { isEnded }] of model.credentials) {
    const every: Read[] = [
      ...["active", "%", "soft_deleted"].flatMap((status) => [
        { kind: "list" as const, by, filter: { status } },
        { kind: "search" as const, by, filter: { status } },
      ]),
      { kind: "context", by, filter: {} },
      { kind: "past", by },
      { kind: "profile", by },
      ...ids.slice(0, BY_ID_MAX).flatMap((id) => [
        { kind: "get" as const, by, target: { id } },
        { kind: "versions" as const, by, target: { id } },
      ]),
    ];
    // What has ended is refused before a door is looked at.
    const reads = isEnded ? every.slice(0, 1) : every;
    const faults = await Promise.all(
      reads.map(async (read) => {
        const found = await playRead(stage, model, read);
        return found && `${JSON.stringify(read)}: ${found}`;
      }),
    );
    const first = faults.find((found) => found !== null);
    if (first) return first;
  }
  return null;
}

/** The oldest ids, which most owners share. */
const BY_ID_MAX = 8;
