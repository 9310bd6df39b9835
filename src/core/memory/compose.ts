import type { StoreRequest } from "../../contract/memory.ts";
import type { Caller } from "../caller.ts";
import type { Ports } from "../ports.ts";
import { checkRecurrence } from "../reminder/recurrence.ts";
import { requireInSpace } from "./access.ts";
import { attribute } from "./attribution.ts";
import { createHash, dedupeHash } from "./identity.ts";
import type { NewMemory } from "./memory-record.ts";
import { checkMetadata } from "./metadata.ts";
import { placeOf } from "./place.ts";
import { NOT_SUPERSEDED } from "./supersession.ts";

/** A memory ready to be written, and what the answer must say of it. */
export interface Composed {
  readonly memory: NewMemory;
  readonly notices: readonly string[];
}

/** The memory a request describes, placed, attributed and checked against the credential's token space. */
export function compose(
  ports: Pick<Ports, "clock" | "newId" | "hash">,
  caller: Caller,
  input: StoreRequest,
): Composed {
  const place = placeOf(caller, input);
  requireInSpace(caller, { path: input.path, bucket: input.bucket, projectId: place.projectId });
  const { metadata, occurredAt, dueAt, notices } = checkMetadata(input.metadata ?? {});
  checkRecurrence(input.memory_type, metadata);
  const attributed = attribute(caller.attribution, input.provenance ?? {}, place.projectId);
  const id = ports.newId();
  const now = ports.clock();
  const draft = {
    id,
    ...place,
    ...attributed,
    memoryId: input.memory_id ?? id,
    authorId: caller.owner.id,
    path: input.path,
    bucket: input.bucket,
    memoryType: input.memory_type,
    workspaceItem: null,
    itemStatus: null,
    itemAgent: null,
    status: input.status ?? "active",
    restoreStatus: null,
    content: input.content,
    semanticKey: input.semantic_key?.normalize("NFC") ?? null,
    version: input.version ?? 1,
    ...NOT_SUPERSEDED,
    factVersion: null,
    importance: input.importance,
    confidence: input.confidence,
    source: input.source ?? null,
    logicPath: input.logic_path ?? null,
    metadata,
    occurredAt,
    dueAt,
    createdAt: now,
    updatedAt: now,
    expiresAt: input.expires_at ? Date.parse(input.expires_at) : null,
  } as const;
  return {
    memory: {
      ...draft,
      createHash: createHash(ports.hash, draft, input),
      dedupeHash: dedupeHash(ports.hash, draft),
    },
    notices,
  };
}
