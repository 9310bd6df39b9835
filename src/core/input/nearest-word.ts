/**
 * Returns the known word that was probably meant, or null if none is near. For suggestions only, where a wrong guess
 * does no harm: the refusal of misspelt members in `unknown-members.ts` is stricter.
 */
export function nearestWord<W extends string>(given: string, words: readonly W[]): W | null {
  const typed = given.trim().toLowerCase().replaceAll("-", "_");
  const near = words
    .filter((word) => Math.abs(word.length - typed.length) <= editsAllowed(word))
    .map((word) => ({ word, edits: editsBetween(typed, word.toLowerCase().replaceAll("-", "_")) }))
    .filter(({ word, edits }) => edits <= editsAllowed(word))
    .sort((a, b) => a.edits - b.edits || sharedStart(typed, b.word) - sharedStart(typed, a.word));
  return near[0]?.word ?? abbreviatedOf(typed, words);
}

/** Shorter prefixes match too many words. */
const BEGINNING_LENGTH_MIN = 3;

/** Returns the only word with this prefix: "prod" is "production", and "project" is "project_id". */
function abbreviatedOf<W extends string>(typed: string, words: readonly W[]): W | null {
  if (typed.length < BEGINNING_LENGTH_MIN) return null;
  const [only, another] = words.filter((word) => word.toLowerCase().replaceAll("-", "_").startsWith(typed));
  return another === undefined ? (only ?? null) : null;
}

/** Tie-break between equally near words: the longer shared prefix. "of" is "off", not "on". */
function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** Longer words allow more edits. "mood" does not match "mode". */
function editsAllowed({ length }: string): number {
  if (length <= 4) return 1;
  return length <= 7 ? 2 : 3;
}

/** Longer words are not typing errors, and would be slow to compare. */
const COMPARED_LENGTH_MAX = 64;

/** Number of letters inserted, deleted, replaced or swapped with the next (optimal string alignment distance). */
function editsBetween(a: string, b: string): number {
  if (a.length > COMPARED_LENGTH_MAX) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let edits = Math.min(
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        edits = Math.min(edits, (beforeLast[column - 2] as number) + 1);
      next.push(edits);
    }
    beforeLast = last;
    last = next;
  }
  return last[b.length] as number;
}
