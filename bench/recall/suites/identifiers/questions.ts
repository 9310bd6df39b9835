import type { Random } from "../../../../test/support/random.ts";
import type { Kind } from "./kinds.ts";

/** In which words an identifier is asked for. */
export const FORMS = {
  "in a question": (id: string, kind: Kind, random: Random) => random.pick(kind.questions)(id),
  bare: (id: string) => id,
  quoted: (id: string) => `"${id}"`,
} as const satisfies Record<string, (id: string, kind: Kind, random: Random) => string>;
