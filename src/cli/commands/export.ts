import { projectId } from "../../contract/primitives.ts";
import type { OwnerRef } from "../../contract/transfer.ts";
import { exportMemories } from "../../core/transfer/export-memories.ts";
import { command, json } from "../command.ts";
import { CommandFailure, UsageError } from "../failure.ts";
import { withTools } from "../open.ts";
import {
  count,
  createProgress,
  figure,
  interruptible,
  print,
  printJson,
  say,
  writeOut,
} from "../terminal.ts";
import { optional, optionalOwnerName } from "../values.ts";
import { writeWhole } from "../write-whole.ts";

export const exportCommand = command(
  {
    meta: {
      name: "export",
      description: "Write memories to a file of JSON Lines, to keep or to import elsewhere",
    },
    args: {
      file: { type: "positional", required: true, description: "Where to write; - is standard output" },
      owner: { type: "string", valueHint: "NAME", description: "Only of this user" },
      team: { type: "string", valueHint: "NAME", description: "Only of this team" },
      project: { type: "string", valueHint: "ID", description: "Only of this project" },
      status: {
        type: "string",
        valueHint: "active|all",
        description: "active: live memories only. all: soft-deleted ones too. All but those unless given",
      },
      versions: {
        type: "boolean",
        default: true,
        description: "Earlier versions too",
        negativeDescription: "Leave earlier versions out",
      },
      ...json,
    },
    run({ args }) {
      const filter = {
        owner: ownerOf(args.owner, args.team),
        projectId: optional("--project", projectId, args.project),
        status: statusOf(args.status),
        withVersions: args.versions,
      };
      return interruptible((signal) => exportTo(args.file, filter, { signal, asJson: args.json === true }));
    },
  },
  {
    notes: `
The first line is {"recollect_export": 1, "exported_at", "version", "count"}; each other line is one memory with all
it takes to restore it: content, place, owner by name, status, supersession, provenance, times, earlier versions.
Vectors are made again at import. Keys, members of teams and receipts are not part of it.

It reads one consistent snapshot while the server goes on. FILE is replaced only when the export is complete, and only
its user may read it: it holds every memory in clear text.

With --json it prints {file, memories, versions, versions_omitted}; with FILE - that goes to standard error.

EXAMPLES

  recollect export backup.jsonl
  recollect export alice.jsonl --owner alice --status all
  recollect export - | gzip > backup.jsonl.gz`,
  },
);

/** The owner that two flags name, of which one at most may be given. */
export function ownerOf(user: string | undefined, team: string | undefined): OwnerRef | null {
  if (user !== undefined && team !== undefined) throw new UsageError("Give --owner or --team, not both.");
  const name = optionalOwnerName("--owner", user) ?? optionalOwnerName("--team", team);
  return name === null ? null : { kind: team === undefined ? "user" : "team", name };
}

function statusOf(status: string | undefined): "kept" | "active" | "all" {
  if (status === undefined) return "kept";
  if (status === "active" || status === "all") return status;
  throw new UsageError("--status must be active or all.");
}

type Filter = Parameters<typeof exportMemories>[1];

async function exportTo(
  file: string,
  filter: Filter,
  how: { signal: AbortSignal; asJson: boolean },
): Promise<void> {
  const progress = createProgress();
  const onProgress = (done: number, of: number) =>
    progress.show(
      (seconds) =>
        `${figure(done)} of ${count(of, "memory", "memories")}, ${figure(Math.round(done / seconds))}/s`,
    );
  const run = (write: (text: string) => Promise<void>) =>
    withTools((tools) => exportMemories(tools, filter, { write, onProgress, signal: how.signal }));
  const report = await (file === "-" ? run(writeOut) : writeWhole(file, run)).catch((error: unknown) => {
    progress.end();
    if (how.signal.aborted) throw new CommandFailure("Stopped before the end: the export is not complete.");
    throw error;
  });
  progress.end();
  const { memories, versions, versionsOmitted } = report;
  const summary = { file, memories, versions, versions_omitted: versionsOmitted };
  if (versionsOmitted > 0)
    say(`${count(versionsOmitted, "older version")} of memories with more than 200 are not in the file.`);
  if (how.asJson && file === "-") say(JSON.stringify(summary));
  else if (how.asJson) printJson(summary);
  else
    (file === "-" ? say : print)(
      `Exported ${count(memories, "memory", "memories")} and ${count(versions, "earlier version")}.`,
    );
}
