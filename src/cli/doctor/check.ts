/** What a check found. `warning` works and will not for long, or is not set up yet; `broken` does not work. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "broken";
  /** What was found, in a few words. */
  readonly found: string;
  /** What to do about it; null where there is nothing to do. */
  readonly advice: string | null;
}

export function ok(check: string, found: string): Finding {
  return { check, status: "ok", found, advice: null };
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, status: "warning", found, advice };
}

export function broken(check: string, found: string, advice: string): Finding {
  return { check, status: "broken", found, advice };
}
