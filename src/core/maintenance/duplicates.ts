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

/** A memory that another one makes needless. */
export interface Merge {
  readonly memory: ScannedMemory;
  readonly survivor: ScannedMemory;
  /** null where the texts are equal, and there are no two vectors of the service's own to compare. */
  readonly cosine: number | null;
}

interface Candidate {
  readonly memory: ScannedMemory;
  readonly verifiedAt: number | null;
  /** null where the vector is a caller's: the text alone says what it repeats. */
  readonly steps: Int8Array | null;
  readonly norm: number;
  readonly content: string;
  readonly text: ComparedText;
  /** How much its text says, whatever blanks and marks it was written with. */
  readonly length: number;
}

interface FindingOptions {
  readonly similarityMin: number;
  readonly now: number;
  readonly pace: Pace;
  /** Told now and then, and at the end, in steps of which each memory has two. */
  readonly onProgress?: OnProgress | undefined;
}

const TOLD_EVERY = 200;

/** How many of the nearest memories that stay are compared by text with each candidate. */
const READ_MAX = 16;
/** Vectors are quantised: the cosine of equal ones may come out just below 1. */
const ROUNDING = 1e-6;

/**
 * Finds memories that say what a better one says. Each is merged into that one directly, never by way of a third. The two
 * may differ only in text, vector and weight: bucket, scope, type, status, session of working memory, due date and time of
 * the event are the same, and so is the path, so that nobody who sees one part of a workspace loses a memory to another
 * part. Facts with a semantic_key are left out, since the key decides, and so are reminders, since each is one thing to do.
 * A memory is merged only into one that says all that it says (`saysAllOf`) and lives at least as long.
 */
export async function findDuplicates(
  memories: readonly ScannedMemory[],
  { similarityMin, now, pace, onProgress }: FindingOptions,
): Promise<Merge[]> {
  // Each is read, and then compared with those that it may be merged into.
  const steps = { done: 0, total: 2 * memories.length };
  const doneWith = (count: number) => {
    const before = steps.done;
    steps.done += count;
    if (Math.floor(before / TOLD_EVERY) !== Math.floor(steps.done / TOLD_EVERY)) onProgress?.({ ...steps });
  };
  const groups = new Map<string, Candidate[]>();
  for (const memory of memories) {
    // To read a text takes up to ten milliseconds, and to compare it with another as well.
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
 * Adopted memories come last. Then by authority, last verification, importance, confidence, length, and the newest first. If
 * several people wrote or changed them, as in a team, the weights do not count: each person sets their own, and must not
 * displace another's memory by them.
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

/** From the best on, each is compared with those that stay, and stays itself unless it may be merged into one of them. */
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

/** Those that are near enough, nearest first and of equals the better first. */
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
    // The cosine of a zero vector is NaN, and such a vector is near nothing.
    if (!(cosine >= cosineMin) || (least && cosine <= least.cosine)) continue;
    const after = kept.findIndex((other) => other.cosine < cosine);
    kept.splice(after === -1 ? kept.length : after, 0, { survivor, cosine });
    kept.length = Math.min(kept.length, READ_MAX);
  }
  return kept;
}

/** Vectors say what to compare, the texts alone what is said. */
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
