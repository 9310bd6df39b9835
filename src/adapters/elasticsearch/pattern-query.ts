import type { Query } from "./search-all.ts";

/** Fields that filters compare with patterns. No value of them is longer than this. */
export type PatternField = "path" | "bucket" | "memory_type" | "status" | "superseded_status";
const VALUE_CHARACTERS_MAX = 512;

/** The engine turns a wildcard into an automaton, which takes seconds for hundreds of parts, or is refused. */
const PARTS_MAX = 16;

/** The values that match a pattern in which only `%` is special; null where every value does. */
export function patternQuery(field: PatternField, pattern: string): Query | null {
  const parts = pattern.split(/%+/);
  if (parts.join("").length > VALUE_CHARACTERS_MAX) return { match_none: {} };
  const [first = "", last = ""] = parts;
  if (parts.length === 1) return { term: { [field]: first } };
  if (parts.length === 2 && last === "") return first === "" ? null : { prefix: { [field]: first } };
  if (parts.length > PARTS_MAX)
    return { script: { script: { source: MATCH_PARTS, params: { field, parts } } } };
  return { wildcard: { [field]: { value: parts.map(escaped).join("*") } } };
}

/** Values that match any of some patterns; null where every value does. */
export function anyPatternQuery(field: PatternField, patterns: readonly string[]): Query | null {
  const exact = patterns.filter((pattern) => !pattern.includes("%"));
  const others = patterns.filter((pattern) => pattern.includes("%"));
  const queries = others.map((pattern) => patternQuery(field, pattern));
  if (queries.includes(null)) return null;
  const should = queries.filter((query) => query !== null);
  return { bool: { should: [{ terms: { [field]: exact } }, ...should], minimum_should_match: 1 } };
}

function escaped(text: string): string {
  return text.replace(/[\\*?]/g, "\\$&");
}

/** The same as `matchesPattern` of the index in memory: each part at its first place after the one before. */
const MATCH_PARTS = `
  String value = doc[params.field].value;
  List parts = params.parts;
  String last = parts.get(parts.size() - 1);
  if (!value.startsWith(parts.get(0)) || !value.endsWith(last)) return false;
  int at = parts.get(0).length();
  for (int i = 1; i < parts.size() - 1; i++) {
    int found = value.indexOf(parts.get(i), at);
    if (found < 0) return false;
    at = found + parts.get(i).length();
  }
  return at <= value.length() - last.length();`;
