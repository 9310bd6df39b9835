import { type ContextDomain, contextDomains } from "../../../contract/project-context-entries.ts";
import type { Budget } from "../../../contract/recall.ts";
import {
  type BlockPack,
  blockTokens,
  budgetOf,
  type Layout,
  type PackedBlock,
  packBlocks,
} from "../../context/pack-blocks.ts";
import { CONTEXT_HEADING, renderFrame } from "../../context/render.ts";
import type { Answers, Entry, EntryOf, Shown } from "./entry.ts";

const OMITTED_MAX = 5;

/** What is packed, and within which limits. */
export interface PackRequest {
  /** Each section's entries in its own order. */
  readonly entries: readonly Entry[];
  /** How many there are besides in a section, each worth less than all that would get in. */
  readonly leftAside: Readonly<Partial<Record<ContextDomain, number>>>;
  /** How many near-duplicates were dropped. */
  readonly duplicates: number;
  readonly maxItems: number;
  readonly maxTokens: number;
  /** A line on the state of the workspace, which stands above the entries where there is room. */
  readonly state: string;
  /** The text where there are no entries. */
  readonly nothing: string;
}

/**
 * Packs the entries of all sections into one text under both limits, by the same rules as a recalled context, and
 * answers what became of each section. Entries stand by section, within it in the order given. One that only refers to
 * another goes with it.
 */
export function packEntries(request: PackRequest) {
  const { entries, leftAside, maxItems, maxTokens } = request;
  const pack = packBlocks<Entry>(
    belowHomes(entries),
    { itemsMax: maxItems, tokensMax: maxTokens },
    layoutOf(request),
  );
  const taken = new Map(pack.taken.map((packed) => [packed.block.id, packed]));
  const sections = Object.fromEntries(
    contextDomains.map((domain) => [
      domain,
      pack.taken.filter(({ block }) => block.domain === domain).map((packed) => answerOf(packed, taken)),
    ]),
  ) as { [D in ContextDomain]: Answers[D][] };
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
  };
}

/** A reference is never worth as much as what it refers to, so that it is not taken in its place. */
function belowHomes(entries: readonly Entry[]): Entry[] {
  const worths = new Map(entries.map(({ id, value }) => [id, value]));
  return entries.map((entry) => {
    if (!entry.isReference) return entry;
    return { ...entry, value: Math.min(entry.value, (worths.get(entry.home as string) ?? 0) / 2) };
  });
}

/** The budget's account. What was left aside is beyond the item limit by value, like the last of what was left out. */
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
    frame: (detail) => (detail === "full" ? renderFrame(detail) + state : renderFrame(detail)),
    nothing: `${CONTEXT_HEADING}\n${nothing}`,
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
