import { authorities } from "../../contract/memory.ts";
import { createInt8Dots, paddedLength } from "../../recall/index/int8-dots.ts";
import { vectorSteps } from "../../recall/index/vector-bytes.ts";
import { normalizedText } from "../../recall/language/characters.ts";
import { type ComparedText, comparedText, saysAllOf } from "../../recall/statements/sameness.ts";
import type { Pace } from "../../recall/work.ts";
import { verificationOf } from "../memory/review.ts";
import { isLive } from "../memory/supersession.ts";
import type { OnProgress } from "../progress.ts";
import type { ScannedMemory } from "./scanned-memory.ts";

/** A memory that another one makes redundant. */
export interface Merge {
  readonly memory: ScannedMemory;
  readonly survivor: ScannedMemory;
  /** null if the texts are equal and at least one of the two has no vector of the service's own. */
  readonly cosine: number | null;
}

interface Candidate {
  readonly memory: ScannedMemory;
  readonly verifiedAt: number | null;
  /** The quantised vector; null if a caller chose it. Then only an equal text makes it a duplicate. */
  readonly steps: Int8Array | null;
  readonly norm: number;
  readonly content: string;
  readonly text: ComparedText;
  /** The length of its text, without blanks and punctuation. */
  readonly length: number;
}

interface FindingOptions {
  readonly similarityMin: number;
  readonly now: number;
  readonly pace: Pace;
  /** Called now and then and at the end. Each memory counts as two steps: reading and comparing. */
  readonly onProgress?: OnProgress | undefined;
}

const TOLD_EVERY = 200;

/** How many of the nearest remaining memories are compared by text with each candidate. */
const READ_MAX = 16;
/** Vectors are quantised, so the cosine of equal ones may be just below 1. */
const ROUNDING = 1e-6;

/**
 * Finds memories that repeat a better one. Each is merged directly into a memory that remains. The two may differ only
 * in text, vector and weights: bucket, scope, type, status, session of a working memory, due date and event time must
 * be equal. So must the path, so that a reader of one part of a workspace does not lose a memory to another part. Facts
 * with a semantic_key are excluded because their key decides; reminders, because each is a separate task. A memory is
 * merged only into one that contains everything it says (`saysAllOf`) and expires no earlier.
 */
export async function findDuplicates(
  memories: readonly ScannedMemory[],
  { similarityMin, now, pace, onProgress }: FindingOptions,
): Promise<Merge[]> {
  // Each memory is read, then compared with those that it may be merged into.
  const steps = { done: 0, total: 2 * memories.length };
  const doneWith = (count: number) => {
    const before = steps.done;
    steps.done += count;
    if (Math.floor(before / TOLD_EVERY) !== Math.floor(steps.done / TOLD_EVERY)) onProgress?.({ ...steps });
  };
  const groups = new Map<string, Candidate[]>();
  for (const memory of memories) {
    // Reading a text takes up to ten milliseconds, and so does comparing two.
    await pace.pause();
    const candidate = candidateOf(memory, now);
    doneWith(candidate === null ? 2 : 1);
    if (candidate === null) continue;
    const key = groupOf(candidate);
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  const found: Merge[] = [];
  for (const group of groups.values()) {
    if (group.length === 1) doneWith(1);
    else
      found.push(...(await mergesIn(bestFirst(group), { similarityMin, pace, compared: () => doneWith(1) })));
  }
  if (steps.total > 0) onProgress?.({ ...steps });
  return found;
}

function candidateOf(memory: ScannedMemory, now: number): Candidate | null {
  const { workspaceItem, semanticKey, memoryType, compared } = memory;
  const isFree =
    workspaceItem === null && semanticKey === null && memoryType !== "reminder" && isLive(memory, now);
  if (!isFree || compared === null) return null;
  const steps = compared.vector === null ? null : vectorSteps(compared.vector);
  const { content } = compared;
  const given = Date.parse(memory.lastVerifiedAt ?? "");
  const verifiedAt = verificationOf(Number.isNaN(given) ? null : given, memory.lastVerifiedBy, now);
  const norm = steps === null ? 0 : normOf(steps);
  const text = comparedText(content);
  const length = text.sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  return { memory, verifiedAt, steps, norm, content, text, length };
}

function groupOf({ memory }: Candidate): string {
  const { path, bucket, scope, memoryType, status, sessionId, dueAt, occurredAt } = memory;
  const session = memoryType === "working" ? sessionId : null;
  return JSON.stringify([path, bucket, scope, memoryType, status, session, dueAt, occurredAt]);
}

/**
 * Adopted memories last; then by authority, last verification, importance, confidence and length, the highest first;
 * then newest first. If several people wrote or changed the memories, as in a team, the weights are ignored: each
 * person sets their own and must not be able to displace another's memory.
 */
function bestFirst(group: readonly Candidate[]): Candidate[] {
  const people = new Set(group.map(({ memory }) => `${memory.authorId} ${memory.changedBy ?? ""}`));
  const byWeight = people.size === 1 ? compareWeights : () => 0;
  return group.toSorted(
    (a, b) =>
      Number(a.memory.isAdopted) - Number(b.memory.isAdopted) ||
      byWeight(a, b) ||
      b.length - a.length ||
      b.memory.seq - a.memory.seq,
  );
}

function compareWeights(a: Candidate, b: Candidate): number {
  return (
    authorityOf(b.memory) - authorityOf(a.memory) ||
    (b.verifiedAt ?? 0) - (a.verifiedAt ?? 0) ||
    b.memory.importance - a.memory.importance ||
    b.memory.confidence - a.memory.confidence
  );
}

function authorityOf({ authority }: ScannedMemory): number {
  return (authorities as readonly string[]).indexOf(authority ?? "observation");
}

const dots = createInt8Dots();

/**
 * Compares each memory, best first, with those that remain. It remains itself unless it can be merged into one of them.
 */
async function mergesIn(
  group: readonly Candidate[],
  {
    similarityMin,
    pace,
    compared,
  }: Pick<FindingOptions, "similarityMin" | "pace"> & { compared: () => void },
): Promise<Merge[]> {
  const length = paddedLength(group.reduce((longest, { steps }) => Math.max(longest, steps?.length ?? 0), 0));
  const rows = new Int8Array(group.length * length);
  const products = new Int32Array(group.length);
  const staying: Candidate[] = [];
  // The best remaining memory of each text.
  const byText = new Map<string, Candidate>();
  const found: Merge[] = [];
  for (const candidate of group) {
    await pace.pause();
    compared();
    const near: Near[] = [];
    if (candidate.steps !== null) {
      const query = new Int16Array(length);
      query.set(candidate.steps);
      dots(query, rows, staying.length, products);
      near.push(...nearest(candidate, staying, products, similarityMin - ROUNDING));
    }
    const text = normalizedText(candidate.content);
    const same = byText.get(text);
    if (same && (same.steps === null || candidate.steps === null))
      near.push({ survivor: same, cosine: null });
    const into = await firstToTake(candidate, near, pace);
    if (into) {
      found.push({ memory: candidate.memory, survivor: into.survivor.memory, cosine: into.cosine });
    } else {
      if (candidate.steps !== null) rows.set(candidate.steps, staying.length * length);
      staying.push(candidate);
      if (!same) byText.set(text, candidate);
    }
  }
  return found;
}

interface Near {
  readonly survivor: Candidate;
  readonly cosine: number | null;
}

async function firstToTake(candidate: Candidate, near: readonly Near[], pace: Pace): Promise<Near | null> {
  for (const one of near) {
    if (mayGoInto(candidate, one.survivor)) return one;
    await pace.pause();
  }
  return null;
}

/** The remaining memories that are near enough, nearest first. Of equally near ones, the better comes first. */
function nearest(
  candidate: Candidate,
  staying: readonly Candidate[],
  products: Int32Array,
  cosineMin: number,
): Near[] {
  const kept: { survivor: Candidate; cosine: number }[] = [];
  for (const [place, survivor] of staying.entries()) {
    const cosine = (products[place] as number) / (candidate.norm * survivor.norm);
    const least = kept[READ_MAX - 1];
    // The cosine of a zero vector is NaN; such a vector is near nothing.
    if (!(cosine >= cosineMin) || (least && cosine <= least.cosine)) continue;
    const after = kept.findIndex((other) => other.cosine < cosine);
    kept.splice(after === -1 ? kept.length : after, 0, { survivor, cosine });
    kept.length = Math.min(kept.length, READ_MAX);
  }
  return kept;
}

/** Vectors only select what to compare; the texts decide. */
function mayGoInto(candidate: Candidate, survivor: Candidate): boolean {
  return outlives(survivor.memory, candidate.memory) && saysAllOf(survivor.text, candidate.text);
}

function outlives(survivor: ScannedMemory, memory: ScannedMemory): boolean {
  if (survivor.expiresAt === null) return true;
  return memory.expiresAt !== null && memory.expiresAt <= survivor.expiresAt;
}

function normOf(steps: Int8Array): number {
  let squares = 0;
  for (let at = 0; at < steps.length; at++) squares += (steps[at] as number) ** 2;
  return Math.sqrt(squares);
}
