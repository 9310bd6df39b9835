import type { JunkKind, StoreRequest } from "../../contract/memory.ts";
import { type OwnWords, own, word } from "../../contract/own-words.ts";
import { KNOWLEDGE, WORKING } from "../../recall/index/scope.ts";
import { normalizedText } from "../../recall/language/characters.ts";
import { emptinessOf } from "../../recall/statements/trivial.ts";
import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import { isAdopted } from "./adopted.ts";
import type { Source } from "./handed-out.ts";
import type { Junk, JunkPolicy } from "./junk-policy.ts";
import { everyLiveMemory } from "./memory-filter.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { MemoryPorts } from "./memory-store.ts";
import { GUIDING_MEMBERS } from "./metadata.ts";
import { type Place, placeOf } from "./place.ts";

/** What a content that brings nothing new was taken for, and what becomes of the write. */
export interface Taken {
  readonly as: JunkKind;
  /** `answered`: by the memory that says it, writing nothing. `set aside`: stored as archived. `stored`: as it was asked. */
  readonly and: "answered" | "set aside" | "stored";
}

/** What a write's content is taken for before anything is looked up that is equal or alike. */
export interface Judgement {
  readonly taken: Taken | null;
  /** The live memory that says what an echo says; where it is null nothing is answered by it. */
  readonly echoOf: MemoryRecord | null;
}

const NOTHING: Judgement = { taken: null, echoOf: null };

type JudgePorts = Pick<MemoryPorts, "store" | "clock" | "junk">;

/**
 * What the content of a write is taken for by itself. `validation_failed` naming it, where the policy refuses such. A write
 * that says more than its content (its own id, a key, a status, who vouches for it, a type that is made of it) is never taken for anything.
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
  // In a conversation "yes" is the answer to what was said before it.
  if (isSaidInSession(caller, input)) return { taken: { as: emptiness, and: "stored" }, echoOf: null };
  return { taken: { as: emptiness, and: fateOf(emptiness, policy, dedupe, false) }, echoOf: null };
}

/** A memory that an answer shows, and what it shows of it: all, or parts. */
export interface ShownMemory {
  readonly memory: MemoryRecord;
  readonly texts: readonly string[];
}

/** Notes what an answer shows a caller of memories, and the lines of its text that are the service's own. */
export function noteShown(
  { policy, handedOut }: Junk,
  { tokenId }: Caller,
  memories: readonly ShownMemory[],
  text = "",
): void {
  if (policy === "allow") return;
  const ofMemories = memories.flatMap(({ memory: { id, version }, texts }) =>
    [...new Set(texts)].map((shown) => ({ source: { id, version }, text: shown })),
  );
  const own = text.split("\n").filter((line) => !line.startsWith(QUOTED));
  handedOut.note(tokenId, [{ source: null, text: own.join("\n") }, ...ofMemories]);
}

/** How a context's text begins a line of a memory. */
const QUOTED = ">";

/** Whether what a live memory of the same place says already is answered by it. */
export function isAnsweredByLike(policy: JunkPolicy): boolean {
  return policy === "keep_out" || policy === "refuse";
}

function fateOf(kind: JunkKind, policy: JunkPolicy, dedupe: boolean, hasAnswer: boolean): Taken["and"] {
  if (policy === "refuse") throw invalid(["content"], own`${WHAT[kind]}: ${WHY[kind]}.`, kind);
  if (policy === "note" || !dedupe) return "stored";
  return hasAnswer ? "answered" : "set aside";
}

/** Types of what is merely written down. Another type makes something of it: a decision, a reminder. */
const CAPTURED: readonly string[] = ["semantic", "episodic", WORKING];

function saysMore(input: StoreRequest): boolean {
  const { memory_id, semantic_key, superseded_by, status, memory_type, metadata } = input;
  const isGuided = GUIDING_MEMBERS.some((name) => Object.hasOwn(metadata ?? {}, name));
  const isNamed = Boolean(memory_id || semantic_key || superseded_by || status);
  return isNamed || isGuided || !CAPTURED.includes(memory_type);
}

/** Whether members beside the content may say what it is about. */
function isExplained({ metadata, logic_path }: StoreRequest): boolean {
  return Boolean(logic_path) || Object.keys(metadata ?? {}).length > 0;
}

function isSaidInSession({ attribution }: Caller, { provenance }: StoreRequest): boolean {
  return attribution.sessionId !== null || typeof provenance?.session_id === "string";
}

/**
 * The live memories that say what a text says which recall has just shown; none where it is the service's own lines. null
 * where it is no echo: the record has to agree that each of them is still there, unchanged, for this caller, and where the
 * write would go, for as long, since a copy into another space or project is something new there. Nor is what its owner says
 * of what was adopted: it is equal to nothing, so that nobody's foreseen words keep the owner's own from being stored.
 */
async function echoIn(
  { store, clock, junk }: JudgePorts,
  caller: Caller,
  input: StoreRequest,
): Promise<MemoryRecord[] | null> {
  const sources = junk.handedOut.sourcesOf(caller.tokenId, input.content);
  if (sources === null || sources.length === 0) return sources === null ? null : [];
  const ids = sources.map(({ id }) => id);
  const { memories: there } = await store.readMatching(caller, ids, everyLiveMemory(clock()));
  const found = new Map(there.map((memory) => [memory.id, memory]));
  const place = placeOf(caller, input);
  const memories = sources.flatMap((source) => sameAsShown(found.get(source.id), source, place, input));
  return memories.length === sources.length ? memories : null;
}

/**
 * Whether it is the whole of a memory, word for word, as dedupe compares them. That is what somebody says who files a thing in
 * another place as well: where dedupe finds no equal one there, the second is wanted, and there is one of it a place.
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

/** Who may read or write knowledge and the ledger are others: a copy from or into them is something new there. */
function isReadAlike(bucket: string, asked: string): boolean {
  return bucket === asked || !CONFINED.some((name) => name === bucket || name === asked);
}

const CONFINED: readonly string[] = [KNOWLEDGE, "ledger"];

/** What is only noted for now does not answer for what is to last. */
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

/** What an answer says of a write that was taken for something, such as "trivial: it says nothing by itself; …". */
export function remarkOn({ as, and }: Taken): OwnWords {
  const done = as === "repetition" && and === "answered" ? ADDED : DONE[and];
  return own`${WHAT[as]}: ${WHY[as]}; ${done}`;
}

const ADDED = own`that memory is answered and takes it for a repeat; dedupe false stores it`;
