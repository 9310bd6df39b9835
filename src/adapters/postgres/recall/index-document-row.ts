import { REVISION_STEP } from "../../../core/projection/fingerprint.ts";
import type { IndexDocument } from "../../../recall/index/index-document.ts";
import { passageCount } from "../../../recall/language/passages.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { FORMER } from "../memory/supersession.ts";
import { isEmbedded } from "./embeddings.ts";

/**
 * Columns of a row for an index document. The revision is the projection's own: it rises with the row's, and once more
 * for each kind of vectors, which may be made after the write. It covers the vector's origin and adoption as well: a
 * vector is replaced only together with its row, and a memory is adopted by a change of its row.
 */
export function documentColumns(sql: AnySql): Fragment {
  return sql`m.id, m.seq, ${projectedRevision(sql)} as revision, m.owner_id, m.scope, m.project_id, m.path, m.bucket, m.memory_type,
    m.workspace_item is not null as is_item, m.status, m.superseded_until, ${FORMER(sql)} as superseded_status,
    m.session_id, m.source, m.content, concat_ws(' ', m.semantic_key, m.logic_path) as keywords,
    coalesce(m.occurred_at, m.created_at) as occurred_at, m.created_at, m.expires_at, e.vector, e.passages as vector_count,
    coalesce(e.by_caller, false) as has_callers_vector, e.multilingual, e.language, m.provenance ? 'adopted_from' as is_adopted`;
}

/** The projection's revision of the row `m` with its embedding `e`. */
export function projectedRevision(sql: AnySql): Fragment {
  return sql`m.revision * ${REVISION_STEP}::bigint + ${isEmbedded(sql)}::int + (e.multilingual is not null)::int`;
}

/** SQL of the rows `m` with their embeddings `e` of that generation. */
export function withEmbedding(sql: AnySql, generation: number): Fragment {
  return sql`memories m left join embeddings e on e.owner_id = m.owner_id and e.memory = m.id and e.generation = ${generation}`;
}

export function toIndexDocument(row: Record<string, unknown>): IndexDocument {
  return {
    id: row.id as string,
    seq: row.seq as number,
    revision: row.revision as number,
    ownerId: row.owner_id as string,
    teamId: row.scope === "team" ? (row.owner_id as string) : null,
    projectId: row.project_id as string | null,
    path: row.path as string,
    bucket: row.bucket as string,
    scope: row.scope as string,
    memoryType: row.memory_type as string,
    isItem: row.is_item as boolean,
    status: row.status as string,
    supersededUntil: row.superseded_until as number | null,
    supersededStatus: row.superseded_until === null ? null : (row.superseded_status as string),
    sessionId: row.session_id as string | null,
    source: row.source as string | null,
    content: row.content as string,
    keywords: row.keywords as string,
    occurredAt: row.occurred_at as number,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    vectors:
      row.vector === null ? null : { bytes: row.vector as Uint8Array, count: row.vector_count as number },
    hasCallersVector: row.has_callers_vector as boolean,
    multilingual:
      row.multilingual === null
        ? null
        : { bytes: row.multilingual as Uint8Array, count: passageCount(row.content as string) },
    language: row.language as string | null,
    isAdopted: row.is_adopted as boolean,
  };
}
