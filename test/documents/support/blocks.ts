import { readFileSync } from "node:fs";

/** A block of code as it stands in a document. */
export interface Block {
  readonly lang: string;
  readonly code: string;
  /** The line it begins in, counted from 1. */
  readonly line: number;
  /** Why it is not run, where a comment before it says so. */
  readonly notRun: string | null;
  /** The group of tabs that it is one of, counted from 1; 0 if it stands alone. */
  readonly group: number;
}

const FENCE = /^( *)```([\w-]*)[^\n]*\n([\s\S]*?)^\1```$/gm;
const GROUP = /^<!-- (\/?)tabs -->$/gm;
const MARK = /<!-- not run: ([^\n]+?) -->\s*$/;

/** All blocks of code of a document, in order. */
export function blocksOf(path: string): Block[] {
  const text = readFileSync(path, "utf8");
  return [...text.matchAll(FENCE)].map((match) => {
    const [, indent = "", lang = "", code = ""] = match;
    const before = text.slice(0, match.index);
    const marks = [...before.matchAll(GROUP)];
    return {
      lang,
      code: indent === "" ? code : code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: before.split("\n").length,
      notRun: MARK.exec(before)?.[1] ?? null,
      group: marks.at(-1)?.[1] === "" ? (marks.length + 1) / 2 : 0,
    };
  });
}
