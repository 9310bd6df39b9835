import { SERVICE_VERSION } from "../../contract/service.ts";
import { EXPORT_FORMAT, type ExportHeader, type ExportKind } from "../../contract/transfer.ts";
import type { Clock } from "../environment.ts";
import { DomainError } from "../error.ts";
import type { ExportFilter, ExportSource } from "./export-source.ts";
import { lineOf } from "./lines.ts";

export interface ExportReport {
  readonly memories: number;
  readonly versions: number;
  /** The number of lines of each kind; kinds without lines are absent. */
  readonly lines: Readonly<Partial<Record<ExportKind, number>>>;
}

/**
 * Writes everything that matches as JSON Lines from one consistent snapshot: a header, owners, agents, memories in the
 * order they were stored, and records that refer to them. Awaits `write` for each batch, so that at most one batch is
 * in memory. `not_found` for an unknown owner.
 */
export async function exportMemories(
  ports: { readonly source: ExportSource; readonly clock: Clock },
  filter: Omit<ExportFilter, "now">,
  to: {
    write(text: string): Promise<void>;
    onProgress?: (done: number, of: number) => void;
    signal?: AbortSignal;
  },
): Promise<ExportReport> {
  const { owner } = filter;
  if (owner !== null && !(await ports.source.hasOwner(owner)))
    throw new DomainError("not_found", `There is no ${owner.kind} named ${owner.name}.`);
  const now = ports.clock();
  return ports.source.snapshot({ ...filter, now }, async ({ count, batches }) => {
    const header: ExportHeader = {
      recollect_export: EXPORT_FORMAT,
      exported_at: new Date(now).toISOString(),
      version: SERVICE_VERSION,
      count,
    };
    await to.write(`${JSON.stringify(header)}\n`);
    const lines: Partial<Record<ExportKind, number>> = {};
    let [done, versions] = [0, 0];
    for await (const batch of batches()) {
      to.signal?.throwIfAborted();
      await to.write(batch.map((exported) => `${JSON.stringify(lineOf(exported))}\n`).join(""));
      for (const exported of batch) {
        lines[exported.kind] = (lines[exported.kind] ?? 0) + 1;
        if (exported.kind === "memory") versions += exported.stored.versions.length;
        if (exported.kind === "versions") versions += exported.versions.length;
      }
      done += batch.length;
      to.onProgress?.(done, count);
    }
    return { memories: lines.memory ?? 0, versions, lines };
  });
}
