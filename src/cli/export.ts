import type { Stats } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import { storedProjectId } from "../contract/primitives.ts";
import type { ExportKind, OwnerRef } from "../contract/transfer.ts";
import { exportMemories } from "../core/transfer/export-memories.ts";
import { CommandFailure } from "./failure.ts";
import { withTools } from "./open.ts";
import { checked, jsonOption, owner, value } from "./options.ts";
import { count, createProgress, figure, interruptible, print, printJson, say, writeOut } from "./terminal.ts";

export function addExport(program: Command): void {
  program
    .command("export")
    .description("Write everything but credentials to a file of JSON Lines, to keep or to import elsewhere")
    .argument("<FILE>", "Where to write; - is standard output")
    .addOption(ownerOption("Only what is this user's own"))
    .option("--team <NAME>", "Only this team, with its members", value(owner))
    .option("--project <ID>", "Only this project's memories and settings", value(checked(storedProjectId)))
    .addOption(
      new Option(
        "--status <STATUS>",
        "active: live memories only. kept: all but the soft-deleted. all: every one",
      )
        .choices(["active", "kept", "all"])
        .default("all" as const),
    )
    .addOption(new Option("--versions").hideHelp())
    .option("--no-versions", "Leave earlier versions out")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The first line is {"recollect_export": 3, "exported_at", "version", "count"}; each other line has a kind: user and team (with
their ids; a team with its members and their roles), agent, memory (content, place, owner by name, status, supersession,
provenance, times, earlier versions, of a moved memory with whose each was; of a todo or decision its state and audit
trail), versions (more of them), links (what todos wait for, which decision was replaced), settings (of a project's
maintenance), webhook (its address and what it is told of) and receipt.

Not in it: keys, tokens, passwords, sign-in accounts and webhooks' secrets, what an agent wrote that nobody has bound, runs of maintenance
and the audit log. Vectors are made again at import. A bound agent is written as revoked: it has no credential elsewhere.

It reads one consistent snapshot while the server goes on. FILE is replaced only when the export is complete, and only
its user may read it: it holds every memory in clear text.

With --json it prints {file, memories, versions, lines}, lines by kind; with FILE - that goes to standard error.

Examples:
  recollect export backup.jsonl
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
      await interruptible((signal) => exportTo(file, filter, { signal, asJson: options.json === true }));
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
  how: { signal: AbortSignal; asJson: boolean },
): Promise<void> {
  const progress = createProgress();
  const onProgress = (done: number, of: number) =>
    progress.show(done, `${figure(done)} of ${count(of, "line")}`);
  const run = (write: (text: string) => Promise<void>) =>
    withTools((tools) => exportMemories(tools, filter, { write, onProgress, signal: how.signal }));
  const report = await (file === "-" ? run(writeOut) : writeWhole(file, run))
    .catch((error: unknown) => {
      if (how.signal.aborted) throw new CommandFailure("Stopped before the end: the export is not complete.");
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

/** What there is besides memories and their histories. */
const OTHERS: Readonly<
  Record<Exclude<ExportKind, "memory" | "versions">, readonly [one: string, many: string]>
> = {
  user: ["user", "users"],
  team: ["team", "teams"],
  agent: ["agent", "agents"],
  links: ["item's links", "items' links"],
  settings: ["project's settings", "projects' settings"],
  webhook: ["webhook", "webhooks"],
  receipt: ["receipt", "receipts"],
};

/** How many of them, as the rest of a sentence; nothing where there is nothing. */
export function others(kinds: Readonly<Partial<Record<ExportKind, number>>>): string {
  return (Object.keys(OTHERS) as (keyof typeof OTHERS)[])
    .flatMap((kind) => (kinds[kind] ? [`, ${count(kinds[kind], ...OTHERS[kind])}`] : []))
    .join("");
}

/**
 * Writes a file that is complete or not there: to a temporary one beside it, that takes its name when all is on disk.
 * Only its user may read it.
 */
async function writeWhole<T>(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  requireNoFolder(file, await stat(file).catch(() => null));
  const temporary = `${file}.${process.pid}.partial`;
  const handle = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT")
      throw new CommandFailure(`${file} cannot be written: its folder does not exist.`);
    throw error;
  });
  try {
    const result = await work(async (text) => {
      // Unlike `write`, this one goes on until everything is written.
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

export function requireNoFolder(file: string, found: Stats | null): void {
  if (found?.isDirectory()) throw new CommandFailure(`${file}: it is a folder: name a file.`);
}
