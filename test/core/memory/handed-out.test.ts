/** What was shown is known when it comes back, whatever it is; what was not is not; and it is let go of. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { cacheSizes } from "../../../src/core/cache.ts";
import { RecentAnswers, type Shown } from "../../../src/core/memory/recent-answers.ts";
import { createRandom, type Random } from "../../support/random.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

function opened() {
  const clock = { now: 1_000_000 };
  return { clock, handedOut: new RecentAnswers({ hash, clock: () => clock.now, key: "a test's" }) };
}

const of = (id: string, text: string): Shown => ({ source: { id, version: 1 }, text });
const idsOf = (handedOut: RecentAnswers, text: string, token = "t") =>
  handedOut.sourcesOf(token, text)?.map(({ id }) => id) ?? null;

const WORDS =
  "anchor bolt copper drum engine ferry gravel harbour -18 18 C++ C US us < > ✅ ❌ 12:30 3.5".split(" ");
const sentence = (random: Random) =>
  `${Array.from({ length: 5 + random.below(5) }, () => random.pick(WORDS)).join(" ")} ${random.pick(["ends.", "ends!", "ends…"])}`;

test("any memory comes back as its own, whole, quoted or by a line, and one with a word more, less or other does not", () => {
  const random = createRandom(4);
  for (let round = 0; round < 300; round += 1) {
    const { handedOut } = opened();
    const lines = Array.from(
      { length: 1 + random.below(3) },
      () => `Say ${sentence(random)} Then ${sentence(random)}`,
    );
    const text = lines.join("\n");
    handedOut.note("t", [of("m", text), of("other", `Else ${sentence(random)}`)]);
    expect(idsOf(handedOut, text)).toEqual(["m"]);
    expect(idsOf(handedOut, lines.map((line) => `> ${line}`).join("\n"))).toEqual(["m"]);
    expect(idsOf(handedOut, random.pick(lines))).toEqual(["m"]);
    const words = text.split(" ");
    const at = random.below(words.length);
    const other = random.pick(WORDS.filter((word) => word !== words[at]));
    const changes = [words.toSpliced(at, 1, `un${other}`), words.toSpliced(at, 0, other)];
    for (const changed of changes) expect(idsOf(handedOut, changed.join(" "))).toBeNull();
  }
});

test("a text of several memories names each of them once, and the service's lines none", () => {
  const { handedOut } = opened();
  handedOut.note("t", [
    { source: null, text: "### A heading of ours\n#### 1. semantic" },
    of("a", "The ferry leaves at noon."),
    of("b", "The harbour is closed."),
  ]);
  const text =
    "### A heading of ours\n#### 1. semantic\n> The ferry leaves at noon.\n> The harbour is closed.\n> The ferry leaves at noon.";
  expect(idsOf(handedOut, text)).toEqual(["a", "b"]);
  expect(idsOf(handedOut, "### A heading of ours\n#### 1. semantic")).toEqual([]);
  expect(idsOf(handedOut, `${text}\nAnd more.`)).toBeNull();
});

test("a number or sign is not lost to what looks like a mark of quotation", () => {
  const { handedOut } = opened();
  handedOut.note("t", [of("a", "5 items are enough for one order"), of("b", "-18 degrees in the freezer")]);
  for (const text of [
    "> 5 items are enough for one order",
    "- 5 items are enough for one order",
    "18 degrees in the freezer",
    "- 18 degrees in the freezer",
  ])
    expect(idsOf(handedOut, text)).toBeNull();
});

test("what is short could come from anywhere", () => {
  const { handedOut } = opened();
  handedOut.note("t", [of("a", "Done. The ferry leaves at noon.")]);
  expect(idsOf(handedOut, "Done.")).toBeNull();
});

test("it is of one credential, for somewhat more than half an hour, and until its memory is erased", () => {
  const { handedOut, clock } = opened();
  const text = "The ferry leaves at noon.";
  handedOut.note("t", [of("a", text)]);
  handedOut.note("u", [of("a", text), of("b", "The harbour is closed.")]);
  expect(idsOf(handedOut, text, "v")).toBeNull();
  handedOut.forget(["a"]);
  expect([idsOf(handedOut, text), idsOf(handedOut, text, "u")]).toEqual([null, null]);
  expect(idsOf(handedOut, "The harbour is closed.", "u")).toEqual(["b"]);
  clock.now += 35 * 60_000;
  expect(idsOf(handedOut, "The harbour is closed.", "u")).toBeNull();
});

test("what is shown again is known again, whatever was let go of in between", () => {
  const sentences = ["The ferry leaves at noon.", "The harbour is closed.", "The engine is warm by now."];
  const again = [of("a", sentences.join(" "))];
  // Written like this, a line is one piece. More than 8192 are cut to the last 7168: none of the text's five, some, or all.
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => of("b", `line ${from + at} is another one`));
  for (let gone = -1; gone <= 6; gone += 1) {
    const { handedOut, clock } = opened();
    handedOut.note("t", lines(0, 1100));
    handedOut.note("t", again);
    handedOut.note("t", lines(2000, 4000));
    handedOut.note("t", lines(6000, 3163 + gone));
    clock.now += 4 * 60_000;
    handedOut.note("t", again);
    for (const sentence of sentences) expect(idsOf(handedOut, sentence)).toEqual(["a"]);
    clock.now += 2 * 60_000;
    handedOut.note("t", again);
    clock.now += 29 * 60_000;
    for (const sentence of sentences) expect(idsOf(handedOut, sentence)).toEqual(["a"]);
  }
});

test("however much is shown to however many, what is remembered stays within its bytes", () => {
  const { handedOut } = opened();
  const random = createRandom(5);
  for (let token = 0; token < 36; token += 1) {
    for (let answer = 0; answer < 1 + (token % 2); answer += 1) {
      const lines = Array.from(
        { length: 4500 },
        (_, line) => `${token} ${answer} ${line} ${random.below(1000)}`,
      );
      handedOut.note(`t${token}`, [of("m", lines.join("\n"))]);
    }
  }
  const size = cacheSizes().find(({ name }) => name === "handed-out text");
  expect(size?.bytes).toBeLessThanOrEqual(size?.bytesMax as number);
  expect(size?.entries).toBeGreaterThan(1);
});

test("what was shown is known, and let go of, before anybody has come to read it", () => {
  const put: (() => void)[] = [];
  const handedOut = new RecentAnswers({ hash, clock: () => 1, key: "k", later: (work) => put.push(work) });
  handedOut.note("t", [of("a", "The ferry leaves at noon.")]);
  handedOut.note("t", [of("b", "The harbour is closed on Sunday.")]);
  expect(put).toHaveLength(1);
  expect(idsOf(handedOut, "The ferry leaves at noon.")).toEqual(["a"]);
  handedOut.note("t", [of("c", "The engine is warm by now.")]);
  handedOut.forget(["c"]);
  for (const work of put) work();
  expect(idsOf(handedOut, "The engine is warm by now.")).toBeNull();
  expect(idsOf(handedOut, "The harbour is closed on Sunday.")).toEqual(["b"]);
});
