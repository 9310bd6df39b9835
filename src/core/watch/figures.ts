import { type Figure, figureRanges } from "../../contract/figures.ts";
import { requireScope } from "../caller.ts";
import { DomainError, notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import type { FigureRow, Resolution } from "./figure-store.ts";
import { latencyPercentile } from "./latency.ts";

type FigurePorts = Pick<Ports, "store" | "clock" | "figures">;

/**
 * Returns the figures of the caller's own memories, or of a team that it is a member of. Rejects with
 * `insufficient_scope` without `memory:read`, and for a credential confined to a part of its owner's memories, since
 * figures cover all of them. Rejects with `not_found` for other teams.
 */
export const figures: UseCase<FigurePorts, "figures"> = async (ports, caller, { range, team_id }) => {
  requireScope(caller, ["memory:read"]);
  const { projects, pathPrefix, buckets, teamId } = caller.space;
  if (projects !== null || pathPrefix !== null || buckets !== null)
    throw new DomainError(
      "insufficient_scope",
      "This credential reaches only some of the owner's memories, so it may not read figures about all of them.",
    );
  const ownerId = team_id ?? teamId ?? caller.owner.id;
  if (!(await ports.store.visibleOwners(caller)).includes(ownerId)) throw notFound("team");
  const { seconds, resolution } = figureRanges[range];
  const [rows, memories] = await Promise.all([
    ports.figures.read(ownerId, resolution, ports.clock() - seconds * 1000),
    ports.figures.memories(ownerId),
  ]);
  return { range, resolution, memories, steps: rows.map((row) => stepOf(row, resolution)) };
};

function stepOf(row: FigureRow, resolution: Resolution): Figure {
  const minutes = resolution === "minute" ? 1 : 60;
  return {
    at: new Date(row.at).toISOString(),
    memories: row.memories,
    recalls: row.recalls,
    recalls_per_minute: row.recalls / minutes,
    recall_p50_ms: latencyPercentile(row.latency, 0.5),
    recall_p95_ms: latencyPercentile(row.latency, 0.95),
    coverage: row.covered === 0 ? null : row.coverageSum / row.covered,
    writes: row.writes,
    writes_per_minute: row.writes / minutes,
    failures: row.failures,
    index_lag_seconds: row.indexLagSeconds,
  };
}
