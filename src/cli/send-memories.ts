import type { LineOf } from "../contract/transfer.ts";
import type { Complaint } from "../core/transfer/import-batch.ts";
import type { ImportReport, SourceRecord } from "../core/transfer/import-memories.ts";
import { readLine } from "../core/transfer/lines.ts";
import { type Destination, request } from "./server-request.ts";

export interface SendOptions {
  readonly from: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  onProgress(progress: { readonly read: number; readonly offset: number }): void;
}

type Item = Readonly<Record<string, unknown>> & { readonly memory_id: string };

const BATCH_ITEMS = 100;
/** Maximum size of a batch. A request may be 1 MiB. */
const BATCH_BYTES = 700_000;
const COMPLAINTS_KEPT = 20;

/**
 * Stores another system's memories through the API of a running server, subject to that server's policy for secrets,
 * limits and audit. Importing the same store again writes nothing, since ids are derived from the store. Creation times
 * are the server's; the original time of a record becomes `metadata.occurred_at`. A dry run only asks which ids exist,
 * and sends no memories.
 */
export async function sendMemories(
  records: AsyncIterable<SourceRecord>,
  to: Destination,
  options: SendOptions,
): Promise<ImportReport> {
  const there = await idsThere(to, options);
  const counts = { read: 0, created: 0, unchanged: 0, conflicts: 0, invalid: 0 };
  const complaints: Complaint[] = [];
  const complain = (complaint: Complaint) => {
    counts[complaint.kind === "invalid" ? "invalid" : "conflicts"] += 1;
    if (complaints.length < COMPLAINTS_KEPT) complaints.push(complaint);
  };
  let masked = 0;
  let batch: { line: number; item: Item; bytes: number }[] = [];
  let offset = 0;

  const flush = async () => {
    const results =
      options.dryRun || batch.length === 0
        ? []
        : await store(
            to,
            batch.map(({ item }) => item),
          );
    for (const [index, { line, item }] of batch.entries()) {
      const refusal = results[index]?.error;
      const memory_id = item.memory_id;
      if (refusal) complain({ line, memory_id, kind: kindOf(refusal.code), reason: reasonOf(refusal) });
      else if (there.has(memory_id)) counts.unchanged += 1;
      else counts.created += 1;
      if (results[index]?.masked && !there.has(memory_id)) masked += 1;
      there.add(memory_id);
    }
    counts.read += batch.length;
    batch = [];
    options.onProgress({ read: counts.read, offset });
  };

  for await (const record of records) {
    if (options.signal.aborted) break;
    offset = record.offset;
    const read = itemOf(record, to, options.from);
    if ("reason" in read) {
      counts.read += 1;
      complain(read);
      continue;
    }
    const bytes = Buffer.byteLength(JSON.stringify(read.item));
    const waiting = batch.reduce((sum, { bytes: size }) => sum + size, 0);
    if (batch.length >= BATCH_ITEMS || waiting + bytes > BATCH_BYTES) await flush();
    batch.push({ line: record.line, item: read.item, bytes });
  }
  const interrupted = options.signal.aborted;
  if (!interrupted) await flush();
  complaints.sort((a, b) => a.line - b.line);
  const kinds = counts.created > 0 ? { memory: counts.created } : {};
  return { ...counts, kinds, ...(masked > 0 ? { masked } : {}), complaints, interrupted };
}

function itemOf(record: SourceRecord, to: Destination, from: string): { item: Item } | Complaint {
  const refused = (reason: string): Complaint => ({
    line: record.line,
    memory_id: null,
    kind: "invalid",
    reason,
  });
  if ("problem" in record) return refused(record.problem);
  const read = readLine(record.value, true);
  if ("issues" in read)
    return refused(
      read.issues
        .slice(0, 5)
        .map(({ loc, msg }) => [loc.join("."), msg].filter(Boolean).join(": "))
        .join("; "),
    );
  if (read.line.kind !== "memory") return refused("is not a memory");
  return { item: requestOf(read.line, record.isUndated === true, to, from) };
}

/** The request to store a memory, without members that only the server may set. */
function requestOf(line: LineOf<"memory">, isUndated: boolean, to: Destination, from: string): Item {
  const { content, path, bucket, memory_type, memory_id, importance, confidence, expires_at } = line;
  const { project_id, source, logic_path, semantic_key, metadata, provenance, owner } = line;
  const happened = line.occurred_at ?? (isUndated ? null : line.created_at);
  const member = <Name extends string>(name: Name, value: unknown) =>
    value === null || value === undefined ? {} : { [name]: value };
  return {
    memory_id,
    content,
    path,
    bucket,
    memory_type,
    importance,
    confidence,
    ...member("expires_at", expires_at),
    ...member("project_id", project_id),
    ...member("source", source),
    ...member("logic_path", logic_path),
    ...member("semantic_key", semantic_key),
    ...(to.teamId === null ? {} : { scope: "team", team_id: to.teamId }),
    metadata: { ...metadata, ...member("occurred_at", happened) },
    provenance: { origin: { system: from }, ...provenance, ...member("user_id", owner?.name) },
  };
}

interface Answer {
  readonly error?: { readonly code: string; readonly detail: unknown };
  readonly masked?: unknown;
}

async function store(to: Destination, items: readonly Item[]): Promise<Answer[]> {
  const answer = await request(to, "/v1/memories/batch", { body: { items } });
  return (answer as { results: Answer[] }).results;
}

function kindOf(code: string): Complaint["kind"] {
  return code === "validation_failed" || code === "secret_detected" ? "invalid" : "conflict";
}

function reasonOf({ code, detail }: NonNullable<Answer["error"]>): string {
  if (!Array.isArray(detail)) return typeof detail === "string" ? detail : code;
  return detail
    .slice(0, 5)
    .map(({ loc, msg }: { loc: unknown[]; msg: string }) => `${loc.slice(2).join(".")}: ${msg}`)
    .join("; ");
}

/** The ids of this system's memories on the server, of any status except deleted ones. */
async function idsThere(to: Destination, { from }: SendOptions): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const path of [from, `${from}/%`]) {
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ path, status: "%", limit: "1000" });
      if (cursor !== null) query.set("cursor", cursor);
      if (to.teamId !== null) query.set("team_id", to.teamId);
      const answer = (await request(to, `/v1/memories?${query}`)) as {
        memories: { id: string }[];
        next_cursor: string | null;
      };
      for (const { id } of answer.memories) ids.add(id);
      cursor = answer.next_cursor;
    } while (cursor !== null);
  }
  return ids;
}
