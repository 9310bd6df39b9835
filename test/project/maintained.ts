import { unguessable } from "../support/acting.ts";
import type { Client, World } from "../support/world.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

type Body = Record<string, unknown>;

/** One project's memories and maintenance, as its caller works with them. */
export function maintained(client: Client, world: World, project = freshProject(), team?: string) {
  const { sql } = world.service;
  const base = `/v1/projects/${project}/maintenance`;
  const inTeam = team === undefined ? {} : { team_id: team };
  const query = (members: Record<string, string | number>) =>
    `?${new URLSearchParams(Object.entries({ ...inTeam, ...members }).map(([name, value]) => [name, String(value)]))}`;
  return {
    project,
    ...workspaceOf(client, project),
    /** Stores a memory in the project and answers its id. */
    async stored(given: Body = {}): Promise<string> {
      const { content = `A note of its own: ${unguessable()}.`, provenance = {}, ...more } = given;
      const body = {
        content,
        path: "notes",
        ...inTeam,
        ...more,
        provenance: { project_id: project, ...(provenance as Body) },
      };
      const answer = await client.post("/v1/memories", body);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.id;
    },
    settings: () => client.get(`${base}/settings${query({})}`),
    set: (settings: Body) => client.patch(`${base}/settings`, { ...inTeam, ...settings }),
    report: (members: Record<string, string | number> = {}) => client.get(`${base}${query(members)}`),
    execute: (body: Body, headers: Record<string, string> = {}) =>
      client.post(`${base}/execute`, { ...inTeam, ...body }, headers),
    runs: (members: Record<string, string | number> = {}) => client.get(`${base}/runs${query(members)}`),
    undo: (runId: string, headers: Record<string, string> = {}) =>
      client.post(`${base}/runs/${runId}/undo`, inTeam, headers),
    /** Lets so many days pass over a memory: since it was last changed, ended or deleted. */
    async age(id: string, days: number): Promise<void> {
      await sql`
        update memories set updated_at = updated_at - make_interval(days => ${days}),
          superseded_at = superseded_at - make_interval(days => ${days}) where memory_id = ${id}`;
      await sql`
        update todos set ended_at = ended_at - make_interval(days => ${days})
        where id = (select id from memories where memory_id = ${id})`;
    },
    /** Lets a memory expire a minute ago. */
    async expire(id: string): Promise<void> {
      await sql`update memories set expires_at = now() - interval '1 minute' where memory_id = ${id}`;
    },
    status: async (id: string): Promise<string> => (await ok(client.get(`/v1/memories/${id}`))).status,
    /** The ids that a report lists for an action. */
    async due(action: string): Promise<string[]> {
      const report = await ok(client.get(`${base}${query({})}`));
      return itemsOf(report, action).map(({ id }) => id);
    },
  };
}

export type Maintained = ReturnType<typeof maintained>;

interface Item {
  readonly id: string;
  readonly reason: string;
  readonly into?: string;
}

/** What an answer says of an action. */
export function of(answer: { actions: ({ action: string } & Body)[] }, action: string) {
  const found = answer.actions.find((one) => one.action === action);
  if (!found) throw new Error(`nothing is said of ${action}`);
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  return found as any;
}

export function itemsOf(report: Parameters<typeof of>[0], action: string): Item[] {
  return of(report, action).items;
}
