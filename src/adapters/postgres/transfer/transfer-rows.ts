/** Agents and receipts as lines of an export have them: read to be written there, and to be compared with what a file says. */
import type { OwnerRef } from "../../../contract/transfer.ts";
import type { KeptReceipt, StoredAgent } from "../../../core/transfer/export-source.ts";
import { agentColumns, toAgent } from "../access/agent-row.ts";
import type { AnySql, Fragment } from "../database/client.ts";

type Row = Readonly<Record<string, unknown>>;

/** The agents `a`, approved by `o`, for the team `t`. */
export function selectAgents(sql: AnySql): Fragment {
  return sql`
    select ${agentColumns(sql)}, t.name as team_name from agents a
    left join owners o on o.id = a.approved_by left join owners t on t.id = a.granted_team_id`;
}

/** A row of `selectAgents`. */
export function toStoredAgent(row: Row): StoredAgent {
  const { approval, ...agent } = toAgent(row);
  return {
    ...agent,
    approval: approval && {
      by: approval.approver.name,
      at: approval.at,
      scopes: approval.scopes,
      team: row.team_name as string | null,
      projects: approval.projects,
    },
  };
}

/** The receipts `r` of the owners `o`. */
export function selectReceipts(sql: AnySql): Fragment {
  return sql`select r.*, o.kind, o.name from receipts r join owners o on o.id = r.owner_id`;
}

/** A row of `selectReceipts`. */
export function toReceipt(row: Row): { readonly owner: OwnerRef; readonly receipt: KeptReceipt } {
  return {
    owner: toOwner(row),
    receipt: {
      id: row.id as string,
      digest: row.digest as string,
      removed: row.removed as KeptReceipt["removed"],
      remaining: row.remaining as string[],
      createdAt: row.created_at as number,
      confirmedAt: row.confirmed_at as number | null,
    },
  };
}

/** The kind and name of an owner in a row. */
export function toOwner(row: Row): OwnerRef {
  return { kind: row.kind as OwnerRef["kind"], name: row.name as string };
}
