import type { AnySql, Fragment } from "../database/client.ts";

/**
 * Notes which memories an owner no longer has, for indexes that are read by owner. `gone` selects memory, owner and the
 * revision that took it away. A memory may leave an owner again that it had come back to.
 */
export async function leaveTombstones(sql: AnySql, gone: Fragment): Promise<void> {
  await sql`
    insert into tombstones (memory, owner_id, revision) ${gone}
    on conflict (memory, owner_id) do update
      set revision = excluded.revision, changed_xid = excluded.changed_xid, removed_at = excluded.removed_at`;
}
