/** The scripts that put no spaces between words, for the inside of a character class with the flag `u`. */
export const UNSPACED_SCRIPTS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/** Has a character of a script that puts no spaces between words. */
export const UNSPACED = /* @__PURE__ */ new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");
