import { SERVICE_VERSION } from "../../contract/service.ts";
import { EXPORT_FORMAT, type ExportHeader, type OwnerRef } from "../../contract/transfer.ts";
import { DomainError } from "../error.ts";
import type { Clock } from "../ports.ts";
import type { ExportFilter, ExportSource } from "./export-source.ts";
import { toLine } from "./line.ts";

export interface ExportReport {
  readonly memories: number;
  readonly versions: number;
  /** Older versions of memories that have very many: they are not in the file. */
  readonly versionsOmitted: number;
}

/**
 * Writes the matching memories as JSON Lines, a header first, from one consistent snapshot and in order of storing.
 * `write` is awaited for every batch, so that no more than a batch is in memory. `not_found` for an unknown owner.
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
  await requireOwner(ports.source, filter.owner);
  const now = ports.clock();
  return ports.source.snapshot({ ...filter, now }, async ({ count, batches }) => {
    await to.write(`${JSON.stringify(headerOf(now, count))}\n`);
    const report = { memories: 0, versions: 0, versionsOmitted: 0 };
    for await (const batch of batches()) {
      to.signal?.throwIfAborted();
      await to.write(batch.map((stored) => `${JSON.stringify(toLine(stored))}\n`).join(""));
      report.memories += batch.length;
      for (const stored of batch) {
        report.versions += stored.versions.length;
        report.versionsOmitted += stored.versionsOmitted;
      }
      to.onProgress?.(report.memories, count);
    }
    return report;
  });
}

function headerOf(now: number, count: number): ExportHeader {
  return {
    recollect_export: EXPORT_FORMAT,
    exported_at: new Date(now).toISOString(),
    version: SERVICE_VERSION,
    count,
  };
}

async function requireOwner(source: ExportSource, owner: OwnerRef | null): Promise<void> {
  if (owner === null || (await source.hasOwner(owner))) return;
  throw new DomainError("not_found", `There is no ${owner.kind} named ${owner.name}.`);
}
