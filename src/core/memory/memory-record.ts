import type { z } from "zod";
import { content, describingFields } from "../../contract/memory.ts";
import { storedMetadata, storedProvenance } from "../../contract/service-members.ts";
import type { Member, WireName } from "./member-table.ts";

/** A memory as the record holds it: the row, with instants in milliseconds since the epoch. */
export interface MemoryRecord {
  /** Internal UUID; never shown unless it is the public id too. */
  readonly id: string;
  readonly seq: number;
  readonly ownerId: string;
  /** The public id, unique per owner. */
  readonly memoryId: string;
  /** The owner whose credential wrote it; differs from `ownerId` in a team. */
  readonly authorId: string;
  readonly scope: "private" | "team";
  readonly projectId: string | null;
  readonly path: string;
  readonly bucket: string;
  readonly memoryType: string;
  /** Todo or decision of a project's workspace, if it is one: then only the workspace's operations change it. */
  readonly workspaceItem: WorkspaceItem | null;
  /**
   * The status of a todo or decision, and who has the todo or is to have it: as its state says. null in what was
   * soft-deleted or redacted, whose state is nobody's concern.
   */
  readonly itemStatus: string | null;
  readonly itemAgent: string | null;
  readonly status: StoredStatus;
  /** Its status before a soft delete. */
  readonly restoreStatus: StoredStatus | null;
  readonly content: string;
  /** Hash of the request that made it, so that the same request again is known; null once redacted. */
  readonly createHash: string | null;
  /** Hash of what dedupe compares; null once redacted. */
  readonly dedupeHash: string | null;
  readonly semanticKey: string | null;
  readonly version: number;
  readonly supersededBy: string | null;
  readonly supersededAt: number | null;
  /** A newer memory of its semantic key superseded it. Only then it may be live again. */
  readonly supersededByKey: boolean;
  /** Its status before a newer memory of its semantic key superseded it. */
  readonly supersededStatus: LiveStatus | null;
  /** When it is that again, since what superseded it has expired by then (see `supersession.ts`); null: never. */
  readonly supersededUntil: number | null;
  /**
   * The highest version of its fact among the memories that stated it and state it no more; null where there are none.
   */
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
  /** From the state of a todo or decision, otherwise from the metadata. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
  readonly revision: number;
}

export type WorkspaceItem = "todo" | "decision";

export type LiveStatus = "active" | "started" | "completed";

export type StoredStatus = LiveStatus | "archived" | "superseded" | "soft_deleted" | "redacted";

/** A memory that is about to be written: `seq` and `revision` are the record's to give. */
export type NewMemory = Omit<MemoryRecord, "seq" | "revision">;

/** The members a change may set. */
export type MemoryChange = Partial<
  Omit<MemoryRecord, "id" | "seq" | "ownerId" | "memoryId" | "createdAt" | "revision">
>;

/** How the caller stands to the memory's owner, read live: itself, or its role in the team. */
export type Role = "self" | "owner" | "admin" | "member" | "viewer";

/** A memory the caller may see, and how it stands to it. */
export interface SeenMemory {
  readonly memory: MemoryRecord;
  readonly role: Role;
}

/** Properties of a member besides those of `Member`. */
interface MemoryMember {
  /**
   * Where an export has it. `state`: in the line of the memory and in each of its versions. `identity`: in the line of
   * the memory alone, and another value there makes it another memory, as in a state. `aside`: there too, but it may
   * differ.
   */
  readonly line: "state" | "identity" | "aside" | null;
  /** Whether answers show it as it is. Derived members are in `present.ts`. */
  readonly isShown: boolean;
}

/** By the metadata that a redaction gives instead. */
interface Replaced {
  readonly screened: z.ZodType;
  readonly redacted: "replaced";
}

const { source, logic_path } = describingFields;
const CLEARED = { to: null } as const;

/**
 * What holds for each member, stated in this one place: its column, the lines of an export and what an import compares,
 * the search for secrets, redaction and answers are made of it. A new member is an entry here, a migration and a line
 * of the contract, and where it is set.
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
  // Rises with every change, a redaction too.
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

/** The members of which the table says that. */
export type MembersWhere<Fact> = {
  [Name in keyof Members]: Members[Name] extends Fact ? Name : never;
}[keyof Members];

/** Name of a member in requests, answers and export lines. */
export type NameOf<Name extends keyof Members> = WireName<Members, Name>;

/** The entries of which the table says that, in its order. */
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

/** The members that a memory is shown from: besides those, what the others are made of. */
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

/** A memory as far as it is shown. */
export type ShownMemory = Pick<MemoryRecord, keyof typeof SHOWN_FROM>;

/** The column's maximum: a memory that has changed that often keeps its number. */
const VERSION_MAX = 2_147_483_647;

export function nextVersion(version: number): number {
  return Math.min(VERSION_MAX, version + 1);
}
