import type { Sql } from "../../src/adapters/postgres/database/client.ts";
import type { MaintenanceAction } from "../../src/contract/maintenance.ts";
import { query, stored, unguessable } from "../support/acting.ts";
import type { Client, World } from "../support/world.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

type Body = Record<string, unknown>;
type Acting = Pick<Client, "get" | "post" | "patch">;

/** The maintenance of one workspace, as a credential asks for it. */
export function maintainerOf(client: Acting, project: string, team: string | null = null) {
  const base = `/v1/projects/${project}/maintenance`;
  const place = team === null ? {} : { team_id: team };
  const inQuery = (members: Record<string, string | number> = {}) => query({ ...place, ...members });
  return {
    settings: () => client.get(`${base}/settings${inQuery()}`),
    set: (body: Body) => client.patch(`${base}/settings`, { ...place, ...body }),
    report: (members: Record<string, string | number> = {}) => client.get(`${base}${inQuery(members)}`),
    execute: (body: Body, headers: Record<string, string> = {}) =>
      client.post(`${base}/execute`, { ...place, ...body }, headers),
    runs: (members: Record<string, string | number> = {}) => client.get(`${base}/runs${inQuery(members)}`),
    undo: (run: string, headers: Record<string, string> = {}) =>
      client.post(`${base}/runs/${run}/undo`, place, headers),
  };
}

export type Maintainer = ReturnType<typeof maintainerOf>;

/** One project's memories and maintenance, as its caller works with them. */
export function maintained(
  client: Client,
  world: World,
  project = freshProject(),
  team: string | null = null,
) {
  const { sql } = world.service;
  const maintainer = maintainerOf(client, project, team);
  return {
    project,
    ...workspaceOf(client, project),
    ...maintainer,
    /** Stores a memory in the project and answers its id. */
    stored: ({ provenance = {}, ...given }: Body = {}): Promise<string> =>
      stored(client, {
        content: `A note of its own: ${unguessable()}.`,
        ...(team === null ? {} : { team_id: team }),
        ...given,
        provenance: { project_id: project, ...(provenance as Body) },
      }),
    age: (id: string, days: number) => age(sql, team ?? client.ownerId, id, days),
    /** Lets a memory expire a minute ago. */
    async expire(id: string): Promise<void> {
      await sql`update memories set expires_at = now() - interval '1 minute' where memory_id = ${id}`;
    },
    status: async (id: string): Promise<string> => (await ok(client.get(`/v1/memories/${id}`))).status,
    /** The ids that a report lists for an action. */
    due: async (action: MaintenanceAction) => idsOf(await ok(maintainer.report()), action),
  };
}

export type Maintained = ReturnType<typeof maintained>;

/** What an answer says of an action. */
export function of(answer: { actions: ({ action: string } & Body)[] }, action: MaintenanceAction) {
  const found = answer.actions.find((one) => one.action === action);
  if (!found) throw new Error(`nothing is said of ${action}`);
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  return found as any;
}

interface Item {
  readonly id: string;
  readonly reason: string;
  readonly into?: string;
}

/** What a report lists for an action. */
export function itemsOf(report: Parameters<typeof of>[0], action: MaintenanceAction): Item[] {
  return of(report, action).items;
}

/** The ids of what it lists. */
export function idsOf(report: Parameters<typeof of>[0], action: MaintenanceAction): string[] {
  return itemsOf(report, action).map(({ id }) => id);
}

/** Moves everything that was said of a memory, a todo or a decision so many days back. */
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
