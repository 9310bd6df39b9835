/** What the address asks for, as the service understands it. */

import type { Space } from "../../shell/space.ts";
import type { client } from "../../shell/trpc.ts";
import type { MemoriesSearch } from "./address.ts";

/** As lists, searches and removals take it. */
export type Filter = NonNullable<Parameters<typeof client.deleteMatching.mutate>[0]>["filter"];

export const NO_FILTER = {
  path: undefined,
  bucket: undefined,
  type: undefined,
  project: undefined,
  agent: undefined,
  from: undefined,
  to: undefined,
  status: undefined,
  ids: undefined,
} as const satisfies Partial<MemoriesSearch>;

export function hasFilter(search: MemoriesSearch): boolean {
  return Object.keys(NO_FILTER).some((name) => search[name as keyof MemoriesSearch] !== undefined);
}

export function filterOf(space: Space, search: MemoriesSearch): Filter {
  const { path, bucket, type, project, agent, from, to, status, ids } = search;
  return {
    ...space.filter,
    // Whoever names a place means what lies below it, too.
    ...(path === undefined ? {} : path.includes("%") ? { path } : { path_under: path }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(type === undefined ? {} : { memory_type: type }),
    ...(project === undefined ? {} : { project_id: project }),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(from === undefined ? {} : startOf(from, 0, "created_from")),
    ...(to === undefined ? {} : startOf(to, 1, "created_before")),
    ...(ids === undefined ? {} : { memory_ids: ids.split(" ").filter(Boolean) }),
    // The service's pattern for any status leaves out what was forgotten.
    ...(status === undefined ? {} : { status: status === "any" ? "%" : status }),
  };
}

/** The instant at which a day of the reader's zone, or one so many days later, begins. */
function startOf(day: string, later: number, member: "created_from" | "created_before") {
  const instant = new Date(`${day}T00:00`);
  instant.setDate(instant.getDate() + later);
  return Number.isNaN(instant.getTime()) ? {} : { [member]: instant.toISOString() };
}
