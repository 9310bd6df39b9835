import type { z } from "zod";
import type { ValidationIssue } from "../../contract/error.ts";
import type { Operation } from "../../contract/operation.ts";
import { operationList } from "../../contract/operations.ts";
import { serviceMembers } from "../../contract/service-members.ts";
import { nearestWord } from "./nearest-word.ts";

/** Names that are no members of what was asked for, by what is to be made of them. */
export interface UnknownMembers {
  /** Those that look like a member misspelt, with that member: the request does not mean what it says. */
  readonly misspelt: readonly { readonly name: string; readonly meant: string }[];
  /** All others, which nothing here depends on. */
  readonly others: readonly UnknownMember[];
}

/** A name that is ignored where members may be, and refused where they may not. */
export interface UnknownMember {
  readonly name: string;
  /** The member that was perhaps meant, though the name is not near enough to it to be refused for that. */
  readonly meant: string | null;
}

/** A shorter name is too near to too many to tell what was meant. */
const MISSPELT_LENGTH_MIN = 5;
/** Names beyond this count are not checked for misspellings: a large body may have 100,000. */
const TOLD_MAX = 1000;
/** Names beyond this count get no guess, which takes longer. */
const GUESSED_MAX = 50;
/** Form of a plausible member name. Others are no slips, and are not repeated in messages. */
const LIKELY = /^[A-Za-z0-9_.-]{1,64}$/;

/** Names that are known, prepared once for all the names that are held against them. */
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

  /** Divides the names that are not known into misspelt ones and others, in one pass over them. */
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

  /** The rest of `metdtaa.topic` stands as it is, and `metadata.topic` is misspelt nowhere. */
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

/** The members of a schema, which every request is held against. */
function membersOf(schema: z.ZodObject): KnownNames {
  let members = membersBySchema.get(schema);
  if (members === undefined) {
    members = new KnownNames(Object.keys(schema.shape));
    membersBySchema.set(schema, members);
  }
  return members;
}

/** The names that are no members of the schema. */
export function unknownMembers(names: Iterable<string>, schema: z.ZodObject): UnknownMembers {
  return membersOf(schema).unknownOf(names);
}

/** How many unknown members a refusal names. */
const ISSUES_MAX = 10;

/** The members of an input, and what its operation does: all that decides which unknown ones are refused. */
export type Spelling = Pick<Operation, "input"> & Partial<Pick<Operation, "effect">>;

/**
 * The refusals of names that the operation does not know, each at its place below `root`: those that look like a member
 * misspelt, those that say who or what is meant, and every one if the operation destroys something. Ignoring them would
 * do something else than was asked for.
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

/** Whether the name, or the member that it was perhaps meant for, says who or what a request is about. */
function selects({ name, meant }: UnknownMember): boolean {
  return isSelector(name) || (meant !== null && isSelector(meant));
}

function isSelector(name: string): boolean {
  return selectors().has(selectorOf(name));
}

/** Names of parties without `_id`, as other services have them. */
const PARTIES = ["user", "owner", "team", "project", "agent", "session"];

let known: ReadonlySet<string> | undefined;

/** Names that say who or what is meant: every id that any operation takes, those of provenance, and the like. */
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

/** Several ids say who is meant as one does. */
function selectorOf(name: string): string {
  return folded(name).replace(/ids$/, "id");
}

/** How what a refused name says is said here, as far as it can be. */
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

/** The members of an input that its operation does not look at, those of requests within it below the list's name. */
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

/** The same names where their member is one of another: `items.mood`. */
export function membersBelow(root: string, unknown: readonly UnknownMember[]): UnknownMember[] {
  return unknown.map(({ name, meant }) => ({
    name: `${root}.${name}`,
    meant: meant === null ? null : `${root}.${meant}`,
  }));
}

/** The names that an object has; none where it is none. */
export function namesOf(value: unknown): string[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

/**
 * True where one character inserted, left out or replaced makes the one text the other. Of lengths at most one apart.
 */
function isOneEditApart(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  // From the first difference on, the rest of the longer, or of both, must agree without it.
  let [left, right] = [same + (a.length >= b.length ? 1 : 0), same + (b.length >= a.length ? 1 : 0)];
  while (left < a.length && a[left] === b[right]) [left, right] = [left + 1, right + 1];
  return left >= a.length && right >= b.length;
}

/** True where two neighbouring characters that changed places make the one text the other: "SECERT" and "SECRET". */
export function isOneSwapApart(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** The name without what spellings such as memoryId and memory-id differ in. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
