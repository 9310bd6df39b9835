import type { SeededRandom } from "./random.ts";

/** A way to write a secret so that it reads as before, and is another text. */
export interface Disguise {
  readonly name: string;
  readonly apply: (secret: string, random: SeededRandom) => string;
}

/** Something after every character but the last, or after some of them. */
const between =
  (...insertions: readonly string[]) =>
  (secret: string, random: SeededRandom) =>
    [...secret]
      .map((character, index) =>
        index < secret.length - 1 && (index % 5 === 2 || random.below(6) === 0)
          ? character + random.of(insertions)
          : character,
      )
      .join("");
const replaced = (by: (character: string) => string | undefined) => (secret: string) =>
  [...secret].map((character) => by(character) ?? character).join("");
const table = (pairs: Readonly<Record<string, string>>) => replaced((character) => pairs[character]);

/** Letters and digits as the block of mathematical alphanumerics has them, from its first capital, small letter and digit. */
const mathematical = (capital: number, small: number, digit: number) =>
  replaced((character) => {
    const code = character.charCodeAt(0);
    if (/[A-Z]/.test(character)) return String.fromCodePoint(capital + code - 65);
    if (/[a-z]/.test(character)) return String.fromCodePoint(small + code - 97);
    return /\d/.test(character) ? String.fromCodePoint(digit + code - 48) : undefined;
  });

const CYRILLIC = table({
  ...{
    a: "а",
    c: "с",
    e: "е",
    h: "һ",
    i: "і",
    j: "ј",
    o: "о",
    p: "р",
    q: "ԛ",
    s: "ѕ",
    w: "ԝ",
    x: "х",
    y: "у",
  },
  ...{
    A: "А",
    B: "В",
    C: "С",
    E: "Е",
    H: "Н",
    I: "І",
    J: "Ј",
    K: "К",
    M: "М",
    O: "О",
    P: "Р",
    S: "Ѕ",
    T: "Т",
  },
  ...{ X: "Х", Y: "Ү" },
});
const GREEK = table({
  ...{
    A: "Α",
    B: "Β",
    E: "Ε",
    H: "Η",
    I: "Ι",
    K: "Κ",
    M: "Μ",
    N: "Ν",
    O: "Ο",
    P: "Ρ",
    T: "Τ",
    X: "Χ",
    Y: "Υ",
    Z: "Ζ",
  },
  ...{ o: "ο", v: "ν", p: "ρ", a: "α" },
});
/** The characters of ASCII that have a full-width form, of those that secrets are made of. */
const FULL_WIDTH = replaced((character) =>
  /[\w\-=:./+@]/.test(character) ? String.fromCodePoint(0xfee0 + character.charCodeAt(0)) : undefined,
);

export const DISGUISES: readonly Disguise[] = [
  {
    name: "joiners and spaces of no width",
    apply: between("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"),
  },
  { name: "soft hyphens", apply: between("\u00ad") },
  { name: "invisible operators", apply: between("\u2061", "\u2062", "\u2063", "\u2064") },
  { name: "combining grapheme joiners", apply: between("\u034f") },
  { name: "variation selectors", apply: between("\ufe00", "\ufe0f", "\u180b", "\u{e0101}", "\u{e01ef}") },
  {
    name: "controls of direction",
    apply: between("\u200e", "\u200f", "\u202a", "\u202c", "\u2066", "\u2069"),
  },
  { name: "tags", apply: between("\u{e0041}", "\u{e007f}", "\u{e0001}") },
  { name: "fillers", apply: between("\u3164", "\u115f", "\u1160", "\uffa0", "\u17b4") },
  { name: "control characters", apply: between("\u0001", "\u0008", "\u007f", "\u0090") },
  { name: "accents and strokes", apply: between("\u0301", "\u0336", "\u20dd", "\u0323\u0307") },
  { name: "full width", apply: FULL_WIDTH },
  { name: "mathematical bold", apply: mathematical(0x1d400, 0x1d41a, 0x1d7ce) },
  { name: "mathematical monospace", apply: mathematical(0x1d670, 0x1d68a, 0x1d7f6) },
  { name: "Cyrillic letters", apply: CYRILLIC },
  { name: "Greek letters", apply: GREEK },
  {
    name: "other dashes, lines, colons and equals signs",
    apply: (secret, random) =>
      table({
        "-": random.of(["\u2010", "\u2011", "\u2212", "\uff0d"]),
        _: random.of(["\uff3f", "\ufe4d"]),
        "=": "\uff1d",
        ":": random.of(["\uff1a", "\u2236"]),
        ".": "\uff0e",
        "/": random.of(["\uff0f", "\u2215"]),
      })(secret),
  },
  {
    name: "several at once",
    apply: (secret, random) => between("\u200b", "\ufe0f", "\u0301")(CYRILLIC(secret), random),
  },
];
