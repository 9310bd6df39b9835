import { createRandom, type Random } from "../../../../../test/support/random.ts";
import type { DataSet } from "../../../data-set.ts";
import { shuffled } from "../../shuffled.ts";
import { Grammar } from "../grammar.ts";
import { type AskedFact, askBoth, dataSet, type Entry, spaceOfEntries, writtenIn } from "../space.ts";
import { SECOND_SET } from "./second-set.ts";
import { FILLERS, REQUESTS, SLOTS, SNIPPETS, TOPICS, type Topic } from "./topics.ts";

const CHATS = 4;
const MESSAGES_PER_SESSION = 12;

/**
 * Long chats of a user with an assistant. A fact is one sentence in one message of its subject; other messages of that
 * subject have the same words. As many facts of the same form are not asked for. The last chat has the second set.
 */
export function assistantChats(seed: number, messages = 160): DataSet {
  const random = createRandom(seed);
  const frames = TOPICS.flatMap((topic) => topic.frames.map((frame) => ({ topic, frame })));
  const halves = Array.from({ length: CHATS / 2 }, () => shuffled(frames, random)).flatMap((all) => [
    all.slice(0, all.length / 2),
    all.slice(all.length / 2),
  ]);
  const chats = halves.map((half, chat) => {
    const grammar = new Grammar(SLOTS, random);
    const facts = half.flatMap(({ topic, frame }) => {
      const [asked, distractor] = [grammar.fact(frame), otherFact(grammar, frame)];
      return [
        { topic, sentence: asked.statement, asked: [askBoth(asked)] },
        ...(distractor ? [{ topic, sentence: distractor.statement, asked: [] }] : []),
      ];
    });
    return spaceOfEntries(`chat ${chat + 1}`, chatOf(facts, messages, random));
  });
  const second = writtenIn(SECOND_SET).map(({ text, question }) => ({
    topic: random.pick(TOPICS),
    sentence: text,
    asked: [{ "second set": question }],
  }));
  return dataSet("assistant", [
    ...chats,
    spaceOfEntries("chat second set", chatOf(second, messages, random)),
  ]);
}

interface Point {
  readonly topic: Topic;
  readonly sentence: string;
  readonly asked: readonly AskedFact[];
}

/** null if the frame asks for one thing only. */
function otherFact(grammar: Grammar, frame: Topic["frames"][number]) {
  return [...frame.plain, ...frame.indirect].every((question) => question.includes("{"))
    ? grammar.fact(frame)
    : null;
}

function chatOf(points: readonly Point[], messages: number, random: Random): Entry[] {
  const empty = Array.from({ length: Math.max(0, messages - points.length) }, () => ({
    topic: random.pick(TOPICS),
    sentence: null,
    asked: [],
  }));
  return shuffled([...points, ...empty], random).map(({ topic, sentence, asked }, at) => {
    const speaker = at % 2 === 0 ? "user" : "assistant";
    const content = (speaker === "user" ? userMessage : assistantMessage)(topic, sentence, random);
    return { content, speaker, session: String(Math.floor(at / MESSAGES_PER_SESSION)), asked };
  });
}

function userMessage(topic: Topic, sentence: string | null, random: Random): string {
  const request = random.pick(REQUESTS).replace("{topic}", topic.name);
  const heard = shuffled(topic.advice, random).slice(0, random.below(5)).join(" ");
  const background = heard && `This is what I have read so far: ${heard}`;
  return shuffled([request, background, sentence ?? ""], random)
    .filter(Boolean)
    .join(" ");
}

/** 150 to 600 words: lists under headings, on the subject and up to three others. */
function assistantMessage(topic: Topic, sentence: string | null, random: Random): string {
  const others = shuffled(
    TOPICS.filter((one) => one !== topic),
    random,
  ).slice(0, 1 + random.below(3));
  const points = shuffled(topic.advice, random).slice(0, 6 + random.below(6));
  if (sentence !== null) points.splice(random.below(points.length + 1), 0, sentence);
  const half = Math.ceil(points.length / 2);
  const [first, second, third, last] = shuffled(FILLERS, random) as [string, string, string, string];
  return [
    `${first} ${second}`,
    `## ${topic.name}`,
    listOf(points.slice(0, half), random),
    ...(random.below(4) === 0 ? [random.pick(SNIPPETS)] : []),
    `### More on ${topic.name}`,
    points.slice(half).join(" "),
    ...others.flatMap(({ name, advice }) => [
      `## And a word about ${name}`,
      listOf(shuffled(advice, random).slice(0, 4 + random.below(7)), random),
    ]),
    `${third} ${last}`,
  ].join("\n\n");
}

function listOf(points: readonly string[], random: Random): string {
  const isNumbered = random.below(2) === 0;
  return points.map((point, at) => `${isNumbered ? `${at + 1}.` : "-"} ${point}`).join("\n");
}
