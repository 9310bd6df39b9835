import { cutPlace } from "../language/cut-place.ts";
import type { Passage } from "../language/passages.ts";
import { atOnce } from "../work.ts";
import { measureTokens } from "./count-tokens.ts";
import { CHARACTERS_PER_TOKEN_MAX, Excerpts, isTooLongToCount, queryScorer } from "./excerpt.ts";

interface LongTextOptions {
  /** The excerpt is taken from around these words. Default: the beginning. */
  readonly query?: string;
  /** The part that matches the query best. */
  readonly passage?: Passage | null;
  /** How much of the text is searched for the best excerpt, in UTF-16 units. */
  readonly lengthMax?: number;
  /** Omits the final "…": the reader continues from there. */
  readonly isPaged?: boolean;
  /** Members to add beside a shortened text. `length`: how much of it is shown, in UTF-16 units. */
  readonly note?: (length: number) => Readonly<Record<string, unknown>>;
}

/** A text in an answer that may be shown partially. */
export class LongText {
  readonly #text: string;
  readonly #options: LongTextOptions;
  readonly #made = new Map<number, Shortened>();
  #excerpts: Excerpts | undefined;

  constructor(text: string, options: LongTextOptions = {}) {
    this.#text = text;
    this.#options = options;
  }

  /** The text, or as much of it as `tokensMax` allows, with the members that report the cut. */
  within(tokensMax: number): Shortened & { isCut: boolean; note: object } {
    let made = this.#made.get(tokensMax);
    if (made === undefined) {
      made = this.#shorten(tokensMax);
      this.#made.set(tokensMax, made);
    }
    const isCut = made.text !== this.#text;
    const note = isCut ? this.#options.note?.(made.text.length) : undefined;
    return { ...made, isCut, note: note ?? {} };
  }

  #shorten(tokensMax: number): Shortened {
    const { query, passage = null, lengthMax, isPaged = false } = this.#options;
    if (query === undefined || tokensMax === ANY) return beginning(this.#text, tokensMax, isPaged);
    this.#excerpts ??= new Excerpts(this.#text, {
      score: queryScorer(query),
      measure: countedTo,
      passage,
      ...(lengthMax !== undefined && { lengthMax }),
    });
    return atOnce(this.#excerpts.within(tokensMax)) ?? { text: "", tokens: 0 };
  }
}

/** A text with its token count, or a lower bound of it if it was not shortened. */
interface Shortened {
  readonly text: string;
  readonly tokens: number;
}

/** Lower bound of a text's tokens: no token has more characters. */
function fewestTokens(text: string): number {
  return Math.floor(text.length / CHARACTERS_PER_TOKEN_MAX);
}

function countedTo(text: string, tokensMax = ANY): number {
  return measureTokens(text, tokensMax).tokens;
}

const CUT = "…";

function beginning(text: string, tokensMax: number, isPaged: boolean): Shortened {
  if (tokensMax === ANY) return { text, tokens: fewestTokens(text) };
  const { tokens, length } = measureTokens(text, tokensMax);
  if (tokens <= tokensMax) return { text, tokens };
  const end = cutPlace(text, isPaged ? length : Math.max(0, length - 1));
  const kept = text.slice(0, end);
  return { text: isPaged ? kept : `${kept.trimEnd()}${CUT}`, tokens: tokensMax };
}

/** One form of an answer; the fullest comes first. */
export interface AnswerForm {
  /** Any strings, lists and records in the result may be shortened. `LongText`s say how. */
  readonly make: () => unknown;
  /** Texts are shortened to at least this many tokens before the next form is tried. */
  readonly textsMin: number;
  /** Texts are always shortened to this many tokens. */
  readonly textsMax?: number;
}

/** The omissions that made an answer fit. */
export interface LeftOut {
  /** Index of the form used. */
  readonly form: number;
  readonly hasShortenedTexts: boolean;
  /** Truncated lists, by the name of their member. */
  readonly lists: ReadonlyMap<string, { readonly shown: number; readonly of: number }>;
}

/** An answer as sent: text for a reader, and the same as data. */
export interface FittedAnswer {
  readonly content: unknown;
  readonly text: string;
}

interface FitRequest {
  /** Applies to the content's JSON and to the text separately. */
  readonly tokensMax: number;
  readonly forms: readonly AnswerForm[];
  /** Returned if not even the last form fits. */
  readonly least: unknown;
  /** Composes the complete answer, which is then measured. */
  readonly compose: (content: unknown, leftOut: LeftOut) => FittedAnswer;
}

/** No limit on tokens or entries. */
const ANY = Number.POSITIVE_INFINITY;

/** Each step is a fifth smaller. The longest texts are shortened first, to the same length. */
const TEXT_SIZES = sizesFrom(40_000, 8);

function sizesFrom(largest: number, least: number): number[] {
  const sizes: number[] = [];
  for (let size = largest; size >= least; size = Math.floor(size * 0.8)) sizes.push(size);
  return sizes;
}

/**
 * Returns the fullest answer that fits. Sacrifices as little as possible, in this order: the length of the longest
 * texts, details (the next form), then entries from the end of every list, since lists start with the most useful.
 */
export function fitAnswer({
  tokensMax,
  forms,
  least,
  compose,
}: FitRequest): FittedAnswer & { leftOut: LeftOut } {
  const attempt = (form: number, texts: number, entries: number) => {
    const drawing = new Drawing({ texts, entries, tokensMax });
    const content = drawing.draw((forms[form] as AnswerForm).make());
    if (drawing.isTooLong) return null;
    const leftOut = { form, hasShortenedTexts: drawing.hasShortenedTexts, lists: drawing.lists };
    const answer = compose(content, leftOut);
    return fits(answer, tokensMax) ? { ...answer, leftOut } : null;
  };
  const last = forms.length - 1;
  for (const [form, { textsMin, textsMax = ANY }] of forms.entries()) {
    const whole = attempt(form, textsMax, ANY);
    if (whole !== null) return whole;
    const sizes = TEXT_SIZES.filter((size) => size >= textsMin && size < Math.min(textsMax, tokensMax));
    const fitting = largestFitting(sizes, (size) => attempt(form, size, ANY));
    if (fitting !== null) return fitting;
  }
  const textsMin = forms[last]?.textsMin ?? 0;
  const counted = new Drawing({ texts: 0, entries: ANY, tokensMax: ANY });
  counted.draw(forms[last]?.make());
  const counts = Array.from({ length: counted.longest }, (_, at) => counted.longest - at);
  const shorter = TEXT_SIZES.filter((size) => size < textsMin);
  return (
    largestFitting(counts, (entries) => attempt(last, textsMin, entries)) ??
    largestFitting(shorter, (size) => attempt(last, size, 1)) ??
    attempt(last, 0, 0) ?? {
      ...compose(least, { form: last, hasShortenedTexts: false, lists: new Map() }),
      content: least,
      leftOut: { form: last, hasShortenedTexts: false, lists: new Map() },
    }
  );
}

/** The result for the largest size at which the answer fits. `sizes` descend. */
function largestFitting<T>(sizes: readonly number[], attempt: (size: number) => T | null): T | null {
  let [from, to] = [0, sizes.length];
  let found: T | null = null;
  while (from < to) {
    const middle = (from + to) >> 1;
    const made = attempt(sizes[middle] as number);
    if (made === null) from = middle + 1;
    else {
      found = made;
      to = middle;
    }
  }
  return found;
}

function fits({ content, text }: FittedAnswer, tokensMax: number): boolean {
  return [JSON.stringify(content), text].every(
    (part) => !isTooLongToCount(part, tokensMax) && measureTokens(part, tokensMax).tokens <= tokensMax,
  );
}

/** Names, ids and times are never cut, since half of one is useless. In UTF-16 units. */
const UNCUT_LENGTH_MAX = 128;
/** Longer members that are useless unless whole. */
const UNCUT: readonly string[] = ["plan_hash", "next_cursor", "etag"];
/** No object of the contract has this many members; a caller's own metadata may. */
const MEMBERS_MAX = 64;
/** The contract's answers are shallower; a caller's own metadata may be deeper. */
const DEPTH_MAX = 16;

/** Copies an answer with texts and lists cut to a maximum size. */
class Drawing {
  hasShortenedTexts = false;
  /** Number of entries in the longest list. */
  longest = 0;
  readonly lists = new Map<string, { shown: number; of: number }>();
  readonly #texts: number;
  readonly #entries: number;
  /** Tokens left for texts. */
  #room: number;

  constructor({ texts, entries, tokensMax }: { texts: number; entries: number; tokensMax: number }) {
    this.#texts = texts;
    this.#entries = entries;
    this.#room = tokensMax;
  }

  /** True once the copy exceeds the budget; nothing more is copied then. */
  get isTooLong(): boolean {
    return this.#room < 0;
  }

  draw(value: unknown, name = "", depth = 0): unknown {
    if (this.isTooLong) return null;
    if (typeof value === "string") return this.#text(value, name);
    if (value instanceof LongText) return this.#long(value).text;
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEPTH_MAX && this.#texts < ANY) return this.#cut();
    if (Array.isArray(value)) return this.#list(value, name, depth);
    return this.#object(value, name, depth);
  }

  #cut(): string {
    this.hasShortenedTexts = true;
    return CUT;
  }

  #text(text: string, name: string): string {
    if (text.length <= UNCUT_LENGTH_MAX || UNCUT.includes(name)) return text;
    const shown = beginning(text, this.#texts, false);
    this.#room -= shown.tokens;
    if (shown.text !== text) this.hasShortenedTexts = true;
    return shown.text;
  }

  #long(text: LongText) {
    const shown = text.within(this.#texts);
    this.#room -= shown.tokens;
    if (shown.isCut) this.hasShortenedTexts = true;
    return shown;
  }

  #list(list: readonly unknown[], name: string, depth: number): unknown[] {
    const shown = this.#first(list, name);
    const drawn: unknown[] = [];
    for (const entry of shown) drawn.push(this.draw(entry, name, depth + 1));
    return drawn;
  }

  #object(value: object, name: string, depth: number): object {
    const all = Object.entries(value).filter(([, member]) => member !== undefined);
    const members = all.length > MEMBERS_MAX ? this.#first(all, name) : all;
    const drawn: Record<string, unknown> = {};
    for (const [key, member] of members) {
      if (key.length > UNCUT_LENGTH_MAX && this.#texts < ANY) {
        this.hasShortenedTexts = true;
        continue;
      }
      if (!(member instanceof LongText)) define(drawn, key, this.draw(member, key, depth + 1));
      else {
        const { text, note } = this.#long(member);
        Object.assign(drawn, { [key]: text, ...note });
      }
    }
    return drawn;
  }

  #first<T>(list: readonly T[], name: string): readonly T[] {
    this.longest = Math.max(this.longest, list.length);
    if (list.length <= this.#entries) return list;
    this.lists.set(name, { shown: this.#entries, of: list.length });
    return list.slice(0, this.#entries);
  }
}

/** Works for a member called `__proto__` too, which JSON allows. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Default token limit of an answer: about what a model can read without getting worse. */
export const ANSWER_TOKENS_DEFAULT = 8000;
