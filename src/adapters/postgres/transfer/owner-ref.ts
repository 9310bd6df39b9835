/** Owners as an export names them. */
import type { OwnerRef } from "../../../contract/transfer.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import type { Row } from "../database/rows.ts";

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
