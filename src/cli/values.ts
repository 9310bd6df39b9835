import type { z } from "zod";
import { type Scope, scopeAliases, scopeNamed, scopes } from "../contract/scope.ts";
import { ownerName } from "../contract/transfer.ts";
import { UsageError } from "./failure.ts";

/** The value if it holds to the contract's schema; a usage error that names the flag if not. */
export function checked<T>(flag: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${flag} ${parsed.error.issues[0]?.message ?? "is not valid"}.`);
}

export function optional<T>(flag: string, schema: z.ZodType<T>, value: string | undefined): T | null {
  return value === undefined ? null : checked(flag, schema, value);
}

export const optionalOwnerName = (flag: string, value: string | undefined) =>
  optional(flag, ownerName, value);

/** A comma-separated list without repetitions; null where the flag is not given. */
export function listOf<T>(flag: string, schema: z.ZodType<T>, value: string | undefined): T[] | null {
  if (value === undefined) return null;
  const parts = value.split(",").map((part) => part.trim());
  if (parts.some((part) => part === ""))
    throw new UsageError(`${flag} takes values with commas between them, such as a,b.`);
  return [...new Set(parts.map((part) => checked(flag, schema, part)))];
}

/** The scopes of those names, older names included. */
export function scopesOf(value: string): Scope[] {
  const names = value.split(",").map((name) => name.trim());
  const found = names.map((name) => {
    const scope = scopeNamed(name);
    if (scope) return scope;
    const known = [...Object.keys(scopes), ...Object.keys(scopeAliases)].join(", ");
    throw new UsageError(`--scopes names a scope that does not exist. There are: ${known}.`);
  });
  return [...new Set(found)];
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const EXPIRES =
  "--expires takes a span such as 90d, 12h or 30m, a date such as 2026-12-31, or an RFC 3339 time";

/** When a key ends: a span from now, the end of a day in UTC, or an instant. */
export function expiryOf(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const at = instantOf(value, now);
  if (at === null || Number.isNaN(at)) throw new UsageError(`${EXPIRES}.`);
  if (at <= now) throw new UsageError("--expires lies in the past.");
  if (new Date(at).getUTCFullYear() > 9999 || Number.isNaN(new Date(at).getTime()))
    throw new UsageError("--expires lies beyond the year 9999.");
  return at;
}

function instantOf(value: string, now: number): number | null {
  const span = /^(\d{1,6})([mhdw])$/.exec(value);
  if (span) return now + Number(span[1]) * (UNIT_MS[span[2] as string] as number);
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return sameDay(value) ? Date.parse(`${value}T23:59:59Z`) : null;
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(value)
    ? Date.parse(value)
    : null;
}

/** False for the 31st of February, which Date takes for a day in March. */
function sameDay(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}

/** RFC 3339 in UTC. */
export function iso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
