import { normalForm } from "../../recall/language/normal-form.ts";

/**
 * Look-alikes of the ASCII characters in tokens, and in the names and addresses around them:
 * by character, those that look like it. From Unicode's confusables.txt (UTS 39, version 13), of the scripts that Latin
 * is imitated with; and к, κ, η, т, τ, в and м, which it maps to small capitals. A capital that looks like a bar is
 * an I here and not an l, as it is read between capitals. What Unicode's own compatibility mapping leads to ASCII, such
 * as full-width and mathematical letters, is not listed.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "+": "᛭➕",
  "-": "‐‒–⁃˗−➖Ⲻ",
  ".": "ꓸ",
  "/": "᜵⁁∕⁄╱⟋⧸㇓〳Ⳇ",
  "2": "ꝚƧϨꙄ",
  "3": "ꞫȜƷꝪⳌЗӠ",
  "4": "Ꮞ",
  "5": "Ƽ",
  "6": "ⳒбᏮ",
  "8": "ȣȢ",
  "9": "ꝮⳊ",
  ":": "։᛬᠃⁚˸꞉∶ːꓽ",
  "=": "⹀゠꓿",
  A: "ΑАᎪꓮ",
  B: "ꞴΒВᏴꓐ",
  C: "ⲤСᏟꓚ",
  D: "Ꭰꓓ",
  E: "⋿ΕЕᎬꓰ",
  F: "ꞘϜꓝ",
  G: "ԌᏀᏳꓖ",
  H: "ΗⲎНᎻꓧ",
  I: "ΙⲒІӀꓲ",
  J: "ꞲͿЈᎫꓙ",
  K: "ΚⲔКᏦꓗ",
  L: "ⳐᏞꓡ",
  M: "ΜϺⲘМᎷꓟ",
  N: "ΝⲚꓠ",
  O: "ΟⲞОՕꓳ",
  P: "ΡⲢРᏢꓑ",
  R: "ƦᎡᏒꓣ",
  S: "ЅՏᏕᏚꓢ",
  T: "⊤⟙ΤⲦТᎢꓔ",
  U: "∪⋃Սꓴ",
  V: "ѴᏙꓦ",
  W: "ԜᎳᏔꓪ",
  X: "╳ꞳΧⲬХꓫ",
  Y: "ΥⲨУҮᎩᎽꓬ",
  Z: "ΖᏃꓜ",
  a: "⍺ɑαа",
  b: "ƄЬᏏв",
  c: "ᴄⲥсꮯ",
  d: "ԁᏧꓒ",
  e: "℮ꬲеҽ",
  f: "ꬵꞙẝք",
  g: "ɡᶃƍց",
  h: "һհᏂ",
  i: "⍳ıɪɩιіꙇꭵᎥ",
  j: "ϳј",
  k: "кκ",
  l: "ӏ∣⏽Ɩǀ",
  m: "м",
  n: "ոռη",
  o: "ᴏᴑꬽοσⲟоօ",
  p: "⍴ρⲣр",
  q: "ԛգզ",
  r: "ꭇꭈᴦⲅгꮁ",
  s: "ꜱƽѕꮪ",
  t: "тτ",
  u: "ꞟᴜꭎꭒʋυս",
  v: "∨⋁ᴠνѵꮩ",
  w: "ɯᴡѡԝաꮃ",
  x: "×⤫⤬⨯х",
  y: "ɣᶌʏỿꭚγуү",
  z: "ᴢꮓ",
};

const BY_CHARACTER: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([ascii, others]) =>
    [...others].map((other) => [other, ascii] as const),
  ),
);

/** Allowed replacements of a character. Not `!`, `,` and brackets: in another width they end a sentence. */
const ASCII = /^(?:[A-Za-z0-9]{1,3}|[-_=:./+@])$/;

/** Returns the ASCII that a non-ASCII character reads as, without accents; null if there is none. */
export function asciiFor(character: string): string | null {
  if (/\p{Zs}/u.test(character)) return " ";
  const base = normalForm(character, "NFKD").replace(/\p{M}/gu, "");
  const ascii = BY_CHARACTER.get(base) ?? base;
  return ASCII.test(ascii) ? ascii : null;
}
