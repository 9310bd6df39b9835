import type { Caller } from "../../../core/caller.ts";
import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type {
  ChainLink,
  FormerStates,
  MemoryStore,
  StatesPage,
  StoredReceipt,
} from "../../../core/memory/memory-store.ts";
import type { Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { blockSealOf } from "../database/sealed-block.ts";
import { memoryBytes, withinBytes } from "../database/within-bytes.ts";
import { facets, pathsBelow } from "./browse.ts";
import { matches, matchesOf } from "./filter.ts";
import { cursorOf, placeOf } from "./list-cursor.ts";
import { list } from "./list-page.ts";
import { ListPlaces } from "./list-places.ts";
import { columns, recordOf, selectionOf, toRecord } from "./memory-row.ts";
import { memoriesById, ownedRows } from "./owned-rows.ts";
import { PresumedOwners } from "./presumed-owners.ts";
import { profileCandidates } from "./profile.ts";
import { related } from "./related.ts";
import { searchText } from "./search-text.ts";
import { isConfined, selectNamed, withVisibleSuccessors } from "./seen-memories.ts";
import { memoriesOfChain, withChain } from "./supersession.ts";
import { ChangingCallers } from "./total.ts";
import { usageOf } from "./usage.ts";
import { ofEachOwner, visible, visibleOwners } from "./visibility.ts";

/** Reads memories. Writes go through transactions of the whole record. */
export function createMemoryStore(sql: Sql): Omit<MemoryStore, "transaction" | "insertAlone"> {
  const presumed = new PresumedOwners();
  const known = { places: new ListPlaces(), passing: new ChangingCallers() };
  const sealOf = blockSealOf(sql, "list_cursors");

  async function seenOwners(caller: Caller): Promise<readonly string[]> {
    const rows = await sql`select unnest(${visibleOwners(sql, caller)}) as id`;
    const owners = rows.map((row) => row.id as string);
    presumed.keep(caller, owners);
    return owners;
  }

  return {
    async find(caller, memoryId) {
      const seen = await selectNamed(sql, caller, memoryId);
      if (!seen) return null;
      const [memory = seen.memory] = await withVisibleSuccessors(sql, caller, [seen.memory]);
      return { ...seen, memory };
    },

    async readMatching(caller, ids, filter) {
      const { found, owners } = await presumed.agreed(caller, async (among) => {
        // The join matches nothing, so one row has the owners, and the others have the memories.
        const rows = await sql`
          select m.*, o.owners from (select ${visibleOwners(sql, caller)} as owners) o full join (
            select ${columns(sql)} from ${memoriesById(sql, { owners: among, ids })} m
            where ${visible(sql, caller)} and ${matches(sql, filter)}
          ) m on false`.values();
        return {
          owners: rows.map((row) => row.at(-1)).find((told) => told !== null) as string[],
          found: rows.filter((row) => row.at(-1) === null).map(recordOf),
        };
      });
      return { memories: await withVisibleSuccessors(sql, caller, found), owners };
    },

    list: (caller, filter, page) => list(sql, caller, filter, page, known),
    cursorOf: async (place) => cursorOf(await sealOf(), place),
    placeOf: async (cursor) => placeOf(await sealOf(), cursor),

    pathsBelow: (caller, filter, ask) => pathsBelow(sql, caller, filter, ask),
    facets: (caller, filter, ask) => facets(sql, caller, filter, ask),

    async matchingIds(caller, filter) {
      const rows = await sql`select m.id from ${matchesOf(sql, caller, filter, sql`m.id`)} m`;
      return rows.map((row) => row.id as string);
    },

    visibleOwners: seenOwners,

    presumedOwners: async (caller) => presumed.of(caller) ?? seenOwners(caller),

    formerStates: (caller, memory, page) => formerStates(sql, caller, memory, page),
    chain: (caller, memory, limit) => chainOf(sql, caller, memory, limit),
    related: (caller, memory, limit) => related(sql, caller, memory, limit),
    async namesIn(teamIds, userIds) {
      const [teams, users] = [teamIds as string[], userIds as string[]];
      const rows = await sql`
        select id, name from owners where id = any(${teams}) and kind = 'team'
        union
        select u.id, u.name from owners u join team_members m on m.user_id = u.id
        where u.id = any(${users}) and m.team_id = any(${teams})`;
      return new Map(rows.map((row) => [row.id as string, row.name as string]));
    },

    async statesAt(caller, memories, at) {
      if (memories.length === 0) return new Map();
      // Each change stores the state before it, and when that ended. The first state that ended after `at` was current
      // then.
      const rows = await sql`
        select distinct on (own.id) own.id as asked, ${columns(sql)},
          ${visible(sql, caller)} and m.owner_id = own.owner_id as is_visible
        from ${ownedRows(sql, memories)}
        left join memories now on now.owner_id = own.owner_id and now.id = own.id
        left join memory_versions v on v.owner_id = own.owner_id and v.memory = own.id and v.valid_to > ${at}
        left join lateral jsonb_populate_record(null::memories, v.state) m on true
        where now.id is null or v.memory is not null
        order by own.id, v.revision`;
      return new Map(rows.map((row) => [row.asked as string, row.is_visible ? toRecord(row) : null]));
    },

    profile: (caller, ask) => profileCandidates(sql, caller, ask),

    usage: (caller) => usageOf(sql, caller.owner.id),

    receipt: (caller, receiptId) => receipt(sql, caller, receiptId),

    searchText: (caller, search) => searchText(sql, caller, search),
  };
}

async function formerStates(
  sql: Sql,
  caller: Caller,
  memory: MemoryRecord,
  { limit, before }: StatesPage,
): Promise<FormerStates> {
  const former = sql`memory_versions v where v.owner_id = ${memory.ownerId} and v.memory = ${memory.id}`;
  // A state begins when the one before it ended. That one may be just past the page, so one more is read.
  const page = sql`
    select ${columns(sql)}, v.revision as kept_as, v.valid_to, v.valid_from, v.reason,
      ${visible(sql, caller)} and m.owner_id = ${memory.ownerId} as is_visible
    from (
      select v.*, lead(v.valid_to) over (order by v.revision desc) as valid_from from (
        select v.* from ${former} ${before === null ? sql`` : sql`and v.revision < ${before}`}
        order by v.revision desc limit ${limit + 1}
      ) v order by v.revision desc limit ${limit}
    ) v cross join lateral jsonb_populate_record(null::memories, v.state) m`;
  const rows = await sql`
    select w.*, (select max(v.valid_to) from ${former}) as latest_valid_to,
      exists (select from ${former} and v.revision < w.kept_as) as has_older
    from (${withinBytes(sql, page, { bytes: memoryBytes(sql), order: sql`r.kept_as desc` })}) w
    order by w.kept_as desc`;
  const states = await withVisibleSuccessors(sql, caller, rows.map(toRecord));
  return {
    states: rows.map((row, at) => ({
      revision: row.kept_as as number,
      state: row.is_visible === true ? (states[at] as MemoryRecord) : null,
      validFrom: row.valid_from as number | null,
      validTo: row.valid_to as number,
      reason: row.reason as string | null,
    })),
    latestValidTo: (rows[0]?.latest_valid_to ?? null) as number | null,
    hasMore: rows.at(-1)?.has_older === true,
  };
}

async function chainOf(sql: Sql, caller: Caller, { id, ownerId }: MemoryRecord, limit: number) {
  const rows = await sql`
    ${withChain(sql, { ownerId, ids: [id] })}
    select ${link.columns(sql)}, m.seq from ${memoriesOfChain(sql)} m
    where ${visible(sql, caller)} and m.status <> 'soft_deleted' order by m.seq desc limit ${limit}`;
  return rows.map(link.read).reverse();
}

/** Members of a memory that a chain shows. */
const link = selectionOf({
  memoryId: true,
  version: true,
  createdAt: true,
  status: true,
  expiresAt: true,
  supersededStatus: true,
  supersededUntil: true,
} satisfies Record<keyof ChainLink, true>);

/**
 * Reads a receipt of one of the caller's owners. A credential that is confined to a part of them sees only its own
 * receipts.
 */
async function receipt(sql: Sql, caller: Caller, receiptId: string): Promise<StoredReceipt | null> {
  const named = ofEachOwner(
    sql,
    caller,
    (owner) => sql`
      select r.id, case when r.confirmed_at is null then 'pending' else 'confirmed' end as state, r.removed, r.digest,
        r.remaining
      from receipts r where r.owner_id = ${owner} and r.id::text = ${receiptId}
        ${isConfined(caller) ? sql`and r.token_id = ${caller.tokenId}` : sql``}`,
  );
  const [row] = await sql`select r.* from ${named} r`;
  return row ? fromRow(row) : null;
}
