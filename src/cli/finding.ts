/**
 * Result of a check. `warning`: it works, but not for much longer, or is not set up yet. `broken`: it does not work.
 */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "broken";
  /** The finding, in a few words. */
  readonly found: string;
  /** Advice; null if there is nothing to do. */
  readonly advice: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, status: "ok", found, advice: null });

export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  status: "warning",
  found,
  advice,
});

export const broken = (check: string, found: string, advice: string): Finding => ({
  check,
  status: "broken",
  found,
  advice,
});
