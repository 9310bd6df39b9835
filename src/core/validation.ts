import type { z } from "zod";
import type { ValidationIssue } from "../contract/error.ts";
import type { Operation } from "../contract/operation.ts";
import { DomainError } from "./error.ts";
import { misspeltIssues, namesOf } from "./unknown-members.ts";

/** The input as the operation's schema has it; `validation_failed` with all that is wrong, misspelt members included. */
export function validInput(operation: Pick<Operation, "input">, input: unknown): unknown {
  const parsed = operation.input.safeParse(input);
  const issues = [
    ...misspeltIssues(namesOf(input), operation.input, []),
    ...(parsed.success ? [] : issuesOf(parsed.error, [])),
  ];
  if (parsed.success && issues.length === 0) return parsed.data;
  throw new DomainError("validation_failed", "The request is not valid.", { issues });
}

/** The issues of a failed parse, each below `root`. They name rules and places, never the refused value. */
export function issuesOf(error: z.ZodError, root: readonly (string | number)[]): ValidationIssue[] {
  return error.issues.map((issue) => ({
    loc: [...root, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))],
    ...described(issue),
  }));
}

function described(issue: z.core.$ZodIssue): { msg: string; type: string } {
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) {
    return { msg: "is required", type: "missing" };
  }
  if (issue.code === "unrecognized_keys")
    return { msg: "has a member that is not known here", type: "extra_forbidden" };
  return { msg: issue.message, type: issue.code === "custom" ? "value_error" : issue.code };
}
