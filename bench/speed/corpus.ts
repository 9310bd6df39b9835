import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createRandom, type Random } from "../../test/support/random.ts";
import type { DataSet } from "../recall/data-set.ts";
import { makeSuite } from "../recall/made-sets.ts";

/** Body of a request that stores a memory, with the members that the floor needs. */
interface CorpusMemory {
  readonly content: string;
  readonly path: string;
  readonly source: string;
  readonly provenance: { readonly session_id: string };
}

interface Source {
  /** File of `../shared/recall-bench`, if there is one of this kind. */
  readonly file?: string;
  /** Made suites to use without the file. */
  readonly made: () => readonly DataSet[];
}

const SEED = 1;
const suite = (name: Parameters<typeof makeSuite>[0], languages?: readonly string[]) =>
  makeSuite(name, { seed: SEED, languages });

const SOURCES = {
  chat: { file: "locomo", made: () => [inTurns(suite("assistant"))] },
  notes: { file: "realmem", made: () => [suite("meetings")] },
  messages: { file: "beam", made: () => [suite("assistant")] },
  code: { made: () => [suite("logs"), suite("coding")] },
  chinese: { file: "memdaily", made: () => [chineseOf(suite("scripts"))] },
} as const satisfies Readonly<Record<string, Source>>;

export const CORPORA = ["mixture", ...(Object.keys(SOURCES) as (keyof typeof SOURCES)[])] as const;
export type CorpusName = (typeof CORPORA)[number];

const FOLDER = fileURLToPath(new URL("../../../shared/recall-bench/", import.meta.url));

/** A word with the space after it. Where there are no spaces, two characters are about a word. */
const SPACED_WORD =
  /(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,2}|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+)\s*/gu;

interface Texts {
  readonly origin: string;
  readonly memories: readonly CorpusMemory[];
  readonly queries: readonly string[];
}

/**
 * Memories and queries as people and agents write them. Beyond the texts that there are, each memory joins the beginning
 * of one text with the end of another and has other numbers. A mixture has all kinds in turns. The same number always
 * gives the same memory.
 */
export class Corpus {
  readonly name: CorpusName;
  /** How many words each query has; null: as many as people and agents write. */
  readonly queryWords: number | null;
  readonly #texts: readonly Texts[];

  constructor(name: CorpusName = "mixture", queryWords: number | null = null) {
    this.name = name;
    this.queryWords = queryWords;
    const kinds = name === "mixture" ? (Object.keys(SOURCES) as (keyof typeof SOURCES)[]) : [name];
    this.#texts = kinds.map((kind) => readTexts(kind, SOURCES[kind]));
  }

  /** Where the texts come from, and how long the queries are. */
  get origin(): string {
    const texts = `texts of ${this.name}: ${this.#texts.map(({ origin }) => origin).join(", ")}`;
    return this.queryWords === null ? texts : `${texts}; queries of ${this.queryWords} words`;
  }

  /** Whether words are separated by spaces. */
  get hasSpaces(): boolean {
    return this.name !== "chinese";
  }

  memory(number: number): CorpusMemory {
    const { memories } = this.#textsAt(number);
    const place = Math.floor(number / this.#texts.length);
    const memory = memories[place % memories.length] as CorpusMemory;
    const lap = Math.floor(place / memories.length);
    if (lap === 0) return memory;
    const random = createRandom(number);
    const end = random.pick(memories).content;
    return {
      ...memory,
      content: withOtherNumbers(joinParts(memory.content, end, random), random),
      provenance: { session_id: `${memory.provenance.session_id}-${lap}` },
    };
  }

  /** With a number of words, it is as many as necessary of the queries of that kind from this one on, cut to it. */
  query(number: number): string {
    if (this.queryWords === null) return this.#query(number);
    const words: string[] = [];
    for (let next = number; words.length < this.queryWords; next += this.#texts.length)
      words.push(...(`${this.#query(next)} `.match(SPACED_WORD) ?? []));
    return words.slice(0, this.queryWords).join("").trim();
  }

  /** Beyond the queries that there are, one is joined from two of them: few are asked twice. */
  #query(number: number): string {
    const { queries } = this.#textsAt(number);
    const place = Math.floor(number / this.#texts.length);
    const query = queries[place % queries.length] as string;
    if (place < queries.length) return query;
    const random = createRandom(number);
    return withOtherNumbers(joinParts(query, random.pick(queries), random), random);
  }

  #textsAt(number: number): Texts {
    return this.#texts[number % this.#texts.length] as Texts;
  }
}

function readTexts(kind: string, { file, made }: Source): Texts {
  const path = `${FOLDER}${file}-dev.json.gz`;
  const isThere = file !== undefined && existsSync(path);
  const sets = isThere ? [JSON.parse(gunzipSync(readFileSync(path)).toString()) as DataSet] : made();
  const spaces = sets.flatMap((set) => set.spaces);
  return {
    origin: isThere ? `recall-bench/${file}` : `made ${sets.map(({ name }) => name).join(" and ")}`,
    memories: spaces.flatMap(({ space, memories }) =>
      memories.map(({ content, speaker, session }) => ({
        content,
        path: `${kind}/${space}`.replaceAll(" ", "-"),
        source: speaker,
        provenance: { session_id: `${space}-${session}` },
      })),
    ),
    queries: spaces.flatMap(({ queries }) => queries.map(({ query }) => query)),
  };
}

/** Cuts both at the same share of their length, between words if they have spaces. */
function joinParts(first: string, second: string, random: Random): string {
  const share = random.next();
  const cut = (text: string) => {
    const at = Math.floor(share * text.length);
    const space = text.indexOf(" ", at);
    return space === -1 ? at : space;
  };
  return first.slice(0, cut(first)) + second.slice(cut(second));
}

function withOtherNumbers(text: string, random: Random): string {
  return text.replace(/\d/g, () => String(random.below(10)));
}

const SENTENCES_PER_TURN = 2;

/** Messages cut into turns of two sentences. */
function inTurns(set: DataSet): DataSet {
  const turnsOf = (text: string) => {
    const sentences = text.split(/(?<=[.!?])\s+/);
    return sentences.flatMap((_, at) =>
      at % SENTENCES_PER_TURN === 0 ? [sentences.slice(at, at + SENTENCES_PER_TURN).join(" ")] : [],
    );
  };
  return {
    ...set,
    spaces: set.spaces.map((space) => ({
      ...space,
      memories: space.memories.flatMap((memory) =>
        turnsOf(memory.content).map((content) => ({ ...memory, content })),
      ),
    })),
  };
}

function chineseOf(set: DataSet): DataSet {
  return { ...set, spaces: set.spaces.filter(({ space }) => space.startsWith("chinese")) };
}
