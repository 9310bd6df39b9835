import { useQuery } from "@tanstack/react-query";
import { Chart } from "../../parts/chart.tsx";
import { Time } from "../../parts/time.tsx";
import { type Outputs, trpc } from "../../shell/trpc.ts";

const DAY_MS = 86_400_000;
const number = new Intl.NumberFormat("en");
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** How often a memory came in recalls: in a few words, and on each day that the recall log keeps. */
export function MemoryRecalls({ id }: { readonly id: string }) {
  const { data } = useQuery(trpc.memoryRecalls.queryOptions({ memory_ids: [id], by_day: true }));
  if (data === undefined) return <p>–</p>;
  if (data.kept_days === 0) return <p>Unknown: the recall log is off</p>;
  const [counted] = data.memories;
  const days = data.kept_days === 1 ? "the last day" : `the last ${data.kept_days} days`;
  if (counted === undefined) return <p>{`In none of ${days}`}</p>;
  return (
    <>
      <p>
        {`In ${counted.recalls} ${counted.recalls === 1 ? "recall" : "recalls"} of ${days}, last `}
        <Time at={counted.last_at} />
      </p>
      {data.kept_days > 1 && <Days days={counted.days} />}
    </>
  );
}

function Days({ days }: Pick<Outputs["memoryRecalls"]["memories"][number], "days">) {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const at = days.map((_, n) => today - (days.length - 1 - n) * DAY_MS);
  const most = Math.max(...days);
  return (
    <Chart
      title="Recalls per day"
      says={`Most on ${date.format(at[days.indexOf(most)])}: ${number.format(most)}. Days in UTC.`}
      at={at}
      label={date.format}
      format={number.format}
      atLeast={4}
      series={[{ name: "Recalls", values: days }]}
    />
  );
}
