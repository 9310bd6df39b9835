import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { z } from "zod";
import { OVERLAP_SECONDS_MAX } from "../contract/key.ts";
import { type Scope, scopeAliases, scopeNamed } from "../contract/scope.ts";
import { ownerName } from "../contract/transfer.ts";
import { nearestWord } from "../core/input/nearest-word.ts";
import { inPlainWords } from "../core/input/plain-words.ts";

/** An error about a value. The sentence is printed after the name of the option or argument. */
const invalid = (sentence: string) => new InvalidArgumentError(sentence);

/** The end of the help of every group of commands. */
export const WORKS_ON_DATABASE =
  "\nThese commands use the database directly and can run while a server is running.";

export const jsonOption = () => new Option("--json", "Print only JSON on standard output");

/**
 * The error about a value that is none of the words, naming the word that was probably meant. The code that prints the
 * error quotes the value.
 */
export function notOneOf(given: string, words: readonly string[]): InvalidArgumentError {
  const meant = nearestWord(given, words);
  const allowed = `It must be one of: ${words.join(", ")}.`;
  return invalid(meant === null ? allowed : `Did you mean ${meant}? ${allowed}`);
}

/** Reads the value of an option. Rejects an empty value, and one that looks like another option. */
export function value<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    if (text.trim() === "" || text.startsWith("-")) throw invalid("The option needs a value.");
    return read(text);
  };
}

/** Reads a value that must be valid by the contract's schema. */
export function checked<T>(schema: z.ZodType<T>): (text: string) => T {
  return (text) => {
    const parsed = schema.safeParse(text, inPlainWords);
    if (parsed.success) return parsed.data;
    throw invalid(`It ${parsed.error.issues[0]?.message ?? "is not valid"}.`);
  };
}

/** The name of a user or a team. */
export const owner = checked(ownerName);

/** Reads a comma-separated list and drops repetitions. */
export function list<T>(schema: z.ZodType<T>): (text: string) => T[] {
  return (text) => {
    const parts = text.split(",").map((part) => part.trim());
    if (parts.some((part) => part === "")) throw invalid("Separate values with commas, as in a,b.");
    return [...new Set(parts.map(checked(schema)))];
  };
}

/** Maximum length of a line of help text, so that it fits into an ordinary terminal. */
const HELP_COLUMNS = 80;

/** Formats `Title: a, b, c.`, with line breaks after commas if it is too long for one line of a help text. */
export function inHelp(title: string, names: readonly string[]): string {
  const lines = [`${title}:`];
  for (const [at, name] of names.entries()) {
    const word = `${name}${at === names.length - 1 ? "." : ","}`;
    const last = lines[lines.length - 1] as string;
    if (last.length + 1 + word.length <= HELP_COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join("\n");
}

/** The option for a credential's scopes, limited to those that its kind may have. */
export const scopesOption = (offered: readonly Scope[]) =>
  new Option("--scopes <a,b>", "What it may do")
    .argParser(value((text: string) => scopesOf(text, offered)))
    .default(["memory:read", "memory:write"] satisfies Scope[], "memory:read,memory:write");

/** The scopes with these names, including their older names. */
function scopesOf(text: string, offered: readonly Scope[]): Scope[] {
  const found = text.split(",").map((part) => {
    const scope = scopeNamed(part.trim());
    if (scope && offered.includes(scope)) return scope;
    throw notOneOf(part, [...offered, ...Object.keys(scopeAliases)]);
  });
  return [...new Set(found)];
}

/** Reads a time span in milliseconds, up to the maximum overlap; 0 for none. */
export function overlap(text: string): number {
  const span = text === "0" ? 0 : (instantOf(text, 0) ?? Number.NaN);
  if (!/^\d+[mhdw]?$/.test(text) || Number.isNaN(span))
    throw invalid("Give a time span such as 24h, 30m or 7d, or 0.");
  if (span > 1000 * OVERLAP_SECONDS_MAX) throw invalid("It can be at most 30 days.");
  return span;
}

/** Returns when a credential expires, given the instant at which it is created. */
export type Expiry = (now: number) => number;

const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/**
 * Reads a time span, a day, which means its end in UTC, or an instant. Validated when read, before anything is opened.
 */
export function expiry(text: string): Expiry {
  const now = Date.now();
  const at = instantOf(text, now);
  if (at === null || Number.isNaN(at))
    throw invalid(
      "Give a time span such as 90d, 12h or 30m, a date such as 2026-12-31, or an RFC 3339 time.",
    );
  if (at <= now) throw invalid("It is in the past.");
  if (Number.isNaN(new Date(at).getTime()) || new Date(at).getUTCFullYear() > 9999)
    throw invalid("It is after the year 9999.");
  return (issuedAt) => instantOf(text, issuedAt) as number;
}

/** The same, with a maximum span. */
export function expiryWithin(days: number): (text: string) => Expiry {
  return (text) => {
    const expiresAt = expiry(text);
    const now = Date.now();
    if (expiresAt(now) > now + days * DAY_MS) throw invalid(`It can be at most ${days} days from now.`);
    return expiresAt;
  };
}

function instantOf(text: string, now: number): number | null {
  const span = /^(\d{1,6})([mhdw])$/.exec(text);
  if (span) return now + Number(span[1]) * (UNIT_MS[span[2] as string] as number);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return sameDay(text) ? Date.parse(`${text}T23:59:59Z`) : null;
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? Date.parse(text)
    : null;
}

/** False for dates such as the 31st of February, which Date accepts as a day in March. */
function sameDay(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
