import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { OwnerRef } from "../../contract/transfer.ts";
import { type ImportReport, importMemories, type SourceRecord } from "../../core/transfer/import-memories.ts";
import { readExport } from "../../core/transfer/read-lines.ts";
import { readMem0 } from "../../core/transfer/read-mem0.ts";
import { command, json } from "../command.ts";
import { CommandFailure, UsageError } from "../failure.ts";
import { withTools } from "../open.ts";
import { count, createProgress, figure, interruptible, print, printJson, say } from "../terminal.ts";
import { others, ownerOf } from "./export.ts";

const FORMATS = ["recollect", "mem0"] as const;
type Format = (typeof FORMATS)[number];
/** A mem0 answer is one JSON document, so it is read as a whole. */
const WHOLE_FILE_BYTES_MAX = 512 * 1024 * 1024;

export const importCommand = command(
  {
    meta: {
      name: "import",
      description: "Restore what export wrote, or memories of another system",
    },
    args: {
      file: { type: "positional", required: true, description: "What to read; - is standard input" },
      from: {
        type: "string",
        valueHint: FORMATS.join("|"),
        default: "recollect",
        description: "What wrote the file",
      },
      owner: {
        type: "string",
        valueHint: "NAME",
        description: "All memories become this user's, whoever the file names",
      },
      team: { type: "string", valueHint: "NAME", description: "All memories become this team's" },
      "dry-run": { type: "boolean", description: "Change nothing and say what would happen" },
      ...json,
    },
    run({ args }) {
      const from = FORMATS.find((format) => format === args.from);
      if (!from) throw new UsageError(`--from must be one of ${FORMATS.join(", ")}.`);
      const how = {
        from,
        owner: ownerOf(args.owner, args.team),
        dryRun: args["dry-run"] === true,
        asJson: args.json === true,
      };
      return interruptible((signal) => importFrom(args.file, { ...how, signal }));
    },
  },
  {
    notes: `
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

EXAMPLES

  recollect import backup.jsonl --dry-run
  recollect import backup.jsonl
  recollect import mem0.json --from mem0 --owner alice
  gunzip -c backup.jsonl.gz | recollect import -`,
  },
);

interface How {
  readonly from: Format;
  readonly owner: OwnerRef | null;
  readonly dryRun: boolean;
  readonly asJson: boolean;
  readonly signal: AbortSignal;
}

async function importFrom(file: string, how: How): Promise<number> {
  const size = file === "-" ? null : await sizeOf(file);
  const progress = createProgress();
  const source = await openSource(file, size, how.from);
  const report = await withTools((tools) =>
    importMemories(tools, source.records, {
      from: how.from,
      owner: how.owner,
      dryRun: how.dryRun,
      signal: how.signal,
      onProgress: ({ read, offset }) =>
        progress.show((seconds) => {
          const percent = size === null ? "" : `${Math.floor((100 * offset) / Math.max(1, size))}%, `;
          return `${percent}${count(read, "line")}, ${figure(Math.round(read / seconds))}/s`;
        }),
    }),
  );
  progress.end();
  tell(report, how);
  const announced = source.announced();
  const isCutShort = !report.interrupted && announced !== null && report.read < announced;
  if (isCutShort)
    say(`The file is cut short: it announces ${count(announced, "line")} and has ${report.read}.`);
  return report.invalid + report.conflicts > 0 || report.interrupted || isCutShort ? 1 : 0;
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file);
  if (found.isDirectory()) throw new CommandFailure(`${file}: it is a folder: name a file.`);
  return found.size;
}

interface Source {
  readonly records: AsyncIterable<SourceRecord>;
  announced(): number | null;
}

async function openSource(file: string, size: number | null, from: Format): Promise<Source> {
  if (from === "recollect")
    return readExport(file === "-" ? process.stdin : createReadStream(file, { highWaterMark: 1024 * 1024 }));
  if (file === "-" || size === null)
    throw new UsageError(`--from ${from} needs a file: its memories are one JSON document.`);
  if (size > WHOLE_FILE_BYTES_MAX)
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
    say(`line ${line}${memory_id === null ? "" : ` (${memory_id})`}: ${kind}: ${reason}`);
  }
  const untold = report.conflicts + report.invalid - complaints.length;
  if (untold > 0) say(`and ${figure(untold)} more.`);
  if (report.interrupted) say("Stopped before the end: run the same command again to go on.");
}
