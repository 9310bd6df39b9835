import { openPackageFile } from "./package-files.ts";
import { openTensors, type Tensors } from "./safetensors.ts";

/** A language, and whether a text of this length says so. */
export interface LanguageGuess {
  readonly language: string;
  readonly isReliable: boolean;
  /** How much more it scores than English, 0 to 1. */
  readonly aboveEnglish: number;
}

/** Letters that are read, in UTF-8 bytes. */
const BYTES_MAX = 350;
/** A group of letters has at most so many bytes, without spaces, and the next one begins so many later. */
const GROUP_BYTES = 4;
const GROUP_STRIDE = 3;
const WORD_BYTES_MAX = 70;
const SPACE = 0x20;

/** Brings the sum of scores for each group between 0 and 1. */
const SCORE_SCALE = 25;
/** How much of a language's usual score a text must have, and how far the second language must be. */
const USUAL_SHARE = 0.75;
const MARGIN = 0.01;
const GROUPS_MIN = 3;

const encoder = new TextEncoder();

/**
 * Finds the language of a text by its groups of letters, as the npm package eld 2.1.0 does, with its scores
 * (`packages/multilingual/make/make_languages.js`). Each group that occurs adds its score to some languages.
 */
export class LanguageProfiles {
  private readonly codes: readonly string[];
  private readonly usualScores: readonly number[];
  private readonly scoreOffset: number;
  private readonly groups: Float64Array;
  private readonly starts: Uint32Array;
  private readonly languages: Uint8Array;
  private readonly scores: Uint8Array;

  constructor(tensors: Tensors) {
    const { languages = "", usual_scores: usualScores = "", score_offset: offset } = tensors.metadata;
    this.codes = languages.split(" ");
    this.usualScores = usualScores.split(" ").map(Number);
    this.scoreOffset = Number(offset);
    this.groups = tensors.float64("groups");
    this.starts = tensors.uint32("starts");
    this.languages = tensors.bytes("languages");
    this.scores = tensors.bytes("scores");
  }

  /** Returns the most probable language, of `among` if given. null if no group of letters is known. */
  guess(text: string, among?: readonly string[]): LanguageGuess | null {
    const groups = groupsOf(text);
    const sums = this.sum(groups);
    let [best, score, second, english] = [-1, 0, 0, 0];
    for (const [number, language] of this.codes.entries()) {
      if (among?.includes(language) === false) continue;
      const own = scaled((sums[number] as number) / groups.size);
      if (language === "en") english = own;
      if (own > score) [best, score, second] = [number, own, score];
      else if (own > second) second = own;
    }
    if (best === -1) return null;
    const isReliable =
      groups.size >= GROUPS_MIN &&
      score >= (this.usualScores[best] as number) * USUAL_SHARE &&
      score - second >= MARGIN;
    return { language: this.codes[best] as string, isReliable, aboveEnglish: score - english };
  }

  private sum(groups: ReadonlySet<number>): Float64Array {
    const sums = new Float64Array(this.codes.length);
    for (const group of groups) {
      const place = this.find(group);
      if (place === -1) continue;
      for (let at = this.starts[place] as number; at < (this.starts[place + 1] as number); at++) {
        const language = this.languages[at] as number;
        sums[language] = (sums[language] as number) + (this.scores[at] as number) + this.scoreOffset;
      }
    }
    return sums;
  }

  /** Binary search. Returns −1 if the group is not there. */
  private find(group: number): number {
    let low = 0;
    let high = this.groups.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.groups[middle] as number;
      if (found === group) return middle;
      if (found < group) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Reads the package's profiles. Throws like `openPackageFile`. */
export function readLanguageProfiles(folder: string): LanguageProfiles {
  const file = openPackageFile(folder, "languages.safetensors");
  const profiles = new LanguageProfiles(openTensors(file));
  file.close();
  return profiles;
}

const scaled = (score: number) => score / (score + SCORE_SCALE);

/** Each different group of letters, as one number of base 256. */
function groupsOf(text: string): Set<number> {
  const groups = new Set<number>();
  let read = 0;
  // An apostrophe belongs to the word after it.
  for (const word of text.toLowerCase().split(/[^\p{L}]+(?<!['`\u2019])/u)) {
    if (word === "") continue;
    const bytes = encoder.encode(word);
    addGroups(bytes.length > WORD_BYTES_MAX ? bytes.subarray(0, WORD_BYTES_MAX) : bytes, groups);
    read += bytes.length + 1;
    if (read > BYTES_MAX) break;
  }
  return groups;
}

/** The groups of a word: overlapping by a byte, the first with the space before, and the last bytes with that after. */
function addGroups(word: Uint8Array, groups: Set<number>): void {
  const number = (from: number, end: number, start: number) => {
    let sum = start === 0 ? SPACE : 0;
    for (let at = from; at < end; at++) sum = sum * 256 + (word[at] as number);
    return sum;
  };
  let start = 0;
  for (; start + GROUP_BYTES < word.length; start += GROUP_STRIDE)
    groups.add(number(start, start + GROUP_BYTES, start));
  // eld takes all of a word of three bytes, and of a shorter one too.
  groups.add(number(Math.max(0, word.length - GROUP_BYTES), word.length, start) * 256 + SPACE);
}
