/** What a check found. `warning`: it works, but not for much longer, or is not set up yet. `broken`: it does not work. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "broken";
  /** What was found, in a few words. */
  readonly found: string;
  /** What to do about it; null where there is nothing to do. */
  readonly advice: string | null;
}
