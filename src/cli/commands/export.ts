import { storedProjectId } from "../../contract/primitives.ts";
import type { ExportKind, OwnerRef } from "../../contract/transfer.ts";
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
      description: "Write everything but credentials to a file of JSON Lines, to keep or to import elsewhere",
    },
    args: {
      file: { type: "positional", required: true, description: "Where to write; - is standard output" },
      owner: { type: "string", valueHint: "NAME", description: "Only what is this user's own" },
      team: { type: "string", valueHint: "NAME", description: "Only this team, with its members" },
      project: { type: "string", valueHint: "ID", description: "Only this project's memories and settings" },
      status: {
        type: "string",
        valueHint: "active|kept|all",
        description: "active: live memories only. kept: all but the soft-deleted. all (default): every one",
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
        projectId: optional("--project", storedProjectId, args.project),
        status: statusOf(args.status),
        withVersions: args.versions,
      };
      return interruptible((signal) => exportTo(args.file, filter, { signal, asJson: args.json === true }));
    },
  },
  {
    notes: `
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
  if (status === undefined) return "all";
  if (status === "active" || status === "kept" || status === "all") return status;
  throw new UsageError("--status must be active, kept or all.");
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
      (seconds) => `${figure(done)} of ${count(of, "line")}, ${figure(Math.round(done / seconds))}/s`,
    );
  const run = (write: (text: string) => Promise<void>) =>
    withTools((tools) => exportMemories(tools, filter, { write, onProgress, signal: how.signal }));
  const report = await (file === "-" ? run(writeOut) : writeWhole(file, run)).catch((error: unknown) => {
    progress.end();
    if (how.signal.aborted) throw new CommandFailure("Stopped before the end: the export is not complete.");
    throw error;
  });
  progress.end();
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
export function others(kinds: Readonly<Partial<Record<ExportKind, number>>>): string {
  return (Object.keys(OTHERS) as (keyof typeof OTHERS)[])
    .flatMap((kind) => (kinds[kind] ? [`, ${count(kinds[kind], ...OTHERS[kind])}`] : []))
    .join("");
}
