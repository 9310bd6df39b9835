import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cell, type Row, tableUnder, words } from "./tables.ts";

/** What the page says comes of a request: `allowed`, or the code of the refusal. */
export type Outcome = string;

/** In what capacity an operation touches a memory: a column of the role table. */
export type Capacity = "read" | "write" | "permanent" | "maintain";

/** What an operation needs, in one of its modes. */
export interface OperationRule {
  readonly operation: string;
  readonly mode: string;
  /** One of them is enough. */
  readonly scopes: readonly string[];
  /** All of them are needed besides. */
  readonly also: readonly string[];
  /** Kinds of credential, or `any`, or `no credential`. */
  readonly kinds: readonly string[];
  readonly actsOn: string;
  readonly capacity: Capacity;
}

export interface Confinement {
  readonly existing: Outcome;
  /** What exists outside, asked for by a route below its project. */
  readonly belowProject: Outcome;
  readonly created: Outcome;
  readonly moved: Outcome;
}

export interface Special {
  readonly scope: string;
  readonly named: Outcome;
  readonly underWildcard: Outcome;
  readonly read: Outcome;
  readonly changed: Outcome;
  readonly created: Outcome;
}

/** docs/authorization.md as a program reads it. Lookups of what the page does not say throw. */
export interface Rules {
  /** Who may hold a credential of each kind. */
  readonly kinds: Table<readonly string[]>;
  readonly operations: readonly OperationRule[];
  readonly scopes: Table<{ readonly includes: readonly string[]; readonly olderNames: readonly string[] }>;
  readonly whose: Table<Outcome>;
  readonly roles: Table<Readonly<Record<Capacity, Outcome>>>;
  readonly destinations: Table<{ readonly free: string; readonly confined: string }>;
  readonly confinements: Table<Confinement>;
  readonly specials: Table<Special>;
  readonly order: readonly string[];
  readonly doors: readonly string[];
}

/** Rows by their first column. */
export interface Table<T> {
  readonly keys: readonly string[];
  get(key: string): T;
}

const PAGE = fileURLToPath(new URL("../../docs/authorization.md", import.meta.url));

export function readRules(page = readFileSync(PAGE, "utf8")): Rules {
  return {
    kinds: table(page, "Kinds of credential", "Kind", (row) => words(row, "Held by")),
    operations: tableUnder(page, "What an operation needs").map(operationRule),
    scopes: table(page, "What a scope includes", "Scope", (row) => ({
      includes: words(row, "Includes"),
      olderNames: words(row, "Older name"),
    })),
    whose: table(page, "Ownership", "Whose", (row) => cell(row, "Outcome")),
    roles: table(page, "Role in the team", "Role", (row) => ({
      read: cell(row, "read"),
      write: cell(row, "write"),
      permanent: cell(row, "permanent"),
      maintain: cell(row, "maintain"),
    })),
    destinations: table(page, "Where a new memory goes", "The request names", (row) => ({
      free: cell(row, "a user's or a quarantine's credential"),
      confined: cell(row, "confined"),
    })),
    confinements: table(page, "Token space", "Confined to", (row) => ({
      existing: cell(row, "What exists outside"),
      belowProject: cell(row, "The same, below a project's address"),
      created: cell(row, "A new memory outside"),
      moved: cell(row, "Moving a memory outside"),
    })),
    specials: table(page, "Knowledge and ledger", "What", (row) => ({
      scope: cell(row, "Scope"),
      named: cell(row, "Asked for by name"),
      underWildcard: cell(row, "Under a wildcard"),
      read: cell(row, "Read by id"),
      changed: cell(row, "Changed by id"),
      created: cell(row, "Created"),
    })),
    order: tableUnder(page, "Which refusal wins").map((row) => cell(row, "Refusal")),
    doors: tableUnder(page, "Doors").map((row) => cell(row, "Door")),
  };
}

function operationRule(row: Row): OperationRule {
  return {
    operation: cell(row, "Operation"),
    mode: cell(row, "Mode"),
    scopes: words(row, "Scopes"),
    also: words(row, "Also"),
    kinds: words(row, "Kinds"),
    actsOn: cell(row, "Acts on"),
    capacity: cell(row, "As") as Capacity,
  };
}

function table<T>(page: string, heading: string, key: string, read: (row: Row) => T): Table<T> {
  const rows = tableUnder(page, heading).map((row) => [cell(row, key), read(row)] as const);
  const byKey = new Map(rows);
  if (byKey.size !== rows.length) throw new Error(`a row of "${heading}" is there twice`);
  return {
    keys: [...byKey.keys()],
    get(name) {
      const value = byKey.get(name);
      if (value === undefined) throw new Error(`the page has no row for "${name}" under "${heading}"`);
      return value;
    },
  };
}

/** The scopes and all that they include, by the names of today. */
export function withIncluded(rules: Rules, scopes: readonly string[]): Set<string> {
  return new Set(scopes.flatMap((scope) => [scope, ...rules.scopes.get(scope).includes]));
}
