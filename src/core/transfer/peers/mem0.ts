/**
 * The memories of mem0, as its `get_all` returns them (an array of memories, or an object with them in `results`:
 * https://docs.mem0.ai/api-reference/memory/get-memory, cookbooks/essentials/exporting-memories), or as its Qdrant
 * collection has them: the points that a scroll returns.
 *
 * | mem0 | here |
 * |---|---|
 * | `id`, `memory` (`data` in Qdrant), `created_at`, `updated_at` | `memory_id`, `content`, `created_at`, `updated_at` |
 * | `metadata`, and each other member that mem0 gives no meaning to | `metadata` |
 * | `user_id` | the owner, a user of that name |
 * | `agent_id`, `run_id` | `agent_id`, `session_id`, and the same members of provenance |
 * | `app_id` | `project_id` if it is a valid one, and `provenance.app_id` |
 * | `actor_id`, `role` | `source`, `metadata.role` |
 * | `categories`, `expiration_date` | `metadata.categories`, the end of that day in UTC as `expires_at` |
 *
 * All get the path `mem0`. Vectors are computed again. The answer of `get_all` does not contain entities, relations and
 * mem0's own history.
 */
import { projectId } from "../../../contract/primitives.ts";
import { serviceMembers } from "../../../contract/service-members.ts";
import { DomainError } from "../../error.ts";
import { GUIDING_MEMBERS } from "../../memory/metadata.ts";
import { itemsOf, requireDocument } from "./json-input.ts";
import { given, isObject, type Make, type PeerRecord, type Place } from "./peer-record.ts";

const HINT = "Save the answer of mem0's get_all as it is, as one JSON document.";

/** `validation_failed` if the text as a whole is not an answer of mem0. */
export function* readMem0(text: string, make: Make): Generator<PeerRecord> {
  for (const { value, ...place } of itemsOf(memoriesIn(requireDocument(text, HINT)), text.length))
    yield* mem0Records(place, value, make);
}

function memoriesIn(document: unknown): unknown[] {
  const result = isObject(document) && isObject(document.result) ? document.result.points : undefined;
  const list = Array.isArray(document)
    ? document
    : isObject(document)
      ? (document.results ?? result)
      : undefined;
  if (Array.isArray(list)) return list;
  throw new DomainError(
    "validation_failed",
    "The file has no mem0 memories: it must be an array of them, or an object with the array in results.",
  );
}

/** The records of one memory or of one point of its Qdrant collection. */
export function mem0Records(place: Place, value: unknown, make: Make): PeerRecord[] {
  const wrong = (problem: string) => [{ line: place.line, offset: place.offset, kind: "memory", problem }];
  if (!isObject(value)) return wrong("is not a memory: it must be an object");
  const { id, payload, memory = isObject(payload) ? payload.data : undefined } = value;
  if (typeof id !== "string" && typeof id !== "number") return wrong("id: is required");
  if (memory === undefined) return wrong("memory: is required");
  const from: Record<string, unknown> = isObject(payload) ? payload : value;
  const { user_id, agent_id, run_id, app_id, actor_id, role, categories, expiration_date } = from;
  const isProject = projectId.safeParse(app_id).success;
  const own = {
    ...(isObject(from.metadata) ? from.metadata : {}),
    ...(isObject(payload) ? others(payload) : {}),
  };
  return make(place, {
    kind: "memory",
    key: [id],
    id: String(id),
    content: memory,
    owner: typeof user_id === "string" && user_id !== "" ? { kind: "user", name: user_id } : undefined,
    projectId: isProject ? (app_id as string) : undefined,
    sessionId: run_id,
    agentId: agent_id,
    source: actor_id,
    createdAt: from.created_at,
    updatedAt: from.updated_at,
    expiresAt: endOf(expiration_date),
    metadata: {
      ...ownMetadata(own),
      ...given({ role, categories: Array.isArray(categories) ? categories : null }),
    },
    provenance: given({ app_id }),
  });
}

/** The user's metadata, which mem0 stores next to its own members in a point's payload. */
function others(payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !OWN.has(name)));
}

const OWN = new Set(
  "data hash text_lemmatized attributed_to metadata created_at updated_at user_id agent_id run_id app_id actor_id role categories expiration_date".split(
    " ",
  ),
);

/** The expiry of a memory: the end of its expiration date. */
function endOf(date: unknown): unknown {
  return typeof date === "string" && /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T23:59:59.999Z` : date;
}

const MEANT_OTHERWISE: ReadonlySet<string> = new Set([...GUIDING_MEMBERS, ...serviceMembers.metadata]);

/**
 * Metadata from another system. Members that this service would act on have another meaning there: a `due_at`, for
 * example, must not become a reminder. They are moved to `peer_metadata`.
 */
function ownMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(metadata);
  const aside = entries.filter(([name]) => MEANT_OTHERWISE.has(name));
  const rest = entries.filter(([name]) => !MEANT_OTHERWISE.has(name));
  return Object.fromEntries(
    aside.length === 0 ? rest : [...rest, ["peer_metadata", Object.fromEntries(aside)]],
  );
}
