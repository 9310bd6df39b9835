/**
 * How the service speaks in its own voice to a model: in the lines of a context text that are no quotation, in what it
 * suggests and warns of, and in the sentences of tool results and errors. Such words may be believed, so nothing that a
 * caller chose stands among them except inside of quotation marks, which it cannot close.
 */

declare const isOwn: unique symbol;

/**
 * Words of the service's own, with what others chose inside of quotation marks. A plain string is none, so that the
 * compiler refuses stored text in such a line: `own` writes them, `word` and `quotedField` are what may be put in.
 */
export type OwnWords = string & { readonly [isOwn]: true };

/** Writes words of the service's own. What is put in is a number, own words, or quoted. */
export function own(strings: TemplateStringsArray, ...parts: readonly (OwnWords | number)[]): OwnWords {
  return String.raw({ raw: strings }, ...parts) as OwnWords;
}

/** A word out of a vocabulary that the code has: a type that allows any string does not compile. */
export function word<W extends string>(known: string extends W ? never : W): OwnWords {
  return known as string as OwnWords;
}

/** The parts that there are, with commas between them or with what is given instead. */
export function joined(parts: readonly (OwnWords | null | false)[], between = own`, `): OwnWords {
  return parts.filter((part) => part !== null && part !== false).join(between) as OwnWords;
}

/**
 * Characters that a line of our own must not have: controls (terminal sequences), format characters (writing direction, zero
 * width, tags), whatever else is drawn as nothing and can carry hidden text, halves of characters, private ones, and
 * line breaks of every kind.
 */
export const NOT_IN_LINE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Whatever looks like the mark that ends a quotation. */
const QUOTATION_MARKS = /[\p{Quotation_Mark}\u02ba\u02ee\u05f4\u2033\u2036\u3003]/gu;

/**
 * A stored word or name inside a line of our own: one line, nothing that is not seen, cut to `lengthMax` characters, in
 * double quotes which it cannot close. null for what leaves nothing to show.
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

/** A UUID, as the service makes ids, and an agent's: nothing can be read in it. */
const MADE_BY_US = /^(?:agent_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ID_LENGTH_MAX = 128;

/**
 * An id as it can be given back to the service: bare where the service made it, else in double quotes and whole, since
 * callers write words into the ids that they choose. It has no character that quoting changes.
 */
export function shownId(id: string): OwnWords {
  if (MADE_BY_US.test(id)) return id as OwnWords;
  return quotedField(id, ID_LENGTH_MAX) ?? own`""`;
}
