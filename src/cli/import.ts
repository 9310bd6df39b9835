import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import { path } from "../compose/setting-kinds.ts";
import { sha256 } from "../compose/sha256.ts";
import type { OwnerRef } from "../contract/transfer.ts";
import { type ImportReport, importMemories } from "../core/transfer/import-memories.ts";
import { createMappingTally, type Mapping } from "../core/transfer/peers/mapping.ts";
import { makerFor, PEERS, type Peer } from "../core/transfer/peers/peer-record.ts";
import { readExport } from "../core/transfer/read-lines.ts";
import { others, ownerOf, ownerOption, requireNoFolder } from "./export.ts";
import { CommandFailure } from "./failure.ts";
import { withTools } from "./open.ts";
import { checked, jsonOption, owner, value } from "./options.ts";
import { openPeerStore, PLACES } from "./peer-store.ts";
import { sendMemories } from "./send-memories.ts";
import { type Destination, destinationOf } from "./server-request.ts";
import { count, createProgress, figure, interruptible, print, printJson, say, table } from "./terminal.ts";

export function addImport(program: Command): void {
  program
    .command("import")
    .description("Import an export, or memories from another system")
    .argument(
      "<FILE>",
      "The file to read; - for standard input. With --from, also a folder or a URL",
      checked(path),
    )
    .addOption(
      new Option("--from <FORMAT>", "The system the file comes from")
        .choices(FORMATS)
        .default("recollect" as const),
    )
    .addOption(ownerOption("Give all memories to this user, whoever owns them in the file"))
    .option("--team <NAME>", "Give all memories to this team; with --server, its id", value(owner))
    .option(
      "--end-users",
      "With --owner or --team: give each user's memories to an end user of that name, of its application",
    )
    .addOption(
      new Option(
        "--server <URL>",
        "Store through this server's API, with the key in RECOLLECT_API_KEY, instead of in the database",
      )
        .argParser(value((text) => text))
        .conflicts("owner"),
    )
    .option("--dry-run", "Change nothing; only report what would happen")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Everything is restored as it was: ids, times, statuses, supersession, earlier
versions, todos and decisions with their audit trails, teams with their members,
and settings. Owners that do not exist are created, with their former ids unless
those are taken; owners that exist keep theirs. Vectors are made on import. An
export holds no credentials, so agents are restored as revoked, and automatic
maintenance and webhooks wait until somebody sets them up again. OAuth clients
are known again, and each asks its user once more. With --owner or --team the
file's users, teams, agents and OAuth clients are left out, and so are the
earlier versions of a memory from the time when somebody else owned it.

Whatever already exists with the same members is left as it is, so you can run
an interrupted import again to continue it. Whatever contradicts existing data
(a memory's id with other members, a live memory with the same semantic_key, a
team with other members) is reported and left out.

--from reads what another system has stored and reports how it was mapped;
docs/moving-in.md has a table for each system:
${PEERS.map((peer) => `  ${peer.padEnd(14)} ${PLACES[peer]}`).join("\n")}
Ids are derived from the source, so importing it again writes nothing;
provenance.imported says where a memory came from and when. All but mem0, whose
data names users, need --owner or --team. With --server everything belongs to
the key's owner and is written like any other client's data: created_at is the
server's time, and the original time becomes metadata.occurred_at.

With --json it prints {dry_run, read, created, unchanged, conflicts, invalid,
kinds, interrupted, complaints}: kinds counts what was created of each kind, and
complaints has the first 20 as {line, memory_id, kind, reason}. masked counts
the lines in which secrets were masked, skipped those that --owner leaves out.
With --from, mapped has {kind, memory_type, bucket, path, memories} and left_out
{kind, reason, count}. The exit status is 1 if a line was invalid or in
conflict.

Examples:
  recollect import backup.jsonl --dry-run
  recollect import backup.jsonl
  recollect import mem0.json --from mem0 --owner alice
  recollect import mem0.json --from mem0 --owner shop --end-users
  recollect import ~/basic-memory --from basic-memory --owner alice --dry-run
  RECOLLECT_API_KEY=rk_… recollect import memory.jsonl --from memory-server --server http://127.0.0.1:8787
  gunzip -c backup.jsonl.gz | recollect import -`,
    )
    .action(async (file, options, command) => {
      const { from, server } = options;
      const how = {
        owner: ownerOf(options),
        intoEndUsers: options.endUsers === true,
        dryRun: options.dryRun === true,
        asJson: options.json === true,
      };
      if (how.intoEndUsers && (how.owner === null || server !== undefined))
        command.error(
          "error: --end-users needs --owner NAME or --team NAME, whose application they are of, and not --server",
        );
      if (from === "recollect") {
        if (server !== undefined)
          command.error(
            "error: --server works only with --from; without it, an export is restored into the database",
          );
        await interruptible((signal) => restore(file, { ...how, signal }));
        return;
      }
      if (file === "-")
        command.error(`error: --from ${from} cannot read standard input; give ${PLACES[from]}`);
      const destination =
        server === undefined ? null : destinationOf(server, options.team, (text) => command.error(text));
      if (destination === null && how.owner === null && from !== "mem0")
        command.error(
          `error: --from ${from} needs --owner NAME or --team NAME, because its data names no users`,
        );
      await interruptible((signal) => moveIn(file, from, { ...how, destination, signal }));
    });
}

const FORMATS = ["recollect", ...PEERS] as const;

interface How {
  readonly owner: OwnerRef | null;
  readonly intoEndUsers: boolean;
  readonly dryRun: boolean;
  readonly asJson: boolean;
  readonly signal: AbortSignal;
}

/** Some ten lines. Small, because parsing a chunk blocks communication with the database. */
const CHUNK_BYTES = 4 * 1024;

/** Restores an export. */
async function restore(file: string, how: How): Promise<void> {
  const size = file === "-" ? null : await sizeOf(file);
  const progress = createProgress();
  const source = readExport(
    file === "-" ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES }),
  );
  const report = await withTools(
    (tools) =>
      importMemories(tools, source.records, {
        from: "recollect",
        owner: how.owner,
        intoEndUsers: how.intoEndUsers,
        dryRun: how.dryRun,
        signal: how.signal,
        onProgress: ({ read, offset }) =>
          progress.show(read, `${percent(offset, size)}${count(read, "line")}`),
      }),
    { makesDatabase: true },
  ).finally(() => progress.end());
  tell(report, { ...how, unit: "line", nameOf: (line) => `line ${line}` });
  const announced = source.announced();
  const isCutShort = !report.interrupted && announced !== null && report.read < announced;
  if (isCutShort)
    say(
      `The file is incomplete: it should have ${count(announced, "line")} but has ${report.read}. Export it again.`,
    );
  if (report.invalid + report.conflicts > 0 || report.interrupted || isCutShort) throw new CommandFailure();
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file);
  requireNoFolder(file, found);
  return found.size;
}

/** Imports another system's store, into the database or through a server. */
async function moveIn(
  place: string,
  from: Peer,
  how: How & { readonly destination: Destination | null },
): Promise<void> {
  const { destination, dryRun, signal } = how;
  const store = await openPeerStore(from, place, makerFor(from, sha256));
  const progress = createProgress();
  const tally = createMappingTally();
  const records = tally.records(store.records, new Date().toISOString());
  let read = 0;
  const options = {
    from,
    dryRun,
    signal,
    onProgress(at: { readonly read: number; readonly offset: number }) {
      read = at.read;
      progress.show(read, `${percent(at.offset, store.size)}${count(read, "memory", "memories")}`);
    },
  };
  const work = destination
    ? sendMemories(records, destination, options)
    : withTools(
        (tools) =>
          importMemories(tools, records, { ...options, owner: how.owner, intoEndUsers: how.intoEndUsers }),
        {
          makesDatabase: true,
        },
      );
  const report = await work
    .catch((error: unknown) => {
      if (read > 0 && !dryRun)
        say(
          `It ended early, after ${count(read, "memory", "memories")}. Run the same command again to continue.`,
        );
      throw error;
    })
    .finally(() => progress.end());
  tell(report, { ...how, unit: "memory", mapping: tally.mapping(), nameOf: store.nameOf });
  if (report.invalid + report.conflicts > 0 || report.interrupted) throw new CommandFailure();
}

function percent(offset: number, size: number | null): string {
  return size === null ? "" : `${Math.floor((100 * offset) / Math.max(1, size))}%, `;
}

interface Telling extends Pick<How, "dryRun" | "asJson"> {
  readonly unit: "line" | "memory";
  readonly mapping?: Mapping;
  nameOf(line: number): string;
}

function tell({ complaints, ...report }: ImportReport, how: Telling): void {
  const { dryRun, asJson, mapping } = how;
  const counted = (number: number) =>
    how.unit === "line" ? count(number, "line") : count(number, "memory", "memories");
  if (asJson) printJson({ dry_run: dryRun, ...report, ...mapping, complaints });
  else {
    const memories = count(report.kinds.memory ?? 0, "memory", "memories");
    const written = `${memories}${others(report.kinds)} ${dryRun ? "would be created" : "created"}`;
    const rest = `${figure(report.unchanged)} unchanged, ${count(report.conflicts, "conflict")}, ${figure(report.invalid)} invalid`;
    print(`${counted(report.read)} read: ${written}, ${rest}.`);
    if (mapping) tellMapping(mapping);
    if (report.masked)
      say(`Secrets were masked in ${counted(report.masked)}; SECRET_POLICY=allow keeps them.`);
  }
  for (const { line, memory_id, kind, reason } of complaints) {
    say(printable(`${how.nameOf(line)}${memory_id === null ? "" : ` (${memory_id})`}: ${kind}: ${reason}`));
  }
  const unlisted = report.conflicts + report.invalid - complaints.length;
  if (unlisted > 0) say(`and ${figure(unlisted)} more.`);
  if (report.interrupted) say("Stopped before the end. Run the same command again to continue.");
}

function tellMapping({ mapped, left_out }: Mapping): void {
  const rows = mapped.map((one) => [one.kind, figure(one.memories), one.memory_type, one.bucket, one.path]);
  if (rows.length > 0) print(table(["FROM", "MEMORIES", "TYPE", "BUCKET", "PATH"], rows));
  for (const { kind, reason, count: number } of left_out)
    print(printable(`Left out: ${figure(number)} × ${kind}: ${reason}.`));
}
