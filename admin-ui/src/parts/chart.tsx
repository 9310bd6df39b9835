import { Button } from "@mantine/core";
import { type PointerEvent, useEffect, useRef, useState } from "react";
import { pathOf, ticksTo } from "./chart-scale.ts";
import "./chart.css";

export interface Series {
  readonly name: string;
  /** One for each instant; null where there is nothing to tell. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  /** What it shows, in a sentence with its numbers. */
  readonly says: string;
  /** Where each step begins, in milliseconds since the epoch. */
  readonly at: readonly number[];
  /** One or two, drawn solid and dashed. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** How an instant is written below the axis. */
  readonly label: (at: number) => string;
  /** What the axis reaches at least. */
  readonly atLeast?: number;
}

const HEIGHT = 176;
const EDGE = { left: 52, right: 8, top: 8, bottom: 24 };

const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** Lines over time. Who does not see it is told its sentence, and everybody may have the numbers as a table. */
export function Chart(props: ChartProps) {
  const { title, series } = props;
  const [isTable, setTable] = useState(false);
  return (
    <figure className="chart panel">
      <div className="top">
        <h3>{title}</h3>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${isTable ? "Show as chart" : "Show as table"}: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? "Show as chart" : "Show as table"}
        </Button>
      </div>
      {series.length > 1 && (
        <ul className="legend">
          {series.map(({ name }, at) => (
            <li key={name}>
              <svg height="4" viewBox="0 0 28 4" aria-hidden="true">
                <path className={markOf(at)} d="M1 2L27 2" />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
      {isTable ? <Numbers {...props} /> : <Lines {...props} />}
    </figure>
  );
}

const markOf = (at: number) => (at === 0 ? "mark" : "mark second");

function Lines({ says, at, series, format, label, atLeast = 0 }: ChartProps) {
  const [place, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const most = Math.max(atLeast, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const ticks = ticksTo(most);
  const top = ticks.at(-1) as number;
  const inner = Math.max(1, width - EDGE.left - EDGE.right);
  const last = Math.max(1, at.length - 1);
  const x = (index: number) => EDGE.left + (index / last) * inner;
  const y = (value: number) => HEIGHT - EDGE.bottom - (value / top) * (HEIGHT - EDGE.top - EDGE.bottom);
  const labelled = Math.max(2, Math.min(6, Math.floor(inner / 96)));
  const marks = Array.from({ length: labelled }, (_, n) => Math.round((n / (labelled - 1)) * last));
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const index = Math.round(((event.clientX - left - EDGE.left) / inner) * last);
    setPointed(Math.min(Math.max(index, 0), at.length - 1));
  };
  return (
    <div ref={place}>
      <svg
        role="img"
        aria-label={says}
        height={HEIGHT}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPointed(null)}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="grid" x1={EDGE.left} x2={EDGE.left + inner} y1={y(tick)} y2={y(tick)} />
            <text x={EDGE.left - 8} y={y(tick) + 4} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {marks.map((index, n) => (
          <text
            key={index}
            x={x(index)}
            y={HEIGHT - 4}
            textAnchor={n === 0 ? "start" : n === labelled - 1 ? "end" : "middle"}
          >
            {label(at[index] ?? 0)}
          </text>
        ))}
        {pointed !== null && (
          <line className="grid" x1={x(pointed)} x2={x(pointed)} y1={EDGE.top} y2={HEIGHT - EDGE.bottom} />
        )}
        {series.map(({ name, values }, n) => (
          <path key={name} className={markOf(n)} d={pathOf(values, x, y)} />
        ))}
      </svg>
      <p className="reading" aria-hidden="true">
        {pointed === null ? says : readingOf(pointed, { at, series, format })}
      </p>
    </div>
  );
}

function readingOf(
  index: number,
  { at, series, format }: Pick<ChartProps, "at" | "series" | "format">,
): string {
  const read = series.map(({ name, values }) => {
    const value = values[index] ?? null;
    return `${name} ${value === null ? "–" : format(value)}`;
  });
  return [whole.format(at[index]), ...read].join(" · ");
}

/** The same numbers, newest first. */
export function Numbers({
  title,
  at,
  series,
  format,
}: Pick<ChartProps, "title" | "at" | "series" | "format">) {
  const rows = at.map((_, index) => at.length - 1 - index);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard too
    <section className="numbers" aria-label={`${title}, as a table`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((index) => (
            <tr key={index}>
              <th scope="row">{whole.format(at[index])}</th>
              {series.map(({ name, values }) => {
                const value = values[index] ?? null;
                return <td key={name}>{value === null ? "–" : format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How wide the element is now: what is drawn is as wide, so that its text keeps its size. */
export function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width] as const;
}
