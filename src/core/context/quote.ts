/** Every line break that Unicode knows, so that no program sees a line where we saw none. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
/**
 * What is taken out of quoted text: control characters but tab (terminal sequences), the byte order mark (the
 * splitting pattern's "\s" differs on it between tokenizers), overrides of writing direction, and tag
 * characters, which carry text that a person cannot see and a model can read.
 */
const INVISIBLE = /(?![\t\n])\p{Cc}|[\ufeff\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
const LONE_SURROGATE = /\p{Cs}/gu;
const NOT_IN_HEADER = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Stored text made fit to be quoted: line breaks of every kind become line feeds, invisible characters go,
 * unpaired surrogates become U+FFFD, more than one blank line in a row becomes one. Idempotent.
 */
export function plainContent(content: string): string {
  return content
    .replaceAll(LINE_BREAK, "\n")
    .replaceAll(INVISIBLE, "")
    .replaceAll(LONE_SURROGATE, "\ufffd")
    .replace(/^\n+/, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trimEnd();
}

/** The text as a quotation: each line after "> ", each ending in a line feed. Expects `plainContent`. */
export function quoteLines(plain: string): string {
  return `> ${plain.replaceAll("\n", "\n> ")}\n`;
}

/**
 * A stored word or name inside a line of our own: one line, no control, format or private characters, cut to
 * `lengthMax` characters, in double quotes which it cannot close. null for what leaves nothing to show.
 */
export function quotedField(stored: string | null, lengthMax: number): string | null {
  const plain = (stored ?? "")
    .slice(0, 8 * lengthMax)
    .replaceAll(NOT_IN_HEADER, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  if (plain === "") return null;
  const characters = [...plain.replaceAll('"', "'")];
  const shown =
    characters.length > lengthMax ? `${characters.slice(0, lengthMax - 1).join("")}…` : characters.join("");
  return `"${shown}"`;
}
