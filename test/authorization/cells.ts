import { RUNS } from "../support/random.ts";
import { everyScope } from "../support/world.ts";
import type { OperationRule, Rules } from "./rules.ts";

/** Whose the memory is that a request is about, as its caller sees it: a row of the page, with the role in a team. */
export interface Relation {
  readonly whose: "own" | "own team" | "another user's" | "another team's" | "an end user's";
  readonly role: string | null;
}

/** How the credential is confined, and whether what the request is about lies in it. */
export interface Position {
  readonly confinement: string;
  readonly isInside: boolean;
}

/** What a memory is, besides an ordinary one. */
export type Subject = string;
export const ORDINARY: Subject = "ordinary";

/** One combination of all that decides: a request that is sent, and an answer that the page foretells. */
export interface Cell {
  readonly rule: OperationRule;
  readonly door: string;
  readonly kind: string;
  readonly holder: string;
  readonly scopes: readonly string[];
  readonly position: Position;
  readonly relation: Relation;
  readonly subject: Subject;
}

/** No scope, each alone, and all. */
export const scopeSets: readonly (readonly string[])[] = [
  [],
  ...everyScope.map((scope) => [scope]),
  everyScope,
];

/** The same, and each with what the operation needs besides. */
function scopeSetsFor({ also }: OperationRule): readonly (readonly string[])[] {
  if (also.length === 0) return scopeSets;
  return [...scopeSets, ...scopeSets.slice(0, -1).map((scopes) => [...new Set([...scopes, ...also])])];
}

/** The door that takes sessions, and nothing else. */
const OF_SESSIONS = "tRPC";
export const SESSION = "session";

/** Every kind of credential that a door takes, any but the one for sessions unless named, with every owner that can hold it. */
export function holdersOf(rules: Rules, door?: string): { kind: string; holder: string }[] {
  const kinds = rules.kinds.keys.filter((kind) => (kind === SESSION) === (door === OF_SESSIONS));
  return kinds.flatMap((kind) => rules.kinds.get(kind).map((holder) => ({ kind, holder })));
}

/** What there is to ask for. Only a user is in teams. */
export function relationsOf(rules: Rules, holder: string): Relation[] {
  return rules.whose.keys.flatMap((whose) => {
    if (whose !== "own team") return [{ whose, role: null } as Relation];
    return holder === "user" ? rules.roles.keys.map((role) => ({ whose, role }) as Relation) : [];
  });
}

/** Every confinement with the memory in it and with the memory outside. A team holds team memories only. */
export function positionsOf(rules: Rules, holder: string, relation: Relation): Position[] {
  return rules.confinements.keys.flatMap((confinement): Position[] => {
    if (confinement === "nothing") return [{ confinement, isInside: true }];
    if (confinement !== "team") return [true, false].map((isInside) => ({ confinement, isInside }));
    if (holder !== "user") return [];
    const isOfTeam = relation.role !== null || relation.whose === "another team's";
    return (isOfTeam ? [true, false] : [false]).map((isInside) => ({ confinement, isInside }));
  });
}

/** A session has every scope and is not confined: there is no other. */
const isThere = ({ kind, scopes, position }: Pick<Cell, "kind" | "scopes" | "position">) =>
  kind !== SESSION || (scopes === everyScope && position.confinement === "nothing");

/** The whole product for one operation and door, over ordinary memories. */
export function productOf(rules: Rules, rule: OperationRule, door: string): Cell[] {
  const cells: Cell[] = [];
  for (const { kind, holder } of holdersOf(rules, door))
    for (const scopes of scopeSetsFor(rule))
      for (const relation of relationsOf(rules, holder))
        for (const position of positionsOf(rules, holder, relation))
          if (isThere({ kind, scopes, position }))
            cells.push({ rule, door, kind, holder, scopes, position, relation, subject: ORDINARY });
  return cells;
}

/**
 * Memories that are more than ordinary, for who may call the operation at all: with and without the scope that they
 * need. Confinements are conditions of their own on the row, and the product has them all: here they are a sample, of
 * keys that users hold, and without the buckets, which the memory itself is in or not.
 */
export function productOfSpecials(rules: Rules, rule: OperationRule, door: string): Cell[] {
  const extras = new Set(rules.specials.keys.map((name) => rules.specials.get(name).scope));
  const scopesOf =
    door === OF_SESSIONS
      ? [everyScope]
      : [[], ...[...extras].map((scope) => [scope])].map((extra) => [...rule.scopes, ...rule.also, ...extra]);
  const cells: Cell[] = [];
  for (const { kind, holder } of holdersOf(rules, door))
    for (const subject of rules.specials.keys)
      for (const scopes of scopesOf)
        for (const relation of relationsOf(rules, holder))
          for (const position of positionsOf(rules, holder, relation))
            if (isInSample(kind, holder, position))
              cells.push({ rule, door, kind, holder, scopes, position, relation, subject });
  return cells;
}

function isInSample(kind: string, holder: string, { confinement }: Position): boolean {
  if (confinement === "nothing") return true;
  return kind === "api_key" && holder === "user" && confinement !== "buckets";
}

/** Of the kinds that the kind itself makes no difference for, every so many-th cell is sent: prime to every dimension. */
const SAMPLE_EVERY = 5;

/**
 * The cells that are sent. The kind of a credential decides which operations it may call and nothing else (a test looks
 * for who reads it), so where an operation is for any kind, one kind for each sort of owner is sent whole, and the others
 * are sampled, unless more runs are asked for.
 */
export function sent(rules: Rules, cells: readonly Cell[]): Cell[] {
  if (RUNS > 1) return [...cells];
  const whole = new Map<string, string>();
  for (const { kind, holder } of [...holdersOf(rules), ...holdersOf(rules, OF_SESSIONS)])
    if (kind === SESSION) whole.set(SESSION, kind);
    else if (!whole.has(holder)) whole.set(holder, kind);
  return cells.filter(
    ({ rule, kind, holder }, at) =>
      !rule.kinds.includes("any") ||
      whole.get(kind === SESSION ? kind : holder) === kind ||
      at % SAMPLE_EVERY === 0,
  );
}

/** A cell in words, for a person to repeat it. */
export function named({ rule, door, kind, holder, scopes, position, relation, subject }: Cell): string {
  const { confinement, isInside } = position;
  return [
    `${door} ${rule.operation}${rule.mode && ` ${rule.mode}`}`,
    `${kind} of a ${holder} with [${scopes.length === everyScope.length ? "every scope" : scopes}]`,
    confinement === "nothing"
      ? "not confined"
      : `confined to ${confinement}, ${isInside ? "inside" : "outside"}`,
    `${subject}: ${relation.whose}${relation.role === null ? "" : ` as ${relation.role}`}`,
  ].join(" · ");
}
