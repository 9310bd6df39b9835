/** Reads and writes the records of an export that have a name of their own. */
import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { scopeNamed } from "../../../contract/scope.ts";
import type { OwnerRef } from "../../../contract/transfer.ts";
import { UNATTRIBUTED } from "../../../core/caller.ts";
import { snakeCase } from "../../../core/memory/member-table.ts";
import type {
  NamedKind,
  NamedRecord,
  NamedRecords,
  StoredClient,
} from "../../../core/transfer/export-source.ts";
import type { RecordHolder } from "../../../core/transfer/import-target.ts";
import type { AnySql, Fragment, TransactionSql } from "../database/client.ts";
import { fromRow, type Row, toRow } from "../database/rows.ts";
import { NO_TOKEN } from "../project/author-trust.ts";

const SECRET_BYTES = 32;

interface NamedTable<Kind extends NamedKind> {
  /** The columns of a record `r`. */
  readonly columns: string;
  readonly from: string;
  /** A condition on all records. `o` is the owner of a record, and the approver of an agent. */
  readonly where: string;
  /** SQL of the name by which a record is found, and its type. */
  readonly name: string;
  readonly nameType: "text" | "uuid";
  readonly order: string;
  readonly table: string;
  /** The row to write, without `owner_id`. */
  row(record: NamedRecords[Kind], to: RecordHolder): Record<string, unknown>;
}

/**
 * SQL of an instant to order by. An exported line has milliseconds, so a database that it is restored to has no more.
 */
export const toMilliseconds = (column: string) => `date_trunc('milliseconds', ${column})`;

/** The authority of restored records: none, so that nothing runs automatically for them. */
const NOBODY = { tokenId: NO_TOKEN, scopes: [], attribution: UNATTRIBUTED } as const;

/** Columns of an OAuth client, as better-auth names them. */
const CLIENT_COLUMNS: Readonly<Record<keyof StoredClient, string>> = {
  clientId: "clientId",
  clientSecretHash: "clientSecret",
  redirectUris: "redirectUris",
  clientName: "name",
  clientUri: "uri",
  logoUri: "icon",
  tosUri: "tos",
  policyUri: "policy",
  softwareId: "softwareId",
  softwareVersion: "softwareVersion",
  applicationType: "applicationType",
  tokenEndpointAuthMethod: "tokenEndpointAuthMethod",
  grantTypes: "grantTypes",
  responseTypes: "responseTypes",
  scopes: "scopes",
  createdAt: "createdAt",
};

const NAMED: { readonly [Kind in NamedKind]: NamedTable<Kind> } = {
  agent: {
    columns: `r.id, r.status, r.client, r.address, r.requested_at, r.expires_at, r.ended_at, o.name as "approval?.by",
      r.approved_at as "approval?.at", r.granted_scopes as "approval?.scopes", t.name as "approval?.team",
      r.granted_projects as "approval?.projects"`,
    from: "agents r left join owners o on o.id = r.approved_by left join owners t on t.id = r.granted_team_id",
    where: "true",
    name: "r.id",
    nameType: "text",
    order: `${toMilliseconds("r.requested_at")}, r.id`,
    table: "agents",
    /** The claim hash is random, so no one knows a claim for it. */
    row: ({ approval, client, ...agent }, { approval: granted }) => ({
      ...toRow(agent),
      claim_hash: randomBytes(SECRET_BYTES),
      client,
      approved_by: granted?.approverId ?? null,
      approved_at: approval?.at ?? null,
      granted_scopes: approval?.scopes ?? null,
      granted_team_id: granted?.teamId ?? null,
      granted_projects: approval?.projects ?? null,
    }),
  },
  client: {
    columns: Object.entries(CLIENT_COLUMNS)
      .map(([member, column]) => `r."${column}" as ${snakeCase(member)}`)
      .join(", "),
    from: 'auth."oauthClient" r',
    where: 'r."clientDiscoveryId" is null',
    name: 'r."clientId"',
    nameType: "text",
    order: `${toMilliseconds('r."createdAt"')}, r."clientId" collate "C"`,
    table: 'auth."oauthClient"',
    /** As better-auth registers a client, except that `updatedAt` is the time of the import. */
    row: (client) => ({
      id: uuidv7(),
      ...Object.fromEntries(
        Object.entries(CLIENT_COLUMNS).map(([member, column]) => [
          column,
          client[member as keyof StoredClient],
        ]),
      ),
      updatedAt: Date.now(),
    }),
  },
  settings: {
    columns: `r.project_id, r.stale_after_days, r.duplicate_similarity, r.completed_retention_days,
      r.purge_deleted_after_days, r.automatic_actions, r.schedule_hours, r.updated_at, r.updated_by, r.next_run_at`,
    from: "maintenance_settings r join owners o on o.id = r.owner_id",
    where: "true",
    name: "r.owner_id || ' ' || r.project_id",
    nameType: "text",
    order: 'o.kind, o.name collate "C", r.project_id collate "C"',
    table: "maintenance_settings",
    row: (settings) => ({ ...toRow(settings), authority: NOBODY }),
  },
  webhook: {
    columns:
      "r.id, r.url, r.description, r.subjects, r.project_id, r.has_end_users, r.is_enabled, r.created_at",
    from: "webhooks r join owners o on o.id = r.owner_id",
    where: "true",
    name: "r.id",
    nameType: "uuid",
    order: `${toMilliseconds("r.created_at")}, r.id`,
    table: "webhooks",
    /** Its events begin when it is next updated: see `WebhookStore.update`. */
    row: (webhook) => ({
      ...toRow(webhook),
      token_id: NO_TOKEN,
      authority: NOBODY,
      secret: randomBytes(SECRET_BYTES),
      position: 0,
    }),
  },
  receipt: {
    columns: "r.id, r.digest, r.removed, r.remaining, r.created_at, r.confirmed_at",
    from: "receipts r join owners o on o.id = r.owner_id",
    where: "true",
    name: "r.id",
    nameType: "uuid",
    order: `${toMilliseconds("r.created_at")}, r.id`,
    table: "receipts",
    row: ({ confirmedAt, ...receipt }) => ({
      ...toRow(receipt),
      token_id: NO_TOKEN,
      pending: 0,
      confirmed_at: confirmedAt ?? Date.now(),
    }),
  },
};

/** Selects the records of a kind that meet a further condition, in order, as rows for `toNamed`. */
export function selectNamed(sql: AnySql, kind: NamedKind, condition: Fragment, more = ""): Fragment {
  const { columns, from, where, order } = NAMED[kind];
  const owner = isOwned(kind)
    ? sql`, (select to_jsonb(named) from (select ${ownerColumns(sql)}) named) as owner`
    : sql``;
  return sql`
    select ${sql.unsafe(columns + more)} ${owner} from ${sql.unsafe(from)}
    where ${sql.unsafe(where)} and ${condition} order by ${sql.unsafe(order)}`;
}

function isOwned(kind: NamedKind): boolean {
  return kind !== "agent" && kind !== "client";
}

export function toNamed<Kind extends NamedKind>(kind: Kind, row: Row): NamedRecord<Kind> {
  const { owner: named, ...columns } = row;
  const owner = named ? toOwner(named as Row) : null;
  const record = fromRow<Record<string, unknown>>(columns);
  const approval = record.approval as NamedRecords["agent"]["approval"] | undefined;
  if (approval)
    record.approval = { ...approval, scopes: approval.scopes.flatMap((name) => scopeNamed(name) ?? []) };
  return { kind, owner, record } as unknown as NamedRecord<Kind>;
}

/** See `ImportTransaction.named`. */
export async function findNamed<Kind extends NamedKind>(
  sql: AnySql,
  kind: Kind,
  names: readonly string[],
): Promise<Map<string, NamedRecord<Kind>>> {
  const { name, nameType } = NAMED[kind];
  const isNamed = sql`${sql.unsafe(name)} = any(${names as string[]}::${sql.unsafe(nameType)}[])`;
  const rows = await selectNamed(sql, kind, isNamed, `, ${name} as found_by`);
  return new Map(rows.map(({ found_by, ...row }) => [found_by as string, toNamed(kind, row)]));
}

/** See `ImportTransaction.insertNamed`. */
export async function insertNamed<Kind extends NamedKind>(
  sql: TransactionSql,
  kind: Kind,
  record: NamedRecords[Kind],
  to: RecordHolder,
): Promise<void> {
  const { table, row } = NAMED[kind];
  const { client = undefined, ...columns } = row(record, to);
  const written = {
    ...columns,
    ...(to.ownerId !== null && { owner_id: to.ownerId }),
    // After an agent is swept, this is JSON's null. The driver would send SQL's null, which the column does not accept.
    ...(client !== undefined && { client: client === null ? sql`'null'::jsonb` : client }),
  };
  await sql`insert into ${sql.unsafe(table)} ${sql(written as never)} on conflict do nothing`;
  if (kind === "webhook")
    await sql`
      insert into audit_log (owner_id, operation, detail)
      values (${to.ownerId}, 'import', ${{ webhook: columns.id } as never})`;
}

/** Columns of the owner `o` that `toOwner` reads. An end user's has those of its application as well. */
export function ownerColumns(sql: AnySql): Fragment {
  return sql`o.kind, o.name,
    (select jsonb_build_object('kind', p.kind, 'name', p.name) from owners p where p.id = o.application_id) as application`;
}

/** The owner of a row with `ownerColumns`. */
export function toOwner({ kind, name, application }: Row): OwnerRef {
  return {
    kind: kind as OwnerRef["kind"],
    name: name as string,
    ...(application ? { application: application as NonNullable<OwnerRef["application"]> } : {}),
  };
}
