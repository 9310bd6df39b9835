/** Who does what to whom: the direction in which a text relates those whom a question names. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { areReversed, relationReader } from "../../../src/recall/statements/relation.ts";
import { runs, SEED } from "../../support/random.ts";

const orientation = (question: string, text: string) => relationReader(question)?.(text)?.orientation ?? 0;

const NAMES = ["Lena", "Tomas", "Ines Berg", "Otto", "Yusuf", "Mabel Lee", "Zoltan"];
const VERBS = [
  ["hire", "hired"],
  ["review", "reviewed"],
  ["invite", "invited"],
  ["train", "trained"],
  ["replace", "replaced"],
] as const;

const relation = fc.record({
  names: fc.shuffledSubarray(NAMES, { minLength: 2, maxLength: 2 }),
  verb: fc.constantFrom(...VERBS),
  isPassive: fc.boolean(),
  end: fc.constantFrom("", " in May", " for the harbour project"),
});

test("active or passive, the asked direction is told from the other", () => {
  fc.assert(
    fc.property(relation, ({ names, verb: [base, past], isPassive, end }) => {
      const [a, b] = names as [string, string];
      const say = (one: string, other: string) =>
        isPassive ? `${other} was ${past} by ${one}${end}.` : `${one} ${past} ${other}${end}.`;
      const questions = [
        `Did ${a} ${base} ${b}?`,
        `Was ${b} ${past} by ${a}?`,
        `Who ${past} ${b}?`,
        `Whom did ${a} ${base}?`,
        `By whom was ${b} ${past}?`,
        `Who was ${past} by ${a}?`,
      ];
      for (const question of questions) {
        expect([question, orientation(question, say(a, b))]).toEqual([question, 1]);
        expect([question, orientation(question, say(b, a))]).toEqual([question, -1]);
        const read = relationReader(question);
        expect(areReversed(read?.(say(a, b)) ?? null, read?.(say(b, a)) ?? null)).toBe(true);
      }
    }),
    { numRuns: runs(1000), seed: SEED },
  );
});

test.each([
  ["How much does Lena owe Tomas?", "Lena owes Tomas 40 euros.", "Tomas owes Lena 40 euros."],
  ["how much does lena owe tomas", "Lena owes Tomas 40 euros.", "Tomas owes Lena 40 euros."],
  ["How much do I owe Lena?", "The user owes Lena 40 euros.", "Lena owes the user 40 euros."],
  ["What did Lena give to Tomas?", "Lena gave Tomas a lamp.", "Tomas gave a lamp to Lena."],
  ["Who does Lena report to?", "Lena reports to Tomas.", "Tomas reports to Lena."],
  ["Who reports to Tomas?", "Lena reports to Tomas.", "Tomas reports to Lena."],
  ["Who joined before Tomas?", "Tomas joined after Lena.", "Tomas joined before Lena."],
  ["Who reviewed Tomas's patch?", "Tomas's patch was reviewed by Lena.", "Tomas reviewed Lena's patch."],
  ["Whose brother is Tomas?", "Lena's brother is Tomas.", "Tomas's brother is Lena."],
  ["Who is Lena's mentor?", "The mentor of Lena is Tomas.", "Lena is the mentor of Tomas."],
  [
    "How long is the bus from Porto to Faro?",
    "The bus to Faro from Porto is an hour.",
    "The bus from Faro to Porto.",
  ],
  ["Who pays Tomas?", "Tomas gets paid by Lena.", "Lena gets paid by Tomas."],
])("%s", (question, right, reversed) => {
  expect(orientation(question, right)).toBe(1);
  expect(orientation(question, reversed)).toBe(-1);
  expect(orientation(question, `${reversed} ${right}`)).toBe(1);
});

test.each([
  ["no direction is asked for", "Tell me about Lena.", "Lena owes Tomas 40 euros."],
  ["only one is named", "Where does Lena live?", "Lena lives in Faro."],
  ["three are named", "What did Lena tell Tomas about Otto?", "Lena told Tomas about Otto."],
  ["the text names one of them", "How much does Lena owe Tomas?", "Lena owes 40 euros."],
  ["the text asks as well", "How much does Lena owe Tomas?", "Does Lena owe Tomas money?"],
  ["another language", "Wem schuldet Lena Geld?", "Tomas schuldet Lena Geld."],
])("unknown: %s", (_, question, text) => {
  expect(orientation(question, text)).toBe(0);
});

test("texts that say other things of the two are not compared", () => {
  const read = relationReader("How much does Lena owe Tomas?");
  const other = read?.("Tomas met Lena at the harbour.") ?? null;
  expect(areReversed(read?.("Lena owes Tomas 40 euros.") ?? null, other)).toBe(false);
});
