/** Statements that touch more than one partition: words that tell each from the others, and why. */
interface Exception {
  readonly has: string;
  readonly why: string;
}

const SWEEP = "a sweep by age: each partition has its own old rows";
const DUE = "a look at what is due, for workers: each partition has its own";
const COUNT = "a count for operators";
const BACKLOG = "the worker looks through all memories for those without a vector";
const RESTORED = "after a restore: transaction ids of the whole cluster";
const LOG = "there is one log of events, and one inbox before it";
const EVENTS_OF_TEAMS = "what a webhook tells of is its owner's or a team's of its owner, as of now";
const SEEN =
  "a caller's owners, itself and its teams as of now, are read by the statement itself: where it looks is not known before";

export const EXCEPTIONS: readonly Exception[] = [
  // For callers.
  { has: ") as owners) o full join (", why: SEEN },
  { has: "as role from memories m where m.memory_id =", why: SEEN },
  { has: "as role from memories m where ( m.owner_id = any(array(", why: SEEN },
  { has: "select count(*) as total from memories m where", why: SEEN },
  {
    has: "select m.* from unnest(array( select",
    why: "a list of a caller and its teams, a partition for each of them",
  },
  { has: "with owner as materialized (select unnest(array(", why: "the total of such a list" },
  { has: "select r.* from receipts r where r.id::text", why: SEEN },
  { has: "select log.cleared_to, e.* from event_log log", why: SEEN },
  { has: ") next ) select m.id, m.seq", why: SEEN },
  { has: ") next ) select m.memory_id, m.seq from link", why: SEEN },
  {
    has: "update idempotency_keys k set items = null",
    why: "answers about an erased memory are kept with whoever asked, who may have left its team since",
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
  { has: "delete from tombstones where removed_at", why: SWEEP },
  { has: "delete from outbox_owners where leased_until", why: SWEEP },
  { has: "delete from webhook_deliveries where dead_at", why: SWEEP },
  { has: "with cleared as ( delete from events", why: SWEEP },
  { has: "delete from maintenance_runs where finished_at", why: SWEEP },
  { has: "delete from idempotency_keys where created_at", why: SWEEP },
  { has: "select count(*) as count from memories m left join embeddings e", why: BACKLOG },
  {
    has: "select m.id, m.owner_id, m.revision, m.content from memories m left join embeddings e",
    why: BACKLOG,
  },
  { has: "with portion as ( select id, owner_id, changed_xid from memories", why: RESTORED },
  { has: "update tombstones set changed_xid =", why: RESTORED },
  { has: "with lines as ( select kind, queued_at", why: COUNT },
  { has: "insert into webhook_deliveries (owner_id, webhook, position, memory)", why: EVENTS_OF_TEAMS },
  { has: "with heads as ( select distinct on (memory)", why: EVENTS_OF_TEAMS },
  { has: "select count(*)::int as counted", why: COUNT },
];

export function isExcepted(statement: string, { has }: Exception): boolean {
  return statement.includes(has);
}
