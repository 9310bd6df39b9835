/** Statements that touch more than one partition: words that tell each from the others, and why. */
export interface Exception {
  readonly has: string;
  readonly why: string;
}

/**
 * What is about all whom a caller sees. It touches the partitions of the caller and of its teams and no other, so that it
 * touches one for whoever is in no team.
 */
export const OF_A_CALLER: readonly Exception[] = [
  { has: "( select of_owner.* from unnest(array(", why: "owner by owner: `ofEachOwner`" },
  {
    has: "with seen as materialized (select array( select",
    why: "the same of a page of a list, and of its total",
  },
  { has: "full join ( select", why: "what a search proposes is read back among the owners that it was of" },
  { has: "select distinct on (own.id) own.id as asked", why: "the states of then, of what was found" },
];

const SWEEP = "a sweep by age: each partition has its own old rows";
const DUE = "a look at what is due, for workers: each partition has its own";
const COUNT = "a count for operators";
const BACKLOG = "the worker looks through all memories for those without a vector";
const RESTORED = "after a restore: transaction ids of the whole cluster";
const LOG = "there is one log of events, and one inbox before it";

export const EXCEPTIONS: readonly Exception[] = [
  // For a caller.
  {
    has: "update idempotency_keys k set items = null",
    why: "answers about an erased memory are kept with whoever asked, who may have left its team since",
  },
  {
    has: "select id from memories where id = any($1::uuid[]) and status <> 'redacted' order by id for key share",
    why: "the memories that many callers were just shown, for the recall log",
  },
  // Of workers and operators.
  { has: "select exists (select from event_inbox)", why: LOG },
  { has: "select i.owner_id as instant_owner", why: LOG },
  { has: "with next as materialized ( select owner_id, seq from event_inbox", why: LOG },
  { has: "select exists (select from webhooks where is_enabled)", why: DUE },
  { has: "from webhooks w where w.is_enabled and w.next_try_at", why: DUE },
  { has: "update maintenance_runs set touched_at = now() where (owner_id, id)", why: DUE },
  { has: "select * from maintenance_settings where next_run_at", why: DUE },
  { has: "with due as ( select id, owner_id, memory, revision, kind, receipt from outbox", why: DUE },
  { has: "delete from outbox_owners where lease =", why: "what one worker holds, of many owners" },
  {
    has: "with done as ( delete from outbox o using",
    why: "lines of many owners by pairs, and receipts, which may be another's than their lines",
  },
  { has: "with folded as ( delete from owner_usage", why: SWEEP },
  { has: "delete from owner_usage where shard = 0", why: SWEEP },
  { has: "delete from memory_counts c where not exists", why: SWEEP },
  {
    has: "select owner_id, count(*)::int as changes from (",
    why: "who has changes that are to be put together",
  },
  {
    has: "with taken as ( delete from memory_count_changes",
    why: "the changes of many owners are put together",
  },
  { has: "delete from tombstones where removed_at", why: SWEEP },
  { has: "delete from outbox_owners where leased_until", why: SWEEP },
  { has: "delete from webhook_deliveries where dead_at", why: SWEEP },
  { has: "with cleared as ( delete from events", why: SWEEP },
  { has: "delete from maintenance_runs where finished_at", why: SWEEP },
  { has: "delete from idempotency_keys where created_at", why: SWEEP },
  { has: "select count(*) as count from memories m left join embeddings e", why: BACKLOG },
  {
    has: "select m.owner_id, m.id as memory, m.revision, m.content from memories m left join embeddings e",
    why: BACKLOG,
  },
  { has: "with portion as ( select id, owner_id, changed_xid from memories", why: RESTORED },
  { has: "update tombstones set changed_xid =", why: RESTORED },
  { has: "with lines as ( select kind, queued_at", why: COUNT },
  { has: "select count(*)::int as counted", why: COUNT },
  { has: "as unembedded from outbox where set_aside is null", why: COUNT },
  { has: "select set_aside as reason, count(*) as count from outbox", why: COUNT },
];

export function isExcepted(statement: string, { has }: Exception): boolean {
  return statement.includes(has);
}
