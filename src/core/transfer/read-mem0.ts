import { projectId } from "../../contract/primitives.ts";
import { DomainError } from "../error.ts";
import type { SourceRecord } from "./import-memories.ts";

/**
 * The memories of mem0, as its `get_all` answers them: an array of memories, or an object with them in `results`
 * (https://docs.mem0.ai/api-reference/memory/get-memory, cookbooks/essentials/exporting-memories).
 *
 * | mem0 | here |
 * |---|---|
 * | `id`, `memory`, `metadata`, `created_at`, `updated_at` | `memory_id`, `content`, `metadata`, `created_at`, `updated_at` |
 * | `user_id` | the owner, a user of that name |
 * | `agent_id`, `run_id` | `agent_id`, `session_id`, and the same members of provenance |
 * | `app_id` | `project_id` where it can be one, and `provenance.app_id` |
 * | `categories` | `metadata.categories` |
 *
 * All come to the path `mem0`. Entities, relations and mem0's own history have no place in that answer.
 */
export function readMem0(text: string): SourceRecord[] {
  const memories = memoriesIn(text);
  return memories.map((memory, index) => {
    const place = { line: index + 1, offset: Math.round((text.length * (index + 1)) / memories.length) };
    if (typeof memory !== "object" || memory === null)
      return { ...place, problem: "is not a memory: it must be an object" };
    return { ...place, value: toLine(memory as Record<string, unknown>) };
  });
}

function memoriesIn(text: string): unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new DomainError(
      "validation_failed",
      "The file is not JSON. Save the answer of mem0's get_all as it is, as one JSON document.",
    );
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { results?: unknown } | null)?.results;
  if (Array.isArray(list)) return list;
  throw new DomainError(
    "validation_failed",
    "The file has no mem0 memories: it must be an array of them, or an object with the array in results.",
  );
}

function toLine(memory: Record<string, unknown>): Record<string, unknown> {
  const { user_id, agent_id, run_id, app_id, categories } = memory;
  const isProject = projectId.safeParse(app_id).success;
  const metadata = isObject(memory.metadata) ? memory.metadata : {};
  const named = { session_id: run_id, agent_id, app_id, ...(isProject ? { project_id: app_id } : {}) };
  return given({
    memory_id: memory.id,
    content: memory.memory,
    path: "mem0",
    owner: given({ name: user_id }).name === undefined ? undefined : { kind: "user", name: user_id },
    project_id: isProject ? app_id : undefined,
    session_id: run_id,
    agent_id,
    metadata: Array.isArray(categories) ? { ...metadata, categories } : metadata,
    provenance: given(named),
    created_at: memory.created_at,
    updated_at: memory.updated_at,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without the members that are null or not there. */
function given(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}
