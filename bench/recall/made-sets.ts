import type { DataSet } from "./data-set.ts";
import { scriptSentences } from "./suites/scripts/sentences.ts";

/** Data sets that a seed makes, by name. */
const SUITES = { scripts: scriptSentences } as const;
type SuiteName = keyof typeof SUITES;

export function isSuiteName(name: string): name is SuiteName {
  return name in SUITES;
}

export function makeSuite(name: SuiteName, seed: number): DataSet {
  return SUITES[name](seed);
}
