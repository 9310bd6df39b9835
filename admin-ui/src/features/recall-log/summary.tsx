import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type RecallOutcome, recallOutcomes } from "../../../../src/contract/recall-outcome.ts";
import { ANSWERS, Moon } from "../../parts/answer.tsx";
import { Numbers, useWidth } from "../../parts/chart.tsx";
import { Failed } from "../../parts/states.tsx";
import { trpc } from "../../shell/trpc.ts";
import { DAY, RANGES, type Range, type RecallFilter } from "./recalls.ts";

const MINUTE = 60_000;
const STEPS = 72;
const number = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

interface SummaryProps {
  readonly filter: RecallFilter;
  readonly range: Range;
  readonly keptDays: number;
}

/** Counts by outcome, latency, and a bar for each step of the range. */
export function Summary({ filter, range, keptDays }: SummaryProps) {
  const end = useMinute();
  const ms = RANGES[range].ms ?? keptDays * DAY;
  const [after, before] = [new Date(end - ms).toISOString(), new Date(end).toISOString()];
  const counted = useQuery(
    trpc.countRecalls.queryOptions(
      { ...filter, after, before, steps: STEPS },
      { placeholderData: keepPreviousData },
    ),
  );
  const [isTable, setTable] = useState(false);
  if (counted.isError)
    return <Failed what="The counts" error={counted.error} retry={() => void counted.refetch()} />;
  if (!counted.data) return <div className="recall-summary" />;
  const { steps, step_seconds, latency } = counted.data;
  const stepMs = step_seconds * 1000;
  const found = new Map(steps.map((step) => [Math.round((Date.parse(step.at) - (end - ms)) / stepMs), step]));
  const at = Array.from({ length: Math.round(ms / stepMs) }, (_, index) => end - ms + index * stepMs);
  const series = recallOutcomes.map((outcome) => ({
    outcome,
    name: ANSWERS[outcome],
    values: at.map((_, index) => found.get(index)?.[outcome] ?? 0),
  }));
  const totals = series.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const total = totals.reduce((sum, value) => sum + value, 0);
  const says = `${number.format(total)} recalls in ${RANGES[range].words}: ${series.map(({ name }, n) => `${name} ${number.format(totals[n] ?? 0)}`).join(", ")}`;
  return (
    <section className="recall-summary" aria-label="Summary">
      <p className="recall-counts">
        <strong>{`${number.format(total)} ${total === 1 ? "recall" : "recalls"}`}</strong>
        {series.map(({ outcome, name }, n) => (
          <span key={outcome} className="answer">
            <Moon of={outcome} />
            {`${name} ${number.format(totals[n] ?? 0)}`}
          </span>
        ))}
        {latency && (
          <span className="soft">{`p50 ${number.format(latency.p50_ms)} ms · p95 ${number.format(latency.p95_ms)} ms`}</span>
        )}
        <Button size="compact-xs" variant="default" onClick={() => setTable(!isTable)}>
          {isTable ? "Show as chart" : "Show as table"}
        </Button>
      </p>
      {isTable ? (
        <Numbers title="Recalls" at={at} series={series} format={number.format} />
      ) : (
        <Bars says={says} at={at} series={series} label={(ms > DAY ? day : clock).format} />
      )}
    </section>
  );
}

const endOfMinute = () => Math.ceil(Date.now() / MINUTE) * MINUTE;

/** The end of the present minute, so that every minute has its own request. */
function useMinute(): number {
  const [minute, setMinute] = useState(endOfMinute);
  useEffect(() => {
    const timer = setInterval(() => setMinute(endOfMinute), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

const HEIGHT = 64;

const FILLS: Readonly<Record<RecallOutcome, { readonly fill: string; readonly stroke?: string }>> = {
  answered: { fill: "var(--c1)" },
  partial: { fill: "url(#partial)" },
  found: { fill: "var(--c3)" },
  none: { fill: "var(--paper)", stroke: "var(--field)" },
};

interface BarsProps {
  readonly says: string;
  readonly at: readonly number[];
  readonly series: readonly { readonly outcome: RecallOutcome; readonly values: readonly number[] }[];
  readonly label: (at: number) => string;
}

function Bars({ says, at, series, label }: BarsProps) {
  const [place, width] = useWidth();
  const heights = at.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(1, ...heights);
  const step = width / at.length;
  const marks = width < 500 ? 2 : 4;
  const heightOf = (value: number) => (value / most) * (HEIGHT - 2);
  const bars = at.flatMap((instant, index) => {
    const stacked = series.map(({ values }) => heightOf(values[index] ?? 0));
    return series.map(({ outcome }, n) => ({
      key: `${instant} ${outcome}`,
      x: index * step + 1,
      y: HEIGHT - stacked.slice(0, n + 1).reduce((sum, height) => sum + height, 0),
      height: stacked[n] ?? 0,
      ...FILLS[outcome],
    }));
  });
  return (
    <div ref={place} className="recall-bars">
      <svg role="img" aria-label={says} height={HEIGHT + 18} width="100%">
        <defs>
          <pattern
            id="partial"
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(35)"
          >
            <rect width="5" height="5" fill="var(--c4)" />
            <rect width="2.5" height="5" fill="var(--c2)" />
          </pattern>
        </defs>
        {bars.map(
          ({ key, height, ...bar }) =>
            height > 0 && (
              <rect key={key} {...bar} width={Math.max(1, step - 2)} height={Math.max(1, height - 1)} />
            ),
        )}
        <line x1="0" x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} stroke="var(--line2)" />
        {Array.from({ length: marks + 1 }, (_, n) => (
          <text
            key={at[Math.floor((n / marks) * (at.length - 1))]}
            x={(n / marks) * width}
            y={HEIGHT + 15}
            textAnchor={n === 0 ? "start" : n === marks ? "end" : "middle"}
          >
            {n === marks ? "now" : label(at[Math.floor((n / marks) * at.length)] ?? 0)}
          </text>
        ))}
      </svg>
    </div>
  );
}
