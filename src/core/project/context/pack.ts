import { type OwnWords, own } from "../../../contract/own-words.ts";
import { type ContextDomain, contextDomains } from "../../../contract/project-context.ts";
import type { Budget } from "../../../contract/recall.ts";
import { inTurns, type Pace } from "../../../recall/work.ts";
import type { Caller } from "../../caller.ts";
import {
  type BlockPack,
  blockTokens,
  budgetOf,
  type Layout,
  type PackedBlock,
  packBlocks,
} from "../../context/pack-blocks.ts";
import { CONTEXT_HEADING, renderFrame } from "../../context/render.ts";
import { ANSWER_BYTES, allReduced, jsonBytes } from "../../limits/answer-bytes.ts";
import { todosInOrder, urgencyOf } from "../todo.ts";
import { type Answers, type Entry, type EntryOf, isUnverified, type Shown } from "./entry.ts";
import type { ContextChoice, ContextKeys } from "./facts.ts";
import {
  actionWorth,
  decisionsByTrust,
  decisionWorths,
  eventWorth,
  recentWorth,
  reminderOrder,
} from "./sections.ts";

// Chooses the candidates for a pack, and the entries that fit into its budget.

/** The number of candidates considered per entry of a pack. Less valuable ones are hardly ever packed. */
const WEIGHED = 2;
const WEIGHED_MIN = 32;

/**
 * Chooses the most valuable candidates over all sections. Reading and describing the rest would cost much and change
 * almost nothing. Each section keeps all candidates up to its last chosen one, so that their places do not change.
 */
export function chooseRows(
  keys: ContextKeys,
  { caller, now, itemsMax }: { caller: Caller; now: number; itemsMax: number },
): ContextChoice {
  const limit = itemsMax + 1;
  const items = itemsInOrder(keys, caller, now).slice(0, limit);
  const decisions = decisionsByTrust(
    keys.decisions.map((decision) => ({ ...decision, isUnverified: isUnverified(caller, decision.author) })),
  );
  const open = decisions.filter(({ state }) => state.status === "proposed").length;
  const ofDecisions = decisionWorths(decisions, now);
  const values = {
    items: items.map(actionWorth),
    open: ofDecisions.slice(0, open),
    made: ofDecisions.slice(open),
    recent: keys.recent.map((memory, place) => recentWorth(memory, now, place)),
  };
  const least = leastWeighed(Object.values(values).flat(), itemsMax);
  const weighed = (some: readonly number[]) => 1 + some.findLastIndex((value) => value >= least);
  const chosen = items.slice(0, weighed(values.items));
  const decided = [
    ...decisions.slice(0, weighed(values.open)),
    ...decisions.slice(open, open + weighed(values.made)),
  ];
  const recent = keys.recent.slice(0, weighed(values.recent));
  const idsOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);
  return {
    todos: idsOf(chosen.filter(({ kind }) => kind === "todo")),
    reminders: idsOf(chosen.filter(({ kind }) => kind === "reminder")),
    decisions: idsOf(decided),
    recent: idsOf(recent),
    events: weighed(Array.from({ length: limit }, (_, place) => eventWorth(place))),
    leftAside: {
      action_items: items.length - chosen.length,
      decisions: decisions.length - decided.length,
      recent_memories: keys.recent.length - recent.length,
    },
  };
}

/** Todos and due reminders together, in the order of `byUrgency`. */
function itemsInOrder({ todos, reminders }: ContextKeys, caller: Caller, now: number) {
  const ordered = todosInOrder(
    [
      ...todos.map((todo) => ({ ...todo, kind: "todo" })),
      ...reminders.map((reminder) => ({ ...reminder, ...reminderOrder(reminder), kind: "reminder" })),
    ],
    now,
  ).map((item) => ({
    ...item,
    urgency: urgencyOf(item, now),
    isUnverified: isUnverified(caller, item.author),
  }));
  return [...ordered.filter((item) => !item.isUnverified), ...ordered.filter((item) => item.isUnverified)];
}

/** The minimum value of a candidate for a pack with this many entries. */
function leastWeighed(values: readonly number[], itemsMax: number): number {
  return [...values].sort((a, b) => b - a)[Math.max(WEIGHED_MIN, WEIGHED * itemsMax) - 1] ?? 0;
}

const OMITTED_MAX = 5;

/** The entries to pack and the limits. */
interface PackRequest {
  /** The entries of each section in order. */
  readonly entries: readonly Entry[];
  /**
   * The number of further candidates in each section that were not considered. Each has a lower value than those
   * considered.
   */
  readonly leftAside: Readonly<Partial<Record<ContextDomain, number>>>;
  /** The number of near-duplicates that were dropped. */
  readonly duplicates: number;
  readonly maxItems: number;
  readonly maxTokens: number;
  /** A line about the state of the workspace, placed above the entries if there is room. */
  readonly state: OwnWords;
  /** The text if there are no entries. */
  readonly nothing: OwnWords;
}

/**
 * Packs the entries of all sections into one text within both limits, by the same rules as for a recalled context, and
 * returns the result for each section. Entries are ordered by section, and within a section as given. A reference is
 * dropped if the entry that it refers to is dropped.
 */
export async function packEntries(request: PackRequest, pace: Pace) {
  const { entries, leftAside, maxItems, maxTokens } = request;
  const limits = { itemsMax: maxItems, tokensMax: maxTokens };
  const pack = await inTurns(packBlocks<Entry>(belowHomes(entries), limits, layoutOf(request)), pace);
  const sections = sectionsOf(pack);
  const isAside = (domain: ContextDomain) => (leftAside[domain] ?? 0) > 0;
  const isIn = (domain: ContextDomain) => isAside(domain) || entries.some((entry) => entry.domain === domain);
  const isCut = (domain: ContextDomain) =>
    isAside(domain) ||
    pack.leftOut.some(({ block }) => block.domain === domain) ||
    pack.taken.some(({ block, isTruncated }) => block.domain === domain && isTruncated);
  return {
    sections,
    missing: contextDomains.filter((domain) => !isIn(domain)),
    incomplete: contextDomains.filter(isCut),
    omitted: pack.leftOut
      .filter(({ block }) => block.item !== null && !block.isReference)
      .slice(0, OMITTED_MAX)
      .map(({ block, reason }) => ({
        id: block.item as string,
        domain: block.domain,
        tokens: blockTokens(block),
        reason,
      })),
    budget: accountOf(request, pack),
    text: pack.text,
    /** The quoted text of each block. */
    shown: new Map(
      pack.taken.flatMap(({ block, shown }) => (shown === null ? [] : [[block.id, shown] as const])),
    ),
  };
}

/** The entries of each section: all that are in the text, reduced if they are too large for one answer. */
function sectionsOf({ taken: packed, text }: BlockPack<Entry>): { [D in ContextDomain]: Answers[D][] } {
  const taken = new Map(packed.map((one) => [one.block.id, one]));
  const answers = packed.map((one) => answerOf(one, taken));
  const fitting = allReduced(answers, reduced, ANSWER_BYTES - jsonBytes(text));
  const of = (domain: ContextDomain) => fitting.filter((_, at) => packed[at]?.block.domain === domain);
  return Object.fromEntries(contextDomains.map((domain) => [domain, of(domain)])) as {
    [D in ContextDomain]: Answers[D][];
  };
}

/** Enough of a path to recognise it. */
const PATH_LENGTH = 64;

/** The entry without members that the text does not show and that may be long. */
function reduced(entry: Answers[ContextDomain]): Answers[ContextDomain] {
  if (!("path" in entry)) return entry;
  const path = entry.path.slice(0, PATH_LENGTH).toWellFormed();
  return {
    ...entry,
    path,
    source: null,
    reduced: true,
    ...("depends_on" in entry && { depends_on: [] }),
    ...("semantic_key" in entry && { semantic_key: null }),
  };
}

/** Gives each reference a lower value than the entry it refers to, so that it never displaces that entry. */
function belowHomes(entries: readonly Entry[]): Entry[] {
  const worths = new Map(entries.map(({ id, value }) => [id, value]));
  return entries.map((entry) => {
    if (!entry.isReference) return entry;
    return { ...entry, value: Math.min(entry.value, (worths.get(entry.home as string) ?? 0) / 2) };
  });
}

/**
 * The account of the budget. Candidates that were not considered count as left out for the same reason as the least
 * valuable ones.
 */
function accountOf(request: PackRequest, pack: BlockPack<Entry>): Budget {
  const { entries, maxItems, maxTokens, duplicates } = request;
  const distinct = entries.length;
  const budget = budgetOf({ maxItems, maxTokens, candidates: distinct + duplicates, distinct }, pack);
  const aside = Object.values(request.leftAside).reduce((sum, count) => sum + count, 0);
  const reason = pack.taken.length < maxItems ? "budget_skipped_items" : "structured_skipped_items";
  return {
    ...budget,
    candidate_items: budget.candidate_items + aside,
    skipped_items: budget.skipped_items + aside,
    [reason]: budget[reason] + aside,
  };
}

function layoutOf({ entries, state, nothing }: PackRequest): Layout<Entry> {
  const order = new Map(entries.map(({ id }, at) => [id, at]));
  const section = ({ domain }: Entry) => contextDomains.indexOf(domain);
  return {
    frame: (detail) => (detail === "full" ? own`${renderFrame(detail)}${state}` : renderFrame(detail)),
    nothing: own`${CONTEXT_HEADING}
${nothing}`,
    arrange: (taken) => {
      const ids = new Set(taken.map(({ block }) => block.id));
      return taken
        .filter(({ block }) => !block.isReference || ids.has(block.home as string))
        .sort(
          (a, b) =>
            section(a.block) - section(b.block) ||
            (order.get(a.block.id) as number) - (order.get(b.block.id) as number),
        );
    },
  };
}

function answerOf(
  { block, shown, tokens, isTruncated }: PackedBlock<Entry>,
  taken: ReadonlyMap<string, PackedBlock<Entry>>,
): Answers[ContextDomain] {
  const home = block.home === null ? undefined : taken.get(block.home);
  const how: Shown = { tokens, text: shown, truncated: isTruncated, shown_in: home?.block.domain ?? null };
  return (block as EntryOf<ContextDomain>).answer(how);
}
