import type { WorkspaceItem } from "../memory/memory-record.ts";
import type { ImportTransaction, ItemRow, RowLinks } from "./import-target.ts";
import {
  type BatchOutcome,
  idKey,
  lockedOwners,
  type Planned,
  plannedBefore,
  type Writing,
} from "./import-writing.ts";

/**
 * Writes what todos wait for and which decision another one replaced, once all of them are there. A link leads to the same
 * workspace and never back in a circle; an item that has other links keeps them.
 */
export async function writeLinks(writing: Writing<"links">): Promise<BatchOutcome[]> {
  const { ports, options, session, batch } = writing;
  return ports.target.transaction(async (transaction) => {
    const idOf = await lockedOwners(writing, transaction);
    const named = batch.flatMap(({ owner, value }) =>
      [value.id, ...othersOf(value)].map((memoryId) => ({ ownerId: idOf(owner), memoryId })),
    );
    const rows = new Map((await transaction.items(named)).map((row) => [idKey(row), row]));
    const find = (ownerId: string, memoryId: string) => {
      const key = idKey({ ownerId, memoryId });
      if (session.refused.has(key)) return undefined;
      return rows.get(key) ?? session.rehearsed.items.get(key);
    };
    const graph = await createGraph(transaction, plannedBefore(writing), [...rows.values()]);
    const created: RowLinks[] = [];
    const outcomes: BatchOutcome[] = [];
    for (const { line, value, owner } of batch) {
      const item = find(idOf(owner), value.id);
      const others = othersOf(value).map((id) => find(idOf(owner), id));
      const asked = { item, others, isTodo: value.supersedes === null };
      const outcome = await graph.decide(asked);
      if (outcome === "created" && item)
        created.push({ id: item.id, item: item.item, others: (others as ItemRow[]).map(({ id }) => id) });
      outcomes.push(
        outcome === "created" || outcome === "unchanged"
          ? { kind: outcome }
          : { kind: "conflict", line, memory_id: value.id, reason: outcome.reason },
      );
    }
    if (!options.dryRun && created.length > 0) await transaction.insertLinks(created);
    return outcomes;
  });
}

function othersOf(line: { depends_on: readonly string[]; supersedes: string | null }): readonly string[] {
  return line.supersedes === null ? line.depends_on : [line.supersedes];
}

interface Asked {
  readonly item: ItemRow | undefined;
  readonly others: readonly (ItemRow | undefined)[];
  readonly isTodo: boolean;
}

/** The links there are, with those that are planned, to which it adds what it lets in. */
async function createGraph(
  transaction: ImportTransaction,
  { links: known, replaced }: Planned,
  rows: readonly ItemRow[],
) {
  for (const [id, others] of await transaction.linksFrom(rows.map(({ id }) => id))) known.set(id, others);
  const asked = new Set(rows.map(({ id }) => id));
  const decisions = rows.filter(({ item }) => item === "decision").map(({ id }) => id);
  for (const id of await transaction.replaced(decisions)) replaced.add(id);

  /** True where the one can be reached from any of the others. */
  async function reaches(from: readonly string[], to: string): Promise<boolean> {
    const seen = new Set<string>();
    for (let next = [...from]; next.length > 0; ) {
      if (next.includes(to)) return true;
      for (const id of next) seen.add(id);
      const unknown = next.filter((id) => !asked.has(id));
      if (unknown.length > 0)
        for (const [id, others] of await transaction.linksFrom(unknown)) known.set(id, others);
      for (const id of unknown) asked.add(id);
      next = [...new Set(next.flatMap((id) => known.get(id) ?? []))].filter((id) => !seen.has(id));
    }
    return false;
  }

  return {
    async decide({ item, others, isTodo }: Asked): Promise<"created" | "unchanged" | { reason: string }> {
      const wanted: WorkspaceItem = isTodo ? "todo" : "decision";
      if (!item || item.item !== wanted) return { reason: `there is no ${wanted} of that id` };
      const isLinkable = (other: ItemRow | undefined): other is ItemRow =>
        other?.item === wanted && other.projectId === item.projectId;
      if (!others.every(isLinkable)) return { reason: `it refers to what is no ${wanted} of its project` };
      const ids = others.map(({ id }) => id);
      const before = known.get(item.id);
      if (before) {
        const isSame = before.length === ids.length && before.every((id, at) => id === ids[at]);
        return isSame ? "unchanged" : { reason: `the ${wanted} of that id refers to others` };
      }
      if (ids.length === 0) return "unchanged";
      if (!isTodo && replaced.has(ids[0] as string))
        return { reason: "the decision that it replaced was replaced by another one" };
      if (await reaches(ids, item.id)) return { reason: "it would refer to itself in a circle" };
      known.set(item.id, ids);
      if (!isTodo) replaced.add(ids[0] as string);
      return "created";
    },
  };
}
