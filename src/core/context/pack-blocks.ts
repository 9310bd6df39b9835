import type { OwnWords } from "../../contract/own-words.ts";
import type { Budget } from "../../contract/recall.ts";
import { cutPlace } from "../../recall/language/cut-place.ts";
import type { Passage } from "../../recall/language/passages.ts";
import { countTokens, measureTokens } from "../../recall/pack/count-tokens.ts";
import { Excerpts, isTooLongToCount } from "../../recall/pack/excerpt.ts";
import {
  type Portion,
  type Selectable,
  type SelectionLimits,
  selectByValue,
} from "../../recall/pack/select.ts";
import { ReadingAllowance } from "../../recall/statements/reading-allowance.ts";
import type { Steps } from "../../recall/work.ts";
import {
  CONTEXT_HEADING,
  type Detail,
  details,
  plainContent,
  quoteLines,
  renderBlock,
  renderHeader,
} from "./render.ts";

/** Returns a block's number in the text, by block id; null if it is not in the text. */
export type PlaceOf = (id: string) => number | null;

/** Anything that a context text can contain: a memory, a todo, a decision. */
export interface ContextBlock {
  /** Unique among the blocks of a text. */
  readonly id: string;
  /** 0 or more; comparable between all given blocks. */
  readonly value: number;
  /** Stored text, quoted under the header; null if the header says everything. */
  readonly content: string | null;
  /**
   * The header after the number: the service's own words, and stored ones only as `quotedField`. One line. May mention
   * the numbers of other blocks, and must not be longer if one of those has none.
   */
  label(detail: Detail, placeOf: PlaceOf): OwnWords;
  /** The part of the content that matches the query, from which an excerpt is taken. null, or missing: anywhere. */
  passage?(): Passage | null;
  /** How much a sentence of the content matters, 0 or more. Decides what an excerpt shows. */
  score(sentence: string): number;
}

export interface PackedBlock<B extends ContextBlock> {
  readonly block: B;
  /** The content as shown, before quoting; cut if `isTruncated`. */
  readonly shown: string | null;
  /** Tokens of the block, header and quoting included. */
  readonly tokens: number;
  readonly isTruncated: boolean;
}

/** Why a block is not in the text: `token_budget` (it would be with more tokens) or `item_limit`. */
export type LeftOutReason = "token_budget" | "item_limit";

export interface BlockPack<B extends ContextBlock> {
  readonly text: string;
  readonly usedTokens: number;
  /** In the order of the text. */
  readonly taken: readonly PackedBlock<B>[];
  /** By value, best first. */
  readonly leftOut: readonly { readonly block: B; readonly reason: LeftOutReason }[];
  readonly strategy: string;
}

/** The parts of a text other than its blocks. */
export interface Layout<B extends ContextBlock> {
  /** The lines above the blocks. Each ends in a line feed. */
  frame(detail: Detail): OwnWords;
  /** The levels of detail to try, fullest first. Default: `details`. */
  readonly details?: readonly Detail[];
  /** The text if there are no blocks. */
  readonly nothing: OwnWords;
  /**
   * Puts the taken blocks, given by value, into the order of the text. May drop those that say nothing by themselves.
   */
  arrange<T extends { readonly block: B }>(taken: readonly T[]): readonly T[];
}

/**
 * Maximum number of blocks considered, best by value first. Counting and comparing more costs time and changes little.
 */
export function contendersMax(itemsMax: number): number {
  return Math.max(32, 3 * itemsMax);
}

/**
 * Budgets for reading: to count contenders, and to find excerpts, in UTF-16 units; larger for a larger token budget.
 * Enough to count as many contenders whole as there are by default, and several times the text of a larger budget. A
 * contender for which nothing is left is not taken whole unless it is short, and only its beginning may be shown.
 */
const COUNTED_LENGTH = { least: 2 ** 18, perToken: 8 } as const;
const EXCERPTED_LENGTH = { least: 2 ** 17, perToken: 4, ofEach: 4096 } as const;

/**
 * Packs blocks into one text under both limits: `countTokens(text)` is `usedTokens` and at most `tokensMax` for every
 * input. Always includes the best block if an excerpt of it fits under the leanest frame. Without blocks the text says
 * so. If not even the heading fits, the text is empty.
 *
 * The work is bounded by the limits: a header and a short text for each contender, and no more than the above budgets
 * for all longer texts together.
 */
export function* packBlocks<B extends ContextBlock>(
  blocks: readonly B[],
  limits: SelectionLimits,
  layout: Layout<B>,
): Steps<BlockPack<B>> {
  const sorted = [...blocks].sort((a, b) => b.value - a.value);
  const contenders = yield* contendersOf(sorted.slice(0, contendersMax(limits.itemsMax)), limits);
  for (const detail of layout.details ?? details) {
    const frame = layout.frame(detail);
    const { strategy, taken } = yield* takeUnder(frame, detail, contenders, limits);
    if (taken.length === 0) continue;
    const arranged = layout.arrange(taken);
    return {
      ...written(frame, detail, arranged),
      leftOut: leftOutOf(sorted, arranged, limits),
      strategy,
    };
  }
  const text = emptyText(layout, blocks.length === 0, limits.tokensMax);
  return {
    text,
    usedTokens: countTokens(text),
    taken: [],
    leftOut: leftOutOf(sorted, [], limits),
    strategy: "nothing_taken",
  };
}

/** How much of an omitted content is counted, in UTF-16 units. The rest is extrapolated. */
const LEFT_OUT_LENGTH_MAX = 8192;

/**
 * Tokens of a whole block under its fullest header. For contents longer than `lengthMax` UTF-16 units, an estimate from
 * the beginning.
 */
export function blockTokens(
  block: ContextBlock,
  { detail = "full", lengthMax = LEFT_OUT_LENGTH_MAX }: { detail?: Detail; lengthMax?: number } = {},
): number {
  const { content } = block;
  const label = block.label(detail, () => 1);
  const header = countTokens(renderHeader(1, label, detail));
  if (content === null) return header;
  const read = content.slice(0, cutPlace(content, lengthMax));
  const tokens = countTokens(quoteLines(plainContent(read)));
  return header + Math.round((tokens * content.length) / read.length);
}

function written<B extends ContextBlock>(
  frame: string,
  detail: Detail,
  arranged: readonly TakenBlock<B>[],
): Pick<BlockPack<B>, "text" | "usedTokens" | "taken"> {
  const places = new Map(arranged.map(({ block }, at) => [block.id, at + 1]));
  const placeOf: PlaceOf = (id) => places.get(id) ?? null;
  let text = frame;
  let usedTokens = countTokens(frame);
  const taken = arranged.map(({ block, shown, quoteTokens, isTruncated }, at) => {
    const label = block.label(detail, placeOf);
    text += renderBlock(at + 1, label, shown, detail);
    const tokens = countTokens(renderHeader(at + 1, label, detail)) + quoteTokens;
    // Counts of whole lines add up exactly (see `countTokens`), so the text need not be counted again.
    usedTokens += tokens;
    return { block, shown, tokens, isTruncated };
  });
  return { text, usedTokens, taken };
}

/**
 * Lists the blocks left out, with the reason. One whose rank by value exceeds the item limit would be left out with any
 * number of tokens.
 */
function leftOutOf<B extends ContextBlock>(
  sorted: readonly B[],
  taken: readonly { readonly block: B }[],
  { itemsMax }: SelectionLimits,
): { block: B; reason: LeftOutReason }[] {
  const isTaken = new Set(taken.map((packed) => packed.block));
  const hasRoom = taken.length < itemsMax;
  const all = sorted.map((block, rank) => ({
    block,
    reason: (hasRoom || rank < itemsMax ? "token_budget" : "item_limit") as LeftOutReason,
  }));
  return all.filter(({ block }) => !isTaken.has(block));
}

function emptyText<B extends ContextBlock>(
  layout: Layout<B>,
  isNothingFound: boolean,
  tokensMax: number,
): string {
  const texts = [
    isNothingFound ? layout.nothing : layout.frame(layout.details?.[0] ?? "short"),
    `${CONTEXT_HEADING}\n`,
  ];
  return texts.find((text) => countTokens(text) <= tokensMax) ?? "";
}

/** A block with the data to weigh it against others. */
interface Contender<B extends ContextBlock> {
  readonly block: B;
  /** Infinity if it does not fit, or is too long to be worth counting. */
  readonly quoteTokens: number;
  /** null if there is only a header. */
  readonly quoted: Quoted | null;
}

/** A stored text in the form that may be shown. */
interface Quoted {
  plain(): string;
  excerpts(): Excerpts;
}

/** A selected block, as it will appear. */
interface TakenBlock<B extends ContextBlock> {
  readonly block: B;
  /** The content before quoting; cut if `isTruncated`. */
  readonly shown: string | null;
  readonly quoteTokens: number;
  readonly isTruncated: boolean;
}

interface BlockPortion extends Portion {
  /** null if it is taken whole. */
  readonly excerpt: string | null;
  readonly isTruncated: boolean;
}

/** Minimum value of an excerpt, as a share of the whole's: a match is mostly in one place. */
const EXCERPT_VALUE_MIN = 0.5;
/** Maximum share of the budget for the frame and the first header before a leaner frame is used. */
const FRAME_SHARE_MAX = 0.4;

function* contendersOf<B extends ContextBlock>(
  blocks: readonly B[],
  { tokensMax }: SelectionLimits,
): Steps<Contender<B>[]> {
  const reading: Reading = {
    counted: new ReadingAllowance(COUNTED_LENGTH.least + COUNTED_LENGTH.perToken * tokensMax),
    excerpted: new ReadingAllowance(EXCERPTED_LENGTH.least + EXCERPTED_LENGTH.perToken * tokensMax),
  };
  const contenders: Contender<B>[] = [];
  for (const block of blocks) {
    yield;
    contenders.push(contenderOf(block, tokensMax, reading));
  }
  return contenders;
}

/** The remaining reading budgets for the contenders of one pack. */
interface Reading {
  readonly counted: ReadingAllowance;
  readonly excerpted: ReadingAllowance;
}

function contenderOf<B extends ContextBlock>(
  block: B,
  tokensMax: number,
  { counted, excerpted }: Reading,
): Contender<B> {
  const { content } = block;
  if (content === null) return { block, quoteTokens: 0, quoted: null };
  let plainText: string | undefined;
  const plain = () => {
    plainText ??= plainContent(content);
    return plainText;
  };
  let quoteTokens = Number.POSITIVE_INFINITY;
  if (!isTooLongToCount(content, tokensMax) && counted.allows(content.length)) {
    const { tokens, length } = measureTokens(quoteLines(plain()), tokensMax);
    counted.spend(length);
    quoteTokens = tokens;
  }
  let made: Excerpts | undefined;
  const excerpts = () => {
    made ??= excerptsOf(block, plain(), quoteTokens, excerpted);
    return made;
  };
  return { block, quoteTokens, quoted: { plain, excerpts } };
}

function excerptsOf(
  block: ContextBlock,
  plain: string,
  wholeTokens: number,
  excerpted: ReadingAllowance,
): Excerpts {
  const lengthMax = Math.min(plain.length, Math.max(excerpted.left, EXCERPTED_LENGTH.ofEach));
  excerpted.spend(lengthMax);
  const score = (sentence: string) => block.score(sentence);
  const passage = plainPassage(block, plain);
  return new Excerpts(plain, { score, measure, lengthMax, wholeTokens, passage });
}

/** The passage's position in the content as shown. */
function plainPassage(block: ContextBlock, plain: string): Passage | null {
  const passage = block.passage?.() ?? null;
  const { content } = block;
  if (passage === null || content === null || plain.length === content.length) return passage;
  const place = (at: number) => Math.min(plain.length, plainContent(content.slice(0, at)).length);
  return { start: place(passage.start), end: place(passage.end) };
}

/** Tokens of a text when quoted. */
function measure(text: string, tokensMax = Number.POSITIVE_INFINITY): number {
  return measureTokens(quoteLines(text), tokensMax).tokens;
}

/**
 * The selection under one frame. Needs no repair afterwards: every block ends in a line feed and begins with "#",
 * a letter or a digit, so
 * the text's count is at most the sum of the counts here (see `countTokens`). It is less only if a header refers to a
 * block that was not taken.
 */
function* takeUnder<B extends ContextBlock>(
  frame: string,
  detail: Detail,
  contenders: readonly Contender<B>[],
  limits: SelectionLimits,
): Steps<{ strategy: string; taken: TakenBlock<B>[] }> {
  const frameTokens = countTokens(frame);
  // A number of up to three digits is one token, and so is a letter, so the highest can stand for all.
  const number = Math.max(1, Math.min(limits.itemsMax, contenders.length));
  const anywhere: PlaceOf = () => number;
  const share = detail === "bare" || detail === "compact" ? 1 : FRAME_SHARE_MAX;
  const items: Selectable<BlockPortion>[] = [];
  const headers: number[] = [];
  for (const contender of contenders) {
    yield;
    const header = countTokens(renderHeader(number, contender.block.label(detail, anywhere), detail));
    if (headers.length === 0 && frameTokens + header > share * limits.tokensMax)
      return { strategy: "", taken: [] };
    headers.push(header);
    items.push(selectable(contender, header));
  }
  const selection = yield* selectByValue(items, { ...limits, tokensMax: limits.tokensMax - frameTokens });
  const taken = selection.taken.map(({ index, portion }) => {
    const { block, quoted } = contenders[index] as Contender<B>;
    const { excerpt, isTruncated, tokens } = portion;
    const shown = excerpt ?? quoted?.plain() ?? null;
    return { block, shown, quoteTokens: tokens - (headers[index] as number), isTruncated };
  });
  return { strategy: selection.strategy, taken };
}

function selectable(
  { block, quoteTokens, quoted }: Contender<ContextBlock>,
  headerTokens: number,
): Selectable<BlockPortion> {
  return {
    whole: { tokens: headerTokens + quoteTokens, value: block.value, excerpt: null, isTruncated: false },
    *excerpt(tokensMax) {
      if (quoted === null) return null;
      const cut = yield* quoted.excerpts().within(tokensMax - headerTokens);
      if (cut === null) return null;
      const value = block.value * (EXCERPT_VALUE_MIN + (1 - EXCERPT_VALUE_MIN) * cut.retention);
      const isTruncated = cut.text !== quoted.plain();
      return { tokens: headerTokens + cut.tokens, value, excerpt: cut.text, isTruncated };
    },
  };
}

/** The request, and the number of candidates before and after some were dropped. */
interface Asked {
  readonly maxItems: number;
  readonly maxTokens: number;
  readonly candidates: number;
  readonly distinct: number;
}

/**
 * The accounting of a pack. Every candidate counts once: `used_items + skipped_items = candidate_items`, and
 * `skipped_items = filtered_items + structured_skipped_items + budget_skipped_items`: dropped beforehand, left out by
 * `max_items` (which is exhausted, and their rank by value is beyond it), left out for tokens. `budget_tradeoff`:
 * something left out for tokens is worth more than something included, or an item was cut.
 */
export function budgetOf(asked: Asked, pack: BlockPack<ContextBlock>): Budget {
  const overBudget = pack.leftOut.filter(({ reason }) => reason === "token_budget");
  const values = pack.taken.map(({ block }) => block.value);
  const leastValue = values.length === 0 ? 0 : Math.min(...values);
  const truncated = pack.taken.filter(({ isTruncated }) => isTruncated).length;
  return {
    max_items: asked.maxItems,
    max_tokens: asked.maxTokens,
    used_items: pack.taken.length,
    used_tokens: pack.usedTokens,
    skipped_items: asked.candidates - pack.taken.length,
    filtered_items: asked.candidates - asked.distinct,
    structured_skipped_items: pack.leftOut.length - overBudget.length,
    budget_skipped_items: overBudget.length,
    truncated_items: truncated,
    candidate_items: asked.candidates,
    selection_strategy: pack.strategy,
    budget_tradeoff: truncated > 0 || overBudget.some(({ block }) => block.value > leastValue),
    token_scope: "context_text",
  };
}
