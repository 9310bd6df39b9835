/** The lines of an export: how stored data is written, and how an import reads it. */
import type { AgentStatus } from "../../contract/agent.ts";
import type { ValidationIssue } from "../../contract/error.ts";
import {
  type ExportedLine,
  type ExportedState,
  type ExportedVersion,
  type ExportKind,
  exportedLine,
  exportedVersion,
  type LineOf,
  type OwnerRef,
} from "../../contract/transfer.ts";
import { inNfc } from "../../recall/language/characters.ts";
import type { Hash } from "../environment.ts";
import { DomainError } from "../error.ts";
import { canonicalJson } from "../input/json.ts";
import { inPlainWords } from "../input/plain-words.ts";
import { issuesOf } from "../input/validation.ts";
import { isAdopted } from "../memory/adopted.ts";
import { dedupeHash } from "../memory/identity.ts";
import { fromWire, toWire, type WireName, wireName } from "../memory/member-table.ts";
import {
  type MembersWhere,
  type MemoryRecord,
  membersWhere,
  type NameOf,
  type NewMemory,
  type WorkspaceItem,
} from "../memory/memory-record.ts";
import { checkMetadata, instantIn } from "../memory/metadata.ts";
import type { Owned } from "../memory/place.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Decision } from "../project/decision.ts";
import { DECISION_MEMBERS, TODO_MEMBERS } from "../project/item-members.ts";
import type { Todo } from "../project/todo.ts";
import type { WorkspaceEvent } from "../project/workspace-store.ts";
import type {
  AuthorTrust,
  Exported,
  Feedback,
  ItemState,
  KeptWebhook,
  NamedKind,
  NamedRecords,
  StoredAgent,
  StoredMemory,
  StoredVersion,
} from "./export-source.ts";
import { ownerKey } from "./export-source.ts";

type MemoryLine = LineOf<"memory">;

/** The members that a memory and each of its versions have in a line. */
const STATE_MEMBERS = membersWhere({ line: "state" });
const STATE = mapping<MemoryRecord, ExportedState>()(STATE_MEMBERS);

type ItemLine<Kind extends WorkspaceItem> = Omit<Extract<MemoryLine["item"], { kind: Kind }>, "kind">;

const TODO = mapping<Todo, ItemLine<"todo">>()(TODO_MEMBERS);
const DECISION = mapping<Decision, ItemLine<"decision">>()(DECISION_MEMBERS);

/** The line of a stored memory. The order of members is fixed, so that equal memories have equal lines. */
function memoryLine(stored: StoredMemory): MemoryLine {
  const { memory, owner, author, authorTrust, item, trail, feedback, versions } = stored;
  return {
    kind: "memory",
    memory_id: memory.memoryId,
    owner,
    author,
    author_trust: authorTrust,
    scope: memory.scope,
    ...STATE.toLine(memory),
    created_at: rfc3339(memory.createdAt),
    create_hash: memory.createHash,
    dedupe_hash: memory.dedupeHash,
    revision: memory.revision,
    item: item && itemLine(item),
    trail: trail.map(({ actor, at, operation, from, to, note }) => ({
      at: rfc3339(at),
      operation,
      from,
      to,
      actor: { agent_id: actor.agentId, token_kind: actor.credentialKind, trust: actor.trust },
      note,
    })),
    feedback: feedback.map(({ at, helpful }) => ({ at: rfc3339(at), helpful })),
    versions: versions.map(versionLine),
  } satisfies MemoryLine & Readonly<Record<NameOf<MembersWhere<OnceInLine>>, unknown>>;
}

/** Members that only a memory's own line has. */
interface OnceInLine {
  readonly line: "identity" | "aside";
}

function itemLine(item: ItemState): MemoryLine["item"] {
  return item.kind === "todo"
    ? { kind: "todo", ...TODO.toLine(item.todo) }
    : { kind: "decision", ...DECISION.toLine(item.decision) };
}

function itemFrom(line: MemoryLine["item"]): ItemState | null {
  if (line === null) return null;
  return line.kind === "todo"
    ? { kind: "todo", todo: TODO.fromLine(line) }
    : { kind: "decision", decision: DECISION.fromLine(line) };
}

function versionLine({ revision, owner, state, validTo, reason }: StoredVersion) {
  const valid_to = rfc3339(validTo);
  if (owner === null) return { ...withheld(valid_to), revision };
  return { ...STATE.toLine(state), revision, valid_to, reason, ...(owner ? { owner } : {}) };
}

/**
 * A version without its content, which only records that the memory had another owner until then. Without it, the next
 * version would seem to begin earlier.
 */
function withheld(valid_to: string): ExportedVersion {
  const nothing = { path: "withheld", content: "[withheld]", status: "redacted", updated_at: valid_to };
  return exportedVersion.parse({ ...nothing, valid_to, owner: null });
}

/** A valid line, or its issues. Issues never repeat the line's content. */
export type ReadLine = { readonly line: ExportedLine } | { readonly issues: readonly ValidationIssue[] };

/**
 * Validates a line. `isForeign`: the line is from another system and not trusted, so an authority that only a signed-in
 * user can give is lowered.
 */
export function readLine(value: unknown, isForeign: boolean): ReadLine {
  const parsed = exportedLine.safeParse(withKind(value), inPlainWords);
  if (!parsed.success) return { issues: issuesOf(parsed.error, []) };
  if (parsed.data.kind !== "memory") return { line: parsed.data };
  const line = parsed.data;
  try {
    const { metadata, occurredAt } = checkMetadata(null, { metadata: line.metadata });
    const occurred_at = line.occurred_at ?? (occurredAt === null ? null : rfc3339(occurredAt));
    if (!isForeign) return { line: occurred_at === line.occurred_at ? line : { ...line, occurred_at } };
    return { line: { ...line, occurred_at, metadata: { ...metadata }, author_trust: undefined } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { issues: error.issues };
  }
}

/** Lines of format 1 and of other systems are memories without a `kind`. */
function withKind(value: unknown): unknown {
  if (typeof value !== "object" || value === null || "kind" in value) return value;
  return { ...value, kind: "memory" };
}

/** A restored line: the row and everything that belongs to it, as they will be in this database. */
export interface Restored {
  readonly memory: NewMemory;
  readonly revision: number;
  readonly authorTrust: AuthorTrust | undefined;
  readonly item: ItemState | null;
  readonly trail: readonly WorkspaceEvent[];
  readonly feedback: readonly Feedback[];
  readonly versions: readonly StoredVersion[];
}

/** The id and owner of a restored memory, and the entry about the import in its provenance, if any. */
export interface Destination {
  readonly id: string;
  readonly owner: OwnerRef;
  readonly author: OwnerRef;
  readonly imported: { readonly from: string; readonly at: string } | null;
}

export type IdOf = (owner: OwnerRef) => string;

/** A line as it will be in this database, with keys of owners' names in place of their ids. See `withOwners`. */
export function restore(hash: Hash, line: MemoryLine, to: Destination): Restored {
  const fixed = {
    id: to.id,
    ...ownedBy(ownerKey, to.owner),
    memoryId: line.memory_id,
    authorId: ownerKey(to.author),
    createdAt: Date.parse(line.created_at),
    createHash: line.create_hash,
    workspaceItem: line.item?.kind ?? null,
  };
  const memory = whole(hash, fixed, isDated(line) ? line : { ...line, updated_at: line.created_at });
  // The hash covers the scope, so it is kept only if that is unchanged.
  const isInPlace = line.dedupe_hash !== undefined && line.scope === memory.scope;
  return {
    memory: Object.assign(
      memory,
      isInPlace ? { dedupeHash: line.dedupe_hash ?? null } : null,
      to.imported ? { provenance: { ...memory.provenance, imported: to.imported } } : null,
    ),
    revision: line.revision ?? line.versions.length + 1,
    authorTrust: line.author_trust,
    item: itemFrom(line.item),
    trail: line.trail.map(({ actor, ...event }) => ({
      ...event,
      at: Date.parse(event.at),
      actor: { agentId: actor.agent_id, credentialKind: actor.token_kind, trust: actor.trust },
    })),
    feedback: line.feedback.map(({ at, helpful }) => ({ at: Date.parse(at), helpful })),
    versions: versionsFrom(hash, fixed, line.versions, ownerKey),
  };
}

/** Replaces the keys of owners by their ids in this database. Does not modify its argument. */
export function withOwners(restored: Restored, idOf: (key: string) => string): Restored {
  const named = <State extends NewMemory>(state: State): State => ({
    ...state,
    ownerId: idOf(state.ownerId),
    authorId: idOf(state.authorId),
  });
  const versions = restored.versions.map((version) => ({ ...version, state: named(version.state) }));
  return { ...restored, memory: named(restored.memory), versions };
}

function isDated(line: MemoryLine): line is MemoryLine & { readonly updated_at: string } {
  return typeof line.updated_at === "string";
}

function ownedBy(idOf: IdOf, owner: OwnerRef): Owned {
  return { ownerId: idOf(owner), scope: owner.kind === "team" ? "team" : "private" };
}

/** The members that are the same in all states of a memory, as long as its owner stays the same. */
type Fixed = Pick<
  NewMemory,
  "id" | "ownerId" | "memoryId" | "authorId" | "scope" | "createdAt" | "createHash" | "workspaceItem"
>;

/** The earlier states of a memory, as they will be in this database. */
export function versionsFrom(
  hash: Hash,
  fixed: Fixed,
  versions: readonly ExportedVersion[],
  idOf: IdOf,
): StoredVersion[] {
  let last = 0;
  return versions.map(({ owner, ...version }) => {
    last = version.revision ?? last + 1;
    const state = owner === null ? withheld(version.valid_to) : version;
    return {
      revision: last,
      owner,
      state: whole(hash, { ...fixed, ...(owner ? ownedBy(idOf, owner) : {}) }, state),
      validTo: Date.parse(state.valid_to),
      reason: state.reason,
    };
  });
}

/** Builds a complete memory, as a new object that the caller may modify. */
function whole(hash: Hash, fixed: Fixed, state: ExportedState): NewMemory {
  const read = STATE.fromLine(state);
  const isRedacted = read.status === "redacted";
  // Picked one by one, since the argument may be a whole memory.
  const { id, ownerId, memoryId, authorId, scope, createdAt, createHash, workspaceItem } = fixed;
  // Assigns to the new object: copying some forty members would take as long as everything else here.
  const draft: NewMemory = Object.assign(read, {
    ...{ id, ownerId, memoryId, authorId, scope, createdAt, createHash, workspaceItem },
    semanticKey: inNfc(read.semanticKey) ?? null,
    dueAt:
      state.due_at === undefined && !isRedacted ? instantIn(read.metadata, "due_at") : (read.dueAt ?? null),
    dedupeHash: null,
  });
  // A memory that may be restored or become live again is compared by the status it will have then. Todos, decisions
  // and adopted memories are never duplicates.
  const status = draft.supersededStatus ?? draft.restoreStatus ?? draft.status;
  const isCompared = !isRedacted && workspaceItem === null && !isAdopted(draft);
  if (!isCompared) return draft;
  const compared = status === draft.status ? draft : { ...draft, status };
  return Object.assign(draft, { dedupeHash: dedupeHash(hash, compared) });
}

/**
 * The members that must be equal for two memories with the same id to count as equal, with their names in the line. Not
 * compared: the row's place, the note about its import, and data in other tables.
 */
const COMPARED = new Map(
  Object.entries({ ...membersWhere({ line: "identity" }), ...STATE_MEMBERS }).map(
    ([member, entry]) => [member as keyof NewMemory, wireName(member, entry)] as const,
  ),
);

/** The names of the members that differ between the stored memory and the line's; empty if they are equal. */
export function differences(stored: NewMemory, restored: NewMemory): string[] {
  return [...COMPARED]
    .filter(([member]) => comparable(stored, member) !== comparable(restored, member))
    .map(([, name]) => name);
}

/** A short text that is equal for two memories if and only if they have no `differences`. */
export function fingerprint(hash: Hash, memory: NewMemory): string {
  return hash(JSON.stringify([...COMPARED.keys()].map((member) => comparable(memory, member))));
}

function comparable(memory: NewMemory, member: keyof NewMemory): unknown {
  if (member === "metadata") return canonicalJson(memory.metadata);
  if (member !== "provenance") return memory[member];
  const { imported: _, ...provenance } = memory.provenance;
  return canonicalJson(provenance);
}

/**
 * The status with which an agent is restored. A bound agent becomes revoked, since it has no credential in the other
 * database.
 */
const RESTORED_AS: Partial<Record<AgentStatus, LineOf<"agent">["status"]>> = {
  bound: "revoked",
  revoked: "revoked",
  denied: "denied",
  expired: "expired",
};

/** Converts exported data of each kind to its line. */
const LINES: { readonly [Kind in ExportKind]: (of: Extract<Exported, { kind: Kind }>) => LineOf<Kind> } = {
  user: ({ user: { name, id, createdAt } }) => ({ kind: "user", name, id, created_at: rfc3339(createdAt) }),
  team: ({ team: { name, id, createdAt, members } }) => ({
    kind: "team",
    name,
    id,
    created_at: rfc3339(createdAt),
    members: members.map(({ user, role, since }) => ({ user, role, since: rfc3339(since) })),
  }),
  agent: ({ record: { approval, status, ...agent } }) => ({
    kind: "agent",
    ...toWire(agent),
    status: RESTORED_AS[status] ?? "expired",
    approval: approval && ({ ...approval, at: rfc3339(approval.at) } as LineOf<"agent">["approval"]),
  }),
  client: ({ record }) => ({ kind: "client", ...toWire(record) }),
  memory: ({ stored }) => memoryLine(stored),
  versions: ({ owner, memoryId, versions }) => ({
    kind: "versions",
    owner,
    memory_id: memoryId,
    versions: versions.map(versionLine),
  }),
  links: ({ links: { owner, id, dependsOn, supersedes } }) => ({
    kind: "links",
    owner,
    id,
    depends_on: [...dependsOn],
    supersedes,
  }),
  settings: ({ owner, record }) => ({ kind: "settings", owner, ...toWire(record) }),
  webhook: ({ owner, record: { hasEndUsers, isEnabled, ...webhook } }) => ({
    kind: "webhook",
    owner,
    ...toWire(webhook),
    end_users: hasEndUsers,
    enabled: isEnabled,
  }),
  receipt: ({ owner, record }) => ({ kind: "receipt", owner, ...toWire(record) }),
};

export function lineOf(exported: Exported): ExportedLine {
  return (LINES[exported.kind] as (of: Exported) => ExportedLine)(exported);
}

/** Converts a line to its record: the inverse of `lineOf`. */
export const RECORD_OF: { readonly [Kind in NamedKind]: (line: LineOf<Kind>) => NamedRecords[Kind] } = {
  agent: ({ kind: _, approval, ...line }) => ({
    ...fromWire<Omit<StoredAgent, "approval">>(line),
    approval: approval && { ...approval, at: Date.parse(approval.at) },
  }),
  client: ({ kind: _, ...line }) => fromWire(line),
  settings: ({ kind: _, owner: _owner, ...line }) => fromWire(line),
  webhook: ({ kind: _, owner: _owner, end_users: hasEndUsers, enabled, ...line }) => ({
    ...fromWire<Omit<KeptWebhook, "hasEndUsers" | "isEnabled">>(line),
    hasEndUsers,
    isEnabled: enabled,
  }),
  receipt: ({ kind: _, owner: _owner, ...line }) => fromWire(line),
};

type Names<Members> = { [Name in keyof Members]: WireName<Members, Name> }[keyof Members];

/**
 * Converts members of a record to members of a line and back, from one table. A missing or an extra member does not
 * compile.
 */
function mapping<Source, Line>() {
  return <const Members extends { readonly [Member in keyof Source]?: object }>(
    members: Members &
      ([keyof Line, Names<Members>] extends [Names<Members>, keyof Line]
        ? unknown
        : { readonly [missing: string]: never }),
  ) => {
    const entries = Object.entries(members as Readonly<Record<string, object>>).map(([member, entry]) => ({
      member,
      name: wireName(member, entry),
      isInstant: "isInstant" in entry && entry.isInstant === true,
    }));
    return {
      toLine(record: Pick<Source, keyof Members & keyof Source>): Line {
        const line: Record<string, unknown> = {};
        for (const { member, name, isInstant } of entries) {
          const value = (record as Record<string, unknown>)[member];
          line[name] = isInstant && value !== null ? rfc3339(value as number) : value;
        }
        return line as Line;
      },
      fromLine(line: Line): Pick<Source, keyof Members & keyof Source> {
        const record: Record<string, unknown> = {};
        for (const { member, name, isInstant } of entries) {
          const value = (line as Record<string, unknown>)[name];
          record[member] = isInstant && typeof value === "string" ? Date.parse(value) : value;
        }
        return record as Pick<Source, keyof Members & keyof Source>;
      },
    };
  };
}
