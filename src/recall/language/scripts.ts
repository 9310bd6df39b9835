/** Scripts without spaces between words, for use in a character class with the flag `u`. */
export const UNSPACED_SCRIPTS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/** Matches a character of a script without spaces between words. */
export const UNSPACED = /* @__PURE__ */ new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");
