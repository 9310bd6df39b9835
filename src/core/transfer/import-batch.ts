/** A batch of an import: its inputs, and the state kept from earlier batches. */
import type { ExportedLine, ExportKind, LineOf, OwnerRef } from "../../contract/transfer.ts";
import type { StoredVectors } from "../../recall/index/vector-bytes.ts";
import type { NewMemory } from "../memory/memory-record.ts";
import type { Ports } from "../ports.ts";
import { ownerKey } from "./export-source.ts";
import type { EnsuredOwner, ImportTarget, ImportTransaction, ItemRow } from "./import-target.ts";
import type { Restored } from "./lines.ts";

export type ImportPorts = Pick<Ports, "embedder" | "clock" | "newId" | "hash" | "secrets"> & {
  readonly target: ImportTarget;
};

/** The options that decide how a batch is written. */
export interface BatchOptions {
  /** The format of the file. A foreign format is recorded in `provenance.imported.from`. */
  readonly from: string;
  readonly dryRun: boolean;
}

/** Users, teams, agents and OAuth clients have no owner. */
const NOT_OWNED = ["user", "team", "agent", "client"] as const;
type NotOwned = (typeof NOT_OWNED)[number];

export function isOwned(line: ExportedLine): line is Exclude<ExportedLine, { readonly kind: NotOwned }> {
  return !NOT_OWNED.some((kind) => kind === line.kind);
}

/** A checked line that waits for its batch. */
export interface Waiting<Kind extends ExportKind = ExportKind> {
  readonly line: number;
  readonly value: LineOf<Kind>;
  /** The owner that the record will have. */
  readonly owner: Kind extends NotOwned ? null : OwnerRef;
  /** The restored memory, prepared while earlier lines are written. Its owners are still names. */
  readonly restored: Kind extends "memory" ? Restored : null;
  readonly isMasked: boolean;
  /** True if the source has no times. Creation and update times are then not compared. */
  readonly isUndated: boolean;
}

/** Why a line was not imported. Contains nothing of the line except its memory id. */
export interface Complaint {
  readonly line: number;
  readonly memory_id: string | null;
  readonly kind: "conflict" | "invalid";
  readonly reason: string;
}

export type BatchOutcome =
  | { readonly kind: "created" | "unchanged" }
  | (Complaint & { readonly kind: "conflict" });

/** State that an import keeps between batches. */
export interface Session {
  /**
   * The ids of the owners seen so far, by `ownerKey`. They may be stale, since another transaction can change owners
   * between two batches.
   */
  readonly owners: Map<string, string>;
  /** The live memories of this file that state a fact. Several may state the same fact if they did so in the source. */
  readonly facts: Set<string>;
  /** Memories of this file that were skipped. Lines that refer to them are skipped too. */
  readonly refused: Set<string>;
  /** In a dry run, what the file would have written so far: some hundred bytes per line. */
  readonly rehearsed: Planned;
}

/** Writes of earlier lines that are not visible in the database: those of the same batch, or all in a dry run. */
export interface Planned {
  /** Memories by owner and public id. */
  readonly memories: Map<string, PlannedMemory>;
  /** The revision of each memory and the revisions of its stored versions, by owner and public id. */
  readonly histories: Map<string, { readonly revision: number; readonly kept: Set<number> }>;
  /** Todos and decisions, by owner and public id. */
  readonly items: Map<string, ItemRow>;
  /** References of todos and decisions, by row. */
  readonly links: Map<string, readonly string[]>;
  readonly replaced: Set<string>;
  /** The public id of each fact's live memory. */
  readonly facts: Map<string, string>;
  /** Users, teams, agents, clients, settings, webhooks and receipts, as text, by kind and name. */
  readonly others: Map<string, string>;
}

/** A memory that an earlier line writes. */
export interface PlannedMemory {
  /** True if another line with the same id is equal to it. */
  isSaidBy(other: NewMemory): boolean;
}

export const nothingPlanned = (): Planned => ({
  memories: new Map(),
  histories: new Map(),
  items: new Map(),
  links: new Map(),
  replaced: new Set(),
  facts: new Map(),
  others: new Map(),
});

/** A batch of lines of one kind with everything needed to write it. */
export interface Writing<Kind extends ExportKind> {
  readonly ports: ImportPorts;
  readonly options: BatchOptions;
  readonly session: Session;
  readonly batch: readonly Waiting<Kind>[];
  /** The vectors of each memory; empty if the worker makes them later. */
  readonly vectors: readonly StoredVectors[];
}

/**
 * The planned writes before a batch, which the batch adds to. Call it within the transaction, so that a retry starts
 * from scratch.
 */
export function plannedBefore({
  options,
  session,
}: Pick<Writing<ExportKind>, "options" | "session">): Planned {
  return options.dryRun ? session.rehearsed : nothingPlanned();
}

/**
 * The ids of owners, creating missing ones. In a dry run, a missing owner's id is its key, which cannot be mistaken for
 * an id.
 */
export async function ownerIds(
  { options }: { readonly options: Pick<BatchOptions, "dryRun"> },
  transaction: ImportTransaction,
  owners: readonly EnsuredOwner[],
): Promise<(owner: OwnerRef) => string> {
  const named = [...new Map(owners.map((owner) => [ownerKey(owner), owner])).values()];
  const ids = await (options.dryRun ? transaction.findOwners(named) : transaction.ensureOwners(named));
  return (owner) => ids.get(ownerKey(owner)) ?? ownerKey(owner);
}

/**
 * The ids of the batch's owners and of `others`. Except in a dry run, the batch's owners are locked until the end of
 * the transaction.
 */
export async function lockedOwners(
  writing: {
    readonly options: Pick<BatchOptions, "dryRun">;
    readonly batch: readonly { readonly owner: OwnerRef | null }[];
  },
  transaction: ImportTransaction,
  others: readonly OwnerRef[] = [],
): Promise<(owner: OwnerRef) => string> {
  const owners = writing.batch.flatMap(({ owner }) => owner ?? []);
  const idOf = await ownerIds(writing, transaction, [...owners, ...others]);
  if (!writing.options.dryRun) await transaction.lockOwners(owners.map(idOf));
  return idOf;
}

/** A string that identifies a memory by owner and public id. */
export function idKey(memory: Pick<NewMemory, "ownerId" | "memoryId">): string {
  return `${memory.ownerId} ${memory.memoryId}`;
}
