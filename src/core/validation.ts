import type { z } from "zod";
import type { ValidationIssue } from "../contract/error.ts";
import type { Operation } from "../contract/operation.ts";
import { DomainError } from "./error.ts";
import { KnownNames, misspeltIssues, namesOf, unknownMembers } from "./unknown-members.ts";

/** The input as the operation's schema has it; `validation_failed` with all that is wrong, misspelt members included. */
export function validInput(operation: Pick<Operation, "input">, input: unknown): unknown {
  const parsed = operation.input.safeParse(input);
  const issues = issuesOfMembers(parsed, operation.input, input);
  if (parsed.success && issues.length === 0) return parsed.data;
  throw new DomainError("validation_failed", "The request is not valid.", { issues });
}

/**
 * All that is wrong with an object, the members that look misspelt included. `spelledBy`: the schema with every member that
 * it may have, if it was parsed by another.
 */
export function issuesOfMembers(
  parsed: z.ZodSafeParseResult<unknown>,
  spelledBy: z.ZodObject,
  given: unknown,
): ValidationIssue[] {
  const misspelt = misspeltIssues(namesOf(given), spelledBy, []);
  if (parsed.success) return misspelt;
  const { others } = unknownMembers(namesOf(given), spelledBy);
  return [
    ...misspelt,
    ...issuesOf(parsed.error, [], given).map((issue) => {
      const mistaken = others.find(({ meant }) => meant === issue.loc[0] && issue.loc.length === 1);
      return issue.type === "missing" && mistaken !== undefined
        ? { ...issue, msg: `${issue.msg}; did \`${mistaken.name}\` mean it?` }
        : issue;
    }),
  ];
}

/**
 * The issues of a failed parse, each below `root`. They name rules and places, never the refused value; where that looks
 * like one of the values there are, misspelt, which one. `given`: what was parsed, if that is to be told.
 */
export function issuesOf(
  error: z.ZodError,
  root: readonly (string | number)[],
  given?: unknown,
): ValidationIssue[] {
  return error.issues.map((issue) => ({
    loc: [...root, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))],
    ...described(issue, given),
  }));
}

function described(issue: z.core.$ZodIssue, given: unknown): { msg: string; type: string } {
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) {
    return { msg: "is required", type: "missing" };
  }
  if (issue.code === "unrecognized_keys")
    return { msg: "has a member that is not known here", type: "extra_forbidden" };
  if (issue.code === "invalid_value") {
    const meant = meantBy(at(given, issue.path), issue.values);
    if (meant !== undefined) return { msg: `${issue.message}: did you mean ${meant}?`, type: issue.code };
  }
  return { msg: issue.message, type: issue.code === "custom" ? "value_error" : issue.code };
}

/** No value of a list is longer: what is would cost time and be none of them misspelt. */
const COMPARED_MAX = 64;

/** Which of the values a text looks like, misspelt. */
function meantBy(text: unknown, values: readonly unknown[]): string | undefined {
  if (typeof text !== "string" || text.length > COMPARED_MAX) return undefined;
  const known = new KnownNames(values.filter((value) => typeof value === "string"));
  return known.unknownOf([text]).misspelt[0]?.meant;
}

/** What lies at a place within a value; undefined where there is no such place. */
function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (within, part) =>
      typeof within === "object" && within !== null && Object.hasOwn(within, part)
        ? (within as Record<PropertyKey, unknown>)[part]
        : undefined,
    value,
  );
}
