import { z } from "zod";
import { lookedIntoMembers } from "./end-user-member.ts";
import { asOf, filterFields, listOrder, sessionFilters } from "./filter.ts";
import * as memory from "./memory.ts";
import { idMember, ifMatch, writeErrors } from "./memory-members.ts";
import { spaceOperation } from "./operation.ts";
import { publicId, text, time } from "./primitives.ts";

export const remember = spaceOperation({
  name: "remember",
  summary: "Remember something, without duplicates",
  description:
    "Stores a memory, unless an equal live one exists: then its id is returned. The new memory supersedes an older one with the same semantic_key.",
  input: memory.rememberRequest,
  output: memory.rememberAnswer,
  errors: [...writeErrors, "memory_id_conflict"],
  effect: "write",
  scopes: ["memory:write"],
  rate: "write",
  http: { method: "POST", path: "/v1/remember", status: 201 },
  mcp: { tool: "remember", title: "Remember" },
});

export const storeMemory = spaceOperation({
  name: "storeMemory",
  summary: "Store a memory exactly as given",
  input: memory.storeRequest,
  output: memory.storeAnswer,
  errors: [...writeErrors, "memory_id_conflict"],
  effect: "write",
  scopes: ["memory:write"],
  rate: "write",
  http: { method: "POST", path: "/v1/memories", status: 201 },
});

export const storeBatch = spaceOperation({
  name: "storeBatch",
  summary: "Store up to 500 memories, each on its own",
  description: "Each item is stored or refused on its own; a refused item does not affect the others.",
  input: z
    .object({
      items: z
        .array(z.unknown())
        .min(1)
        .max(500)
        .meta({
          description: "Each item is a MemoryStoreRequest or, with `dedupe`, a MemoryRememberRequest",
          examples: [[{ content: "Releases go out on Tuesdays.", path: "notes/deploys" }]],
        }),
    })
    .meta({ id: "MemoryBatchRequest" }),
  each: { member: "items", item: memory.rememberRequest, answers: "results" },
  output: z
    .object({
      results: z.array(
        z.union([
          memory.storeAnswer,
          memory.rememberAnswer,
          z
            .object({ error: z.object({ code: z.string(), detail: z.unknown() }) })
            .meta({ id: "MemoryBatchRefusal" }),
        ]),
      ),
      stored: z.int(),
      failed: z.int(),
    })
    .meta({ id: "MemoryBatchAnswer" }),
  errors: writeErrors,
  effect: "write",
  scopes: ["memory:write"],
  rate: "write",
  http: { method: "POST", path: "/v1/memories/batch", status: 200 },
});

/** Shared part of the description of every paged operation. */
const BOUNDED_PAGE =
  "A page is about 1 MiB at most: it may have fewer than `limit` and still not be the last. While there are more, `next_cursor` says where to go on.";

const cursor = text(1, 256)
  .nullish()
  .meta({ description: "next_cursor of the page before; goes on where it ended" });

const listRequest = z.object({
  limit: z.int().min(1).max(1000).default(100),
  offset: z.int().min(0).max(1_000_000_000).default(0),
  cursor,
  ...filterFields,
});

export const listMemories = spaceOperation({
  name: "listMemories",
  summary: "List memories, newest first",
  description: `${BOUNDED_PAGE} With \`offset\`, add the number of memories that you were given.`,
  input: listRequest,
  session: {
    input: listRequest.extend({ ...sessionFilters, as_of: asOf, ...listOrder, ...lookedIntoMembers }),
  },
  output: z
    .object({
      memories: z.array(memory.memoryItem),
      total: z.int().meta({
        description: "The number of memories that match the filters and that the credential may see",
      }),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: "MemoryList" }),
  errors: ["knowledge_scope_required"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: { method: "GET", path: "/v1/memories", status: 200 },
  mcp: { tool: "list_memories", title: "List memories" },
});

export const getMemory = spaceOperation({
  name: "getMemory",
  summary: "Read one memory",
  input: z.object({
    ...idMember,
    content_offset: z.int().min(0).max(1_000_000).default(0).meta({
      description: "Where in the content to begin, in UTF-16 code units, as `passage` counts them",
    }),
  }),
  output: memory.memoryItem
    .extend({
      etag: z.string(),
      content_offset: z.int().optional().meta({ description: "Where content begins, if that is not 0" }),
    })
    .meta({ id: "MemoryWithEtag" }),
  errors: ["not_found"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: { method: "GET", path: "/v1/memories/{memory_id}", status: 200, etag: "etag" },
  mcp: { tool: "get_memory", title: "Read a memory" },
});

export const listVersions = spaceOperation({
  name: "listVersions",
  summary: "Read the history of a memory and its supersession chain",
  description: `A page of the states it has had, the current one first. ${BOUNDED_PAGE} The chain comes with the first page: at most 1,000 memories, the newest.`,
  input: z.object({
    ...idMember,
    limit: z.int().min(1).max(200).default(100).meta({ description: "The most states to return" }),
    cursor,
  }),
  output: z
    .object({
      id: publicId,
      versions: z.array(
        memory.memoryItem
          .omit({ boundary: true })
          .extend({ valid_from: time, valid_to: time.nullable(), reason: z.string().nullable() })
          .meta({ id: "MemoryVersion" }),
      ),
      chain: z.array(
        z.object({
          id: publicId,
          version: z.int(),
          status: z.enum(memory.memoryStatuses),
          created_at: time,
        }),
      ),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: "MemoryVersions" }),
  errors: ["not_found"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: { method: "GET", path: "/v1/memories/{memory_id}/versions", status: 200 },
});

export const updateMemory = spaceOperation({
  name: "updateMemory",
  summary: "Change a memory",
  description:
    "Members that you leave out stay as they are; null clears a nullable one. metadata and provenance are merged at the top level by default, where null deletes a key.",
  input: memory.updateRequest.extend({ ...idMember, if_match: ifMatch }).meta({ id: "MemoryUpdateRequest" }),
  output: z
    .union([
      memory.memoryItem
        .extend({ conflicts: z.array(memory.conflict), etag: z.string(), ...memory.writeRemarks })
        .meta({ id: "UpdatedMemory" }),
      memory.memoryReference.extend(memory.writeRemarks).meta({ id: "UpdatedMemoryReference" }),
    ])
    .meta({ id: "MemoryUpdateAnswer" }),
  errors: [...writeErrors, "precondition_failed"],
  effect: "write",
  scopes: ["memory:write", "memory:update"],
  rate: "write",
  http: {
    method: "PATCH",
    path: "/v1/memories/{memory_id}",
    status: 200,
    headers: { if_match: "If-Match" },
    etag: "etag",
  },
  mcp: { tool: "update_memory", title: "Change a memory" },
});
