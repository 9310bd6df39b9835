import type { z } from "zod";
import type { ValidationIssue } from "../../contract/error.ts";
import { DomainError } from "../error.ts";
import { IS_REQUIRED, inPlainWords } from "./plain-words.ts";
import { namesOf, type Spelling, unknownIssues, unknownMembers } from "./unknown-members.ts";

/** Returns the parsed input. Throws `validation_failed` with all issues, including unknown members. */
export function validInput(operation: Spelling, input: unknown): unknown {
  const parsed = operation.input.safeParse(input, inPlainWords);
  const issues = issuesOfMembers(parsed, operation, input);
  if (parsed.success && issues.length === 0) return parsed.data;
  throw new DomainError("validation_failed", "The request is not valid.", { issues });
}

/**
 * Returns all issues of an object, including refused unknown members. `spelling`: lists the known members. It may
 * be another schema than the one that parsed the object.
 */
export function issuesOfMembers(
  parsed: z.ZodSafeParseResult<unknown>,
  spelling: Spelling,
  given: unknown,
): ValidationIssue[] {
  const unknown = unknownIssues(namesOf(given), spelling, []);
  if (parsed.success) return unknown;
  const { others } = unknownMembers(namesOf(given), spelling.input);
  return [
    ...unknown,
    ...issuesOf(parsed.error, []).map((issue) => {
      const misspelt = others.find(({ meant }) => meant === issue.loc[0] && issue.loc.length === 1);
      return issue.type === "missing" && misspelt !== undefined
        ? { ...issue, msg: `${issue.msg}; is \`${misspelt.name}\` a misspelling of it?` }
        : issue;
    }),
  ];
}

/**
 * Converts the issues of a parse that failed with the messages of `inPlainWords`. `root` is put before each place. No
 * issue repeats the refused value.
 */
export function issuesOf(error: z.ZodError, root: readonly (string | number)[]): ValidationIssue[] {
  return error.issues.map((issue) => ({
    loc: [...root, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))],
    msg: issue.message,
    type: typeOf(issue),
  }));
}

function typeOf({ code, message }: z.core.$ZodIssue): string {
  if (message === IS_REQUIRED) return "missing";
  if (code === "unrecognized_keys") return "extra_forbidden";
  return code === "custom" ? "value_error" : code;
}
