/** The state of the service, for a person in a browser. Reveals nothing about memories of others. */

import type { InputOf, OutputOf } from "../../contract/operations.ts";
import { SERVICE_VERSION } from "../../contract/service.ts";
import { CONFLICTS_NAMED_MAX, OVERDUE_NAMED_MAX } from "../../contract/session-service-operations.ts";
import type { Owner } from "../access/credential.ts";
import type { TeamStore } from "../access/team-store.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { ServiceReport, Standing } from "./service-report.ts";
import { roleOf } from "./team-members.ts";

export interface ServiceStatePorts {
  readonly teams: TeamStore;
  readonly serviceReport: ServiceReport;
  readonly readiness: () => Promise<Standing>;
}

/** Counts of what waits would tell of others: of the whole service there are only ages, shares and kinds of error. */
export async function serviceState(
  { teams, serviceReport, readiness }: ServiceStatePorts,
  user: Owner,
  { team_id }: InputOf<"serviceState">,
): Promise<OutputOf<"serviceState">> {
  if (team_id) await roleOf(teams, user, team_id);
  const [standing, projection, embeddings] = await Promise.all([
    readiness(),
    serviceReport.projection(),
    serviceReport.embeddings(team_id ?? user.id),
  ]);
  const named = (of: Standing["needed"], is_needed: boolean) =>
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
    embeddings: embeddings.map(({ isCurrent, createdAt, ...one }) => ({
      ...one,
      is_current: isCurrent,
      created_at: new Date(createdAt).toISOString(),
    })),
  };
}

/** Counted over what the caller sees, as its lists are. `not_found` for a team that it is not in. */
export async function attention(
  { store, clock }: Pick<Ports, "store" | "clock">,
  caller: Caller,
  { team_id }: InputOf<"attention">,
): Promise<OutputOf<"attention">> {
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
}

/** Enough to know a memory by. */
const EXCERPT_CHARACTERS = 240;

/** Everybody reads what was done with their own; what members did in a team, its admins and owners. */
export async function listAudit(
  { teams, serviceReport }: ServiceStatePorts,
  user: Owner,
  { team_id, ...asked }: InputOf<"listAudit">,
): Promise<OutputOf<"listAudit">> {
  if (team_id) await requireAdmin(teams, user, team_id);
  const { limit } = asked;
  const lines = await serviceReport.audit({
    ownerId: team_id ?? user.id,
    operation: asked.operation ?? null,
    agentId: asked.agent_id ?? null,
    memoryId: asked.memory_id ?? null,
    after: instantOf(asked.after),
    before: instantOf(asked.before),
    cursor: asked.cursor ?? null,
    limit: limit + 1,
  });
  if (lines === "unknown_place") throw invalid(["cursor"], "must be the next_cursor of an earlier page");
  const page = lines.slice(0, limit);
  return { lines: page, next_cursor: lines.length > limit ? (page.at(-1)?.id ?? null) : null };
}

const instantOf = (text: string | null | undefined) => (text ? Date.parse(text) : null);

async function requireAdmin(teams: TeamStore, user: Owner, teamId: string): Promise<void> {
  const role = await roleOf(teams, user, teamId);
  if (role === "owner" || role === "admin") return;
  throw new DomainError(
    "role_forbidden",
    `Your role in the team, ${role}, does not let you read its audit log.`,
  );
}
