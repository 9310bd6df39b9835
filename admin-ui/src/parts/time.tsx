const UNITS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

function ago(at: number, now: number): string {
  for (const [unit, ms] of UNITS) {
    if (Math.abs(at - now) >= ms) return relative.format(Math.trunc((at - now) / ms), unit);
  }
  return "just now";
}

/** An instant: how long ago, or `whole` with the reader's zone. Hovering tells both clocks. */
export function Time({ at, whole = false }: { readonly at: string; readonly whole?: boolean }) {
  const instant = new Date(at);
  const here = local.format(instant);
  return (
    <time dateTime={at} title={`${here}\n${instant.toISOString()} (UTC)`}>
      {whole ? here : ago(instant.getTime(), Date.now())}
    </time>
  );
}
