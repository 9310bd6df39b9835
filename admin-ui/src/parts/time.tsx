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

const today = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const thisYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** An instant by the clock, with its day if that is not today. */
export function Clock({ at }: { readonly at: string }) {
  const instant = new Date(at);
  const isToday = instant.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={`${local.format(instant)}\n${instant.toISOString()} (UTC)`}>
      {(isToday ? today : thisYear).format(instant)}
    </time>
  );
}

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });

/** The day of an instant, for the reader. */
export function Day({ at }: { readonly at: string }) {
  const instant = new Date(at);
  return (
    <time dateTime={at} title={`${local.format(instant)}\n${instant.toISOString()} (UTC)`}>
      {day.format(instant)}
    </time>
  );
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
