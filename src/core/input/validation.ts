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
 * Returns all issues of an object, including refused unknown members. `spelledBy`: the schema that lists all members,
 * if the object was parsed by another schema.
 */
export function issuesOfMembers(
  parsed: z.ZodSafeParseResult<unknown>,
  spelledBy: Spelling,
  given: unknown,
): ValidationIssue[] {
  const unknown = unknownIssues(namesOf(given), spelledBy, []);
  if (parsed.success) return unknown;
  const { others } = unknownMembers(namesOf(given), spelledBy.input);
  return [
    ...unknown,
    ...issuesOf(parsed.error, []).map((issue) => {
      const mistaken = others.find(({ meant }) => meant === issue.loc[0] && issue.loc.length === 1);
      return issue.type === "missing" && mistaken !== undefined
        ? { ...issue, msg: `${issue.msg}; did \`${mistaken.name}\` mean it?` }
        : issue;
    }),
  ];
}

/**
 * Converts the issues of a failed parse with `inPlainWords`, each below `root`. They name rules and places, never the
 * refused value.
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
