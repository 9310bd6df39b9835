import {
  type Credential,
  credentialOf,
  find,
  holds,
  idOf,
  isKnowledge,
  isLive,
  isTeam,
  type Memory,
  type Model,
  pastShown,
  reachedOwners,
  sees,
  shownStatus,
  visibleTo,
} from "./model.ts";
import { chainOf } from "./model-write.ts";
import type { Filter, Read } from "./step.ts";
import { asItStands } from "./supersession.ts";
import { brief, refused, same, type Told } from "./told.ts";

/** So many a search answers at most; where more match, which ones is the ranker's to say. */
export const HITS_MAX = 100;

/** Where the answer to a read disagrees with the model, or null. */
export function readFault(model: Model, read: Read, told: Told): string | null {
  const { body } = told;
  const credential = credentialOf(model, read.by);
  if (credential.isEnded) return refused(body, ["invalid_token"]);
  if (read.kind === "receipt") return receiptFault(model, credential, read.by, read.place, told);
  if (!holds(credential, "memory:read")) return refused(body, ["insufficient_scope"]);
  switch (read.kind) {
    case "list":
      return listFault(model, credential, read.filter, told);
    case "search":
      return searchFault(model, credential, read.filter, told);
    case "context":
      return contextFault(model, credential, read.filter, told);
    case "profile":
      return profileFault(model, credential, told);
    case "past":
      return told.status === 200 ? null : `a search of the past was answered ${brief(body)}`;
    case "get":
    case "versions":
    case "why": {
      const memory = find(model, credential, idOf(model, read.target));
      if (!memory || memory.status === "soft_deleted") return refused(body, ["not_found"]);
      if (read.kind === "get") return itemFault(model, credential, memory, body);
      if (read.kind === "versions") return versionsFault(model, credential, memory, body);
      return same(body.id, memory.id, "what recall explains");
    }
  }
}

/** What a filter lets through of what the credential sees; or that the filter may not be asked. */
export function matching(
  model: Model,
  credential: Credential,
  filter: Filter,
): readonly Memory[] | "knowledge_scope_required" {
  const asksKnowledge = filter.bucket === "knowledge" || filter.type === "knowledge";
  if (asksKnowledge && !credential.scopes.includes("knowledge:read")) return "knowledge_scope_required";
  return visibleTo(model, credential).filter((memory) => {
    const scope = isTeam(memory.owner) ? "team" : "private";
    return (
      isLike(memory.path, filter.path) &&
      isLike(memory.bucket, filter.bucket) &&
      isLike(memory.type, filter.type) &&
      hasStatus(memory, filter.status ?? "active") &&
      scope === (filter.scope ?? scope) &&
      (filter.team === undefined || (memory.owner === filter.team && scope === "team")) &&
      (filter.project === undefined || memory.project === filter.project)
    );
  });
}

/** `%` stands for any text. */
function isLike(value: string, pattern = "%"): boolean {
  const parts = pattern.split("%").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(value);
}

/** `active` is every live memory; a pattern never matches what was soft-deleted. */
function hasStatus(memory: Memory, status: string): boolean {
  if (status === "active") return isLive(memory);
  if (!status.includes("%")) return shownStatus(memory) === status;
  return memory.status !== "soft_deleted" && isLike(shownStatus(memory), status);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Items = readonly any[];

function listFault(model: Model, credential: Credential, filter: Filter, { body }: Told): string | null {
  const expected = matching(model, credential, filter);
  if (typeof expected === "string") return refused(body, [expected]);
  if (!Array.isArray(body.memories)) return `a list was answered ${brief(body)}`;
  return (
    setFault(model, credential, expected, body.memories, "a list") ??
    same(body.total, expected.length, "the total of a list")
  );
}

function searchFault(model: Model, credential: Credential, filter: Filter, { body }: Told): string | null {
  const expected = matching(model, credential, filter);
  if (typeof expected === "string") return refused(body, [expected]);
  if (!Array.isArray(body.results)) return `a search was answered ${brief(body)}`;
  // What was redacted has no words to be found by.
  const isSure = expected.length <= HITS_MAX && expected.every(({ tag }) => tag !== null);
  return isSure
    ? setFault(model, credential, expected, body.results, "a search")
    : partFault(model, credential, expected, body.results, "a search");
}

/** A profile has live memories of one owner alone: the credential's own, or the team that it is confined to. */
function profileFault(model: Model, credential: Credential, { body }: Told): string | null {
  const owner = credential.space.team ?? credential.owner;
  if (!reachedOwners(model, credential).includes(owner)) return refused(body, ["not_found"]);
  if (!Array.isArray(body.items)) return `a profile was answered ${brief(body)}`;
  const expected = visibleTo(model, credential).filter(
    (memory) => memory.owner === owner && !isKnowledge(memory) && isLive(memory),
  );
  if (body.items.length === 0 && expected.length > 0) return "a profile left everything out";
  return partFault(model, credential, expected, body.items, "a profile");
}

function contextFault(model: Model, credential: Credential, filter: Filter, { body }: Told): string | null {
  const matched = matching(model, credential, filter);
  if (typeof matched === "string") return refused(body, [matched]);
  if (!Array.isArray(body.items)) return `a context was answered ${brief(body)}`;
  const asksKnowledge = filter.bucket === "knowledge" || filter.type === "knowledge";
  const expected = asksKnowledge ? matched : matched.filter((memory) => !isKnowledge(memory));
  if (body.items.length === 0 && expected.some(isLive)) return "a context left everything out";
  const omitted = ((body.omitted ?? []) as { id: string }[]).filter(
    ({ id }) => !expected.some((memory) => memory.id === id),
  );
  if (omitted.length > 0) return `a context names as omitted ${JSON.stringify(omitted)}`;
  return partFault(model, credential, expected, body.items, "a context");
}

function setFault(
  model: Model,
  credential: Credential,
  expected: readonly Memory[],
  items: Items,
  what: string,
): string | null {
  const fault = partFault(model, credential, expected, items, what);
  if (fault) return fault;
  const missing = expected.filter((memory) => !items.some((item) => isOf(memory, item)));
  return missing.length > 0 ? `${what} lacks ${missing.map(nameOf).join(", ")}` : null;
}

/** Nothing but what is expected, each once and as it is now. */
function partFault(
  model: Model,
  credential: Credential,
  expected: readonly Memory[],
  items: Items,
  what: string,
): string | null {
  const seen = new Set<number>();
  for (const item of items) {
    const memory = expected.find((candidate) => isOf(candidate, item));
    if (!memory) return `${what} should not hold ${brief(item)}`;
    if (seen.has(memory.serial)) return `${what} holds ${nameOf(memory)} twice`;
    seen.add(memory.serial);
    const fault = itemFault(model, credential, memory, item);
    if (fault) return `${what}: ${fault}`;
  }
  return null;
}

/** By the owner that the item shows and the id. A private memory shows none: it is the caller's own. */
function isOf(memory: Memory, item: Items[number]): boolean {
  return memory.id === item.id && (isTeam(memory.owner) ? memory.owner : null) === item.team_id;
}

function nameOf(memory: Memory): string {
  return `${memory.id} of ${memory.owner} (${memory.tag})`;
}

function itemFault(model: Model, credential: Credential, memory: Memory, item: Items[number]): string | null {
  const expected = {
    id: memory.id,
    content: item.truncated === true ? item.content : memory.content,
    path: memory.path,
    bucket: memory.bucket,
    scope: isTeam(memory.owner) ? "team" : "private",
    team_id: isTeam(memory.owner) ? memory.owner : null,
    memory_type: memory.type,
    status: shownStatus(memory),
    semantic_key: memory.key,
    superseded_by: successorShown(model, credential, asItStands(memory), item.superseded_by),
    tag: memory.tag,
    // Redacting clears provenance; moving writes a new one.
    project: memory.tag === null && !memory.isAdopted ? null : memory.project,
  };
  const actual = {
    ...Object.fromEntries(Object.keys(expected).map((name) => [name, item[name]])),
    tag: item.metadata?.tag ?? null,
    project: item.provenance?.project_id ?? null,
  };
  return same(actual, expected, "a memory");
}

/** The id of the successor where the credential sees that too. `named` is what the answer has. */
function successorShown(
  model: Model,
  credential: Credential,
  memory: Memory,
  named: string | null,
): string | null {
  if (memory.supersededBy === null) return null;
  const successor = model.memories.get(memory.supersededBy);
  if (successor) return sees(model, credential, successor) ? successor.id : null;
  // Removed for good: its id may stand, until it is another's.
  const isAnothers = [...model.memories.values()].some(
    ({ owner, id }) => owner === memory.owner && id === named,
  );
  return isAnothers ? null : named;
}

function versionsFault(
  model: Model,
  credential: Credential,
  memory: Memory,
  body: Told["body"],
): string | null {
  if (!Array.isArray(body.versions)) return `versions were answered ${brief(body)}`;
  const tags = new Set((body.versions as Items).map((version) => version.metadata?.tag ?? null));
  const expected = [memory, ...pastShown(credential, memory)];
  const chain = chainOf(model, memory).filter(
    (link) => link.status !== "soft_deleted" && sees(model, credential, link),
  );
  return (
    same(body.id, memory.id, "what versions are of") ??
    same([...tags].sort(), [...new Set(expected.map(({ tag }) => tag))].sort(), "the versions") ??
    same(
      (body.chain as Items).map(({ id }) => id).sort(),
      chain.map(({ id }) => id).sort(),
      "the chain of versions",
    )
  );
}

function receiptFault(
  model: Model,
  credential: Credential,
  by: string,
  place: number,
  { body }: Told,
): string | null {
  const scopes = ["memory:read", "memory:write", "memory:redact", "memory:hard_delete"] as const;
  if (!scopes.some((scope) => holds(credential, scope))) return refused(body, ["insufficient_scope"]);
  const receipt = model.receipts[place % Math.max(1, model.receipts.length)];
  if (!receipt || !reachedOwners(model, credential).includes(receipt.owner))
    return refused(body, ["not_found"]);
  const { projects, pathPrefix, buckets } = credential.space;
  const isConfined =
    projects !== null ||
    pathPrefix !== null ||
    buckets !== null ||
    !credential.scopes.includes("knowledge:read");
  // A credential for a part is shown its own receipts; of others it may be told nothing.
  if (isConfined && receipt.credential !== by) return refused(body, ["not_found"]);
  return same(body.id, receipt.id, "a receipt");
}

/** The words that tell states apart, as far as an answer to this credential may hold them. `withDeleted`: the bin was asked for. */
export function allowedTags(model: Model, credential: Credential, withDeleted: boolean): Set<string> {
  const tags = new Set<string>();
  if (credential.isEnded || !holds(credential, "memory:read")) return tags;
  for (const memory of visibleTo(model, credential)) {
    if (memory.status === "soft_deleted" && !withDeleted) continue;
    for (const state of [memory, ...pastShown(credential, memory)])
      for (const tag of tagsIn([state.tag, state.content])) tags.add(tag);
  }
  return tags;
}

const TAG = /tag-[0-9a-z]+/g;

/** Every such word in a value. Contents hold some too, and keep them while the metadata changes. */
export function tagsIn(value: unknown): string[] {
  return JSON.stringify(value).match(TAG) ?? [];
}
