import type { Credential, Owner } from "../../../core/access/credential.ts";
import type { MaintenanceStore, OpenRun, RunKey } from "../../../core/maintenance/maintenance-store.ts";
import { listedColumns, toListed } from "../access/credential-store.ts";
import type { Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";

/** Every batch touches its run. A worker continues a run that was not touched for this long. */
const ABANDONED_AFTER_SECONDS = 15;

/** Creates access to the work that the worker continues, and to the credentials to use. No caller sees any of it. */
export function createMaintenanceStore(sql: Sql): MaintenanceStore {
  return {
    async credentialOf({ tokenId, attribution, endUserId }) {
      // An agent's token is replaced now and then. What it has set continues with the present one.
      const agentId = attribution.identitySource === "token" ? attribution.agentId : null;
      const [row] = await sql`
        select ${listedColumns(sql)} from tokens t join owners o on o.id = t.owner_id
        where (t.id = ${tokenId} or t.kind = 'agent_formal' and t.agent_id = ${agentId})
          and t.only_for is null and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
        order by (t.id = ${tokenId}) desc, t.created_at desc limit 1`;
      if (!row) return null;
      const credential = toListed(row);
      return endUserId === undefined ? credential : actingFor(sql, credential, endUserId);
    },
    async due(limit) {
      const rows = await sql`
        select * from maintenance_settings where next_run_at <= now() order by next_run_at limit ${limit}`;
      return rows.map(({ owner_id: ownerId, project_id: projectId, ...row }) => ({
        workspace: { ownerId, projectId },
        settings: fromRow(row),
      }));
    },
    async postpone({ workspace: { ownerId, projectId }, settings }, until) {
      await sql`
        update maintenance_settings set next_run_at = ${until}
        where owner_id = ${ownerId} and project_id = ${projectId} and updated_at = ${settings.updatedAt}
          and next_run_at <= now()`;
    },
    async takeAbandoned(limit) {
      const rows = await sql`
        update maintenance_runs set touched_at = now()
        where (owner_id, id) in (
          select owner_id, id from maintenance_runs where status in ('running', 'undoing')
            and touched_at < now() - make_interval(secs => ${ABANDONED_AFTER_SECONDS})
          order by touched_at limit ${limit} for no key update skip locked
        )
        returning id, owner_id, case status when 'running' then 'do' else 'undo' end as direction,
          case status when 'running' then authority else undo_authority end as authority`;
      return rows.map(fromRow<OpenRun>);
    },
    giveUp: (run, reason, at) => giveUp(sql, run, reason, at),
  };
}

async function giveUp(sql: Sql, { id, ownerId }: RunKey, reason: string, at: number): Promise<void> {
  await sql.begin(async (transaction) => {
    const [run] = await transaction`
      select status, token_id from maintenance_runs
      where owner_id = ${ownerId} and id = ${id} for no key update skip locked`;
    if (run?.status === "running") {
      await transaction`
        update maintenance_items set state = 'skipped', reason = ${reason} where owner_id = ${ownerId} and run = ${id} and state = 'pending'`;
      await transaction`
        update maintenance_runs set status = 'completed', finished_at = ${at} where owner_id = ${ownerId} and id = ${id}`;
      await transaction`
        insert into audit_log (owner_id, operation, token_id, detail)
        values (${ownerId}, 'maintenance_finish', ${run.token_id}, ${{ run: id } as never})`;
    }
    if (run?.status === "undoing") {
      await transaction`
        update maintenance_items set undo_state = 'skipped', undo_reason = ${reason}
        where owner_id = ${ownerId} and run = ${id} and undo_state = 'pending'`;
      await transaction`
        update maintenance_runs set status = 'undone', undone_at = ${at} where owner_id = ${ownerId} and id = ${id}`;
    }
  });
}

/** The credential in the space of one of its application's end users; null if it may not act for that one any more. */
async function actingFor(sql: Sql, credential: Credential, endUserId: string): Promise<Credential | null> {
  if (!credential.scopes.includes("users:act")) return null;
  const [row] = await sql`
    select id, kind, name, application_id from owners
    where id = ${endUserId} and application_id = ${credential.owner.id}`;
  return row ? { ...credential, owner: fromRow<Owner>(row) } : null;
}
