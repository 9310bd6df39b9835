/**
 * Text that the service itself writes to a model: unquoted lines of a context text, suggestions, warnings, and
 * sentences of tool results and errors. Models may trust such text. Therefore anything that a caller chose appears in
 * it only inside quotation marks, which the caller's text cannot close.
 */

declare const isOwn: unique symbol;

/**
 * Text written by the service, with caller-chosen parts inside quotation marks. The brand makes the compiler reject
 * plain strings, and thus stored text. Created by `own`, with parts from `word` and `quotedField`.
 */
export type OwnWords = string & { readonly [isOwn]: true };

/** Template tag for service text. Interpolated values must be numbers or `OwnWords`, such as quoted fields. */
export function own(strings: TemplateStringsArray, ...parts: readonly (OwnWords | number)[]): OwnWords {
  return String.raw({ raw: strings }, ...parts) as OwnWords;
}

/** A word from a fixed vocabulary. A type that allows any string does not compile. */
export function word<W extends string>(known: string extends W ? never : W): OwnWords {
  return known as string as OwnWords;
}

/** Joins the parts that are present, by default with commas. */
export function joined(parts: readonly (OwnWords | null | false)[], between = own`, `): OwnWords {
  return parts.filter((part) => part !== null && part !== false).join(between) as OwnWords;
}

/**
 * Characters that a line of service text must not contain: controls (terminal sequences), format characters (writing
 * direction, zero width, tags), other invisible characters that can carry hidden text, lone surrogates, private-use
 * characters, and all line breaks.
 */
export const NOT_IN_LINE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Characters that look like a closing quotation mark. */
const QUOTATION_MARKS = /[\p{Quotation_Mark}\u02ba\u02ee\u05f4\u2033\u2036\u3003]/gu;

/**
 * Quotes a stored word or name for a line of service text: a single line without invisible characters, truncated to
 * `lengthMax` characters, in double quotes that it cannot close. Returns null if nothing visible remains.
 */
export function quotedField(stored: string | null, lengthMax: number): OwnWords | null {
  const plain = (stored ?? "")
    .slice(0, 8 * lengthMax)
    .replaceAll(NOT_IN_LINE, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  if (plain === "") return null;
  const characters = [...plain.replaceAll(QUOTATION_MARKS, "'")];
  const shown =
    characters.length > lengthMax ? `${characters.slice(0, lengthMax - 1).join("")}…` : characters.join("");
  return `"${shown}"` as OwnWords;
}

/** Ids that the service generates: a UUID, with a prefix for agents. They cannot carry a message. */
const MADE_BY_US = /^(?:agent_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ID_LENGTH_MAX = 128;

/**
 * An id in the form in which it can be sent back: bare if the service generated it, otherwise complete and in double
 * quotes, since callers can put words into ids they choose. Ids contain no character that quoting would change.
 */
export function shownId(id: string): OwnWords {
  if (MADE_BY_US.test(id)) return id as OwnWords;
  return quotedField(id, ID_LENGTH_MAX) ?? own`""`;
}
