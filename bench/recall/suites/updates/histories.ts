import { createRandom } from "../../../../test/support/random.ts";
import { RELATIONS, type Relation, valuesOf } from "../relations.ts";
import { Subjects } from "../subjects.ts";

export const AUTHORS = ["the same agent", "other agents"] as const;
export const KEYS = ["equal keys", "differing keys", "no keys"] as const;
export const WORDINGS = ["in the same words", "in other words"] as const;
export const CHANGES_MAX = 5;

/** What was written of a fact at one time. */
export interface Writing {
  readonly content: string;
  readonly key: string | null;
  readonly agent: string;
}

/** A fact that changed 1 to 5 times. */
export interface History {
  readonly authors: (typeof AUTHORS)[number];
  readonly keys: (typeof KEYS)[number];
  readonly wording: (typeof WORDINGS)[number];
  /** The oldest first. */
  readonly writings: readonly Writing[];
  readonly question: string;
}

/** So many histories: every combination of who, keys, wording and number of changes in turn. */
export function histories(size: number, seed: number): History[] {
  const random = createRandom(seed);
  const subjects = new Subjects(random);
  return Array.from({ length: size }, (_, at) => {
    const [authors, keys, wording, changes] = combination(at);
    const relation = random.pick(RELATIONS);
    const subject = subjects.one(relation.about);
    const writings = valuesOf(relation, changes + 1, random).map((value, step) => ({
      content: said(relation.state(subject, value), wording, step),
      key: keyOf(relation, subject, keys, step),
      agent: authors === "the same agent" ? "agent-0" : `agent-${step}`,
    }));
    return { authors, keys, wording, writings, question: relation.ask(subject) };
  });
}

function combination(at: number) {
  const of = <T>(values: readonly T[], every: number) => values[Math.floor(at / every) % values.length] as T;
  const each = [AUTHORS.length, KEYS.length, WORDINGS.length] as const;
  return [
    of(AUTHORS, 1),
    of(KEYS, each[0]),
    of(WORDINGS, each[0] * each[1]),
    1 + (Math.floor(at / (each[0] * each[1] * each[2])) % CHANGES_MAX),
  ] as const;
}

const ANNOUNCED: readonly ((statement: string) => string)[] = [
  (statement) => statement,
  (statement) => `Correction: ${statement}`,
  (statement) => `This has changed. ${statement}`,
  (statement) => `From now on it is otherwise: ${statement}`,
  (statement) => `Update. ${statement} Please tell the others.`,
  (statement) => `What I said before is no longer so. ${statement}`,
];

function said(statement: string, wording: History["wording"], step: number): string {
  if (wording === "in the same words") return statement;
  return (ANNOUNCED[step] ?? String)(statement);
}

/** A key as different people spell it. */
const SPELT: readonly ((subject: string, relation: string) => string)[] = [
  (subject, relation) => `${subject}.${relation}`,
  (subject, relation) => `${subject}/${relation}`.replaceAll("_", "-"),
  (subject, relation) => `${relation}.of.${subject}`,
  (subject, relation) =>
    `${subject}.${relation}`.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (subject, relation) => `${subject}.current.${relation}`,
  (subject, relation) => `${subject}:${relation.split("_")[0]}`,
];

function keyOf({ name }: Relation, subject: string, keys: History["keys"], step: number): string | null {
  if (keys === "no keys") return null;
  const place = subject.toLowerCase().replaceAll(/[^a-z]+/g, "_");
  const spelt = SPELT[keys === "equal keys" ? 0 : step % SPELT.length] as (typeof SPELT)[number];
  return spelt(place, name);
}
