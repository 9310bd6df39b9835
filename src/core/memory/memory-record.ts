import type { z } from "zod";
import { content, describingFields } from "../../contract/memory.ts";
import { storedMetadata, storedProvenance } from "../../contract/service-members.ts";
import type { Member, WireName } from "./member-table.ts";

/** A stored memory: its database row, with instants in milliseconds since the epoch. */
export interface MemoryRecord {
  /** Internal UUID. Never exposed, unless it is also the public id. */
  readonly id: string;
  readonly seq: number;
  readonly ownerId: string;
  /** The public id, unique per owner. */
  readonly memoryId: string;
  /** The owner of the credential that wrote it. Differs from `ownerId` if a team owns the memory. */
  readonly authorId: string;
  readonly scope: "private" | "team";
  readonly projectId: string | null;
  readonly path: string;
  readonly bucket: string;
  readonly memoryType: string;
  /** Set if it is a todo or decision of a project's workspace. Only the workspace operations may change those. */
  readonly workspaceItem: WorkspaceItem | null;
  /**
   * The status of a todo or decision, and the agent that accepted the todo or is assigned to it. Copied from the item's
   * state. null once soft-deleted or redacted.
   */
  readonly itemStatus: string | null;
  readonly itemAgent: string | null;
  readonly status: StoredStatus;
  /** Its status before a soft delete. */
  readonly restoreStatus: StoredStatus | null;
  readonly content: string;
  /** Hash of the request that created it, to recognise a retry of that request; null once redacted. */
  readonly createHash: string | null;
  /** Hash of the members that deduplication compares; null once redacted. */
  readonly dedupeHash: string | null;
  readonly semanticKey: string | null;
  readonly version: number;
  readonly supersededBy: string | null;
  readonly supersededAt: number | null;
  /**
   * True if it was superseded by a newer memory with the same semantic key. Only such a memory can become live again.
   */
  readonly supersededByKey: boolean;
  /** Its status before a newer memory with the same semantic key superseded it. */
  readonly supersededStatus: LiveStatus | null;
  /**
   * When it gets that status back, because the memories that superseded it expire (see `supersession.ts`); null: never.
   */
  readonly supersededUntil: number | null;
  /** The highest version of its fact among memories that no longer state it; null if there are none. */
  readonly factVersion: number | null;
  readonly importance: number;
  readonly confidence: number;
  readonly source: string | null;
  readonly logicPath: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly sessionId: string | null;
  readonly agentId: string | null;
  readonly instanceHash: string | null;
  readonly occurredAt: number | null;
  /** Taken from the state of a todo or decision, otherwise from the metadata. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
  readonly revision: number;
}

export type WorkspaceItem = "todo" | "decision";

export type LiveStatus = "active" | "started" | "completed";

export type StoredStatus = LiveStatus | "archived" | "superseded" | "soft_deleted" | "redacted";

/** A memory before its insertion. The database assigns `seq` and `revision`. */
export type NewMemory = Omit<MemoryRecord, "seq" | "revision">;

/** The members that a change may set. */
export type MemoryChange = Partial<
  Omit<MemoryRecord, "id" | "seq" | "ownerId" | "memoryId" | "createdAt" | "revision">
>;

/** The caller's relation to the memory's owner, read live: the owner itself, or a role in the team. */
export type Role = "self" | "owner" | "admin" | "member" | "viewer";

/** A memory that the caller may see, and the caller's role. */
export interface SeenMemory {
  readonly memory: MemoryRecord;
  readonly role: Role;
}

/** Properties of a member besides those of `Member`. */
interface MemoryMember {
  /**
   * Its place in an export; null: not exported. `state`: in the memory's line and in each of its versions. `identity`:
   * only in the memory's line. An import treats memories that differ in a `state` or `identity` member as different.
   * `aside`: only in the memory's line, and not compared.
   */
  readonly line: "state" | "identity" | "aside" | null;
  /** True if answers contain it unchanged. Derived members are in `present.ts`. */
  readonly isShown: boolean;
}

/** A member that a redaction replaces by the metadata given in the request. */
interface Replaced {
  readonly screened: z.ZodType;
  readonly redacted: "replaced";
}

const { source, logic_path } = describingFields;
const CLEARED = { to: null } as const;

/**
 * Properties of each member, defined only here. The columns, the lines of an export, the comparison of an import, the
 * search for secrets, redaction and answers are derived from this table. To add a member: add an entry here, a
 * migration and a line in the contract, and set its value.
 */
export const MEMORY_MEMBERS = {
  id: { line: null, isShown: false, redacted: "kept", screened: null },
  seq: { line: null, isShown: false, redacted: "kept", isInstant: false },
  ownerId: { line: "aside", name: "owner", isShown: false, redacted: "kept", screened: null },
  memoryId: { line: "aside", isShown: false, redacted: "kept", screened: null },
  authorId: { line: "identity", name: "author", isShown: false, redacted: "kept", screened: null },
  scope: { line: "identity", isShown: true, redacted: "kept" },
  workspaceItem: { line: "identity", name: "item", isShown: false, redacted: "kept" },
  createdAt: { line: "identity", isShown: true, redacted: "kept", isInstant: true },
  createHash: { line: "aside", isShown: false, redacted: CLEARED, screened: null },
  dedupeHash: { line: "aside", isShown: false, redacted: CLEARED, screened: null },
  // Increases with every change, including a redaction.
  revision: { line: "aside", isShown: false, redacted: "kept", isInstant: false },
  projectId: { line: "state", isShown: false, redacted: "kept", screened: null },
  path: { line: "state", isShown: true, redacted: "kept", screened: null },
  bucket: { line: "state", isShown: true, redacted: "kept", screened: null },
  memoryType: { line: "state", isShown: true, redacted: "kept", screened: null },
  status: { line: "state", isShown: false, redacted: { to: "redacted" } },
  restoreStatus: { line: "state", isShown: false, redacted: CLEARED },
  content: { line: "state", isShown: true, redacted: "words", screened: content },
  semanticKey: { line: "state", isShown: true, redacted: CLEARED, screened: null },
  version: { line: "state", isShown: true, redacted: "kept", isInstant: false },
  supersededBy: { line: "state", isShown: true, redacted: "kept", screened: null },
  supersededAt: { line: "state", isShown: false, redacted: "kept", isInstant: true },
  supersededByKey: { line: "state", isShown: false, redacted: { to: false } },
  supersededStatus: { line: "state", isShown: false, redacted: CLEARED },
  supersededUntil: { line: "state", isShown: false, redacted: CLEARED, isInstant: true },
  factVersion: { line: "state", isShown: false, redacted: CLEARED, isInstant: false },
  importance: { line: "state", isShown: true, redacted: "kept", isInstant: false },
  confidence: { line: "state", isShown: true, redacted: "kept", isInstant: false },
  source: { line: "state", isShown: true, redacted: CLEARED, screened: source },
  logicPath: { line: "state", isShown: true, redacted: CLEARED, screened: logic_path },
  metadata: { line: "state", isShown: true, redacted: "replaced", screened: storedMetadata },
  provenance: { line: "state", isShown: true, redacted: { to: {} }, screened: storedProvenance },
  sessionId: { line: "state", isShown: false, redacted: CLEARED, screened: null },
  agentId: { line: "state", isShown: false, redacted: CLEARED, screened: null },
  instanceHash: {
    line: "state",
    name: "agent_instance_id_hash",
    isShown: false,
    redacted: CLEARED,
    screened: null,
  },
  occurredAt: { line: "state", isShown: false, redacted: CLEARED, isInstant: true },
  dueAt: { line: "state", isShown: false, redacted: CLEARED, isInstant: true },
  updatedAt: { line: "state", isShown: true, redacted: "now", isInstant: true },
  expiresAt: { line: "state", isShown: true, redacted: "kept", isInstant: true },
  itemStatus: { line: "state", isShown: false, redacted: CLEARED, screened: null },
  itemAgent: { line: "state", isShown: false, redacted: CLEARED, screened: null },
} as const satisfies {
  readonly [Name in keyof MemoryRecord]: MemoryMember &
    (Member<MemoryRecord[Name], z.ZodType> | (Name extends "metadata" ? Replaced : never));
};

type Members = typeof MEMORY_MEMBERS;

/** The members whose entries in the table have that property. */
export type MembersWhere<Fact> = {
  [Name in keyof Members]: Members[Name] extends Fact ? Name : never;
}[keyof Members];

/** Name of a member in requests, answers and export lines. */
export type NameOf<Name extends keyof Members> = WireName<Members, Name>;

/** The entries with these properties, in the table's order. */
export function membersWhere<Fact extends Partial<MemoryMember>>(
  fact: Fact,
): Pick<Members, MembersWhere<Fact>> {
  const wanted = Object.entries(fact);
  const found = Object.entries(MEMORY_MEMBERS).filter(([, entry]) =>
    wanted.every(([name, value]) => (entry as Record<string, unknown>)[name] === value),
  );
  return Object.fromEntries(found) as unknown as Pick<Members, MembersWhere<Fact>>;
}

export const SHOWN_AS_IT_IS = membersWhere({ isShown: true });

/** The members needed to show a memory: those shown unchanged, and those that derived members are computed from. */
export const SHOWN_FROM = {
  ...SHOWN_AS_IT_IS,
  memoryId: true,
  ownerId: true,
  status: true,
  supersededStatus: true,
  supersededUntil: true,
  agentId: true,
  instanceHash: true,
} as const satisfies { readonly [Name in keyof MemoryRecord]?: unknown };

/** The part of a memory that is needed to show it. */
export type ShownMemory = Pick<MemoryRecord, keyof typeof SHOWN_FROM>;

/** The column's maximum. A memory that has changed this often keeps its version. */
const VERSION_MAX = 2_147_483_647;

export function nextVersion(version: number): number {
  return Math.min(VERSION_MAX, version + 1);
}
