import type { Sql } from "../../src/adapters/postgres/database/client.ts";
import type { MaintenanceAction } from "../../src/contract/maintenance.ts";
import { query } from "../support/acting.ts";
import type { Client } from "../support/world.ts";

type Body = Record<string, unknown>;
type Acting = Pick<Client, "get" | "post" | "patch">;

/** The maintenance of one workspace, as a credential asks for it. */
export function maintainerOf(client: Acting, project: string, team: string | null = null) {
  const base = `/v1/projects/${project}/maintenance`;
  const inQuery = (members: Record<string, string | number> = {}) =>
    query({ ...(team === null ? {} : { team_id: team }), ...members });
  const place: Body = team === null ? {} : { team_id: team };
  return {
    settings: () => client.get(`${base}/settings${inQuery()}`),
    set: (body: Body) => client.patch(`${base}/settings`, { ...place, ...body }),
    report: (members: Record<string, string | number> = {}) => client.get(`${base}${inQuery(members)}`),
    execute: (body: Body) => client.post(`${base}/execute`, { ...place, ...body }),
    runs: (members: Record<string, string | number> = {}) => client.get(`${base}/runs${inQuery(members)}`),
    undo: (run: string, body: Body = {}) => client.post(`${base}/runs/${run}/undo`, { ...place, ...body }),
  };
}

export type Maintainer = ReturnType<typeof maintainerOf>;

/** The ids that a report lists for an action. */
// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
export function idsOf(report: any, action: MaintenanceAction): string[] {
  const found = report.actions.find((one: { action: string }) => one.action === action);
  return found?.items.map(({ id }: { id: string }) => id) ?? [];
}

/** Moves everything that was said of an item so many days back. */
export async function age(sql: Sql, ownerId: string, id: string, days: number): Promise<void> {
  const by = sql`make_interval(secs => ${days * 86_400})`;
  const [row] = await sql`
    update memories set created_at = created_at - ${by}, updated_at = updated_at - ${by},
      superseded_at = superseded_at - ${by}
    where owner_id = ${ownerId} and memory_id = ${id} returning id`;
  const key = row?.id as string;
  await sql`update todos set ended_at = ended_at - ${by} where id = ${key}`;
  await sql`update decisions set resolved_at = resolved_at - ${by} where id = ${key}`;
  await sql`update workspace_events set at = at - ${by} where item = ${key}`;
  await sql`update memory_versions set valid_to = valid_to - ${by} where memory = ${key}`;
}

/** All that a caller could notice of what is stored, for one owner, as comparable text by table. */
export async function recordOf(sql: Sql, ownerId: string): Promise<Record<string, string>> {
  const mine = sql`(select id from memories where owner_id = ${ownerId})`;
  const rows = {
    memories: await sql`
      select (to_jsonb(m) - 'changed_xid')::text as row from memories m where owner_id = ${ownerId} order by id`,
    versions: await sql`
      select to_jsonb(v)::text as row from memory_versions v where memory in ${mine} order by memory, revision`,
    todos: await sql`select to_jsonb(t)::text as row from todos t where id in ${mine} order by id`,
    decisions: await sql`select to_jsonb(d)::text as row from decisions d where id in ${mine} order by id`,
    events: await sql`
      select to_jsonb(e)::text as row from workspace_events e where item in ${mine} order by 1`,
  };
  return Object.fromEntries(
    Object.entries(rows).map(([name, list]) => [name, list.map(({ row }) => row as string).join("\n")]),
  );
}
