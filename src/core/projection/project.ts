import type { Embedder } from "../embedding/embedder.ts";
import type { Clock } from "../ports.ts";
import type { RecallIndex } from "../recall/recall-index.ts";
import { type EmbedFailure, embedMissing } from "./embed-missing.ts";
import type { IndexGenerations } from "./index-generations.ts";
import type { IndexSource } from "./index-source.ts";
import type { OutboxLine, Outcome } from "./outbox.ts";
import type { SearchEngine } from "./search-engine.ts";
import { type Refusals, writeToEngine } from "./write-to-engine.ts";

export interface ProjectPorts {
  readonly source: IndexSource;
  readonly embedder: Embedder;
  /** The index that is read from the record. */
  readonly index: Pick<RecallIndex, "refresh">;
  /** null: there is no search engine. */
  readonly search: { readonly engine: SearchEngine; readonly generations: IndexGenerations } | null;
  readonly clock: Clock;
}

export interface Projected {
  readonly outcomes: ReadonlyMap<number, Outcome>;
  /** Why the engine could not take anything; the lines are due again. */
  readonly trouble: unknown;
}

/**
 * Does what outbox lines ask for: embeds what has no vector yet, brings every index of the engine to the record's
 * present state of these memories, and takes what was erased or has moved away out of the index in memory. Lines of one
 * memory are one piece of work.
 */
export async function project(ports: ProjectPorts, lines: readonly OutboxLine[]): Promise<Projected> {
  const unembedded = await embedMissing(ports, lines);
  let refusals: Refusals = new Map();
  if (ports.search !== null) {
    try {
      const changed = lines.filter((line) => line.kind !== "embed" || !unembedded.has(line.memory));
      refusals = await writeToEngine({ ...ports, ...ports.search }, changed);
    } catch (trouble) {
      return { outcomes: new Map(lines.map(({ id }) => [id, { kind: "again" }])), trouble };
    }
  }
  const erased = lines.filter((line) => line.kind === "remove" || line.receipt !== null);
  if (erased.length > 0) await ports.index.refresh([...new Set(erased.map((line) => line.ownerId))]);
  return {
    outcomes: new Map(lines.map((line) => [line.id, outcomeOf(line, refusals, unembedded)])),
    trouble: null,
  };
}

function outcomeOf(
  line: OutboxLine,
  refusals: Refusals,
  unembedded: ReadonlyMap<string, EmbedFailure>,
): Outcome {
  const reason = refusals.get(line.memory);
  if (reason !== undefined) return { kind: "refused", reason };
  const failure = line.kind === "remove" ? undefined : unembedded.get(line.memory);
  return failure === undefined ? { kind: "done" } : { kind: "indexed", refused: failure.refused };
}
