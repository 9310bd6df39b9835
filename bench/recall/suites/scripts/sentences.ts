import { createRandom, type Random } from "../../../../test/support/random.ts";
import type { DataSet, Query, Space } from "../../data-set.ts";
import { shuffled } from "../shuffled.ts";
import { ASIAN } from "./asian.ts";
import { EUROPEAN, FULL_WIDTH } from "./european.ts";
import type { Script } from "./script.ts";
import { SEMITIC_AND_INDIC } from "./semitic-and-indic.ts";

/** The words of each script make hardly more that differ. */
export const SENTENCES = 200;
const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);

/**
 * Two hundred sentences in each of eighteen scripts, each with two queries: some of its words as they stand (`literal`),
 * and a question with its words in other forms (`inflected`). Each names a thing and a place, and no two sentences of a
 * script have the same of both; a dozen share one of them. The same seed makes the same set. `count` asks for fewer.
 */
export function scriptSentences(seed: number, count = SENTENCES): DataSet {
  const spaces = [...ASIAN, ...SEMITIC_AND_INDIC, ...EUROPEAN].map((script) => spaceOf(script, seed, count));
  return {
    name: "scripts",
    license: "Apache-2.0",
    spaces: [...spaces, fullWidthSpace(spaceOf(FULL_WIDTH, seed, count))],
  };
}

/** What stands for a word of a frame: itself, or what its slot was filled with. */
interface Unit {
  readonly text: string;
  readonly slot: string | null;
}

interface Sentence {
  readonly units: readonly Unit[];
  readonly question: readonly Unit[];
}

function spaceOf(script: Script, seed: number, count: number): Space {
  const random = createRandom(seed);
  const sentences = sentencesOf(script, random, count);
  const join = (units: readonly Unit[]) => {
    const spaced = units.map(({ text }) => text).join(" ");
    return script.hasSpaces ? spaced : spaced.replaceAll(" ", "");
  };
  return {
    space: script.name,
    memories: sentences.map(({ units }, at) => ({
      ref: `${script.name}-${at}`,
      content: join(units),
      created_at: new Date(FIRST_DAY + at * DAY).toISOString(),
      session: `${script.name}-${at}`,
      speaker: "user",
    })),
    queries: sentences.flatMap(({ units, question }, at): Query[] => {
      const relevant = [`${script.name}-${at}`];
      const literal = join(literalQuery(units));
      return [
        { id: `${script.name}-${at}-literal`, kind: "literal", query: literal, relevant },
        { id: `${script.name}-${at}-inflected`, kind: "inflected", query: join(question), relevant },
      ];
    }),
  };
}

function sentencesOf(script: Script, random: Random, count: number): Sentence[] {
  const [who, what, where] = [script.who, script.what, script.where].map((list) =>
    list.split(";").map(forms),
  );
  const pairs = (what as Forms[]).flatMap((thing) => (where as Forms[]).map((place) => ({ thing, place })));
  return shuffled(pairs, random)
    .slice(0, Math.min(SENTENCES, count))
    .map(({ thing, place }) => {
      const [sentence, question] = random.pick(script.frames).split(" => ") as [string, string];
      const words = { "{who}": random.pick(who as Forms[]), "{what}": thing, "{where}": place };
      return { units: filled(sentence, words, "stored"), question: filled(question, words, "asked") };
    });
}

interface Forms {
  readonly stored: string;
  readonly asked: string;
}

function forms(word: string): Forms {
  const [stored, asked] = word.trim().split("/") as [string, string | undefined];
  return { stored, asked: asked ?? stored };
}

function filled(frame: string, words: Readonly<Record<string, Forms>>, form: keyof Forms): Unit[] {
  return frame.split(" ").map((word) => {
    const slot = words[word];
    return { text: slot?.[form] ?? word, slot: slot === undefined ? null : word };
  });
}

/** From the thing to the place, or the other way round, with what stands between: what tells a sentence apart. */
function literalQuery(units: readonly Unit[]): Unit[] {
  const [from, to] = [units.findIndex(isDistinctive), units.findLastIndex(isDistinctive)];
  return units.slice(from, to + 1);
}

function isDistinctive({ slot }: Unit): boolean {
  return slot === "{what}" || slot === "{where}";
}

/** Memories and literal queries as East Asian keyboards write Latin: each character as wide as an ideograph. */
function fullWidthSpace(space: Space): Space {
  return {
    ...space,
    memories: space.memories.map((memory) => ({ ...memory, content: widened(memory.content) })),
    queries: space.queries.map((query) =>
      query.kind === "literal" ? { ...query, query: widened(query.query) } : query,
    ),
  };
}

function widened(text: string): string {
  return text
    .replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0))
    .replaceAll(" ", "\u3000");
}
