import traditional from "opencc-js/dict/TSCharacters";

/**
 * Maps each traditional character to its simplified form, by code point. Each has only one, so that both forms of a
 * text compare alike. Source: OpenCC's table of characters (Apache-2.0).
 */
const SIMPLIFIED: ReadonlyMap<number, number> = new Map(
  traditional.split("|").map((entry): [number, number] => {
    const [from, to] = entry.split(" ") as [string, string];
    return [from.codePointAt(0) as number, to.codePointAt(0) as number];
  }),
);

/** The simplified form of a character, or the character itself. */
export function simplified(code: number): number {
  return SIMPLIFIED.get(code) ?? code;
}
