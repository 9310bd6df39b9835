import { readFileSync } from "node:fs";

/** A block of code as it stands in a document. */
export interface Block {
  readonly lang: string;
  readonly code: string;
  /** The line it begins in, counted from 1. */
  readonly line: number;
  /** Why it is not run, where a comment before it says so. */
  readonly notRun: string | null;
}

const FENCE = /^( *)```([\w-]*)[^\n]*\n([\s\S]*?)^\1```$/gm;
const MARK = /<!-- not run: ([^\n]+?) -->\s*$/;

/** All blocks of code of a document, in order. */
export function blocksOf(path: string): Block[] {
  const text = readFileSync(path, "utf8");
  return [...text.matchAll(FENCE)].map((match) => {
    const [, indent = "", lang = "", code = ""] = match;
    const before = text.slice(0, match.index);
    return {
      lang,
      code: indent === "" ? code : code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: before.split("\n").length,
      notRun: MARK.exec(before)?.[1] ?? null,
    };
  });
}
