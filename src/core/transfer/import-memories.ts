import { userId } from "../../contract/end-user-member.ts";
import type { ValidationIssue } from "../../contract/error.ts";
import { publicId } from "../../contract/primitives.ts";
import type { ExportedLine, ExportKind, LineOf, OwnerRef } from "../../contract/transfer.ts";
import { DomainError } from "../error.ts";
import { wireName } from "../memory/member-table.ts";
import { rfc3339 } from "../memory/present.ts";
import { type Screened, type ScreenedMember, screen } from "../memory/screen.ts";
import { DECISION_MEMBERS, TODO_MEMBERS } from "../project/item-members.ts";
import { awaitedLater } from "../resilience/awaited-later.ts";
import type { Secrets } from "../secrets/secret-scanner.ts";
import { ownerKey } from "./export-source.ts";
import {
  type BatchOptions,
  type BatchOutcome,
  type Complaint,
  type ImportPorts,
  isOwned,
  nothingPlanned,
  type Session,
  type Waiting,
  type Writing,
} from "./import-batch.ts";
import { type ReadLine, readLine, restore } from "./lines.ts";
import { embed, writeMemories, writeVersions } from "./write-memories.ts";
import { writeLinks, writeNamed, writeTeams, writeUsers } from "./write-others.ts";

/** A record from a reader of a file format: an unchecked line, or its problem. */
export type SourceRecord =
  /** `line`: its number in the file, from 1. `offset`: the number of bytes of the file read up to its end. */
  | {
      readonly line: number;
      readonly offset: number;
      readonly value: unknown;
      /**
       * True if its source has no times. The memory then dates from its first import, and a later import of the same
       * record is the same memory.
       */
      readonly isUndated?: boolean;
    }
  | { readonly line: number; readonly offset: number; readonly problem: string };

export interface ImportOptions extends BatchOptions {
  /**
   * The new owner of everything; lines of users, teams, agents and OAuth clients are then skipped. null: the owners in
   * the lines.
   */
  readonly owner: OwnerRef | null;
  /** With an owner: lines of users go to end users of that owner's application, with the same names. */
  readonly intoEndUsers?: boolean;
  /** Stops between two batches. Written batches stay, and running the same import again continues from there. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportCounts & { readonly offset: number }) => void;
}

export interface ImportCounts {
  readonly read: number;
  readonly created: number;
  /** Already in the database with the same members. */
  readonly unchanged: number;
  /** Lines that were not written because they differ from or contradict what the database has. */
  readonly conflicts: number;
  readonly invalid: number;
  /**
   * Users, teams, agents and OAuth clients that were skipped because everything goes to one owner; absent if there were
   * none.
   */
  readonly skipped?: number;
  /** Created lines, by kind. */
  readonly kinds: Readonly<Partial<Record<ExportKind, number>>>;
  /** Lines in which secrets were masked; absent if there were none. */
  readonly masked?: number;
}

export interface ImportReport extends ImportCounts {
  /** The first complaints. `conflicts` and `invalid` count all of them. */
  readonly complaints: readonly Complaint[];
  readonly interrupted: boolean;
}

const COMPLAINTS_KEPT = 20;
const BATCH_LINES = 1000;
/** Batches of long lines have fewer lines, so that transactions stay small. */
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Restores exported data unchanged. A line that the database already has is a no-op; a line that contradicts the
 * database is reported and skipped. A stopped import therefore continues when it is run again. With `dryRun`, nothing
 * is written, and the report says what would be.
 */
export async function importMemories(
  ports: ImportPorts,
  records: AsyncIterable<SourceRecord>,
  options: ImportOptions,
): Promise<ImportReport> {
  const tally = createTally();
  const prepare = createBatchWriter(ports, options);
  const check = createCheck(ports, options);
  let checked: Checked[] = [];
  let batchStart = 0;
  let offset = 0;
  /** The batch being written, and the next one, which waits for it. */
  let writing = Promise.resolve();
  let next = writing;

  /**
   * Queues the lines read so far to be written after the earlier batches. Meanwhile, the next lines are read and
   * embedded.
   */
  const flush = async () => {
    const read = checked;
    const end = offset;
    checked = [];
    batchStart = offset;
    const write = await prepare(read.filter(isWaiting));
    await writing;
    writing = next;
    next = awaitedLater(
      writing.then(async () => {
        // Unwritten lines are not counted as read, since the next run reads them again.
        if (options.signal?.aborted) return;
        const written = await write();
        // Counted after the write, so that progress never reports more than was written.
        for (const line of read) tally.addRead(line);
        tally.addBatch(written);
        options.onProgress?.({ ...tally.counts(), offset: end });
      }),
    );
  };

  let kind: ExportKind | null = null;
  try {
    for await (const record of records) {
      if (options.signal?.aborted) break;
      const line = check(record);
      // Lines of one kind are written together, before those of the next kind, which may refer to them.
      if (isWaiting(line) && line.value.kind !== kind) {
        if (kind !== null) await flush();
        kind = line.value.kind;
      }
      offset = record.offset;
      checked.push(line);
      if (checked.length >= BATCH_LINES || offset - batchStart > BATCH_BYTES) await flush();
    }
    await flush();
    await next;
  } finally {
    await next.catch(() => {});
  }
  const interrupted = options.signal?.aborted ?? false;
  return { ...tally.counts(), complaints: tally.complaints, interrupted };
}

/** A line that waits for its batch, or the reason why it does not. */
type Checked = Waiting | Complaint | Skipped;

function isWaiting(line: Checked): line is Waiting {
  return "value" in line;
}

/** Checks lines one by one, and does all the work that does not need the database. */
function createCheck(
  { secrets, clock, newId, hash }: Pick<ImportPorts, "secrets" | "clock" | "newId" | "hash">,
  { from, owner, intoEndUsers = false }: Pick<ImportOptions, "from" | "owner" | "intoEndUsers">,
): (record: SourceRecord) => Checked {
  const isForeign = from !== "recollect";
  const imported = isForeign ? { from, at: rfc3339(clock()) } : null;

  return (record) => {
    if ("problem" in record)
      return { line: record.line, memory_id: null, kind: "invalid", reason: record.problem };
    const read = screenLine(secrets, readLine(record.value, isForeign));
    const complaint = { line: record.line, memory_id: idOf(record.value), kind: "invalid" } as const;
    if ("issues" in read) return { ...complaint, reason: read.issues.slice(0, 5).map(sentence).join("; ") };
    const { line, isMasked } = read;
    const waiting = { line: record.line, isMasked, isUndated: record.isUndated ?? false, restored: null };
    if (!isOwned(line)) return owner ? { isSkipped: true } : { ...waiting, value: line, owner: null };
    const endUser = intoEndUsers && owner !== null ? endUserOf(line.owner, owner) : null;
    if (endUser === "misnamed")
      return {
        ...complaint,
        reason: "owner.name: must be an end user's id: 1 to 128 of A-Z a-z 0-9 . _ : @ + -",
      };
    const destination = endUser ?? owner ?? line.owner;
    if (!destination)
      return {
        ...complaint,
        reason: "owner: is required, unless the import names one with --owner or --team",
      };
    const value = withVersionsOf(withAuthor(line), endUser ?? owner);
    if (value.kind !== "memory") return { ...waiting, value, owner: destination };
    const author = value.author ?? destination;
    const restored = restore(hash, value, { id: newId(), owner: destination, author, imported });
    return { ...waiting, value, owner: destination, restored };
  };
}

/** The end user of the application for a user's line; null for a line without a user. */
function endUserOf(user: OwnerRef | undefined, application: OwnerRef): OwnerRef | "misnamed" | null {
  if (user?.kind !== "user") return null;
  if (!userId.safeParse(user.name).success) return "misnamed";
  return {
    kind: "end_user",
    name: user.name,
    application: application as NonNullable<OwnerRef["application"]>,
  };
}

/** A line that an import to one owner skips. */
interface Skipped {
  readonly isSkipped: true;
}

/** Removes the author if it is the owner, so that a new owner also becomes the author. Other authors stay. */
function withAuthor(line: ExportedLine): ExportedLine {
  if (line.kind !== "memory" || line.author === null || !sameOwner(line.author, line.owner)) return line;
  return { ...line, author: null };
}

/**
 * Gives the versions their new owners. If everything goes to one owner, only versions that belonged to the memory's
 * owner or to that one keep their content: a version from a third owner's space must not become readable through the
 * memory.
 */
function withVersionsOf(line: ExportedLine, only: OwnerRef | null): ExportedLine {
  if (line.kind !== "memory" && line.kind !== "versions") return line;
  if (line.versions.length === 0) return line;
  const versions = line.versions.map((version) => {
    const { owner } = version;
    if (!owner) return version;
    const isOwn = sameOwner(owner, line.owner) || (only !== null && sameOwner(owner, only));
    return { ...version, owner: isOwn ? undefined : only === null ? owner : null };
  });
  return { ...line, versions } as typeof line;
}

function sameOwner(a: OwnerRef, b: OwnerRef | undefined): boolean {
  return b !== undefined && ownerKey(a) === ownerKey(b);
}

function idOf(value: unknown): string | null {
  const id = (value as { memory_id?: unknown } | null)?.memory_id;
  return publicId.safeParse(id).data ?? null;
}

function sentence(issue: ValidationIssue): string {
  return issue.loc.length === 0 ? issue.msg : `${issue.loc.join(".")}: ${issue.msg}`;
}

/** Writes a batch and returns the outcome of each line. */
type Writer<Kind extends ExportKind> = (writing: Writing<Kind>) => Promise<BatchOutcome[]>;

const WRITERS: { readonly [Kind in ExportKind]: Writer<Kind> } = {
  user: writeUsers,
  team: writeTeams,
  agent: writeNamed as Writer<"agent">,
  client: writeNamed as Writer<"client">,
  memory: writeMemories,
  versions: writeVersions,
  links: writeLinks,
  settings: writeNamed as Writer<"settings">,
  webhook: writeNamed as Writer<"webhook">,
  receipt: writeNamed as Writer<"receipt">,
};

/**
 * Returns a function that prepares a batch of lines of one kind, and in turn returns the function that writes it in its
 * own transaction. Call that one after the earlier batches are written.
 */
function createBatchWriter(ports: ImportPorts, options: BatchOptions) {
  const session: Session = {
    owners: new Map(),
    facts: new Set(),
    refused: new Set(),
    rehearsed: nothingPlanned(),
  };
  return async (batch: readonly Waiting[]): Promise<() => Promise<WrittenBatch>> => {
    const kind = batch[0]?.value.kind;
    if (kind === undefined) return async () => ({ kind: "memory", outcomes: [] });
    const vectors =
      kind === "memory" && !options.dryRun ? await embed(ports, batch as readonly Waiting<"memory">[]) : [];
    const write = WRITERS[kind] as Writer<ExportKind>;
    return async () => ({ kind, outcomes: await write({ ports, options, session, batch, vectors }) });
  };
}

/** Outcomes of the lines of a batch. */
interface WrittenBatch {
  readonly kind: ExportKind;
  readonly outcomes: readonly BatchOutcome[];
}

/** A line after applying the policy for secrets. */
type ScreenedLine =
  | { readonly line: ExportedLine; readonly isMasked: boolean }
  | Extract<ReadLine, { readonly issues: unknown }>;

/**
 * Applies the policy for secrets to a line, its versions, and the state of a todo or decision. A masked memory loses
 * its create and deduplication hashes, since they were computed over the secret.
 */
function screenLine(secrets: Secrets, read: ReadLine): ScreenedLine {
  if ("issues" in read) return read;
  try {
    if (read.line.kind === "memory") return screenMemory(secrets, read.line);
    if (read.line.kind === "versions") return screenVersions(secrets, read.line);
    return { line: read.line, isMasked: false };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { issues: [{ loc: [], msg: error.message, type: error.code }] };
  }
}

function screenMemory(secrets: Secrets, line: LineOf<"memory">): ScreenedLine {
  const whole = screen(secrets, line);
  const versions = line.versions.map((version) => screen(secrets, version));
  const item = line.item && screenItem(secrets, line.item);
  // Some notes in the trail are resolutions, so all get the bounds of a resolution.
  const notes = line.trail.map(({ note }) => screen(secrets, { resolution: note }));
  if (![whole, ...versions, ...(item ? [item] : []), ...notes].some(isMasked))
    return { line, isMasked: false };
  return {
    line: {
      ...whole.input,
      versions: versions.map(({ input }) => input),
      item: item?.input ?? null,
      trail: line.trail.map((event, at) => ({ ...event, note: notes[at]?.input.resolution ?? null })),
      create_hash: null,
      dedupe_hash: undefined,
    },
    isMasked: true,
  };
}

function screenVersions(secrets: Secrets, line: LineOf<"versions">): ScreenedLine {
  const versions = line.versions.map((version) => screen(secrets, version));
  return {
    line: { ...line, versions: versions.map(({ input }) => input) },
    isMasked: versions.some(isMasked),
  };
}

type Item = NonNullable<LineOf<"memory">["item"]>;

/**
 * Screens an item's state. Each text is screened under its name in requests, which determines its bounds and messages.
 */
function screenItem(secrets: Secrets, item: Item): Pick<Screened<Item>, "input" | "masked"> {
  const names = Object.entries(item.kind === "todo" ? TODO_MEMBERS : DECISION_MEMBERS).flatMap(
    ([member, entry]) =>
      "screened" in entry && entry.screened !== null ? [[wireName(member, entry), entry.screened]] : [],
  ) as [keyof Item, ScreenedMember][];
  const { input, masked } = screen(
    secrets,
    Object.fromEntries(names.map(([name, asked]) => [asked, item[name]])),
  );
  const words = Object.fromEntries(names.map(([name, asked]) => [name, input[asked]]));
  return { input: { ...item, ...words }, masked };
}

function isMasked({ masked }: Pick<Screened<unknown>, "masked">): boolean {
  return masked.length > 0;
}

function createTally() {
  const counts = { read: 0, created: 0, unchanged: 0, conflicts: 0, invalid: 0 };
  const kinds: Partial<Record<ExportKind, number>> = {};
  let masked = 0;
  let skipped = 0;
  const complaints: Complaint[] = [];
  const complain = (complaint: Complaint) => {
    counts[complaint.kind === "invalid" ? "invalid" : "conflicts"] += 1;
    // Invalid lines are found before the conflicts of their batch, so sort and keep the first ones by line.
    complaints.push(complaint);
    complaints.sort((a, b) => a.line - b.line);
    complaints.length = Math.min(complaints.length, COMPLAINTS_KEPT);
  };
  return {
    complaints,
    counts: (): ImportCounts => ({
      ...counts,
      ...(skipped > 0 ? { skipped } : {}),
      kinds: { ...kinds },
      ...(masked > 0 ? { masked } : {}),
    }),
    addRead(checked: Checked) {
      counts.read += 1;
      if ("isSkipped" in checked) skipped += 1;
      else if ("kind" in checked) complain(checked);
      else if (checked.isMasked) masked += 1;
    },
    addBatch({ kind, outcomes }: WrittenBatch) {
      for (const outcome of outcomes) {
        if (outcome.kind === "conflict") complain(outcome);
        else counts[outcome.kind] += 1;
        if (outcome.kind === "created") kinds[kind] = (kinds[kind] ?? 0) + 1;
      }
    },
  };
}
