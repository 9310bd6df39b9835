import type { ValidationIssue } from "../contract/error.ts";
import type { Operation } from "../contract/operation.ts";

/** Names that are no members of what was asked for, by what is to be made of them. */
export interface UnknownMembers {
  /** Those that look like a member misspelt, with that member: the request does not mean what it says. */
  readonly misspelt: readonly { readonly name: string; readonly meant: string }[];
  /** All others: nothing depends on them here. */
  readonly others: readonly string[];
}

/** A shorter name is too near to too many to tell what was meant. */
const MISSPELT_LENGTH_MIN = 5;

/** Tells the names that are not known apart, in one pass over them. */
export function unknownMembers(names: Iterable<string>, known: readonly string[]): UnknownMembers {
  const isKnown = new Set(known);
  const byFolded = new Map(known.map((member) => [folded(member), member]));
  const misspelt: { name: string; meant: string }[] = [];
  const others: string[] = [];
  for (const name of names) {
    if (isKnown.has(name)) continue;
    const meant =
      name.length < MISSPELT_LENGTH_MIN
        ? undefined
        : (byFolded.get(folded(name)) ?? known.find((member) => isOneEditApart(name, member)));
    if (meant === undefined) others.push(name);
    else misspelt.push({ name, meant });
  }
  return { misspelt, others };
}

/** How many misspelt members a refusal names. */
const ISSUES_MAX = 10;

/** What a refusal says of the misspelt names among these, each at its place below `root`; nothing where there are none. */
export function misspeltIssues(
  names: Iterable<string>,
  known: readonly string[],
  root: readonly (string | number)[],
): ValidationIssue[] {
  return unknownMembers(names, known)
    .misspelt.slice(0, ISSUES_MAX)
    .map(({ name, meant }) => ({
      loc: [...root, name],
      msg: `is not known here: did you mean ${meant}?`,
      type: "extra_forbidden",
    }));
}

/** The members of an input that its operation does not look at, those of requests within it below the list's name. */
export function ignoredMembers({ input, each }: Operation, given: Record<string, unknown>): string[] {
  const own = unknownMembers(Object.keys(given), Object.keys(input.shape)).others;
  if (!each) return [...own];
  const list = given[each.member];
  const known = Object.keys(each.item.shape);
  const within = (Array.isArray(list) ? list : []).flatMap(
    (item) => unknownMembers(namesOf(item), known).others,
  );
  return [...own, ...[...new Set(within)].map((name) => `${each.member}.${name}`)];
}

/** The names that an object has; none where it is none. */
export function namesOf(value: unknown): string[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

/** True where one character inserted, left out or replaced makes the one text the other. */
function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  // From the first difference on, the rest of the longer, or of both, must agree without it.
  let [left, right] = [same + (a.length >= b.length ? 1 : 0), same + (b.length >= a.length ? 1 : 0)];
  while (left < a.length && a[left] === b[right]) [left, right] = [left + 1, right + 1];
  return left >= a.length && right >= b.length;
}

/** The name without what spellings such as memoryId and memory-id differ in. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
