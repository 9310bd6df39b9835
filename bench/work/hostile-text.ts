import { readdirSync, readFileSync } from "node:fs";
import { createRandom, type Random } from "../../test/support/random.ts";

/** A text of about this many characters, always the same for the same length. */
export interface Shape {
  readonly name: string;
  make(length: number): string;
}

/**
 * What readers of text stumble over: beginnings, separators and runs of what they look for. By kind, since the worst is
 * often made of several of one kind: marks that must be put in order, blanks that are tried from each place.
 */
const PIECES: Readonly<Record<string, readonly string[]>> = {
  marks: [
    "\u0301",
    "\u0315",
    "\u0345",
    "\u0323",
    "\u05b0",
    "\u0f71\u0f72",
    "\u1ab0",
    "\u3099",
    "\u0344",
    "\ufe0f",
    "a",
  ],
  blanks: [" ", "\t", "\n", "\r", "\u00a0", "\u2028", "\u3000", "\u200b", "\ufeff", "\n\n\n", "a"],
  patterns: ["%", "%%", "_", "a%", "%a", "a", "b", "\\", "\\%", "*", "?"],
  numbers: [
    "1",
    "0",
    "9",
    "1,000",
    "3.14",
    "2024-05-01",
    "12:30",
    "-1e308,",
    "9007199254740993",
    "1st ",
    "20",
    "-",
    ".",
  ],
  letters: [
    "a",
    "A",
    "Z",
    "é",
    "e\u0301",
    "ß",
    "İ",
    "Σ",
    "ﷺ",
    "ﬃ",
    "가",
    "각",
    "ᄀ",
    "ا",
    "א",
    "𐐀",
    "don't ",
    "n't",
    "’s ",
  ],
  ideographs: ["中", "。", "あ", "ア", "ﾞ", "ก", "𠀀", "！", "、"],
  scripts: [
    "א ",
    "ספר",
    "كِتَاب",
    "ـ",
    "۱",
    "й ",
    "книга",
    "ΐς ",
    "क़",
    "न्द",
    "ก",
    "្",
    "한",
    "ա",
    "ტ ",
    "ı",
    "đø ",
    "。",
    "؟",
  ],
  emoji: ["💥", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "👍🏽", "\u200d", "1️⃣"],
  sentences: [
    "Mr. ",
    "e.g. ",
    "J. ",
    "the ",
    "not ",
    "? ",
    "?\n",
    ".\n",
    "...",
    "!",
    "[",
    "] ",
    "User: ",
    "a ",
    "I ",
  ],
  times: [
    "last week ",
    "in three days ",
    "3 weeks ago ",
    "last ",
    "May ",
    "yesterday ",
    "when ",
    "FREQ=DAILY;",
    "BYDAY=MO,",
  ],
  brackets: ["(", ")", "[", "]", "{", "}", "<", ">", '"', "'", "`", '{"a":', "[[", '\\"', "\\", "\\u0000"],
  markup: [
    "```\n",
    "> ",
    "- ",
    "# ",
    "<a>",
    "</",
    "&amp;",
    "&#",
    "&",
    "=",
    "+",
    "%41",
    ";q=",
    "q=0.1,",
    'charset="',
    ",\t",
    'W/"",',
  ],
  places: ["../", "//", "a/", "/", ".", "http://", "https://a:b@", "a@b.", ":", "?"],
  secrets: [
    "password: ",
    "password is ",
    "secret for a ",
    "token=",
    "Bearer ",
    "Authorization: Basic ",
    "123456789:AA",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "-----END ",
    "AAAA",
    "a1",
    "eyJ",
    ".",
    "_",
    "-",
    " ",
  ],
  words: ["x".repeat(100), "word ".repeat(20), "a", "word ", "Word-", "wörter "],
};

const DETECTORS = new URL("../../src/adapters/secret-scan/", import.meta.url);

/** The words and prefixes that detectors of secrets look for, out of their own source: a new one comes in by itself. */
function detectedWords(): string[] {
  const sources = readdirSync(DETECTORS)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(new URL(name, DETECTORS), "utf8").replaceAll(/^import .*$/gm, ""));
  const quoted = sources
    .flatMap((source) => [...source.matchAll(/"([^"\n]{2,40})"/g)])
    .map(([, text]) => text);
  return [...new Set(quoted as string[])];
}

const KINDS = { ...PIECES, detected: detectedWords() };
const ALL = Object.values(KINDS).flat();

type Compose = (pieces: readonly string[], length: number, random: Random) => string;

/** How a few pieces become a long text. */
const COMPOSITIONS: Readonly<Record<string, Compose>> = {
  /** One after the other, again and again. */
  cycle: (pieces, length) => repeated(pieces.join(""), length),
  /** A run of each. */
  blocks: (pieces, length) => pieces.map((piece) => repeated(piece, length / pieces.length)).join(""),
  /** A run of one, the others behind it: what looks as if it matched until its end. */
  tail: ([first = "", ...others], length) =>
    repeated(first, length - others.join("").length) + others.join(""),
  /** Runs as long as there are runs. */
  lines: ([first = "", ...others], length) => {
    const side = Math.sqrt(length);
    return repeated(repeated(first, side) + others.join(""), length);
  },
  /** Half of it opens, half of it closes. */
  nested: (pieces, length) => {
    const [open = "", ...close] = pieces;
    return repeated(open, length / 2) + repeated(close.join("") || open, length / 2);
  },
  /** In no order. */
  mixed: (pieces, length, random) => {
    const parts: string[] = [];
    for (let size = 0; size < length; ) {
      const piece = random.pick(pieces);
      parts.push(piece);
      size += piece.length;
    }
    return parts.join("");
  },
  /** Each time with another number, so that nothing was seen before. */
  numbered: (pieces, length) => {
    const parts: string[] = [];
    for (let size = 0; size < length; ) {
      const part = `${pieces.join("")}${parts.length.toString(36)} `;
      parts.push(part);
      size += part.length;
    }
    return parts.join("");
  },
};

function repeated(text: string, length: number): string {
  return text === "" ? "" : text.repeat(Math.max(1, Math.ceil(length / text.length)));
}

/** Never half a surrogate pair, which would be refused before anything reads the text. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "a");
}

/** Compositions of one to four pieces. The same seed gives the same ones. */
export function shapes(count: number, seed: number): Shape[] {
  const random = createRandom(seed);
  const names = Object.keys(COMPOSITIONS);
  return Array.from({ length: count }, () => {
    const from = random.below(2) === 0 ? ALL : random.pick(Object.values(KINDS));
    const pieces = Array.from({ length: 1 + random.below(4) }, () => random.pick(from));
    const composition = random.pick(names);
    const own = random.below(2 ** 31);
    return {
      name: `${composition} of ${pieces.map((piece) => JSON.stringify(short(piece))).join(" ")}`,
      make: (length: number) =>
        cut((COMPOSITIONS[composition] as Compose)(pieces, length, createRandom(own)), length),
    };
  });
}

function short(piece: string): string {
  return piece.length > 12 ? `${piece.slice(0, 11)}…` : piece;
}
