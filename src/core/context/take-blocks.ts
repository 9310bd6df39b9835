import type { ContextBlock, PlaceOf } from "./block.ts";
import { countTokens } from "./count-tokens.ts";
import { excerptOf, isTooLongToCount } from "./excerpt.ts";
import { plainContent, quoteLines } from "./quote.ts";
import { type Detail, renderHeader } from "./render.ts";
import { type Portion, type Selectable, type SelectionLimits, selectByValue } from "./select.ts";

/** A block as far as it takes to weigh it against others. */
export interface Contender<B extends ContextBlock> {
  readonly block: B;
  /** null where it is its header alone. */
  readonly plain: string | null;
  /** Infinite where it is too long to be worth counting. */
  readonly quoteTokens: number;
}

/** A block that was taken, as it will stand. */
export interface TakenBlock<B extends ContextBlock> {
  readonly block: B;
  /** The content without its quoting; cut where `isTruncated`. */
  readonly shown: string | null;
  readonly quoteTokens: number;
  readonly isTruncated: boolean;
}

interface BlockPortion extends Portion {
  readonly shown: string | null;
  readonly isTruncated: boolean;
}

/** An excerpt is worth at least this share of the whole: what is asked for is mostly in one place. */
const EXCERPT_VALUE_MIN = 0.5;
/** Frame and first header may take this share of the budget before a leaner frame is used. */
const FRAME_SHARE_MAX = 0.4;

export function contenderOf<B extends ContextBlock>(block: B, { tokensMax }: SelectionLimits): Contender<B> {
  if (block.content === null) return { block, plain: null, quoteTokens: 0 };
  const plain = plainContent(block.content);
  const isCounted = !isTooLongToCount(plain, tokensMax);
  return { block, plain, quoteTokens: isCounted ? countTokens(quoteLines(plain)) : Number.POSITIVE_INFINITY };
}

/**
 * The selection under one frame. No repair is needed afterwards: every block ends in a line feed and begins
 * with "#", so the text's count is at most the sum of what is counted here (see `countTokens`), and less only
 * where a header that refers to a block finds it is not there.
 */
export function takeUnder<B extends ContextBlock>(
  frame: string,
  detail: Detail,
  contenders: readonly Contender<B>[],
  limits: SelectionLimits,
): { strategy: string; taken: TakenBlock<B>[] } {
  const frameTokens = countTokens(frame);
  // A number of up to three digits is one token, so the highest stands for all.
  const number = Math.max(1, Math.min(limits.itemsMax, contenders.length));
  const anywhere: PlaceOf = () => number;
  const headers = contenders.map(({ block }) =>
    countTokens(renderHeader(number, block.label(detail, anywhere))),
  );
  const share = detail === "bare" ? 1 : FRAME_SHARE_MAX;
  if (frameTokens + (headers[0] ?? 0) > share * limits.tokensMax) return { strategy: "", taken: [] };
  const items = contenders.map((contender, at) => selectable(contender, headers[at] as number));
  const selection = selectByValue(items, { ...limits, tokensMax: limits.tokensMax - frameTokens });
  const taken = selection.taken.map(({ index, portion }) => ({
    block: (contenders[index] as Contender<B>).block,
    shown: portion.shown,
    quoteTokens: portion.tokens - (headers[index] as number),
    isTruncated: portion.isTruncated,
  }));
  return { strategy: selection.strategy, taken };
}

function selectable(
  { block, plain, quoteTokens }: Contender<ContextBlock>,
  headerTokens: number,
): Selectable<BlockPortion> {
  return {
    whole: { tokens: headerTokens + quoteTokens, value: block.value, shown: plain, isTruncated: false },
    excerpt(tokensMax) {
      if (plain === null) return null;
      const cut = excerptOf(plain, {
        tokensMax: tokensMax - headerTokens,
        score: (sentence) => block.score(sentence),
        measure: (text) => countTokens(quoteLines(text)),
      });
      if (cut === null) return null;
      const value = block.value * (EXCERPT_VALUE_MIN + (1 - EXCERPT_VALUE_MIN) * cut.retention);
      return { tokens: headerTokens + cut.tokens, value, shown: cut.text, isTruncated: cut.text !== plain };
    },
  };
}
