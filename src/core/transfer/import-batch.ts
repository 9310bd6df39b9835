/** A batch of an import: what it is written with, and what it knows of the batches before it. */
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
  /** The format of the file. A foreign one is noted in `provenance.imported.from`. */
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
  /** The owner that it will have. */
  readonly owner: Kind extends NotOwned ? null : OwnerRef;
  /** The restored memory, made while earlier lines are written; its owners are still names. */
  readonly restored: Kind extends "memory" ? Restored : null;
  readonly isMasked: boolean;
  /** True for a store without times: the time of writing is not compared. */
  readonly isUndated: boolean;
}

/** Why a line was not imported. It repeats nothing of the line but its memory id. */
export interface Complaint {
  readonly line: number;
  readonly memory_id: string | null;
  readonly kind: "conflict" | "invalid";
  readonly reason: string;
}

/** Outcome of one line. */
export type BatchOutcome =
  | { readonly kind: "created" | "unchanged" }
  | (Complaint & { readonly kind: "conflict" });

/** State that an import keeps from batch to batch. */
export interface Session {
  /** The ids that the owners met so far had, by `ownerKey`. Between two batches another transaction can change that. */
  readonly owners: Map<string, string>;
  /** The live memories of this file that state a fact. Several may state the same one, as they did where they come from. */
  readonly facts: Set<string>;
  /** Memories of this file that were left out. Lines that refer to them are left out too. */
  readonly refused: Set<string>;
  /** In a dry run, what the file would have written so far: some hundred bytes a line. */
  readonly rehearsed: Planned;
}

/** Writes of earlier lines that the database does not show yet: those of the same batch, or all in a dry run. */
export interface Planned {
  /** Each memory, by owner and public id. */
  readonly memories: Map<string, PlannedMemory>;
  /** The revision of each memory and those of the earlier states that are kept, by owner and public id. */
  readonly histories: Map<string, { readonly revision: number; readonly kept: Set<number> }>;
  /** Todos and decisions, by owner and public id. */
  readonly items: Map<string, ItemRow>;
  /** References of todos and decisions, by row. */
  readonly links: Map<string, readonly string[]>;
  readonly replaced: Set<string>;
  /** The public id of the live memory of each fact. */
  readonly facts: Map<string, string>;
  /** The members of users, teams, agents, clients, settings, webhooks and receipts, by kind and name. */
  readonly others: Map<string, string>;
}

/** A memory that an earlier line writes. */
export interface PlannedMemory {
  /** Whether another line of its id says the same. */
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

/** A batch of lines of one kind, and what it is written with. */
export interface Writing<Kind extends ExportKind> {
  readonly ports: ImportPorts;
  readonly options: BatchOptions;
  readonly session: Session;
  readonly batch: readonly Waiting<Kind>[];
  /** One for each memory; none if they are made later. */
  readonly vectors: readonly StoredVectors[];
}

/** The plan before a batch, which the batch adds to. Call it within the transaction: a retry starts anew. */
export function plannedBefore({
  options,
  session,
}: Pick<Writing<ExportKind>, "options" | "session">): Planned {
  return options.dryRun ? session.rehearsed : nothingPlanned();
}

/** The ids of owners, which are created where they are missing; in a dry run a name that cannot be mistaken for an id. */
export async function ownerIds(
  { options }: { readonly options: Pick<BatchOptions, "dryRun"> },
  transaction: ImportTransaction,
  owners: readonly EnsuredOwner[],
): Promise<(owner: OwnerRef) => string> {
  const named = [...new Map(owners.map((owner) => [ownerKey(owner), owner])).values()];
  const ids = await (options.dryRun ? transaction.findOwners(named) : transaction.ensureOwners(named));
  return (owner) => ids.get(ownerKey(owner)) ?? ownerKey(owner);
}

/** The ids of a batch's owners, and of `others`. Except in a dry run, the batch's own are locked until the end of the transaction. */
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

/** One text for one memory of one owner. */
export function idKey(memory: Pick<NewMemory, "ownerId" | "memoryId">): string {
  return `${memory.ownerId} ${memory.memoryId}`;
}
