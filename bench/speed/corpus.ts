import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readStaticTable } from "../../src/recall/language/lexicon.ts";

/** What is sent to store a memory, and of the service's own inputs what the floor needs of it. */
export interface SyntheticMemory {
  readonly content: string;
  readonly path: string;
  readonly source: string;
  readonly provenance: { readonly session_id: string };
}

const MEMORIES_PER_SESSION = 20;
const TOPIC_WORDS = 30;
/** This part of a memory's words is of its session's topic. */
const TOPIC_SHARE = 0.3;
/** The words before this rank say nothing of a topic: "the", "of". */
const TOPIC_RANK_MIN = 200;
const SENTENCES_MAX = 4;
const PATHS = ["projects/apollo", "projects/borealis", "people/team", "notes/meetings", "notes/ideas/later"];
const SOURCES = ["Ada", "Grace", "Linus", "assistant"];

const TABLE = fileURLToPath(new URL("../../models/static-256.bin", import.meta.url));

/**
 * Generated text: about 30 words a memory out of some 20,000, as often as Zipf's law says, in sessions with a topic of
 * their own. The words are those of the built-in embedder's table (Apache-2.0), which lists them by frequency. The
 * same number always gives the same memory, so that no two runs differ and any memory can be named without storing it.
 */
export class Corpus {
  readonly #words = readStaticTable(readFileSync(TABLE)).words.filter((word) => /^[a-z]{2,}$/.test(word));

  memory(number: number): SyntheticMemory {
    const session = Math.floor(number / MEMORIES_PER_SESSION);
    const topic = this.#topic(session);
    const random = randomNumbers(number + 1);
    const pick = () => (random() < TOPIC_SHARE ? oneOf(topic, random) : this.#zipf(random, 1));
    const sentences = Array.from({ length: 2 + Math.floor(random() * (SENTENCES_MAX - 1)) }, () =>
      sentence(Array.from({ length: 6 + Math.floor(random() * 9) }, pick)),
    );
    return {
      content: sentences.join(" "),
      path: PATHS[session % PATHS.length] as string,
      source: oneOf(SOURCES, random),
      provenance: { session_id: `session-${session}` },
    };
  }

  /** 4 to 10 words of one of the first `count` memories, in their order. */
  query(number: number, count: number): string {
    const random = randomNumbers(-number - 1);
    const words = this.memory(Math.floor(random() * count))
      .content.toLowerCase()
      .match(/[a-z]+/g) as string[];
    const start = Math.floor(random() * Math.max(1, words.length - 10));
    return words.slice(start, start + 4 + Math.floor(random() * 7)).join(" ");
  }

  #topic(session: number): string[] {
    const random = randomNumbers(session * 7919 + 13);
    return Array.from({ length: TOPIC_WORDS }, () => this.#zipf(random, TOPIC_RANK_MIN));
  }

  /** A word of that rank or rarer. By Zipf's law with exponent 1 the logarithm of the rank is spread evenly. */
  #zipf(random: () => number, rankMin: number): string {
    const rank = Math.floor(rankMin * ((this.#words.length + 1) / rankMin) ** random());
    return this.#words[rank - 1] as string;
  }
}

function sentence(words: readonly string[]): string {
  const text = words.join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function oneOf<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** A generator of its own for each seed (mulberry32): numbers from 0 up to 1. */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
