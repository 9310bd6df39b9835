import { createReadStream, type Stats } from "node:fs";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import { storedProjectId } from "../contract/primitives.ts";
import type { ExportKind, OwnerRef } from "../contract/transfer.ts";
import { exportMemories } from "../core/transfer/export-memories.ts";
import { type ImportReport, importMemories, type SourceRecord } from "../core/transfer/import-memories.ts";
import { readExport } from "../core/transfer/read-lines.ts";
import { readMem0 } from "../core/transfer/read-mem0.ts";
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
The first line is {"recollect_export": 2, "exported_at", "version", "count"}; each other line has a kind: user and team (with
their ids; a team with its members and their roles), agent, memory (content, place, owner by name, status, supersession,
provenance, times, earlier versions, of a moved memory with whose each was; of a todo or decision its state and audit
trail), versions (more of them), links (what todos wait for, which decision was replaced), settings (of a project's
maintenance) and receipt.

Not in it: keys, tokens, passwords and sign-in accounts, what an agent wrote that nobody has bound, runs of maintenance
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

const ownerOption = (description: string) =>
  new Option("--owner <NAME>", description).argParser(value(owner)).conflicts("team");

interface OwnerOptions {
  readonly owner?: string | undefined;
  readonly team?: string | undefined;
}

function ownerOf({ owner, team }: OwnerOptions): OwnerRef | null {
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
  receipt: ["receipt", "receipts"],
};

/** How many of them, as the rest of a sentence; nothing where there is nothing. */
function others(kinds: Readonly<Partial<Record<ExportKind, number>>>): string {
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

export function addImport(program: Command): void {
  program
    .command("import")
    .description("Restore what export wrote, or bring in memories from another system")
    .argument("<FILE>", "What to read; - is standard input")
    .addOption(
      new Option("--from <FORMAT>", "What wrote the file").choices(FORMATS).default("recollect" as const),
    )
    .addOption(ownerOption("All memories become this user's, whoever the file names"))
    .option("--team <NAME>", "All memories become this team's", value(owner))
    .option("--dry-run", "Change nothing and say what would happen")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Everything comes back as it was: ids, times, statuses, supersession, earlier versions, todos and decisions with their audit
trails, teams with their members, settings. Owners that do not exist are made, with the ids that they had unless those are
taken; one that exists keeps its own. Vectors are made here. Agents come back revoked, and maintenance waits until somebody
sets it anew: credentials are not in the file. With --owner or --team what the file says of users, teams and agents is left
out, and what a moved memory said while it was somebody else's as well.

What is there already with the same members is left as it is, so an import that was stopped goes on when it is run again.
What contradicts what is there (a memory's id with other members, a live memory of a semantic_key that one from elsewhere
states, a team with other members) is reported and left out.

--from mem0 takes the answer of mem0's get_all, saved as JSON: user_id becomes the owner, agent_id and run_id the
agent and session, app_id the project; all come to the path mem0, and provenance.imported says from what and when.

With --json it prints {dry_run, read, created, unchanged, conflicts, invalid, kinds, interrupted, complaints}, kinds as how
many were created of each kind, the first 20 complaints as {line, memory_id, kind, reason}; masked counts the lines in which
secrets were masked, skipped those that --owner leaves out. The exit status is 1 where a line was invalid or in conflict.

Examples:
  recollect import backup.jsonl --dry-run
  recollect import backup.jsonl
  recollect import mem0.json --from mem0 --owner alice
  gunzip -c backup.jsonl.gz | recollect import -`,
    )
    .action(async (file, options, command) => {
      const { from } = options;
      if (file === "-" && from !== "recollect")
        command.error(`error: --from ${from} needs a file: its memories are one JSON document.`);
      const how = {
        from,
        owner: ownerOf(options),
        dryRun: options.dryRun === true,
        asJson: options.json === true,
      };
      await interruptible((signal) => importFrom(file, { ...how, signal }));
    });
}

const FORMATS = ["recollect", "mem0"] as const;
type Format = (typeof FORMATS)[number];
/** A mem0 answer is one JSON document, so it is read as a whole. */
const WHOLE_FILE_BYTES_MAX = 512 * 1024 * 1024;

interface How {
  readonly from: Format;
  readonly owner: OwnerRef | null;
  readonly dryRun: boolean;
  readonly asJson: boolean;
  readonly signal: AbortSignal;
}

async function importFrom(file: string, how: How): Promise<void> {
  const size = file === "-" ? null : await sizeOf(file);
  const progress = createProgress();
  const source = await openSource(file, size, how.from);
  const report = await withTools((tools) =>
    importMemories(tools, source.records, {
      from: how.from,
      owner: how.owner,
      dryRun: how.dryRun,
      signal: how.signal,
      onProgress({ read, offset }) {
        const percent = size === null ? "" : `${Math.floor((100 * offset) / Math.max(1, size))}%, `;
        progress.show(read, `${percent}${count(read, "line")}`);
      },
    }),
  ).finally(() => progress.end());
  tell(report, how);
  const announced = source.announced();
  const isCutShort = !report.interrupted && announced !== null && report.read < announced;
  if (isCutShort)
    say(`The file is cut short: it announces ${count(announced, "line")} and has ${report.read}.`);
  if (report.invalid + report.conflicts > 0 || report.interrupted || isCutShort) throw new CommandFailure();
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file);
  requireNoFolder(file, found);
  return found.size;
}

function requireNoFolder(file: string, found: Stats | null): void {
  if (found?.isDirectory()) throw new CommandFailure(`${file}: it is a folder: name a file.`);
}

interface Source {
  readonly records: AsyncIterable<SourceRecord>;
  announced(): number | null;
}

async function openSource(file: string, size: number | null, from: Format): Promise<Source> {
  if (from === "recollect")
    return readExport(file === "-" ? process.stdin : createReadStream(file, { highWaterMark: 1024 * 1024 }));
  if ((size ?? 0) > WHOLE_FILE_BYTES_MAX)
    throw new CommandFailure(`${file} is larger than 512 MiB: export it in parts.`);
  const records = readMem0(await readFile(file, "utf8"));
  async function* each() {
    yield* records;
  }
  return { records: each(), announced: () => null };
}

function tell({ complaints, ...report }: ImportReport, { dryRun, asJson }: How): void {
  if (asJson) printJson({ dry_run: dryRun, ...report, complaints });
  else {
    const memories = count(report.kinds.memory ?? 0, "memory", "memories");
    const written = `${memories}${others(report.kinds)} ${dryRun ? "would be created" : "created"}`;
    const rest = `${figure(report.unchanged)} unchanged, ${count(report.conflicts, "conflict")}, ${figure(report.invalid)} invalid`;
    print(`${count(report.read, "line")} read: ${written}, ${rest}.`);
    if (report.masked)
      say(`Secrets were masked in ${count(report.masked, "line")}; SECRET_POLICY=allow keeps them.`);
  }
  for (const { line, memory_id, kind, reason } of complaints) {
    say(printable(`line ${line}${memory_id === null ? "" : ` (${memory_id})`}: ${kind}: ${reason}`));
  }
  const unlisted = report.conflicts + report.invalid - complaints.length;
  if (unlisted > 0) say(`and ${figure(unlisted)} more.`);
  if (report.interrupted) say("Stopped before the end: run the same command again to go on.");
}
