import type { z } from "zod";
import type { whyAnswer, whyRequest } from "../../contract/recall.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import { reasonsOf } from "./reasons.ts";
import { retrieve } from "./retrieve.ts";
import type { RetrievePorts } from "./retrieve-request.ts";
import { searchOf } from "./search.ts";

/** As many hits as retrievers can propose together, neighbours included. */
const HITS_MAX = 10_000;

/** Where a search puts one memory, and why; or which part of the search keeps it out. `not_found` as for reading it. */
export async function recallWhy(
  ports: RetrievePorts & Pick<Ports, "clock">,
  caller: Caller,
  input: z.output<typeof whyRequest>,
): Promise<z.output<typeof whyAnswer>> {
  // Refuses what may not be asked at all, before the id is looked up.
  const ask = searchOf(caller, { ...input, threshold: null }, HITS_MAX, ports.clock());
  const seen = await ports.store.find(caller, input.memory_id);
  const isHidden = seen?.memory.status === "soft_deleted" && input.status !== "soft_deleted";
  if (!seen || isHidden) throw notFound();
  const { memory } = seen;
  const found = await retrieve(ports, caller, ask);
  const place = found.hits.findIndex((hit) => hit.memory.id === memory.id);
  const hit = found.hits[place];
  if (hit) {
    const isBelow = input.threshold != null && hit.score < input.threshold;
    const reasons = [...reasonsOf(hit.signals), ...(isBelow ? ["− its score is below the threshold"] : [])];
    return {
      id: memory.memoryId,
      found: !isBelow,
      rank: place + 1,
      score: hit.score,
      signals: { ...hit.signals },
      reasons,
    };
  }
  const [matching] = await ports.store.readMatching(caller, [memory.id], ask.filter);
  const why = matching
    ? "no retriever proposed it: other memories match better. A larger candidate_count looks further."
    : `the search's filters leave it out: it is ${memory.status}, of type ${memory.memoryType}, in bucket ${memory.bucket}, at ${memory.path}`;
  return { id: memory.memoryId, found: false, rank: null, score: null, signals: {}, reasons: [why] };
}
