import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Sql } from "./database.ts";

/** Maximum number of attempts in a fixed window, aligned to the clock. */
export interface Limit {
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
}

export const SIGN_INS_PER_ACCOUNT: Limit = { name: "sign_in account", max: 10, windowSeconds: 900 };
export const SIGN_INS_PER_ADDRESS: Limit = { name: "sign_in address", max: 50, windowSeconds: 900 };
export const ACCEPTS_PER_ADDRESS: Limit = { name: "accept address", max: 50, windowSeconds: 900 };
export const REGISTRATIONS_PER_ADDRESS: Limit = { name: "register address", max: 30, windowSeconds: 3600 };

/** Counts attempts over all replicas. Stores only a hash of each subject. */
export interface Attempts {
  /** Counts an attempt. Returns how long to wait; null if it is allowed. */
  count(limit: Limit, of: string): Promise<{ retryAfterSeconds: number } | null>;
  /** Resets the count of the current window. */
  clear(limit: Limit, of: string): Promise<void>;
}

export function createAttempts(sql: Sql): Attempts {
  return {
    async count(limit, of) {
      const [row] = await sql`
        insert into auth.attempts (key, window_start, count)
        values (${keyOf(limit, of)}, ${windowStart(sql, limit)}, 1)
        on conflict (key, window_start) do update set count = attempts.count + 1
        returning count, ceil(extract(epoch from
          window_start + make_interval(secs => ${limit.windowSeconds}) - now()))::int as seconds_left`;
      if ((row?.count as number) <= limit.max) return null;
      return { retryAfterSeconds: Math.max(1, row?.seconds_left as number) };
    },
    async clear(limit, of) {
      await sql`delete from auth.attempts where key = ${keyOf(limit, of)}`;
    },
  };
}

function windowStart(sql: Sql, { windowSeconds }: Limit) {
  return sql`date_bin(make_interval(secs => ${windowSeconds}), now(), timestamptz '2000-01-01 00:00:00+00')`;
}

function keyOf({ name }: Limit, of: string): Buffer {
  return createHash("sha256").update(`${name} ${of}`).digest();
}
