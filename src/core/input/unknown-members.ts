import type { z } from "zod";
import type { ValidationIssue } from "../../contract/error.ts";
import type { Operation } from "../../contract/operation.ts";
import { operationList } from "../../contract/operations.ts";
import { serviceMembers } from "../../contract/service-members.ts";
import { nearestWord } from "./nearest-word.ts";

/** Unknown member names, by how they are handled. */
export interface UnknownMembers {
  /**
   * Names that look like a misspelt member, with that member. The request is refused, since it does not say what was
   * meant.
   */
  readonly misspelt: readonly { readonly name: string; readonly meant: string }[];
  /** All others. */
  readonly others: readonly UnknownMember[];
}

/** An unknown name that is ignored or refused, depending on the operation. */
export interface UnknownMember {
  readonly name: string;
  /** The member that was perhaps meant, although the name is not near enough to count as misspelt. */
  readonly meant: string | null;
}

/** Shorter names are near too many others. */
const MISSPELT_LENGTH_MIN = 5;
/** Names beyond this count are not checked for misspellings: a large body may have 100,000. */
const TOLD_MAX = 1000;
/** Names beyond this count get no guess, which takes longer. */
const GUESSED_MAX = 50;
/** Form of a plausible member name. Others are no slips, and are not repeated in messages. */
const LIKELY = /^[A-Za-z0-9_.-]{1,64}$/;

/** Known names, prepared once for many comparisons. */
export class KnownNames {
  readonly #names: readonly string[];
  readonly #byLength: ReadonlyMap<number, readonly string[]>;
  readonly #isKnown: ReadonlySet<string>;
  readonly #byFolded: ReadonlyMap<string, string>;

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#byLength = new Map(
      names.map(({ length }) => [length, names.filter((other) => other.length === length)]),
    );
    this.#isKnown = new Set(names);
    this.#byFolded = new Map(names.map((name) => [folded(name), name]));
  }

  /** Divides unknown names into misspelt ones and others, in one pass. */
  unknownOf(names: Iterable<string>): UnknownMembers {
    const misspelt: { name: string; meant: string }[] = [];
    const others: UnknownMember[] = [];
    for (const name of names) {
      if (this.#isKnown.has(name)) continue;
      const meant = others.length < TOLD_MAX ? this.#meantBy(name) : undefined;
      if (meant !== undefined) misspelt.push({ name, meant });
      else others.push({ name, meant: others.length < GUESSED_MAX ? this.#perhapsMeantBy(name) : null });
    }
    return { misspelt, others };
  }

  /** Compares only the first segment, so that `metdtaa.topic` suggests `metadata.topic`. */
  #perhapsMeantBy(name: string): string | null {
    if (!LIKELY.test(name)) return null;
    const [member = "", ...rest] = name.split(".");
    const meant = this.#isKnown.has(member) ? null : nearestWord(member, this.#names);
    return meant === null ? null : [meant, ...rest].join(".");
  }

  #meantBy(name: string): string | undefined {
    if (name.length < MISSPELT_LENGTH_MIN) return undefined;
    const spelledAlike = this.#byFolded.get(folded(name));
    if (spelledAlike !== undefined) return spelledAlike;
    for (const length of [name.length, name.length - 1, name.length + 1]) {
      const known = this.#byLength.get(length)?.find((one) => isOneEditApart(name, one));
      if (known !== undefined) return known;
    }
    return undefined;
  }
}

const membersBySchema = new WeakMap<z.ZodObject, KnownNames>();

/** Returns the known names of a schema, cached because every request needs them. */
function membersOf(schema: z.ZodObject): KnownNames {
  let members = membersBySchema.get(schema);
  if (members === undefined) {
    members = new KnownNames(Object.keys(schema.shape));
    membersBySchema.set(schema, members);
  }
  return members;
}

/** Returns the names that are not members of the schema. */
export function unknownMembers(names: Iterable<string>, schema: z.ZodObject): UnknownMembers {
  return membersOf(schema).unknownOf(names);
}

/** How many unknown members a refusal names. */
const ISSUES_MAX = 10;

/** The input members and the effect of an operation, which decide which unknown members are refused. */
export type Spelling = Pick<Operation, "input"> & Partial<Pick<Operation, "effect">>;

/**
 * Returns issues for unknown names that must be refused, each at its place below `root`: misspelt members, names that
 * select who or what the request is about, and all names if the operation destroys something. Ignoring these would do
 * something other than requested.
 */
export function unknownIssues(
  names: Iterable<string>,
  { input, effect }: Spelling,
  root: readonly (string | number)[],
): ValidationIssue[] {
  const { misspelt, others } = unknownMembers(names, input);
  const refused = effect === "destroy" ? others : others.filter(selects);
  return [...misspelt, ...refused].slice(0, ISSUES_MAX).map(({ name, meant }) => ({
    loc: [...root, name],
    msg: `is not known here: ${meant === null ? whatInstead(name, input) : `did you mean ${meant}?`}`,
    type: "extra_forbidden",
  }));
}

/** Whether the name, or the member that was perhaps meant, selects who or what a request is about. */
function selects({ name, meant }: UnknownMember): boolean {
  return isSelector(name) || (meant !== null && isSelector(meant));
}

function isSelector(name: string): boolean {
  return selectors().has(selectorOf(name));
}

/** Names of parties without `_id`, as used by other services. */
const PARTIES = ["user", "owner", "team", "project", "agent", "session"];

let known: ReadonlySet<string> | undefined;

/**
 * Returns names that select who or what is meant: ids that any operation takes, ids of provenance, and similar names.
 */
function selectors(): ReadonlySet<string> {
  known ??= new Set(
    [
      ...operationList.flatMap(({ input }) => Object.keys(input.shape)),
      ...serviceMembers.provenance,
      ...PARTIES.map((party) => `${party}_id`),
    ]
      .filter((name) => /_ids?$/.test(name))
      .concat(PARTIES, "scope", "mode", "dry_run")
      .map(selectorOf),
  );
  return known;
}

/** Normalises plurals: a list of ids selects as well as a single id. */
function selectorOf(name: string): string {
  return folded(name).replace(/ids$/, "id");
}

/** Says how to express here what a refused name expresses elsewhere, if possible. */
function whatInstead(name: string, { shape }: z.ZodObject): string {
  const inProvenance = serviceMembers.provenance.find((member) => folded(member) === folded(name));
  if (inProvenance !== undefined && "provenance" in shape) return `did you mean provenance.${inProvenance}?`;
  if (/^(?:user|owner)(?:ids?)?$/.test(folded(name)))
    return "the credential decides whose memories are meant";
  const members = Object.keys(shape);
  return members.length === 0 ? "it takes none" : `it takes ${members.slice(0, LISTED_MAX).join(", ")}`;
}

/** A longer list is nothing that somebody reads in a sentence. */
const LISTED_MAX = 12;

/**
 * Returns the unknown members of an input that are ignored. Those of a batch's items are prefixed with the list's name.
 */
export function ignoredMembers(
  { input, each }: Pick<Operation, "input" | "each">,
  given: Record<string, unknown>,
): readonly UnknownMember[] {
  const own = unknownMembers(Object.keys(given), input).others;
  if (!each) return own;
  const list = given[each.member];
  const within = (Array.isArray(list) ? list : []).flatMap(
    (item) => unknownMembers(namesOf(item), each.item).others,
  );
  const distinct = new Map(within.map((unknown) => [unknown.name, unknown]));
  return [...own, ...membersBelow(each.member, [...distinct.values()])];
}

/** Prefixes the names with the member that contains them: `items.mood`. */
export function membersBelow(root: string, unknown: readonly UnknownMember[]): UnknownMember[] {
  return unknown.map(({ name, meant }) => ({
    name: `${root}.${name}`,
    meant: meant === null ? null : `${root}.${meant}`,
  }));
}

/** Returns the member names of an object; none for any other value. */
export function namesOf(value: unknown): string[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

/**
 * True if inserting, deleting or replacing one character makes the texts equal. Their lengths must differ by at most
 * one.
 */
function isOneEditApart(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  // After the first difference, the rest must be equal without that character in the longer text, or in both.
  let [left, right] = [same + (a.length >= b.length ? 1 : 0), same + (b.length >= a.length ? 1 : 0)];
  while (left < a.length && a[left] === b[right]) [left, right] = [left + 1, right + 1];
  return left >= a.length && right >= b.length;
}

/** True if swapping two adjacent characters makes the texts equal, as in "SECERT" and "SECRET". */
export function isOneSwapApart(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** Normalises spellings such as memoryId and memory-id to the same text. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
