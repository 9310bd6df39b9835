import { Buffer } from "node:buffer";
import type { AgentStatus, RegistrationRequest } from "../../../contract/agent.ts";
import { scopeNamed } from "../../../contract/scope.ts";
import type { AgentChange, AgentRecord, GrantedApproval } from "../../../core/agent/agent-record.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/** The columns of an agent with the name of who approved it, over `agents a left join owners o on o.id = a.approved_by`. */
export function agentColumns(sql: AnySql): Fragment {
  return sql`a.id, a.status, a.quarantine_id, a.client, a.address, a.requested_at, a.expires_at, a.approved_at,
    a.approved_by, o.name as approver_name, a.granted_scopes, a.granted_team_id, a.granted_projects,
    encode(a.confirmation_hash, 'hex') as confirmation_hash, a.confirmation_until, a.confirmation_tries, a.ended_at`;
}

export function toAgent(row: Record<string, unknown>): AgentRecord {
  return {
    id: row.id as string,
    status: row.status as AgentStatus,
    quarantineId: row.quarantine_id as string | null,
    client: row.client as RegistrationRequest | null,
    address: row.address as string | null,
    requestedAt: row.requested_at as number,
    expiresAt: row.expires_at as number | null,
    approval: toApproval(row),
    confirmationHash: row.confirmation_hash as string | null,
    confirmationUntil: row.confirmation_until as number | null,
    confirmationTries: row.confirmation_tries as number,
    endedAt: row.ended_at as number | null,
  };
}

function toApproval(row: Record<string, unknown>): GrantedApproval | null {
  if (row.approved_by === null) return null;
  return {
    approver: { id: row.approved_by as string, kind: "user", name: row.approver_name as string },
    at: row.approved_at as number,
    scopes: (row.granted_scopes as string[]).flatMap((name) => scopeNamed(name) ?? []),
    teamId: row.granted_team_id as string | null,
    projects: row.granted_projects as string[] | null,
  };
}

/** The columns that a change sets. */
export function toAgentColumns(change: AgentChange): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  if (change.status !== undefined) row.status = change.status;
  if (change.quarantineId !== undefined) row.quarantine_id = change.quarantineId;
  if (change.expiresAt !== undefined) row.expires_at = change.expiresAt;
  if (change.approval !== undefined) Object.assign(row, approvalColumns(change.approval));
  if (change.confirmationHash !== undefined) row.confirmation_hash = bytesOf(change.confirmationHash);
  if (change.confirmationUntil !== undefined) row.confirmation_until = change.confirmationUntil;
  if (change.confirmationTries !== undefined) row.confirmation_tries = change.confirmationTries;
  if (change.endedAt !== undefined) row.ended_at = change.endedAt;
  return row;
}

function approvalColumns(approval: GrantedApproval | null): Record<string, unknown> {
  return {
    approved_by: approval?.approver.id ?? null,
    approved_at: approval?.at ?? null,
    granted_scopes: approval?.scopes ?? null,
    granted_team_id: approval?.teamId ?? null,
    granted_projects: approval?.projects ?? null,
  };
}

function bytesOf(hex: string | null): Buffer | null {
  return hex === null ? null : Buffer.from(hex, "hex");
}
