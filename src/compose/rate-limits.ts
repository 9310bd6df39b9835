import { createRateWindows } from "../adapters/postgres/access/rate-windows.ts";
import { createMemoryCounter } from "../adapters/rate-limit/memory-counter.ts";
import { createRateLimiter, quotasOf, type RateLimiter } from "../core/limits/rate-limiter.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { Service } from "./service.ts";

/**
 * The limits that the settings ask for; null where they are off. They are counted in the database where other servers
 * may stand on it too, and in this process where the database is the embedded one, which is this server's alone.
 */
export function rateLimiterOf({ sql }: Pick<Service, "sql">, config: Config, log: Log): RateLimiter | null {
  const { rateLimits, databaseUrl } = config;
  if (!rateLimits) return null;
  const counter =
    databaseUrl === null
      ? createMemoryCounter()
      : createRateWindows(sql, (error) => log.failure("old rate limit windows could not be removed", error));
  return createRateLimiter({
    counter,
    quotas: quotasOf(rateLimits),
    report: (error) =>
      log.failure("requests cannot be counted; until they can be, limits do not hold", error),
  });
}
