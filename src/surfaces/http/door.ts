import type { RateLimiter } from "../../core/limits/rate-limiter.ts";
import type { Authentication } from "./authenticate.ts";

/** What every door stands on, whatever protocol it speaks. */
export interface Door extends Authentication {
  readonly newId: () => string;
  /** True where an error means that a dependency is away, so that trying again later helps. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  /** Whose `X-Forwarded-For` is believed: addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  /** How clients reach the service from outside. */
  readonly publicUrl: string;
}
