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

/** Tells the names that are not known apart. Each is looked at by itself, so that the work grows with them alone. */
export function unknownMembers(names: Iterable<string>, known: readonly string[]): UnknownMembers {
  const misspelt: { name: string; meant: string }[] = [];
  const others: string[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = meantBy(name, known);
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

function meantBy(name: string, known: readonly string[]): string | undefined {
  if (name.length < MISSPELT_LENGTH_MIN) return undefined;
  return known.find((member) => isOneEditApart(name, member) || folded(name) === folded(member));
}

/** True where one character inserted, left out or replaced makes the one text the other. */
function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return a.slice(same + (a.length >= b.length ? 1 : 0)) === b.slice(same + (b.length >= a.length ? 1 : 0));
}

/** The name without what spellings such as memoryId and memory-id differ in. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
