import { z } from "zod";
import {
  type RememberAnswer,
  rememberRequest,
  type StoreAnswer,
  storeRequest,
} from "../../contract/memory.ts";
import type { Caller } from "../caller.ts";
import { DomainError, type Issue } from "../error.ts";
import { inPlainWords } from "../input/plain-words.ts";
import { issuesOfMembers } from "../input/validation.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import { requireMember } from "./access.ts";
import { commitBatch } from "./commit-batch.ts";
import type { MemoryTransaction } from "./memory-store.ts";
import {
  isNewForSure,
  type PreparedWrite,
  prepareWrite,
  rememberAnswer,
  storeAnswer,
  type WriteOutcome,
  type WritePorts,
} from "./remember.ts";
import { isQuarantineFull, ownQuarantineIsFull } from "./write-rules.ts";

export type ItemError = { error: { code: string; detail: string | readonly Issue[] } };
type ItemAnswer = StoreAnswer | RememberAnswer | ItemError;

interface Item {
  readonly remembers: boolean;
  readonly write: PreparedWrite;
}

/**
 * Stores the items independently in one transaction. A rejected item changes nothing and does not affect the others.
 * Answers are in the order of the items.
 */
export const storeBatch: UseCase<WritePorts & Pick<Ports, "pace">, "storeBatch"> = async (
  ports,
  caller,
  input,
) => {
  const written = await writeItems(ports, caller, input.items);
  const results = written
    .map((one): ItemAnswer => {
      if ("error" in one) return one;
      const { item, outcome } = one;
      return item.remembers ? rememberAnswer(item.write, outcome) : storeAnswer(item.write, outcome);
    })
    .map(placedInBatch);
  const failed = results.filter((result) => "error" in result).length;
  return { results, stored: results.length - failed, failed };
};

/** The same, with the outcome of each write instead of its answer. */
export async function writeEach(
  ports: WritePorts & Pick<Ports, "pace">,
  caller: Caller,
  items: readonly unknown[],
): Promise<(WriteOutcome | ItemError)[]> {
  const written = await writeItems(ports, caller, items);
  return written.map((one) => ("error" in one ? one : one.outcome));
}

interface WrittenItem {
  readonly item: Item;
  readonly outcome: WriteOutcome;
}

/**
 * Writes the items in one transaction; `commitWrite` throws only before it writes. Locks whole owners, because a lock
 * per item would fill the lock table.
 */
async function writeItems(
  ports: WritePorts & Pick<Ports, "pace">,
  caller: Caller,
  given: readonly unknown[],
): Promise<(WrittenItem | ItemError)[]> {
  const isFull = await isQuarantineFull(ports.store, caller);
  const items: (Item | ItemError)[] = [];
  for (const item of given) {
    // Scanning a long text for secrets and embedding it takes milliseconds.
    await ports.pace.pause();
    items.push(await prepare(ports, caller, item, isFull));
  }
  const owners = items.flatMap((item) => ("write" in item ? item.write.memory.ownerId : []));
  return ports.store.transaction(caller, async (transaction) => {
    const forbidden = await forbiddenOwners(transaction, owners);
    await transaction.lockOwners(owners.filter((owner) => !forbidden.has(owner)));
    const allowed = items.filter(
      (item): item is Item => "write" in item && !forbidden.has(item.write.memory.ownerId),
    );
    const writes = allowed.map(({ write }) => write);
    const outcomes = await commitBatch(ports, caller, transaction, writes);
    const became = new Map(allowed.map((item, at) => [item, outcomes[at] as (typeof outcomes)[number]]));
    return items.map((item) => {
      if ("error" in item) return item;
      const outcome = became.get(item) ?? (forbidden.get(item.write.memory.ownerId) as ItemError);
      if (outcome instanceof DomainError) return errorOf(outcome);
      return "error" in outcome ? outcome : { item, outcome };
    });
  });
}

/** The owners that the caller may not write to, with the error for their items. */
async function forbiddenOwners(
  transaction: MemoryTransaction,
  owners: readonly string[],
): Promise<Map<string, ItemError>> {
  const forbidden = new Map<string, ItemError>();
  for (const owner of new Set(owners)) {
    const error = await resultOf(() => requireMember(transaction, owner));
    if (error) forbidden.set(owner, error);
  }
  return forbidden;
}

/** Prepares an item. With `dedupe` it is treated as a remember request, otherwise as a store request. */
async function prepare(
  ports: WritePorts,
  caller: Caller,
  item: unknown,
  isFull: boolean,
): Promise<Item | ItemError> {
  return resultOf(async () => {
    const remembers = typeof item === "object" && item !== null && "dedupe" in item;
    const parsed = z.safeParse(remembers ? rememberRequest : storeRequest, item, inPlainWords);
    const issues = issuesOfMembers(parsed, { input: rememberRequest }, item);
    if (!parsed.success || issues.length > 0) {
      throw new DomainError("validation_failed", "The item is not valid.", { issues });
    }
    const dedupe = "dedupe" in parsed.data && parsed.data.dedupe === true;
    if (isFull && isNewForSure(parsed.data, dedupe)) throw ownQuarantineIsFull();
    return { remembers, write: await prepareWrite(ports, caller, parsed.data, dedupe) };
  });
}

async function resultOf<T>(work: () => Promise<T>): Promise<T | ItemError> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return errorOf(error);
  }
}

function errorOf({ code, issues, message }: DomainError): ItemError {
  return { error: { code, detail: issues.length > 0 ? issues : message } };
}

/** Prefixes an item's error locations with its place in the batch: `["content"]` becomes `["items", 2, "content"]`. */
function placedInBatch(answer: ItemAnswer, index: number): ItemAnswer {
  if (!("error" in answer) || typeof answer.error.detail === "string") return answer;
  const detail = answer.error.detail.map((issue) => ({ ...issue, loc: ["items", index, ...issue.loc] }));
  return { error: { ...answer.error, detail } };
}
