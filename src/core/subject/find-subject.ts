/** Finds every record of several workspaces that contains one of the terms, in its current or an earlier state. */
import type { Owner } from "../access/credential.ts";
import type { Caller } from "../caller.ts";
import type { Ports } from "../ports.ts";
import type { CandidateState, SubjectStore } from "./subject-store.ts";
import { type Excerpt, excerptOf, type Term, termsIn } from "./term.ts";

/** An owner whose records are searched, and the caller that may erase them. */
export interface Workspace {
  readonly kind: "own" | "team" | "quarantine";
  readonly ownerId: Owner["id"];
  readonly name: string;
  readonly caller: Caller;
}

export interface SubjectMatch {
  readonly id: string;
  readonly ownerId: string;
  readonly memoryId: string;
  readonly kind: CandidateState["kind"];
  readonly status: string;
  readonly terms: readonly string[];
  readonly isEarlierOnly: boolean;
  /** See `recordDigest`. */
  readonly digest: string;
}

interface MatchLine {
  readonly match: SubjectMatch;
  readonly place: "text" | "details" | "earlier";
  readonly excerpt: Excerpt;
}

interface NearLine {
  readonly ownerId: string;
  readonly memoryId: string;
  readonly term: string;
  readonly beginning: string;
}

export interface Findings {
  readonly matches: readonly SubjectMatch[];
  readonly lines: readonly MatchLine[];
  /** How many have all words of a term, but do not contain it. */
  readonly near: number;
  /** The first of these. */
  readonly nearLines: readonly NearLine[];
  /** Ids of questions in the recall log, by owner. */
  readonly questions: ReadonlyMap<string, readonly string[]>;
}

const NEAR_LINES_MAX = 20;
const BEGINNING_CHARACTERS = 160;

type FindPorts = Pick<Ports, "hash" | "pace"> & { readonly subjects: SubjectStore };

/** Reads everything, and makes lines of the matches `page.from` to `page.to`. */
export async function findSubject(
  ports: FindPorts,
  workspaces: readonly Workspace[],
  terms: readonly Term[],
  page: LinePage,
): Promise<Findings> {
  const collected: Collected = { matches: [], lines: [], near: 0, nearLines: [] };
  const questions = new Map<string, readonly string[]>();
  const words = terms.map((term) => term.words);
  for (const { caller, ownerId } of workspaces) {
    let states: CandidateState[] = [];
    const judge = () => judgeRecord(ports, { ownerId, states, terms, page }, collected);
    await ports.subjects.states(caller, ownerId, words, async (batch) => {
      for (const state of batch) {
        if (states[0] !== undefined && states[0].id !== state.id) {
          judge();
          states = [];
        }
        states.push(state);
      }
      await ports.pace.pause();
    });
    judge();
    const asked = await ports.subjects.questions(ownerId, words);
    const own = asked.filter(({ question }) => termsIn(question, terms).length > 0);
    const ids = own.map(({ id }) => id);
    if (ids.length > 0) questions.set(ownerId, ids);
  }
  return { ...collected, questions };
}

interface LinePage {
  readonly from: number;
  readonly to: number;
}

interface Collected {
  readonly matches: SubjectMatch[];
  readonly lines: MatchLine[];
  near: number;
  readonly nearLines: NearLine[];
}

interface JudgedRecord {
  readonly ownerId: string;
  /** All candidate states of one record; none before the first record. */
  readonly states: readonly CandidateState[];
  readonly terms: readonly Term[];
  readonly page: LinePage;
}

/** Adds the record to the matches or to those that are near. */
function judgeRecord(
  ports: Pick<Ports, "hash">,
  { ownerId, states, terms, page }: JudgedRecord,
  collected: Collected,
): void {
  const [first] = states;
  if (first === undefined) return;
  const found = states.flatMap((state) => findingsIn(state, terms));
  if (found.length > 0) {
    const match = matchOf(ports, ownerId, first, found);
    const place = collected.matches.push(match) - 1;
    if (place >= page.from && place < page.to) collected.lines.push(lineOf(match, found));
    return;
  }
  const term = terms.find((one) => hasWordsOf(states, one));
  if (term === undefined) return;
  collected.near += 1;
  if (collected.nearLines.length < NEAR_LINES_MAX)
    collected.nearLines.push({
      ownerId,
      memoryId: first.memoryId,
      term: term.text,
      beginning: first.content.slice(0, BEGINNING_CHARACTERS),
    });
}

/** A text of a state that contains a term. */
interface Finding {
  readonly text: string;
  readonly terms: readonly Term[];
  readonly place: MatchLine["place"];
}

function findingsIn(state: CandidateState, terms: readonly Term[]): Finding[] {
  return textsIn(state.state).flatMap((text) => {
    const contained = termsIn(text, terms);
    if (contained.length === 0) return [];
    const place = state.isEarlier ? "earlier" : text === state.content ? "text" : "details";
    return [{ text, terms: contained, place }];
  });
}

function hasWordsOf(states: readonly CandidateState[], { words }: Term): boolean {
  // The store has looked for these words. Only with several terms it is not known which one was found.
  return states.some(({ state }) => {
    const texts = textsIn(state).join("\n");
    return termsIn(texts, words.map(inAnyWord)).length === words.length;
  });
}

const inAnyWord = (word: string): Term => ({ text: word, words: [word], pattern: new RegExp(word, "u") });

/** Every text in a value, names of members included. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

function matchOf(
  { hash }: Pick<Ports, "hash">,
  ownerId: string,
  { id, memoryId, kind, status, content, metadata }: CandidateState,
  found: readonly Finding[],
): SubjectMatch {
  return {
    id,
    ownerId,
    memoryId,
    kind,
    status,
    terms: [...new Set(found.flatMap(({ terms }) => terms.map(({ text }) => text)))],
    isEarlierOnly: found.every(({ place }) => place === "earlier"),
    digest: recordDigest(hash, { content, metadata }),
  };
}

/** Of the words of a record that a person has looked at. */
export function recordDigest(
  hash: Ports["hash"],
  { content, metadata }: { readonly content: string; readonly metadata: unknown },
): string {
  return hash(JSON.stringify([content, metadata]));
}

const PLACES = ["text", "details", "earlier"] as const;

function lineOf(match: SubjectMatch, found: readonly Finding[]): MatchLine {
  const place = PLACES.find((one) => found.some((finding) => finding.place === one)) ?? "details";
  const { text, terms } = found.find((finding) => finding.place === place) as Finding;
  return { match, place, excerpt: excerptOf(text, terms[0] as Term) };
}
