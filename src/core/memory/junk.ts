import type { JunkKind, StoreRequest } from "../../contract/memory.ts";
import { type OwnWords, own, word } from "../../contract/own-words.ts";
import { KNOWLEDGE, WORKING } from "../../recall/index/scope.ts";
import { normalizedText } from "../../recall/language/characters.ts";
import { ownLines } from "../../recall/statements/shown-pieces.ts";
import { emptinessOf } from "../../recall/statements/trivial.ts";
import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import { isAdopted } from "./adopted.ts";
import type { Junk, JunkPolicy } from "./junk-policy.ts";
import { everyLiveMemory } from "./memory-filter.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { MemoryPorts } from "./memory-store.ts";
import { GUIDING_MEMBERS } from "./metadata.ts";
import { type Place, placeOf } from "./place.ts";
import type { Source } from "./recent-answers.ts";

/** The verdict on content that brings nothing new, and the outcome of the write. */
export interface Taken {
  readonly as: JunkKind;
  /**
   * `answered`: the existing memory is returned and nothing is written. `set aside`: stored as archived. `stored`:
   * stored as requested.
   */
  readonly and: "answered" | "set aside" | "stored";
}

/** The verdict on a write's content before equal or similar memories are looked up. */
export interface Judgement {
  readonly taken: Taken | null;
  /** The live memory that an echo repeats; null if there is none to return. */
  readonly echoOf: MemoryRecord | null;
}

const NOTHING: Judgement = { taken: null, echoOf: null };

type JudgePorts = Pick<MemoryPorts, "store" | "clock" | "junk">;

/**
 * Judges the content of a write by itself. `validation_failed` with the kind of junk if the policy refuses it. A write
 * with more than content (an id of its own, a key, a status, vouching metadata, or a type other than the plain ones) is
 * never junk.
 */
export async function judge(
  ports: JudgePorts,
  caller: Caller,
  input: StoreRequest,
  dedupe: boolean,
): Promise<Judgement> {
  const { policy } = ports.junk;
  if (policy === "allow" || saysMore(input)) return NOTHING;
  const echo = await echoIn(ports, caller, input);
  if (echo !== null) {
    const [echoOf = null] = echo;
    const and = fateOf("echo", policy, dedupe, echoOf !== null);
    return {
      taken: { as: "echo", and: and === "answered" && isWhole(input, echo) ? "stored" : and },
      echoOf,
    };
  }
  const emptiness = emptinessOf(input.content);
  if (emptiness === null || isExplained(input)) return NOTHING;
  // In a conversation, "yes" answers what was said before it.
  if (isSaidInSession(caller, input)) return { taken: { as: emptiness, and: "stored" }, echoOf: null };
  return { taken: { as: emptiness, and: fateOf(emptiness, policy, dedupe, false) }, echoOf: null };
}

/** A memory that an answer contains, and the texts shown from it: all or parts. */
export interface ShownMemory {
  readonly memory: MemoryRecord;
  readonly texts: readonly string[];
}

/** The reader of an answer: the credential, and the end user for whom it was used. */
function readerOf({ tokenId, owner }: Caller): string {
  return owner.kind === "end_user" ? `${tokenId} ${owner.name}` : tokenId;
}

/** Records which texts of memories an answer returned to a caller, and which lines are the service's own. */
export function noteShown(
  { policy, handedOut }: Junk,
  caller: Caller,
  memories: readonly ShownMemory[],
  text = "",
): void {
  if (policy === "allow") return;
  const ofMemories = memories.flatMap(({ memory: { id, version }, texts }) =>
    [...new Set(texts)].map((shown) => ({ source: { id, version }, text: shown })),
  );
  handedOut.note(readerOf(caller), [{ source: null, text: ownLines(text) }, ...ofMemories]);
}

/** True if a write that repeats a live memory of the same place returns that memory instead. */
export function isAnsweredByLike(policy: JunkPolicy): boolean {
  return policy === "keep_out" || policy === "refuse";
}

function fateOf(kind: JunkKind, policy: JunkPolicy, dedupe: boolean, hasAnswer: boolean): Taken["and"] {
  if (policy === "refuse") throw invalid(["content"], own`${WHAT[kind]}: ${WHY[kind]}.`, kind);
  if (policy === "note" || !dedupe) return "stored";
  return hasAnswer ? "answered" : "set aside";
}

/** Types of memories that are merely recorded. Other types, such as reminders, give the content a purpose. */
const CAPTURED: readonly string[] = ["semantic", "episodic", WORKING];

function saysMore(input: StoreRequest): boolean {
  const { memory_id, semantic_key, superseded_by, status, memory_type, metadata } = input;
  const isGuided = GUIDING_MEMBERS.some((name) => Object.hasOwn(metadata ?? {}, name));
  const isNamed = Boolean(memory_id || semantic_key || superseded_by || status);
  return isNamed || isGuided || !CAPTURED.includes(memory_type);
}

/** True if members besides the content may say what it is about. */
function isExplained({ metadata, logic_path }: StoreRequest): boolean {
  return Boolean(logic_path) || Object.keys(metadata ?? {}).length > 0;
}

function isSaidInSession({ attribution }: Caller, { provenance }: StoreRequest): boolean {
  return attribution.sessionId !== null || typeof provenance?.session_id === "string";
}

/**
 * The live memories that the text repeats, if recall has just returned all of it; empty if the text consists of the
 * service's own lines. null if it is not an echo: each memory must still exist unchanged and be visible to this caller,
 * be in the place that the write is for, and last at least as long. A copy into another space or project is new there.
 * Adopted memories do not count either: otherwise an agent could prevent its future owner from storing a text by
 * writing it first.
 */
async function echoIn(
  { store, clock, junk }: JudgePorts,
  caller: Caller,
  input: StoreRequest,
): Promise<MemoryRecord[] | null> {
  const sources = junk.handedOut.sourcesOf(readerOf(caller), input.content);
  if (sources === null || sources.length === 0) return sources === null ? null : [];
  const ids = sources.map(({ id }) => id);
  const { memories: there } = await store.readMatching(caller, ids, everyLiveMemory(clock()));
  const found = new Map(there.map((memory) => [memory.id, memory]));
  const place = placeOf(caller, input);
  const memories = sources.flatMap((source) => sameAsShown(found.get(source.id), source, place, input));
  return memories.length === sources.length ? memories : null;
}

/**
 * True if the text is the whole content of one of the memories, as deduplication compares contents. That is typical of
 * filing the same memory in a second place. If deduplication finds no equal memory there, the copy is wanted;
 * deduplication still limits it to one per place.
 */
function isWhole({ content }: StoreRequest, shown: readonly MemoryRecord[]): boolean {
  const said = normalizedText(content);
  return shown.some((memory) => normalizedText(memory.content) === said);
}

function sameAsShown(
  memory: MemoryRecord | undefined,
  { version }: Source,
  place: Place,
  input: StoreRequest,
): MemoryRecord[] {
  const isSame =
    memory !== undefined &&
    !isAdopted(memory) &&
    memory.version === version &&
    memory.ownerId === place.ownerId &&
    memory.projectId === place.projectId &&
    isReadAlike(memory.bucket, input.bucket) &&
    lastsAsLong(memory, input);
  return isSame ? [memory] : [];
}

/** Knowledge and the ledger have other readers and writers, so a copy from or into them is new there. */
function isReadAlike(bucket: string, asked: string): boolean {
  return bucket === asked || !CONFINED.some((name) => name === bucket || name === asked);
}

const CONFINED: readonly string[] = [KNOWLEDGE, "ledger"];

/** A temporary memory cannot stand in for one that is meant to last longer. */
function lastsAsLong(
  { memoryType, expiresAt }: MemoryRecord,
  { memory_type, expires_at }: StoreRequest,
): boolean {
  if (memoryType === WORKING && memory_type !== WORKING) return false;
  return expiresAt === null || (expires_at != null && Date.parse(expires_at) <= expiresAt);
}

const WHAT: Readonly<Record<JunkKind, OwnWords>> = {
  echo: word("echo"),
  empty: word("empty"),
  trivial: word("trivial"),
  repetition: word("repetition"),
};

const WHY: Readonly<Record<JunkKind, OwnWords>> = {
  echo: own`recall has just shown this text`,
  empty: own`there is no word in it`,
  trivial: own`it says nothing by itself`,
  repetition: own`a live memory says the same`,
};

const DONE: Readonly<Record<Taken["and"], OwnWords>> = {
  answered: own`the memory that says it is answered, and nothing is written; dedupe false stores it`,
  "set aside": own`it is stored as archived, which recall leaves out; status active brings it back`,
  stored: own`it is stored as given`,
};

/** The answer's sentence about a write that was judged to be junk, such as "trivial: it says nothing by itself; …". */
export function remarkOn({ as, and }: Taken): OwnWords {
  const done = as === "repetition" && and === "answered" ? ADDED : DONE[and];
  return own`${WHAT[as]}: ${WHY[as]}; ${done}`;
}

const ADDED = own`that memory is returned, and this counts as a repeat of it; dedupe false stores it`;
