/** Types for the tables that describe the members of a memory, a todo and a decision. */

/**
 * Effect of a redaction on a member. `words`: replaced by the replacement content if the member has a value, since some
 * states require one. `now`: the instant of the redaction.
 */
export type Redaction<Value> =
  | "kept"
  | { readonly to: Value }
  | (string extends NonNullable<Value> ? "words" : never)
  | (number extends NonNullable<Value> ? "now" : never);

/** Properties that the table must define for every member of a memory or its parts. A missing one does not compile. */
export type Member<Value, Bounds> = {
  /** Its name on the wire, if that is not the member's name in snake case. */
  readonly name?: string;
} & Kept<Value, Bounds> &
  (number extends NonNullable<Value>
    ? {
        /** Milliseconds since the epoch here, RFC 3339 on the wire. */
        readonly isInstant: boolean;
      }
    : { readonly isInstant?: never });

/** Text from callers is screened for secrets and does not survive a redaction. */
type Kept<Value, Bounds> =
  CanHoldText<Value> extends true
    ?
        | {
            /** The bounds that its masked value must keep. */
            readonly screened: Bounds;
            readonly redacted: Exclude<Redaction<Value>, "kept">;
          }
        | {
            /** Names, ids and hashes are not screened. */
            readonly screened: null;
            readonly redacted: Redaction<Value>;
          }
    : { readonly screened?: never; readonly redacted: Redaction<Value> };

type CanHoldText<Value> =
  string extends NonNullable<Value> ? true : NonNullable<Value> extends object ? true : false;

/** The names of several members on the wire. */
export type WireName<Table, Name extends keyof Table> = Name extends keyof Table & string
  ? Table[Name] extends { readonly name: infer Own extends string }
    ? Own
    : SnakeCase<Name>
  : never;

/** Name of a member in requests, answers and export lines. */
export function wireName(member: string, entry: object): string {
  return "name" in entry ? String(entry.name) : snakeCase(member);
}

/** A member's name in SQL and JSON: `semanticKey` is `semantic_key` there. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : Name;

export function snakeCase<const Name extends string>(name: Name): SnakeCase<Name> {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;
}

/** The inverse of `snakeCase`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A record on the wire: names in snake case, and members named `…At` as RFC 3339 instants. */
export type Wire<Source> = {
  -readonly [Name in keyof Source as SnakeCase<Name & string>]: Name extends `${string}At`
    ? string | Extract<Source[Name], null>
    : Mutable<Source[Name]>;
};
type Mutable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value;

/** The record of a line: the inverse of `Wire`. Members named `…At` are milliseconds since the epoch. */
export type OffWire<Line> = {
  readonly [Name in keyof Line as CamelCase<Name & string>]: Name extends `${string}_at`
    ? number | Extract<Line[Name], null>
    : Frozen<Line[Name]>;
};
type Frozen<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

export function toWire<Source extends object>(record: Source): Wire<Source> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      snakeCase(name),
      name.endsWith("At") && value !== null ? new Date(value).toISOString() : value,
    ]),
  ) as Wire<Source>;
}

export function fromWire<Source>(line: Wire<Source>): Source {
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      camelCase(name),
      name.endsWith("_at") && typeof value === "string" ? Date.parse(value) : value,
    ]),
  ) as Source;
}
