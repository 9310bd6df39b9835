import type { RequestedFilter } from "../../contract/filter.ts";
import type { MemoryItem } from "../../contract/memory.ts";
import { isInstant } from "../../contract/primitives.ts";
import type { Caller } from "../caller.ts";
import { invalid, notFound } from "../error.ts";
import { memoryFilter } from "./memory-filter.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { ListPage, MemoryPorts } from "./memory-store.ts";
import { etagOf, present, presentState, rfc3339 } from "./present.ts";

type ReadPorts = Pick<MemoryPorts, "store" | "clock">;

/** One memory. `not_found` also for what was soft-deleted: the list shows these by `status=soft_deleted`. */
export async function getMemory(
  ports: ReadPorts,
  caller: Caller,
  input: { memory_id: string },
): Promise<MemoryItem & { etag: string }> {
  const memory = await requireReadable(ports, caller, input.memory_id);
  return { ...present(caller, memory, ports.clock()), etag: etagOf(memory) };
}

/** A page of memories, newest first, with the count of all that match. */
export async function listMemories(
  ports: ReadPorts,
  caller: Caller,
  input: RequestedFilter & { limit: number; offset: number; cursor?: string | null | undefined },
) {
  const now = ports.clock();
  const page: ListPage = {
    limit: input.limit,
    offset: input.offset,
    after: input.cursor ? readCursor(input.cursor) : null,
  };
  // Todos and decisions have lists of their own.
  const filter = { ...memoryFilter(caller, input, now), withoutItems: true };
  const listed = await ports.store.list(caller, filter, page);
  return {
    memories: listed.memories.map((memory) => present(caller, memory, now)),
    total: listed.total,
    next_cursor: listed.next ? `${listed.next.createdAt}.${listed.next.seq}` : null,
  };
}

function readCursor(cursor: string): NonNullable<ListPage["after"]> {
  const match = /^(-?\d{1,15})\.(\d{1,15})$/.exec(cursor);
  if (!match) throw invalid(["cursor"], "must be the next_cursor of an earlier page");
  const createdAt = Number(match[1]);
  if (!isInstant(createdAt)) throw invalid(["cursor"], "must be the next_cursor of an earlier page");
  return { createdAt, seq: Number(match[2]) };
}

/** Every state a memory has had, the current one first, and the chain of memories that stated the same fact. */
export async function listVersions(ports: ReadPorts, caller: Caller, input: { memory_id: string }) {
  const memory = await requireReadable(ports, caller, input.memory_id);
  const now = ports.clock();
  const { versions, chain } = await ports.store.history(caller, memory);
  // A state begins where the one before it ended.
  const beginning = (place: number) => rfc3339(versions[place]?.validTo ?? memory.createdAt);
  const earlier = versions.flatMap(({ state, validTo, reason }, place) =>
    state === null
      ? []
      : [
          {
            ...presentState(state, Math.min(now, validTo)),
            valid_from: beginning(place + 1),
            valid_to: rfc3339(validTo),
            reason,
          },
        ],
  );
  const current = { ...presentState(memory, now), valid_from: beginning(0), valid_to: null, reason: null };
  return {
    id: memory.memoryId,
    versions: [current, ...earlier],
    chain: chain.map((link) => {
      const { id, version, status, created_at } = presentState(link, now);
      return { id, version, status, created_at };
    }),
  };
}

async function requireReadable(ports: ReadPorts, caller: Caller, memoryId: string): Promise<MemoryRecord> {
  const seen = await ports.store.find(caller, memoryId);
  if (!seen || seen.memory.status === "soft_deleted") throw notFound();
  return seen.memory;
}

/** The receipt of a permanent removal. `not_found` for another owner's. */
export async function getReceipt(ports: ReadPorts, caller: Caller, input: { receipt_id: string }) {
  const receipt = await ports.store.receipt(caller, input.receipt_id);
  if (!receipt) throw notFound("receipt");
  return { ...receipt, removed: { ...receipt.removed }, remaining: [...receipt.remaining] };
}
