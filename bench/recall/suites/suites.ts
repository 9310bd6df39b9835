import { broad } from "./broad/suite.ts";
import { contradictions } from "./contradictions/suite.ts";
import { identifiers } from "./identifiers/suite.ts";
import { junk } from "./junk/suite.ts";
import { roles } from "./roles/suite.ts";
import { scripts } from "./scripts/suite.ts";
import { status } from "./status/suite.ts";
import type { Suite } from "./suite.ts";
import { time } from "./time/suite.ts";
import { updates } from "./updates/suite.ts";

export type SuiteName = keyof typeof SUITES;

export const SUITES = {
  identifiers: {
    about: "identifiers among look-alikes, in memories of 200 to 60,000 characters",
    sizeIs: "how many memories",
    size: 1000,
    run: identifiers,
  },
  contradictions: {
    about: "pairs that one word, sign or symbol sets against each other, and pairs that say the same",
    sizeIs: "how many pairs",
    size: 10_000,
    run: contradictions,
  },
  status: {
    about: "answer_status where the evidence is there, there twice, withheld, or of something alike",
    sizeIs: "how many questions of each kind",
    size: 200,
    run: status,
  },
  updates: {
    about: "facts that changed 1 to 5 times, by one agent or several, under equal, differing and no keys",
    sizeIs: "how many facts",
    size: 600,
    run: updates,
  },
  junk: {
    about: "echoes of recall, repetitions and trivial text, offered to be remembered",
    sizeIs: "how many facts they are made from",
    size: 50,
    run: junk,
  },
  broad: {
    about: "questions about what all memories of a store share, 8 to 500 of them, and about something else",
    sizeIs: "how many questions",
    size: 200,
    run: broad,
  },
  roles: {
    about: "pairs of memories with the same words in reversed relation, of which a question asks for one",
    sizeIs: "how many pairs",
    size: 240,
    run: roles,
  },
  time: {
    about: "memories that differ in their time alone, of which a question asks for one, in fifteen languages",
    sizeIs: "how many questions, beside the forty of the second set",
    size: 540,
    run: time,
  },
  scripts: {
    about: "sentences in eighteen scripts, asked for as they stand and in other forms",
    sizeIs: "how many sentences of each, 200 at most",
    size: 200,
    run: scripts,
  },
} as const satisfies Record<string, Suite>;
