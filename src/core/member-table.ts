import { type SnakeCase, snakeCase } from "./snake-case.ts";

/**
 * What becomes of a member when its memory is redacted. `words`: the words that replace the content, where it has any: some
 * states cannot be without. `now`: the instant of the redaction.
 */
export type Redaction<Value> =
  | "kept"
  | { readonly to: Value }
  | (string extends NonNullable<Value> ? "words" : never)
  | (number extends NonNullable<Value> ? "now" : never);

/** What must be stated of every member of a memory, or of what goes with one. What is left out does not compile. */
export type Member<Value, Bounds> = {
  readonly redacted: Redaction<Value>;
  /** Its name on the wire, where that is not the member's own in snake case. */
  readonly name?: string;
} & (CanHoldText<Value> extends true
  ? {
      /**
       * Of a caller's own words: the bounds that they keep when secrets in them are masked. null: names, ids and hashes,
       * which nobody looks through.
       */
      readonly screened: Bounds | null;
    }
  : { readonly screened?: never }) &
  (number extends NonNullable<Value>
    ? {
        /** Milliseconds since the epoch here, RFC 3339 on the wire. */
        readonly isInstant: boolean;
      }
    : { readonly isInstant?: never });

type CanHoldText<Value> =
  string extends NonNullable<Value> ? true : NonNullable<Value> extends object ? true : false;

export type WireName<Table, Name extends keyof Table> = Table[Name] extends {
  readonly name: infer Own extends string;
}
  ? Own
  : SnakeCase<Name & string>;

/** What a member is called in requests, answers and lines of an export. */
export function wireName(member: string, entry: object): string {
  return "name" in entry ? String(entry.name) : snakeCase(member);
}
