import { onTestFinished } from "vitest";
import { createExportSource } from "../../../src/adapters/postgres/transfer/export-source.ts";
import { createImportTarget } from "../../../src/adapters/postgres/transfer/import-target.ts";
import { exportMemories } from "../../../src/core/transfer/export-memories.ts";
import {
  type ImportOptions,
  type ImportReport,
  importMemories,
} from "../../../src/core/transfer/import-memories.ts";
import { readExport } from "../../../src/core/transfer/read-lines.ts";
import { openWorld, type World } from "../../support/world.ts";

type Filter = Parameters<typeof exportMemories>[1];

/** The operator's two commands. */
interface Transferring {
  /** The lines of an export, the header first. */
  backup(filter?: Partial<Filter>): Promise<Record<string, unknown>[]>;
  /** The header, and the lines of memories. */
  exported(filter?: Partial<Filter>): Promise<Record<string, unknown>[]>;
  imported(lines: readonly unknown[], options?: Partial<ImportOptions>): Promise<ImportReport>;
}

/** A service on a database of its own, with them. */
export interface TransferWorld extends World, Transferring {}

export async function openTransferWorld(env: Record<string, string> = {}): Promise<TransferWorld> {
  const world = await openWorld(env);
  onTestFinished(() => world.close());
  return { ...world, ...transferring(world.service) };
}

/** The commands on a service that is there. */
export function transferring({ ports, sql, generation }: World["service"]): Transferring {
  const backup = async (filter: Partial<Filter> = {}) => {
    let text = "";
    await exportMemories(
      { source: createExportSource(sql), clock: ports.clock },
      { owner: null, projectId: null, status: "all", withVersions: true, ...filter },
      {
        write: async (part) => {
          text += part;
        },
      },
    );
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return {
    backup,
    async exported(filter = {}) {
      const [header, ...lines] = await backup(filter);
      return [header as Record<string, unknown>, ...lines.filter(({ kind }) => kind === "memory")];
    },
    imported: (lines, options = {}) =>
      importMemories(
        { ...ports, target: createImportTarget(sql, generation) },
        readExport(
          bytesOf(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")),
        ).records,
        { from: "recollect", owner: null, dryRun: false, ...options },
      ),
  };
}

/** The text in pieces of odd sizes, so that lines and characters are cut anywhere. */
export async function* bytesOf(text: string, size = 997): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** A line without what an import adds to it. */
export function comparable(line: Record<string, unknown>): Record<string, unknown> {
  const { imported: _, ...provenance } = line.provenance as Record<string, unknown>;
  return { ...line, provenance };
}
