/** Memories out of the service and into it, a page at a time, by the same operations as every client's. */
import type { Space } from "../../shell/space.ts";
import { client, codeOf, type Outputs, type Refusal } from "../../shell/trpc.ts";

type Memory = Outputs["listMemories"]["memories"][number];

const PAGE = 500;

/** Every memory of the space that is live, or that is kept at all, as JSON Lines. `onProgress` is told of every page. */
export async function exportLines(
  space: Space,
  which: "live" | "kept",
  how: Progressing,
): Promise<{ readonly parts: string[]; readonly count: number }> {
  const parts: string[] = [];
  let count = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Outputs["listMemories"] = await patiently(how, () =>
      client.listMemories.query(
        {
          ...space.filter,
          limit: PAGE,
          ...(which === "kept" ? { status: "%" } : {}),
          ...(cursor ? { cursor } : {}),
        },
        { signal: how.signal },
      ),
    );
    parts.push(page.memories.map((memory) => `${JSON.stringify(memory)}\n`).join(""));
    count += page.memories.length;
    how.onProgress(count, Math.max(page.total, count));
    cursor = page.next_cursor;
  }
  return { parts, count };
}

export interface Progressing {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, of: number) => void;
  /** What is waited for, where it is; null once it goes on. */
  readonly onWait: (why: string | null) => void;
}

/** Waits where there were too many requests, as long as the service says, and then asks again. */
export async function patiently<T>(
  { signal, onWait }: Omit<Progressing, "onProgress">,
  ask: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (codeOf(error) !== "rate_limited" || signal.aborted) throw error;
      const seconds = (error as Refusal).data?.retry_after_seconds ?? 5;
      onWait(`Too many requests right now: continuing in ${seconds} s.`);
      await new Promise((done) => setTimeout(done, seconds * 1000));
      onWait(null);
    }
  }
}

/** What became of a file. */
export interface ImportReport {
  readonly lines: number;
  /** Stored, or there already with the same members. */
  readonly taken: number;
  /** Of former states, todos and others that are no memory of their own. */
  readonly leftOut: number;
  readonly refused: readonly { readonly line: number; readonly why: string }[];
}

const ITEMS = 200;
const BYTES = 512 * 1024;

interface Line {
  readonly number: number;
  readonly item: Record<string, unknown>;
}

/** Writes every memory of a file of JSON Lines into the space. Where it is stopped, the same file again goes on. */
export async function importLines(space: Space, file: File, how: Progressing): Promise<ImportReport> {
  const refused: { line: number; why: string }[] = [];
  let [lines, taken, leftOut, read] = [0, 0, 0, 0];
  let batch: Line[] = [];
  let bytes = 0;
  const report = () => ({ lines, taken, leftOut, refused });
  const send = async () => {
    if (batch.length === 0) return;
    const items = batch.map(({ item }) => item);
    const { results } = await patiently(how, () =>
      client.storeBatch.mutate({ items }, { signal: how.signal }),
    );
    results.forEach((result, at) => {
      if ("error" in result) refused.push({ line: batch[at]?.number ?? 0, why: wordsOf(result.error) });
      else taken += 1;
    });
    batch = [];
    bytes = 0;
    how.onProgress(Math.min(read, file.size), file.size);
  };
  for await (const text of linesOf(file)) {
    how.signal.throwIfAborted();
    lines += 1;
    read += text.length + 1;
    if (text.trim() === "") continue;
    const item = itemOf(text, space);
    if (item === "left out") leftOut += 1;
    else if (item === null) refused.push({ line: lines, why: "It is not a memory in JSON." });
    else {
      if (batch.length >= ITEMS || bytes + text.length > BYTES) await send();
      batch.push({ number: lines, item });
      bytes += text.length;
    }
  }
  await send();
  return report();
}

const TAKEN = [
  "content",
  "path",
  "bucket",
  "memory_type",
  "semantic_key",
  "importance",
  "confidence",
  "source",
  "logic_path",
  "metadata",
  "expires_at",
] as const;

const LIVE = ["active", "started", "completed", "archived"];

/** What is stored of a line: of this page's exports, or the memories of the command line's. null: it is neither. */
function itemOf(text: string, space: Space): Record<string, unknown> | "left out" | null {
  const line = parsed(text);
  if (line === null) return null;
  const { kind = "memory", status = "active" } = line as Partial<Memory> & { kind?: string };
  if ("recollect_export" in line || kind !== "memory" || line.item) return "left out";
  if (!LIVE.includes(status)) return "left out";
  const given = TAKEN.flatMap((name) => (line[name] == null ? [] : [[name, line[name]] as const]));
  const provenance = line.provenance as { project_id?: unknown } | null | undefined;
  const project = line.project_id ?? provenance?.project_id;
  return {
    ...Object.fromEntries(given),
    status,
    memory_id: line.memory_id ?? line.id,
    ...(project == null ? {} : { project_id: project }),
    ...(space.teamId === null ? { scope: "private" } : { scope: "team", team_id: space.teamId }),
  };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function wordsOf({ code, detail }: { readonly code: string; readonly detail?: unknown }): string {
  if (typeof detail === "string") return detail;
  const issues = Array.isArray(detail) ? (detail as { loc?: unknown[]; msg?: string }[]) : [];
  return issues.map(({ loc, msg }) => `${loc?.at(-1) ?? ""} ${msg ?? ""}`.trim()).join("; ") || code;
}

async function* linesOf(file: File): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    yield* done && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
    if (done) return;
  }
}
