import type { Stats } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import { path } from "../compose/setting-kinds.ts";
import { storedProjectId } from "../contract/primitives.ts";
import type { ExportKind, OwnerRef } from "../contract/transfer.ts";
import { exportMemories } from "../core/transfer/export-memories.ts";
import { CommandFailure } from "./failure.ts";
import { requireDatabase, settings, withTools } from "./open.ts";
import { checked, jsonOption, owner, value } from "./options.ts";
import { count, createProgress, figure, interruptible, print, printJson, say, writeOut } from "./terminal.ts";

export function addExport(program: Command): void {
  program
    .command("export")
    .description("Export everything except credentials to a JSON Lines file")
    .argument("<FILE>", "The file to write; - for standard output", checked(path))
    .addOption(ownerOption("Export only this user's own memories"))
    .option("--team <NAME>", "Export only this team, with its members", value(owner))
    .option(
      "--project <ID>",
      "Export only this project's memories and settings",
      value(checked(storedProjectId)),
    )
    .addOption(
      new Option(
        "--status <STATUS>",
        "active: live memories only; kept: all except soft-deleted ones; all: everything",
      )
        .choices(["active", "kept", "all"])
        .default("all" as const),
    )
    .addOption(new Option("--versions").hideHelp())
    .option("--no-versions", "Leave out earlier versions")
    .option("--force", "Replace FILE if there is one")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The first line is {"recollect_export": 4, "exported_at", "version", "count"}.
Every other line has a kind:
  user, team  their ids; for a team also its members and their roles
  agent       written as revoked: it has no credential elsewhere
  client      how an OAuth client registered, so that it is known after a
              restore; its user lets it in again
  memory      content, place, owner by name, status, supersession, provenance,
              times and earlier versions; for a memory that was moved, whose
              each version was; for a todo or decision, its state and audit trail
  versions    further versions of a memory
  links       what todos depend on, and which decision was superseded
  settings    a project's maintenance settings
  webhook     its URL and the events it receives
  receipt     proof of a removal

An export leaves out keys, tokens, passwords, sign-in accounts, webhook secrets,
what unbound agents wrote, maintenance runs and the audit log. Vectors are made
again on import.

The export is one consistent snapshot, taken while the server keeps running.
A FILE that exists is left as it is, and the export refused; --force replaces
it, when the export is complete. Only its user may read it, since it holds every
memory in clear text.

With --json it prints {file, memories, versions, lines}, with lines by kind; if
FILE is -, that goes to standard error.

Examples:
  recollect export backup.jsonl
  recollect export "backup-$(date +%F).jsonl"
  recollect export alice.jsonl --owner alice --status all
  recollect export - | gzip > backup.jsonl.gz`,
    )
    .action(async (file, options) => {
      const filter = {
        owner: ownerOf(options),
        projectId: options.project ?? null,
        status: options.status,
        withVersions: options.versions !== false,
      };
      const how = { asJson: options.json === true, mayReplace: options.force === true };
      await interruptible((signal) => exportTo(file, filter, { ...how, signal }));
    });
}

export const ownerOption = (description: string) =>
  new Option("--owner <NAME>", description).argParser(value(owner)).conflicts("team");

interface OwnerOptions {
  readonly owner?: string | undefined;
  readonly team?: string | undefined;
}

export function ownerOf({ owner, team }: OwnerOptions): OwnerRef | null {
  if (team !== undefined) return { kind: "team", name: team };
  return owner === undefined ? null : { kind: "user", name: owner };
}

type Filter = Parameters<typeof exportMemories>[1];

async function exportTo(
  file: string,
  filter: Filter,
  how: { signal: AbortSignal; asJson: boolean; mayReplace: boolean },
): Promise<void> {
  // Must run before the file is created.
  requireDatabase(settings());
  if (file !== "-") await requireRoomFor(file, how.mayReplace);
  const progress = createProgress();
  const onProgress = (done: number, of: number) =>
    progress.show(done, `${figure(done)} of ${count(of, "line")}`);
  const run = (write: (text: string) => Promise<void>) =>
    withTools((tools) => exportMemories(tools, filter, { write, onProgress, signal: how.signal }));
  const report = await (file === "-" ? run(writeOut) : writeWhole(file, run))
    .catch((error: unknown) => {
      if (how.signal.aborted)
        throw new CommandFailure(
          "Stopped before the end: nothing complete was exported. Run the command again.",
        );
      throw error;
    })
    .finally(() => progress.end());
  const { memories, versions, lines } = report;
  const summary = { file, memories, versions, lines };
  if (how.asJson && file === "-") say(JSON.stringify(summary));
  else if (how.asJson) printJson(summary);
  else
    (file === "-" ? say : print)(
      `Exported ${count(memories, "memory", "memories")} and ${count(versions, "earlier version")}${others(lines)}.`,
    );
}

/** Kinds of lines besides memories and their histories. */
const OTHERS: Readonly<
  Record<Exclude<ExportKind, "memory" | "versions">, readonly [one: string, many: string]>
> = {
  user: ["user", "users"],
  team: ["team", "teams"],
  agent: ["agent", "agents"],
  client: ["OAuth client", "OAuth clients"],
  links: ["item's links", "items' links"],
  settings: ["project's settings", "projects' settings"],
  webhook: ["webhook", "webhooks"],
  receipt: ["receipt", "receipts"],
};

/** The numbers of these lines, as the rest of a sentence; empty if there are none. */
export function others(kinds: Readonly<Partial<Record<ExportKind, number>>>): string {
  return (Object.keys(OTHERS) as (keyof typeof OTHERS)[])
    .flatMap((kind) => (kinds[kind] ? [`, ${count(kinds[kind], ...OTHERS[kind])}`] : []))
    .join("");
}

/**
 * Writes a file atomically: to a temporary file next to it, which is renamed when all data is on disk. Only its user
 * may read it.
 */
export async function writeWhole<T>(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const temporary = `${file}.${process.pid}.partial`;
  const handle = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT")
      throw new CommandFailure(
        `${file} cannot be written: its folder does not exist. Create the folder first.`,
      );
    throw error;
  });
  try {
    const result = await work(async (text) => {
      // Unlike `write`, `appendFile` continues until everything is written.
      await handle.appendFile(text);
    });
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Rejects an existing file: it may be the only good backup, or the report to compare with. */
export async function requireRoomFor(file: string, mayReplace: boolean): Promise<void> {
  const found = await stat(file).catch(() => null);
  requireNoFolder(file, found);
  if (found === null || mayReplace) return;
  throw new CommandFailure(`${file} exists: name another file, or give --force to replace it.`);
}

export function requireNoFolder(file: string, found: Stats | null): void {
  if (found?.isDirectory()) throw new CommandFailure(`${file} is a folder; name a file instead.`);
}
