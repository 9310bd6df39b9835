import { DomainError } from "../../core/error.ts";
import type { Tool } from "./tools.ts";

/** So many are named; of more a model learns nothing. */
const NAMED_MAX = 10;
const NAME_LENGTH_MAX = 64;

/**
 * Refuses (`validation_failed`) arguments that the tool does not have, naming them and those that it has. A model that
 * misspelt one, or made one up, would otherwise never learn that it did nothing. What is inside of an argument is not
 * looked at: metadata and provenance are free.
 */
export function refuseUnknownArguments(tool: Pick<Tool, "argumentNames">, input: unknown): void {
  const unknown = Object.keys((input ?? {}) as object).filter((name) => !tool.argumentNames.includes(name));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, NAMED_MAX).map((name) => name.slice(0, NAME_LENGTH_MAX));
  const more = unknown.length > NAMED_MAX ? ` (and ${unknown.length - NAMED_MAX} more)` : "";
  const msg = `is not an argument of this tool, which takes ${tool.argumentNames.join(", ")}`;
  throw new DomainError("validation_failed", "The call has arguments that the tool does not know.", {
    issues: named.map((name, at) => ({
      loc: ["body", name],
      // The list is long, so it is given once.
      msg: at === 0 ? `${msg}${more}` : "is not an argument of this tool",
      type: "extra_forbidden",
    })),
  });
}
