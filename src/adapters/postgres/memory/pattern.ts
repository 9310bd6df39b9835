import { Buffer } from "node:buffer";
import type { AnySql, Fragment } from "../database/client.ts";

/**
 * LIKE compares a part with the value letter by letter at each position, so its cost is the product of their lengths.
 * For parts of at most this many bytes, a value of 512 characters takes at most about 20 µs, as with `matches_parts`.
 */
const SHORT_PART_BYTES = 12;

/**
 * Maximum letters that LIKE may compare for one value: as many as it compares in the time of a call of `matches_parts`.
 */
const COMPARISONS_MAX = 2000;

/** Comparisons that take as long as `matches_parts` needs for one part. */
const COMPARISONS_PER_PART = 60;

/** True if a column matches a pattern in which `%` stands for any text. No value takes long to compare. */
export function like(sql: AnySql, column: Fragment, pattern: string): Fragment {
  if (pattern === "%") return sql`true`;
  if (!pattern.includes("%")) return sql`${column} = ${pattern}`;
  const [first = "", ...others] = pattern.split(/%+/);
  const asLike = sql`${column} like ${likePattern(pattern)}`;
  if (others.every((part) => Buffer.byteLength(part) <= SHORT_PART_BYTES)) return asLike;
  const middle = others.slice(0, -1).map(hex);
  const last = others.at(-1) as string;
  const matched = sql`case when octet_length(${column}) <= ${bytesForLike(first, others)} then ${asLike}
    else matches_parts(${column}, ${hex(first)}::text::bytea, ${middle}::text[]::bytea[], ${hex(last)}::text::bytea) end`;
  // An index can find values by their beginning only.
  return first === "" ? matched : sql`(${column} like ${likePattern(`${first}%`)} and ${matched})`;
}

/** Maximum bytes of a value for which LIKE is used. LIKE searches for each part in what the parts before it leave. */
function bytesForLike(first: string, others: readonly string[]): number {
  const comparisons = COMPARISONS_MAX + COMPARISONS_PER_PART * others.length;
  let before = Buffer.byteLength(first);
  let most = Infinity;
  for (const part of others) {
    const length = Buffer.byteLength(part);
    before += length;
    if (length > 0) most = Math.min(most, before + Math.floor(comparisons / length));
  }
  return most;
}

/** `_` and the escape character itself are plain characters in our patterns. */
function likePattern(pattern: string): string {
  return pattern.replace(/[\\_]/g, "\\$&");
}

/** A text's bytes, as Postgres reads bytes. */
function hex(text: string): string {
  return `\\x${Buffer.from(text).toString("hex")}`;
}
