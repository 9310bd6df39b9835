import type { Memory, Model, OwnerName } from "./model.ts";
import type { Stage } from "./stage.ts";

/** Where the rows themselves disagree with the model, or null. */
export async function recordFault(stage: Stage, model: Model): Promise<string | null> {
  const { owners } = stage;
  const rows = await stage.world.service.sql`
    select m.*, m.metadata ->> 'tag' as tag from memories m where m.owner_id = any(${[...owners.keys()]})`;
  const actual = rows.map((row) => [
    owners.get(row.owner_id),
    row.memory_id,
    row.status,
    row.content,
    row.tag,
    row.path,
    row.bucket,
    row.memory_type,
    row.project_id,
    row.semantic_key,
    idIfThere(model, owners.get(row.owner_id), row.superseded_by as string | null),
  ]);
  const expected = [...model.memories.values()].map((memory) => [
    ...[memory.owner, memory.id, memory.status, memory.content, memory.tag, memory.path, memory.bucket],
    ...[memory.type, memory.project, memory.key, nameOf(model, memory)],
  ]);
  const [a, e] = [told(actual), told(expected)];
  const extra = a.filter((row) => !e.includes(row));
  const missing = e.filter((row) => !a.includes(row));
  if (extra.length + missing.length === 0) return null;
  return `the record holds ${extra.join(" ") || "nothing"} instead of ${missing.join(" ") || "nothing"}`;
}

/**
 * Puts the model's memories in the order of the record. An id that several teams have means the oldest, and which of
 * two that were stored at once is older is the record's to say.
 */
export async function takeOrder(stage: Stage, model: Model): Promise<void> {
  const rows = await stage.world.service.sql`
    select owner_id, memory_id from memories where owner_id = any(${[...stage.owners.keys()]}) order by seq`;
  const places = new Map(rows.map((row, n) => [`${stage.owners.get(row.owner_id)} ${row.memory_id}`, n]));
  const placeOf = ({ owner, id }: Memory) => places.get(`${owner} ${id}`) ?? 0;
  const inOrder = [...model.memories].sort(([, a], [, b]) => placeOf(a) - placeOf(b));
  model.memories.clear();
  for (const [serial, memory] of inOrder) model.memories.set(serial, memory);
}

/** The id of the successor; null where that was removed for good, whatever the row still says. */
function idIfThere(model: Model, owner: OwnerName | undefined, id: string | null): string | null {
  const isThere = [...model.memories.values()].some((memory) => memory.owner === owner && memory.id === id);
  return isThere ? id : null;
}

function nameOf(model: Model, { supersededBy }: Memory): string | null {
  return supersededBy === null ? null : (model.memories.get(supersededBy)?.id ?? null);
}

function told(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
