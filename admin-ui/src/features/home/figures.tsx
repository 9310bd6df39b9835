import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Chart } from "../../parts/chart.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { type Space, teamOf } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { RANGES, type Range, type Step, stepsOf } from "./figure-steps.ts";

const count = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const number = new Intl.NumberFormat("en");
const rate = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const hours = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

const ms = (value: number) => (value >= 1000 ? `${rate.format(value / 1000)} s` : `${rate.format(value)} ms`);
const share = (value: number) => `${rate.format(Math.floor(value * 1000) / 10)}%`;

/** How the workspace did over a range of time, which is in the address. */
export function Figures({ space, range }: { readonly space: Space; readonly range: Range }) {
  const asked = useQuery(
    trpc.figures.queryOptions(
      { range, ...teamOf(space) },
      { refetchInterval: 60_000, placeholderData: keepPreviousData },
    ),
  );
  return (
    <section aria-labelledby="figures" style={{ marginTop: 24 }}>
      <div className="heading">
        <h2 id="figures" className="grow panel-title">
          Over time
        </h2>
      </div>
      {asked.isPending && <Waiting what="the figures" />}
      {asked.isError && <Failed what="The figures" error={asked.error} retry={() => void asked.refetch()} />}
      {asked.data &&
        (asked.data.steps.length === 0 ? (
          <Empty title={`Nothing happened in ${RANGES[asked.data.range].words}`}>
            Figures begin with the first memory that is written or recalled, and appear here a minute later.
            Choose a longer range to look further back.
          </Empty>
        ) : (
          <Charts steps={stepsOf(asked.data, asked.dataUpdatedAt)} range={asked.data.range} />
        ))}
    </section>
  );
}

function Charts({ steps, range }: { readonly steps: readonly Step[]; readonly range: Range }) {
  const { words } = RANGES[range];
  const at = steps.map((step) => step.at);
  const label = (instant: number) => (range === "hour" || range === "day" ? hours : days).format(instant);
  const of = (name: keyof Step) => steps.map((step) => step[name]);
  const there = (name: keyof Step) => of(name).filter((value) => value !== null);
  const most = (name: keyof Step) => Math.max(0, ...there(name));
  const total = (name: "recalls" | "writes") => steps.reduce((sum, step) => sum + step[name], 0);
  const failures = steps.reduce((sum, step) => sum + step.failures, 0);
  const now = steps.at(-1)?.memories ?? 0;
  const before = steps.find(({ memories }) => memories !== null)?.memories ?? now;
  const grown = now - before;
  const lowest = Math.min(1, ...there("coverage"));
  return (
    <div className="charts">
      <Chart
        title="Recalls and writes per minute"
        says={`${number.format(total("recalls"))} recalls and ${number.format(total("writes"))} writes in ${words}; ${failures === 0 ? "none failed" : `${number.format(failures)} failed`}.`}
        at={at}
        label={label}
        format={rate.format}
        series={[
          { name: "Recalls", values: of("recallsPerMinute") },
          { name: "Writes", values: of("writesPerMinute") },
        ]}
      />
      <Chart
        title="How long recall takes"
        says={
          there("p95").length === 0
            ? `No recall in ${words}.`
            : `In the worst step of ${words}, the p50 was ${ms(most("p50"))} and the p95 ${ms(most("p95"))}.`
        }
        at={at}
        label={label}
        format={ms}
        series={[
          { name: "p95", values: of("p95") },
          { name: "p50", values: of("p50") },
        ]}
      />
      <Chart
        title="Memories"
        says={`${number.format(now)} memories now, ${grown === 0 ? "as many as" : `${number.format(Math.abs(grown))} ${grown > 0 ? "more" : "fewer"} than`} at the start of this range.`}
        at={at}
        label={label}
        format={count.format}
        series={[{ name: "Memories", values: of("memories") }]}
      />
      <Chart
        title="What recall could consider"
        says={
          there("coverage").length === 0
            ? `No recall in ${words}.`
            : lowest === 1
              ? `Every recall considered all memories. The index was at most ${rate.format(most("lag"))} s behind.`
              : `At least ${share(lowest)} of the memories. The index was at most ${rate.format(most("lag"))} s behind.`
        }
        at={at}
        label={label}
        format={share}
        atLeast={1}
        series={[{ name: "Coverage", values: of("coverage") }]}
      />
      <Chart
        title="How far the index is behind"
        says={`The index was at most ${rate.format(most("lag"))} s behind in ${words}.`}
        at={at}
        label={label}
        format={(value) => `${rate.format(value)} s`}
        series={[{ name: "Behind", values: of("lag") }]}
      />
    </div>
  );
}
