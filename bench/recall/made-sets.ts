import type { DataSet } from "./data-set.ts";
import { assistantChats } from "./suites/kinds/assistant/chats.ts";
import { codingNotes } from "./suites/kinds/coding/notes.ts";
import { logEntries } from "./suites/kinds/logs/entries.ts";
import { meetingNotes } from "./suites/kinds/meetings/notes.ts";
import { languageFacts } from "./suites/languages/spaces.ts";
import { scriptSentences } from "./suites/scripts/sentences.ts";

interface SuiteOptions {
  readonly seed: number;
  /** Codes of the languages to ask in beside English, or undefined for all. */
  readonly languages: readonly string[] | undefined;
}

/** Data sets that a seed makes, by name. */
const SUITES = {
  scripts: ({ seed }: SuiteOptions) => scriptSentences(seed),
  assistant: ({ seed }: SuiteOptions) => assistantChats(seed),
  coding: ({ seed }: SuiteOptions) => codingNotes(seed),
  meetings: ({ seed }: SuiteOptions) => meetingNotes(seed),
  logs: ({ seed }: SuiteOptions) => logEntries(seed),
  languages: ({ seed, languages }: SuiteOptions) => languageFacts(seed, languages),
} as const;
type SuiteName = keyof typeof SUITES;

export function isSuiteName(name: string): name is SuiteName {
  return name in SUITES;
}

export function makeSuite(name: SuiteName, options: SuiteOptions): DataSet {
  return SUITES[name](options);
}
