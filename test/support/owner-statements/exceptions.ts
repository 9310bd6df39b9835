/**
 * The statements that run over all owners, and why each has to: of workers and operators, never for a caller. One that is not
 * here names its owner.
 */
import type { OwnerlessStatement } from "./statements.ts";

interface Exception extends Pick<OwnerlessStatement, "file" | "begins"> {
  readonly why: string;
}

const SWEEP = "a sweep by age: each part has its own old rows";
const COUNT = "a count for operators: the parts' counts are summed up";
const DUE = "a look at what is due: each part has its own";
const DISOWNED =
  "whom an erased owner's credentials wrote for is not known: no index leads from them to others' rows";

export const EXCEPTIONS: readonly Exception[] = [
  ...of("adapters/postgres/database/upkeep.ts", {
    "select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as i": COUNT,
  }),
  ...of("adapters/postgres/erasure/disown.ts", {
    "select coalesce(max(id), 0) as id from audit_log": DISOWNED,
    "update maintenance_runs set authority = ${nobody as never}::jsonb, started_by = ${NOBODY},": DISOWNED,
    'update maintenance_runs set undo_authority = ${nobody as never}::jsonb where ${isTheirs("u': DISOWNED,
    "update maintenance_settings set authority = ${nobody as never}::jsonb, updated_by = ${NOBO": DISOWNED,
    "update workspace_events set agent_id = null, trust = 'unattributed', token_id = ${NOBODY}": DISOWNED,
  }),
  ...of("adapters/postgres/events/advance.ts", {
    "delete from webhook_deliveries where dead_at < now() - make_interval(days => ${DEAD_LETTER": SWEEP,
    "select exists (select from event_inbox) or exists (select from event_instants where at <=": DUE,
    "with cleared as ( delete from events e where noted_at < now() - make_interval(hours => ${k": SWEEP,
  }),
  ...of("adapters/postgres/events/delivery-queue.ts", {
    "select exists (select from webhooks where is_enabled) as is_any": DUE,
  }),
  ...of("adapters/postgres/maintenance/maintenance-store.ts", {
    "select * from maintenance_settings where next_run_at <= now() order by next_run_at limit $": DUE,
  }),
  ...of("adapters/postgres/memory/idempotency.ts", {
    "update idempotency_keys k set items = null, answer = ${withoutWords(sql, sql`k.answer`)} w":
      "answers about an erased memory are kept with whoever asked, who may have left its team since",
  }),
  ...of("adapters/postgres/recall/index-source.ts", {
    "select ${bucket(tx)} as bucket, count(*) as count, sum(${fingerprint(tx)})::bigint as sum": COUNT,
    "select ${documentColumns(sql)} from ${withEmbedding(sql, embeddings)} ${memory === null ?":
      "an index of the search engine is filled with every memory, in the order of their ids",
    "select count(*) as count from memories": COUNT,
  }),
  ...of("adapters/postgres/recall/outbox.ts", {
    "delete from idempotency_keys where created_at < now() - make_interval(hours => ${ANSWERS_K": SWEEP,
    "delete from maintenance_runs where finished_at < now() - make_interval(days => ${RUNS_KEPT": SWEEP,
    "delete from tombstones where removed_at < now() - ${REMOVALS_KEPT_MS} * interval '1 millis": SWEEP,
    "select count(*) filter (where kind <> 'embed') as pending, extract(epoch from now() - min(": COUNT,
    "select set_aside as reason, count(*) as count from outbox where set_aside is not null grou": COUNT,
    "update outbox set set_aside = null, attempts = 0, available_at = now() where set_aside is":
      "the operator has all that was set aside tried again",
  }),
  ...of("adapters/postgres/recall/recall-log.ts", {
    "select id from memories where id = any(${ids}::uuid[]) and status <> 'redacted' order by i":
      "the memories that many callers were just shown, by internal id; only whether they are there is read",
  }),
  ...of("adapters/postgres/recall/transaction-ids.ts", {
    "select count(*) as count from memories where changed_xid >= pg_snapshot_xmax(pg_current_sn": COUNT,
    "update tombstones set changed_xid = '3' where changed_xid >= pg_snapshot_xmax(pg_current_s":
      "after a restore: transaction ids of a whole cluster",
  }),
  ...of("adapters/postgres/retention/retention-store.ts", {
    "select count(*) as count from audit_log l where ${isOldLine(sql, operation, before)}": COUNT,
    "select count(*) as count from memories m where ${isDue(sql, rule, before)}": COUNT,
  }),
  ...of("adapters/postgres/watch/figure-store.ts", {
    "select count(*)::int as counted, ( select greatest(0, reltuples)::float8 from pg_class whe": COUNT,
  }),
  ...of("cli/doctor-index.ts", {
    "select count(distinct memory)::int as count from outbox where kind <> 'embed'": COUNT,
  }),
];

function of(file: string, reasons: Readonly<Record<string, string>>): Exception[] {
  return Object.entries(reasons).map(([begins, why]) => ({ file, begins, why }));
}
