import fc from "fast-check";

/** `%` is any text, anything else itself: for each beginning of the pattern, the beginnings of the value that match it. */
export function isLike(value: string, pattern: string): boolean {
  let matching = new Set([0]);
  for (const letter of pattern) {
    const next = new Set<number>();
    for (const at of matching) {
      if (letter === "%") for (let end = at; end <= value.length; end += 1) next.add(end);
      else if (value.startsWith(letter, at)) next.add(at + letter.length);
    }
    matching = next;
  }
  return matching.has(value.length);
}

/** Few, so that parts overlap, with what LIKE, regular expressions and wildcards take for something else. */
const LETTERS = [
  "a",
  "a",
  "a",
  "b",
  "b",
  "/",
  "_",
  "\\",
  "*",
  "?",
  ".",
  "é",
  "e\u0301",
  "ж",
  "𝒜",
  "\u{1f600}",
];

const short = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 6 });
/** As long as it takes for each way to match a pattern: what repeats itself is nearly found everywhere. */
const long = fc
  .tuple(fc.constantFrom("a", "ab", "𝒜", "é/"), fc.integer({ min: 1, max: 60 }), short)
  .map(([unit, times, end]) => unit.repeat(times) + end);
const text = fc.oneof({ weight: 3, arbitrary: short }, long);

/** A value in NFC of at most 512 characters. */
export const someValue = fc
  .array(text, { minLength: 1, maxLength: 4 })
  .map((texts) => texts.join("").normalize("NFC") || "a");

/** A pattern that has nothing to do with the value, or the value with wildcards for some of its texts. */
export function somePattern(value: string): fc.Arbitrary<string> {
  const put = fc.constantFrom("%", "%", "%%", "%a%", "a");
  const cuts = fc.array(fc.tuple(fc.nat(value.length), fc.nat(12), put), { maxLength: 5 });
  return fc
    .oneof(
      fc.array(text, { maxLength: 6 }).map((parts) => parts.join("%")),
      cuts.map((chosen) => chosen.reduce(withCut, value)),
    )
    .map((pattern) => pattern.normalize("NFC"));
}

/** Half a character that a cut leaves goes too. */
function withCut(value: string, [at, length, put]: [number, number, string]): string {
  return `${value.slice(0, at)}${put}${value.slice(at + length)}`.toWellFormed().replaceAll("\ufffd", "");
}
