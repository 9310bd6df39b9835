import { DomainError } from "../error.ts";

/** An `invalid_transition` that lists what the status allows. `row`: the status after each operation, null: not allowed. */
export function invalidTransition(
  what: "todo" | "decision",
  status: string,
  operation: string,
  row: Readonly<Record<string, string | null>>,
): DomainError {
  const allowed = Object.keys(row).filter((name) => row[name] !== null);
  const then = allowed.length > 0 ? `Allowed: ${allowed.join(", ")}.` : "Nothing is allowed any more.";
  return new DomainError(
    "invalid_transition",
    `${operation} is not possible: the ${what} is ${status}. ${then}`,
  );
}
