import { RATE_WINDOW_SECONDS } from "../../contract/rate-limit.ts";
import { DomainError } from "../error.ts";
import type { Standing } from "./standing.ts";

/** `rate_limited`: a window is used up. Nothing was looked up or changed. */
export class RateLimited extends DomainError {
  readonly standing: Standing;

  constructor(standing: Standing) {
    const { category, limit, retryAfterSeconds } = standing;
    super(
      "rate_limited",
      `Too many requests of the category ${category}: ${limit} are allowed in ${RATE_WINDOW_SECONDS} seconds. The next window begins in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    );
    this.standing = standing;
  }
}
