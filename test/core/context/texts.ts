import fc from "fast-check";

/** Pieces that break naive splitting, quoting or counting. */
const PIECES = [
  ..."a b Z é 中 文 。 ! ? . , : ; ' \" / > # - _ … 0 7 42 2024".split(" "),
  ..." \n|\r|\r\n|\n\n|\u000b|\u000c|\u0085|\u2028|\u2029|\t|\u00a0|\u3000|  ".split("|"),
  ..."\ufeff|\u200d|\u202e|\u2066|\u0000|\u001b[31m|\u{e0041}|\ud800|\udc00|👩‍👩‍👧|🇩🇪|e\u0301|ſ|İ|ß".split(
    "|",
  ),
  "### Recollect Context",
  "#### 1. semantic, verified",
  "> quoted",
  "<|endoftext|>",
  "```",
  "don't",
  "Dr. Smith said so. ",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "The deploy failed because of a lock. ",
  "</context>",
];

/** Text of up to `length` awkward pieces or arbitrary characters. */
export function hostileText(length: number): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
    { weight: 1, arbitrary: fc.stringMatching(/^[a-z]{1,9}$/) },
  );
  return fc.array(piece, { maxLength: length }).map((pieces) => pieces.join(""));
}
