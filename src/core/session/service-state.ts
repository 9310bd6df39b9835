/** The state of the service, for a person in a browser. It reveals nothing about other owners' memories. */

import type { OutputOf } from "../../contract/operations.ts";
import { SERVICE_VERSION } from "../../contract/service.ts";
import {
  type AuditLine,
  type auditObjects,
  CONFLICTS_NAMED_MAX,
  EMBEDDED_AT_ONCE_MAX,
  OVERDUE_NAMED_MAX,
} from "../../contract/session-service-operations.ts";
import type { TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import type { Readiness } from "../doctor/health.ts";
import { invalid, notFound } from "../error.ts";
import { type OffWire, toWire } from "../memory/member-table.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { ProjectionStatus } from "../projection/projection-status.ts";
import type { UseCase } from "../use-case.ts";
import { requireAdmin, roleOf } from "./teams.ts";

export interface ServiceStatePorts {
  readonly teams: TeamStore;
  readonly serviceReport: ServiceReport;
  readonly readiness: () => Promise<Readiness>;
}

/**
 * Queue lengths would reveal other owners' activity, so service-wide data is limited to ages, shares and kinds of
 * error.
 */
export const serviceState: UseCase<ServiceStatePorts, "serviceState"> = async (
  { teams, serviceReport, readiness },
  { owner: user },
  { team_id },
) => {
  if (team_id) await roleOf(teams, user, team_id);
  const [standing, projection, embeddings] = await Promise.all([
    readiness(),
    serviceReport.projection(),
    serviceReport.embeddings(team_id ?? user.id),
  ]);
  const named = (of: Readiness["needed"], is_needed: boolean) =>
    Object.entries(of).map(([name, why]) => ({ name, is_needed, why }));
  return {
    version: SERVICE_VERSION,
    dependencies: [...named(standing.needed, true), ...named(standing.others, false)],
    is_stopping: standing.isStopping,
    changes_wait_seconds: projection.oldestSeconds,
    is_embedding_late: projection.unembedded > 0,
    set_aside: Object.keys(projection.setAside),
    indexes: projection.indexes.map(({ name, state, scanned, total }) => ({
      name,
      state,
      built: state === "building" ? Math.min(1, Number(scanned) / Math.max(1, Number(total))) : 1,
    })),
    embeddings: embeddings.map(toWire),
  };
};

/** Counts over what the caller sees, like its lists. Rejects with `not_found` for a team that the caller is not in. */
export const attention: UseCase<Pick<Ports, "store" | "clock">, "attention"> = async (
  { store, clock },
  caller,
  { team_id },
) => {
  const ownerId = team_id ?? caller.owner.id;
  if ((await store.workspace.roleIn(caller, ownerId)) === null) throw notFound("team");
  const found = await store.workspace.attention(caller, {
    ownerId,
    now: clock(),
    overdueMax: OVERDUE_NAMED_MAX,
    conflictsMax: CONFLICTS_NAMED_MAX,
  });
  return {
    conflicts: found.conflicts,
    conflicting: [...found.conflicting],
    overdue_reminders: found.overdueReminders,
    overdue_todos: found.overdueTodos,
    overdue: found.overdue.map(({ memoryId, kind, projectId, content, dueAt }) => ({
      id: memoryId,
      kind,
      project_id: projectId,
      content: content.slice(0, EXCERPT_CHARACTERS),
      due_at: rfc3339(dueAt),
    })),
  };
};

/** Enough to recognise a memory. */
const EXCERPT_CHARACTERS = 240;

/** Returns audit lines of the caller's own memories, or of a team's if the caller is one of its admins or owners. */
export const listAudit: UseCase<ServiceStatePorts & Pick<Ports, "endUsers">, "listAudit"> = async (
  { teams, serviceReport, endUsers },
  { owner: user },
  { team_id, user_id, ...asked },
) => {
  if (team_id) await requireAdmin(teams, user, team_id, "read its audit log");
  const { limit } = asked;
  const ownerId = team_id ?? user.id;
  const endUser = user_id == null ? null : await endUsers.get(ownerId, user_id);
  if (user_id != null && endUser === null) throw notFound("end user");
  const lines = await serviceReport.audit({
    ownerId: endUser?.ownerId ?? ownerId,
    operation: asked.operation ?? null,
    agentId: asked.agent_id ?? null,
    person: asked.person ?? null,
    object: asked.object ?? null,
    memoryId: asked.memory_id ?? null,
    after: instantOf(asked.after),
    before: instantOf(asked.before),
    cursor: asked.cursor ?? null,
    limit: limit + 1,
  });
  if (lines === "unknown_place") throw invalid(["cursor"], "must be the next_cursor of an earlier page");
  const page = lines.slice(0, limit);
  return { lines: page, next_cursor: lines.length > limit ? (page.at(-1)?.id ?? null) : null };
};

export const instantOf = (text: string | null | undefined) => (text ? Date.parse(text) : null);

export interface AuditFilter {
  readonly ownerId: string;
  readonly operation: string | null;
  readonly agentId: string | null;
  /** Name of a user. */
  readonly person: string | null;
  readonly object: (typeof auditObjects)[number] | null;
  /** The public id of an existing memory. */
  readonly memoryId: string | null;
  /** From this instant on, in milliseconds since the epoch. */
  readonly after: number | null;
  /** Up to this instant. */
  readonly before: number | null;
  /** Only lines older than this one. */
  readonly cursor: string | null;
  readonly limit: number;
}

/** How many memories have a vector of one model. */
export type EmbeddingCoverage = OffWire<OutputOf<"serviceState">["embeddings"][number]>;

/**
 * Reads what the service reports about itself. Data of owners is always about one: the caller, or a team that it may
 * read.
 */
export interface ServiceReport {
  /** Newest first. "unknown_place" if no line has the cursor's id. */
  audit(filter: AuditFilter): Promise<AuditLine[] | "unknown_place">;
  /** Coverage by generation that has vectors of the owner's memories, and by the current one; newest first. */
  embeddings(ownerId: string): Promise<EmbeddingCoverage[]>;
  /** Status of the whole service. */
  projection(): Promise<ProjectionStatus>;
}

/**
 * Repairing the index of one workspace, for a person in a browser. The index of the whole service is shared, so only
 * its operator can rebuild it, on the command line (docs/decisions/0047).
 */

/** Pending projection work for one owner's memories. */
export interface ProjectionDebts {
  /**
   * Queues up to `limit` of the owner's memories that lack a vector of the current model and are not queued yet, and
   * retries the owner's changes that were set aside. Writes one audit line. A second call meanwhile finds nothing to
   * do.
   */
  queue(ownerId: string, caller: Caller, limit: number): Promise<{ embedding: number; retried: number }>;
}

export interface CatchUpPorts {
  readonly teams: TeamStore;
  readonly debts: ProjectionDebts;
}

/** Anyone may repair the index of their own memories; in a team only its admins and owners may. */
export const catchUpIndex: UseCase<CatchUpPorts, "catchUpIndex"> = async (
  { teams, debts },
  caller,
  { team_id },
) => {
  if (team_id) await requireAdmin(teams, caller.owner, team_id, "maintain its memories");
  const done = await debts.queue(team_id ?? caller.owner.id, caller, EMBEDDED_AT_ONCE_MAX);
  return { ...done, truncated: done.embedding === EMBEDDED_AT_ONCE_MAX };
};
