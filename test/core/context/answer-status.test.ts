import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contradictingPairs } from "../../../bench/recall/suites/contradictions/pairs.ts";
import { type AnswerItem, answerStatusOf } from "../../../src/recall/statements/answer-status.ts";
import { contradictionsAmong } from "../../../src/recall/statements/conflicts.ts";
import { questionOf } from "../../../src/recall/statements/question.ts";
import { inTurns, UNPACED } from "../../../src/recall/work.ts";
import { runs } from "../../support/random.ts";
import { anyCandidates } from "./candidates.ts";
import { hostileText } from "./texts.ts";

function answer(given: Partial<AnswerItem> = {}): AnswerItem {
  return {
    id: "a",
    content: "The port of the billing service is 8080.",
    relevance: 0.8,
    confidence: 1,
    authority: "observation",
    semanticKey: null,
    status: "active",
    supersededBy: null,
    ...given,
  };
}
const says = (content: string, given: Partial<AnswerItem> = {}) => answer({ content, ...given });

/** The status where a pack shows all of these. */
async function statusOf<M extends AnswerItem>(memories: readonly M[], query: string, coverage = 1) {
  const question = questionOf(query);
  const contradictions = await inTurns(contradictionsAmong(memories, question), UNPACED);
  const shown = memories.map((memory) => ({ memory, text: memory.content }));
  return answerStatusOf({ question, memories, shown, contradictions, coverage });
}

describe("what has all the words of a question is confirmed only where it answers", () => {
  it.each<[string, string, string]>([
    [
      "a place for a time",
      "When does the wedding of Ines take place?",
      "The wedding of Ines takes place in Porto.",
    ],
    ["nothing but its words", "When does the gym open?", "The gym opens."],
    ["no number", "How many licences do we have?", "We have licences for the office."],
    ["who asks too", "Who is the dentist of Mara?", "The board discussed who the dentist of Mara is."],
    ["who does not know", "Who is the vet of Pepper?", "Nobody knows who the vet of Pepper is."],
    ["who wants to know", "When does the ferry leave?", "We need to find out when the ferry leaves."],
    ["something to do", "What is the rate limit?", "TODO: write down what the rate limit is."],
    ["a reminder", "What is the rate limit?", "Remember to raise the rate limit."],
    ["what may be", "Is the shop open on Sundays?", "The shop may be open on Sundays."],
    ["hardly anybody", "Who signs all contracts?", "Hardly anybody signs all contracts."],
    ["something undecided", "What is the rate limit?", "The rate limit is to be defined."],
    ["nothing yet", "What is the rate limit?", "The rate limit is TBD."],
    ["something past", "What is the tunnel key?", "The tunnel key was K-2291 until last week."],
    ["something vague", "Where is the rate limit documented?", "The rate limit is documented somewhere."],
    ["a condition", "When does the gym open?", "If we had money, the gym would open at 6:30."],
    ["a supposition", "What is the rate limit?", "Suppose the rate limit is 600 requests."],
    ["hearsay", "Who is the dentist of Mara?", "Rumour has it that the dentist of Mara is Dr. Lund."],
    ["a guess", "On which port does staging run?", "I guess staging runs on port 8443."],
    ["what it is not", "What is the tunnel key?", "The tunnel key is not K-2291."],
    ["what it is no longer", "What is the tunnel key?", "The tunnel key is no longer K-2291."],
    ["what it used to be", "What is the tunnel key?", "The tunnel key used to be K-2291."],
    ["what is taken back", "What is the tunnel key?", "The tunnel key is K-2291. That was wrong."],
    ["somebody's sister", "What is Tomas allergic to?", "The sister of Tomas is allergic to penicillin."],
    ["somebody's brother", "Where does Rhea park?", "Rhea's brother parks on level P3."],
    ["the brother of a full name", "Where does Rhea Berg park?", "Rhea Berg's brother parks on level P3."],
    [
      "the dentist of somebody's aunt",
      "Who is the dentist of Mara?",
      "The dentist of the aunt of Mara is Dr. Lund.",
    ],
    [
      "the landlord of a neighbour",
      "Who is the landlord of Olga?",
      "The landlord of Olga's neighbour is Mr. Feld.",
    ],
    ["whoever it is", "Who has access to the vault?", "Whoever has access to the vault must sign here."],
    ["another of its kind", "On which port does staging run?", "Staging-2 runs on port 8443."],
    ["who is not one any more", "Who is the husband of Mara?", "The ex-husband of Mara is Tom."],
    ["no car", "What colour is Rhea's car?", "Rhea's car does not have a colour."],
  ])("not %s", async (_, query, content) => {
    expect(await statusOf([says(content)], query)).not.toBe("confirmed_answer");
  });

  it.each<[string, string, string]>([
    ["a day", "When does the gym open?", "The gym opens on Mondays."],
    ["the time of something else", "When does the gym open?", "The gym opens once Ann has arrived."],
    ["what a clause singles out", "When does the gym open?", "7 o'clock is when the gym opens."],
    ["a number in words", "How many licences do we have?", "We have twelve licences."],
    ["none", "How many licences do we have?", "We have no licences."],
    ["a purpose", "What is the key used for?", "The key is used to open the tunnel."],
    ["what is denied besides", "What is the tunnel key?", "The tunnel key is K-2291, not K-2290."],
    [
      "a condition that is asked for",
      "What is the code if the alarm rings?",
      "If the alarm rings, the code is 55.",
    ],
    ["what is denied where that is asked", "What does Tomas not eat?", "Tomas does not eat nuts."],
    [
      "what is said after a question",
      "Who is the vet?",
      "We asked who the vet is. The vet is Doctor Lindqvist.",
    ],
    ["of somebody in the other form", "Who is the dentist of Mara?", "Mara's dentist is Dr. Lund."],
    ["a denial of what may be so", "Is the gym open?", "The gym is not open."],
    ["of a word whose stem ends otherwise", "Which colour has the dye?", "The dye has the colour blue."],
    ["of somebody in a third form", "Who is Mara's dentist?", "The new dentist of Mara is Dr. Lund."],
    [
      "of an owner of two words",
      "What is the budget of the Osprey mill?",
      "The budget of the Osprey mill is 500 euros.",
    ],
    ["a Portuguese question", "Qual é o código do cofre?", "O código do cofre é 8812."],
    ["a Spanish question", "¿Cuál es la clave de Ana?", "La clave de Ana es 4411."],
    ["an Arabic question", "ما هو رقم هاتف الطبيب؟", "رقم هاتف الطبيب هو 312."],
    ["a Russian question", "Какой пароль от сейфа Анны?", "Пароль от сейфа Анны 9-17-33."],
  ])("but %s", async (_, query, content) => {
    expect(await statusOf([says(content)], query)).toBe("confirmed_answer");
  });
});

describe("of two that exclude each other the question may name one side", () => {
  it.each<[string, string, string]>([
    ["Is Marta able to drive?", "Marta is able to drive.", "Marta is unable to drive."],
    ["Is Uno vegetarian?", "Uno is vegetarian.", "Uno is non-vegetarian."],
    [
      "May contractors use the account, is it permitted?",
      "Use of the account by contractors is permitted.",
      "Use of the account by contractors is prohibited.",
    ],
    [
      "Do migrations run before or after the rollout?",
      "Migrations run before the rollout.",
      "Migrations run after the rollout.",
    ],
    [
      "Hat Frau Krüger einen Schlüssel?",
      "Frau Krüger hat einen Schlüssel.",
      "Frau Krüger hat keinen Schlüssel.",
    ],
    ["Открыт ли склад Береза?", "Склад Береза открыт.", "Склад Береза закрыт."],
    ["Любит ли Иван грибы?", "Иван любит грибы.", "Иван не любит грибы."],
    [
      "Le pont Dubois est-il ouvert aux camions ?",
      "Le pont Dubois est ouvert aux camions.",
      "Le pont Dubois n'est pas ouvert aux camions.",
    ],
  ])("%j", async (query, one, other) => {
    const memories = [says(one), says(other, { id: "b" })];
    expect(await statusOf(memories, query)).toBe("conflicting_answers");
  });

  it("however little relevant the other one is", async () => {
    const memories = [
      says("Marta is able to drive."),
      says("Marta is unable to drive.", { id: "b", relevance: 0.2 }),
    ];
    expect(await statusOf(memories, "Is Marta able to drive?")).toBe("conflicting_answers");
  });

  it("but not where it names another thing", async () => {
    const memories = [
      says("The red boiler is running."),
      says("The blue boiler is not running.", { id: "b" }),
    ];
    expect(await statusOf(memories, "Is the red boiler running?")).toBe("confirmed_answer");
  });
});

describe("answerStatusOf", () => {
  const asked = "What is the port of the billing service?";

  it.each<[string, AnswerItem[], string]>([
    ["nothing", [], "no_memories"],
    ["a memory that has it all", [answer()], "confirmed_answer"],
    ["one that lacks a word", [says("The port of the shipping service is 8080.")], "partial_answer"],
    [
      "one that has the words in other forms",
      [says("Billing services: ports are 8080.")],
      "confirmed_answer",
    ],
    [
      "one that tells it in two sentences",
      [says("The billing service is new. Its port is 8080.")],
      "confirmed_answer",
    ],
    [
      "two sentences about two things",
      [says("The billing service is new. The port of Rome is old.")],
      "partial_answer",
    ],
    ["one that asks it too", [says("Who knows the port of the billing service?")], "partial_answer"],
    ["one that is not sure", [says("The port of the billing service is perhaps 8080.")], "partial_answer"],
    ["one that is hardly relevant", [answer({ relevance: 0.05 })], "no_confirmed_answer"],
    ["one that was verified", [answer({ relevance: 0.07, authority: "verified" })], "confirmed_answer"],
    ["an inference", [answer({ authority: "inference" })], "partial_answer"],
    ["little confidence", [answer({ confidence: 0.2 })], "partial_answer"],
    ["a superseded answer", [answer({ status: "superseded" })], "no_confirmed_answer"],
    [
      "two that say the same",
      [answer(), says("the port of the billing service is 8080!")],
      "confirmed_answer",
    ],
    [
      "one that says more",
      [answer(), says("The port of the billing service is 8080 by day.")],
      "confirmed_answer",
    ],
    [
      "two that say otherwise",
      [answer(), says("The port of the billing service is 9090.")],
      "conflicting_answers",
    ],
    [
      "one that denies it in front",
      [answer(), says("It is false that the port of the billing service is 8080.")],
      "conflicting_answers",
    ],
    [
      "two that say otherwise in other words",
      [answer(), says("Billing: its service moved to another port, 9090.")],
      "conflicting_answers",
    ],
    [
      "two of which one was replaced",
      [answer({ supersededBy: "b" }), says("The port of the billing service is 9090.")],
      "confirmed_answer",
    ],
    [
      "two about different things",
      [answer(), says("The port of the shipping service is 9090.")],
      "confirmed_answer",
    ],
    [
      "one key, two contents",
      [answer({ semanticKey: "port" }), answer({ semanticKey: "port", content: "It is 9090." })],
      "conflicting_answers",
    ],
    [
      "one key, one content",
      [answer({ semanticKey: "port" }), answer({ semanticKey: "port" })],
      "confirmed_answer",
    ],
  ])("of %s", async (_, memories, expected) => {
    expect(await statusOf(memories, asked)).toBe(expected);
  });

  it.each<[string, string]>([
    ["Which ticket was INC-55314?", "The ticket INC-55310 was about the pump."],
    ["Which ticket was INC-5531?", "The ticket INC-55310 was about the pump."],
    ["What is new in version 1.2?", "New in version 1.2.3 is the pump."],
    ["What is new in version 2.3?", "New in version 1.2.3 is the pump."],
    ["Who calls getUser?", "The pump calls getuser."],
    ["What costs $450?", "The pump costs €450."],
    ["What is kept at 18 degrees?", "The pump is kept at -18 degrees."],
    ["What is written in C++?", "The pump is written in C."],
    ["What is written in C?", "The pump is written in C++."],
    ["Where does Ann Lee live?", "Ann Leo lives in Rome."],
    ["What does /etc/pump hold?", "The file /etc/pumps holds what the pump holds."],
    ['What is "db one" for?', "The host db two one is for the pump."],
    ["Where does 王芳 live?", "李娜 lives in Rome."],
    ["What does toolbox-hinge do?", "The hinge-toolbox does what a hinge and a toolbox do."],
    [`Ann lives in Rome. ${"So it is. ".repeat(300)} Where is INC-1?`, "Ann lives in Rome. So it is."],
    ["会议 INC-55314 什么时候开始?", "会议 INC-55310 在3点开始。"],
  ])("%j is not confirmed by %j", async (query, content) => {
    expect(await statusOf([says(content)], query)).not.toBe("confirmed_answer");
  });

  it.each<[string, string]>([
    ["Which ticket was INC-55314?", "The ticket (INC-55314) was about the pump."],
    ["What is new in version 1.2?", "New in version 1.2, and only there, is the pump."],
    ["What costs 450?", "The pump costs $450."],
    ["What is written in C++?", "The pump is written in C++."],
    ["When does Ann Lee's train leave?", "The train of Ann Lee leaves at 5."],
    ["On which day do deploys go out?", "Deploys go out on Friday."],
    ["How long are backups kept?", "Backups are kept for 30 days."],
    ["Is the house insured?", "The house is not insured."],
    ["Wo liegt der Schlüssel vom roten Kessel?", "Der Schlüssel vom roten Kessel liegt im Keller."],
    ["会议什么时候开始？", "会议在3点开始。"],
    ["Where does 王芳 live?", "王芳 lives in Rome."],
    ["Ann - where does she live?", "Ann lives in Rome."],
  ])("%j is confirmed by %j", async (query, content) => {
    expect(await statusOf([says(content)], query)).toBe("confirmed_answer");
  });

  it("takes what a question with yes or no names for no other subject", async () => {
    const [friday, monday] = [says("Deploys go out on Friday."), says("Deploys go out on Monday.")];
    expect(await statusOf([friday, monday], "Do deploys go out on Friday?")).not.toBe("confirmed_answer");
  });

  it("is judged by what the pack shows", async () => {
    const memory = answer();
    const question = questionOf(asked);
    const contradictions = await inTurns(contradictionsAmong([memory], question), UNPACED);
    const of = (text: string) =>
      answerStatusOf({
        question,
        memories: [memory],
        shown: [{ memory, text }],
        contradictions,
        coverage: 1,
      });
    expect(of(memory.content)).toBe("confirmed_answer");
    expect(of("The port of…")).toBe("partial_answer");
  });

  it("confirms neither of two that differ in one step, however relevant", async () => {
    for (const { sides, question, kind } of contradictingPairs(runs(10_000), 37)) {
      const memories = sides.map((content, at) => answer({ id: `${at}`, content, relevance: 0.95 }));
      const status = await statusOf(memories, question);
      expect([kind, question, ...sides, status]).not.toContain("confirmed_answer");
    }
  }, 600_000);

  it("finds nearly all of these contradictions", async () => {
    const pairs = contradictingPairs(runs(3000), 41);
    let found = 0;
    for (const { sides, question } of pairs) {
      const memories = sides.map((content, at) => answer({ id: `${at}`, content, relevance: 0.95 }));
      if ((await statusOf(memories, question)) === "conflicting_answers") found++;
    }
    expect(found / pairs.length).toBeGreaterThan(0.95);
  }, 600_000);

  it("does not depend on the order of memories, whatever they and the question are", async () => {
    const coverages = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(anyCandidates(6), hostileText(8), coverages, async (given, query, coverage) => {
        const memories = given.filter((item) => !Number.isNaN(item.relevance));
        expect(await statusOf([...memories].reverse(), query, coverage)).toBe(
          await statusOf(memories, query, coverage),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it("lets others have their turn before each memory", async () => {
    let turns = 0;
    const pace = { pause: () => void turns++ };
    await inTurns(
      contradictionsAmong(
        Array.from({ length: 40 }, (_, at) => answer({ id: `${at}` })),
        questionOf(asked),
      ),
      pace as never,
    );
    expect(turns).toBeGreaterThanOrEqual(40);
  });
});
