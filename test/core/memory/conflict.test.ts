import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { conflictsWith } from "../../../src/core/memory/conflict.ts";
import type { MemoryRecord } from "../../../src/core/memory/memory-record.ts";
import {
  cannotBothBeTrue,
  contradictionOf,
  statedBy,
  statementOf,
  statementsConflict,
} from "../../../src/recall/statements/statement.ts";
import { hostileText } from "../context/texts.ts";

function conflict(a: string, b: string): boolean {
  return statementsConflict(statementOf(a), statementOf(b));
}

describe("conflict", () => {
  it.each<[string, string, boolean]>([
    ["The service listens on port 8080.", "The service listens on port 9090.", true],
    ["The release is on 2024-05-01.", "The release is on 2024-06-01.", true],
    ["The weekly review is on Monday at noon.", "The weekly review is on Tuesday at noon.", true],
    ["The contract ends in March 2025.", "The contract ends in May 2025.", true],
    ["Dark mode is enabled for the team.", "Dark mode is disabled for the team.", true],
    ["Alice eats meat on trips.", "Alice does not eat meat on trips.", true],
    ["Deploys run on staging first.", "Deploys don't run on staging first.", true],
    ["The cat sleeps on the sofa.", "The dog does not sleep in bed.", false],
    ["Deploys are run on staging first.", "Deploys are not run on staging first.", true],
    ["We keep three backups of the store.", "We keep 3 backups of the store.", false],
    ["The limit is 1,000 requests.", "The limit is 1000 requests.", false],
    ["The limit is 1,000 requests.", "The limit is 2000 requests.", true],
    ["The team meeting starts at 5.", "The team meeting starts at 5 on 3 May.", false],
    ["Ticket 12 was closed by Bob.", "Ticket 13 was closed by Bob.", false],
    ["The port is 8080.", "Lunch costs 12 euros in the canteen.", false],
    ["The api uses redis.", "The api uses postgres.", false],
    ["会议在3点开始。", "会议在5点开始。", true],
    ["The same text 1.", "The same text 1.", false],
  ])("of %j and %j is %j", (a, b, expected) => {
    expect(conflict(a, b)).toBe(expected);
    expect(conflict(b, a)).toBe(expected);
  });

  it("is symmetric and false for equal texts, for any text", () => {
    fc.assert(
      fc.property(hostileText(30), hostileText(30), (a, b) => {
        expect(conflict(a, a)).toBe(false);
        expect(conflict(a, b)).toBe(conflict(b, a));
      }),
    );
  });
});

const contradict = (a: string, b: string) => contradictionOf(statedBy(a), statedBy(b)) !== null;

describe("texts contradict each other", () => {
  it.each<[string, string, boolean]>([
    ["The api of the shop uses redis.", "The api of the shop uses postgres.", true],
    ["Ann looks after the boiler.", "Bob looks after the boiler.", true],
    ["Grandma is allergic to walnuts.", "Grandma is allergic to peanuts.", true],
    ["In winter the shed is kept at 18 degrees.", "In winter the shed is kept at -18 degrees.", true],
    ["The limit of the line is 500 MB.", "The limit of the line is 500 Mb.", true],
    ["Alarm when pressure < 80.", "Alarm when pressure >= 80.", true],
    ["Result of the test: ✅", "Result of the test: ❌", true],
    ["The gate is written in C.", "The gate is written in C++.", true],
    ["Ann lent Bob two crowns.", "Bob lent Ann two crowns.", true],
    ["The backup comes before the freeze.", "The freeze comes before the backup.", true],
    ["The box is left of the door.", "The box is right of the door.", true],
    ["The boiler is insured against floods.", "The boiler isn't insured against floods.", true],
    ["Deploys go out on Monday.", "Correction: deploys go out on Friday.", true],
    ["Deploys go out on Monday.", "This has changed. Deploys go out on Friday. Tell the others.", true],
    ["It rains. The gate is painted red. Yes.", "Who knows. The gate is painted blue. No.", true],
    ["周五部署到生产环境。", "周二部署到生产环境。", true],
    ["The gate is painted red.", "The gate was painted red.", false],
    ["The gate is painted red.", "A gate is painted red now.", false],
    ["Ann and Bob keep the gate.", "Bob and Ann keep the gate.", false],
    ["Ann Lee reports to Bob.", "Ann Lee works in room 12.", false],
    ["The gate is painted red.", "The gate is painted red, and the fence is too.", false],
    ["Is the gate painted red?", "Is the gate painted blue?", false],
    ["Ticket 12 was closed by Bob.", "Ticket 13 was closed by Bob.", false],
    ["We keep three backups.", "We keep 3 backups.", false],
  ])("%j and %j: %j", (a, b, expected) => {
    expect(contradict(a, b)).toBe(expected);
    expect(contradict(b, a)).toBe(expected);
  });

  it("in both directions or in none, and never texts that say the same", () => {
    fc.assert(
      fc.property(hostileText(30), hostileText(30), (a, b) => {
        expect(contradict(a, a)).toBe(false);
        expect(contradict(a, b)).toBe(contradict(b, a));
      }),
    );
  });
});

describe("texts that cannot both be true", () => {
  const excludes = (a: string, b: string) => {
    const found = cannotBothBeTrue(statedBy(a), statedBy(b));
    expect(cannotBothBeTrue(statedBy(b), statedBy(a))).toBe(found);
    return found;
  };

  it.each<[string, string, boolean]>([
    ["Anna likes tea.", "Bob likes tea.", false],
    ["Anna likes tea.", "Anna likes coffee.", true],
    ["Lena owes Tomas 40 euros.", "Tomas owes Lena 15 euros.", false],
    ["Lena owes Tomas 40 euros.", "Lena owes Tomas 15 euros.", true],
    ["Ann lent Bob two crowns.", "Bob lent Ann two crowns.", false],
    ["Ana's manager is Bo.", "Bo's manager is Ana.", false],
    ["Ana's manager is Bo.", "Cy's manager is Bo.", false],
    ["Ana's manager is Bo.", "Ana's manager is Cy.", true],
    ["The manager of Ana is Bo.", "The manager of Cy is Bo.", false],
    ["The api service calls the auth service.", "The auth service calls the api service.", false],
    ["Flight 210 goes from Oslo to Rome.", "Flight 233 goes from Rome to Oslo.", false],
    ["The train to Linz leaves at 9:00.", "The train from Linz leaves at 10:00.", false],
    ["The train to Linz leaves at 9:00.", "The train to Linz leaves at 10:00.", true],
    ["The train from the harbour arrives at noon.", "The train to the harbour arrives at noon.", false],
    ["The parcel for Ann is sent from Rome to Oslo.", "The parcel for Ann is sent from Rome to Bern.", true],
    [
      "Convert miles to kilometres by multiplying by 1.609.",
      "Convert kilometres to miles by multiplying by 0.621.",
      false,
    ],
    ["In winter the shed is kept at 18 degrees.", "In summer the shed is kept at 12 degrees.", false],
    ["In winter the shed is kept at 18 degrees.", "The shed is kept at 12 degrees in winter.", true],
    ["The shop in Rome opens at 9.", "The shop in Oslo opens at 9.", false],
    ["The shop in Rome opens at 9.", "The shop in Rome opens at 10.", true],
    ["Lunch was pasta. Anna likes tea.", "Lunch was pasta. Bob likes tea.", false],
    ["Deploys go out on Monday.", "No deploys go out on Monday.", true],
  ])("%j and %j: %j", (a, b, expected) => {
    expect(excludes(a, b)).toBe(expected);
  });

  const NAMES = ["Anna", "Bob", "Chen", "Dora", "Emil", "Farah", "Grace", "Hugo"];
  const name = fc.constantFrom(...NAMES);
  const twoNames = fc.uniqueArray(name, { minLength: 2, maxLength: 2 });
  const value = (values: readonly string[]) =>
    fc.uniqueArray(fc.constantFrom(...values), { minLength: 2, maxLength: 2 });
  const foods = value(["tea", "coffee", "walnuts", "cake", "rice"]);
  const amounts = value(["15", "40", "120", "7.5"]);
  const said = fc.oneof(
    ...["likes", "is allergic to", "brought", "prefers", "has stopped eating"].map((verb) =>
      foods.map((values) => ({ values, say: (who: string, what: string) => `${who} ${verb} ${what}.` })),
    ),
    ...["weighs", "runs", "paid"].map((verb) =>
      amounts.map((values) => ({
        values,
        say: (who: string, what: string) => `${who} ${verb} ${what} kilos a week.`,
      })),
    ),
  );
  const done = fc.constantFrom("owes", "lent", "pays", "sold", "promised");

  it("only with one subject, one relation and another value", () => {
    fc.assert(
      fc.property(twoNames, said, ([one, other], { values: [a, b], say }) => {
        expect(excludes(say(one as string, a as string), say(one as string, b as string))).toBe(true);
        expect(excludes(say(one as string, a as string), say(other as string, a as string))).toBe(false);
        expect(excludes(say(one as string, a as string), say(other as string, b as string))).toBe(false);
      }),
    );
  });

  it("not with swapped roles, whatever the values", () => {
    fc.assert(
      fc.property(twoNames, done, amounts, ([one, other], verb, [a, b]) => {
        const say = (from: unknown, to: unknown, amount: unknown) => `${from} ${verb} ${to} ${amount} euros.`;
        expect(excludes(say(one, other, a), say(one, other, b))).toBe(true);
        expect(excludes(say(one, other, a), say(other, one, a))).toBe(false);
        expect(excludes(say(one, other, a), say(other, one, b))).toBe(false);
        expect(excludes(say(one, other, a), say(`${other}-Ann`, one, b))).toBe(false);
      }),
    );
  });
});

it("reads the beginnings of texts, and lets others have their turn before each", async () => {
  const memory = (content: string) =>
    ({
      memoryId: content.slice(-8),
      content,
      semanticKey: null,
      authorId: "",
      agentId: null,
    }) as MemoryRecord;
  const [early, late] = [
    (port: number) => `The service listens on port ${port}. ${"It serves. ".repeat(400)}`,
    (port: number) => `${"It serves. ".repeat(400)} The service listens on port ${port}.`,
  ];
  const pace = { pause: vi.fn(() => undefined) };
  expect(await conflictsWith(memory(early(1)), [memory(early(2)), memory(early(1))], pace)).toHaveLength(1);
  expect(await conflictsWith(memory(late(1)), [memory(late(2)), memory(late(1))], pace)).toEqual([]);
  expect(pace.pause).toHaveBeenCalledTimes(4);
});
