import type { ListSort } from "../../contract/filter.ts";
import { cutPlace } from "../../recall/language/cut-place.ts";
import type { Caller } from "../caller.ts";
import { invalid, notFound } from "../error.ts";
import { itemsThatFit } from "../limits/answer-bytes.ts";
import type { UseCase } from "../use-case.ts";
import { listFilter } from "./memory-filter.ts";
import type { MemoryRecord, ShownMemory } from "./memory-record.ts";
import type { ListedMemories, ListOrder, ListPage, MemoryPorts } from "./memory-store.ts";
import { etagOf, present, presentState, rfc3339 } from "./present.ts";
import { asItStands, statusAt } from "./supersession.ts";

type ReadPorts = Pick<MemoryPorts, "store" | "clock">;

/**
 * One memory, or its content from an offset on. `not_found` also for a soft-deleted memory; the list returns those with
 * `status=soft_deleted`.
 */
export const getMemory: UseCase<ReadPorts, "getMemory"> = async (ports, caller, input) => {
  const memory = await requireReadable(ports, caller, input.memory_id);
  const whole = { ...present(caller, memory, ports.clock()), etag: etagOf(memory) };
  if (input.content_offset === 0) return whole;
  if (input.content_offset >= memory.content.length)
    throw invalid(["content_offset"], "must be before the end of the content");
  const content_offset = cutPlace(memory.content, input.content_offset);
  return { ...whole, content: memory.content.slice(content_offset), content_offset };
};

/** A page of memories, newest first unless it is sorted, with the number of all matches. */
export const listMemories: UseCase<ReadPorts, "listMemories"> = async (ports, caller, input) => {
  const now = ports.clock();
  const order = orderOf(input);
  if (order !== null && input.cursor) throw invalid(["cursor"], "must be left out if `sort` is not `stored`");
  const page: ListPage = {
    limit: input.limit,
    offset: input.offset,
    after: input.cursor ? await readCursor(ports, input.cursor) : null,
    order,
  };
  const filter = listFilter(caller, input, now);
  const { memories: found, total, hasMore } = await ports.store.list(caller, filter, page);
  const { asOf } = filter;
  const shown = asOf === null ? found : await asTheyWere(ports, caller, found, asOf);
  const memories = itemsThatFit(shown.map((memory) => present(caller, memory, asOf ?? now)));
  const goesOn = order === null && (hasMore || memories.length < found.length);
  const last = goesOn ? found[memories.length - 1] : undefined;
  return { memories, total, next_cursor: last ? await ports.store.cursorOf(last) : null };
};

/** The memories in their states at that instant. */
async function asTheyWere(
  { store }: ReadPorts,
  caller: Caller,
  memories: ListedMemories["memories"],
  at: number,
): Promise<ShownMemory[]> {
  const past = await store.statesAt(caller, memories, at);
  return memories.flatMap((memory) => {
    const then = past.has(memory.id) ? past.get(memory.id) : memory;
    return then ? [asItStands(then, at)] : [];
  });
}

function orderOf({
  sort = "stored",
  ascending = false,
}: {
  sort?: ListSort | undefined;
  ascending?: boolean | undefined;
}): ListOrder | null {
  return sort === "stored" && !ascending ? null : { by: sort, isAscending: ascending };
}

const NOT_A_CURSOR = "must be the next_cursor of an earlier page";

async function readCursor({ store }: ReadPorts, cursor: string): Promise<NonNullable<ListPage["after"]>> {
  const place = await store.placeOf(cursor);
  if (place === null) throw invalid(["cursor"], NOT_A_CURSOR);
  return place;
}

/** Maximum number of memories listed from a chain, to limit the size of the answer. */
const CHAIN_MAX = 1000;

/**
 * A page of a memory's states, the current one first. The first page also has the chain of memories that stated the
 * same fact.
 */
export const listVersions: UseCase<ReadPorts, "listVersions"> = async (ports, caller, input) => {
  const memory = await requireReadable(ports, caller, input.memory_id);
  const now = ports.clock();
  const before = input.cursor == null ? null : readRevision(input.cursor);
  const isFirst = before === null;
  const former = await ports.store.formerStates(caller, memory, { limit: input.limit, before });
  const current = {
    ...presentState(memory, now),
    valid_from: rfc3339(former.latestValidTo ?? memory.createdAt),
    valid_to: null,
    reason: null,
  };
  const earlier = former.states.map(({ state, validFrom, validTo, reason, revision }) => ({
    revision,
    version: state && {
      ...presentState(state, Math.min(now, validTo)),
      valid_from: rfc3339(validFrom ?? memory.createdAt),
      valid_to: rfc3339(validTo),
      reason,
    },
  }));
  const states = isFirst ? [{ revision: memory.revision, version: current }, ...earlier] : earlier;
  const fitting = itemsThatFit(states.slice(0, input.limit));
  const hasMore = former.hasMore || fitting.length < states.length;
  const next = hasMore ? (fitting.at(-1)?.revision ?? null) : null;
  const chain = isFirst ? await ports.store.chain(caller, memory, CHAIN_MAX) : [];
  return {
    id: memory.memoryId,
    versions: fitting.flatMap(({ version }) => version ?? []),
    chain: chain.map((link) => ({
      id: link.memoryId,
      version: link.version,
      status: statusAt(link, now),
      created_at: rfc3339(link.createdAt),
    })),
    next_cursor: next === null ? null : String(next),
  };
};

function readRevision(cursor: string): number {
  if (!/^[1-9]\d{0,9}$/.test(cursor)) throw invalid(["cursor"], NOT_A_CURSOR);
  return Number(cursor);
}

async function requireReadable(ports: ReadPorts, caller: Caller, memoryId: string): Promise<MemoryRecord> {
  const seen = await ports.store.find(caller, memoryId);
  if (!seen || seen.memory.status === "soft_deleted") throw notFound();
  return seen.memory;
}

/** The receipt of a permanent removal. `not_found` for a receipt of another owner. */
export const getReceipt: UseCase<ReadPorts, "getReceipt"> = async (ports, caller, input) => {
  const receipt = await ports.store.receipt(caller, input.receipt_id);
  if (!receipt) throw notFound("receipt");
  return { ...receipt, removed: { ...receipt.removed }, remaining: [...receipt.remaining] };
};
