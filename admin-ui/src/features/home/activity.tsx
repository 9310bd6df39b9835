/** The figures of the range, each of which leads to where it comes from. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ANSWERS, Moon } from "../../parts/answer.tsx";
import { Failed } from "../../parts/states.tsx";
import { mayManage, type Space, teamOf } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { coverageOf, percent } from "../service/coverage.ts";
import { RANGES, type Range, stepsOf } from "./figure-steps.ts";

const number = new Intl.NumberFormat("en");
const MINUTE = 60_000;
/** The log's own name of a range; its default is a day. */
const LOG_RANGES: Readonly<Record<Range, { range?: "hour" | "week" | "all" }>> = {
  hour: { range: "hour" },
  day: {},
  week: { range: "week" },
  quarter: { range: "all" },
};

export function Activity({ space, range }: { readonly space: Space; readonly range: Range }) {
  const memories = useQuery(trpc.listMemories.queryOptions({ ...space.filter, status: "active", limit: 1 }));
  const figures = useQuery(
    trpc.figures.queryOptions(
      { range, ...teamOf(space) },
      { refetchInterval: 60_000, placeholderData: keepPreviousData },
    ),
  );
  // Asks for the index's status: a search would count as a recall, and change the figures that it is shown in.
  const state = useQuery(trpc.serviceState.queryOptions(teamOf(space), { refetchInterval: 60_000 }));
  const coverage = state.data && coverageOf(state.data);
  const failed = [memories, figures, state].find(({ isError }) => isError);
  const params = { space: space.key };
  // The steps of the charts, so that both count the same.
  const steps = figures.data && stepsOf(figures.data, figures.dataUpdatedAt);
  const sum = (of: "recalls" | "writes") =>
    steps && number.format(steps.reduce((all, step) => all + step[of], 0));
  return (
    <section aria-label="Activity" className="activity">
      {failed && (
        <Failed
          what="The figures"
          error={failed.error}
          retry={() => {
            for (const query of [memories, figures, state]) if (query.isError) void query.refetch();
          }}
        />
      )}
      <dl className="tiles">
        <Tile
          label="Active memories"
          hint="can be recalled"
          figure={memories.data && number.format(memories.data.total)}
          link={{ to: "/$space/memories", params, search: { status: "active" } }}
        />
        <Tile
          label="Recalls"
          hint={`in ${RANGES[range].words}`}
          figure={sum("recalls")}
          link={
            mayManage(space)
              ? { to: "/$space/recalls", params, search: LOG_RANGES[range] }
              : { to: "/$space", params, search: { range }, hash: "figures" }
          }
        />
        {mayManage(space) && <Answers space={space} range={range} />}
        <Tile
          label="Writes"
          hint={`in ${RANGES[range].words}`}
          figure={sum("writes")}
          link={{ to: "/$space", params, search: { range }, hash: "figures" }}
        />
        <Tile
          label="Coverage"
          hint={coverage?.words ?? "of memories in the index"}
          figure={coverage && percent(coverage.share)}
          link={{ to: "/$space/service/indexes", params }}
        />
      </dl>
    </section>
  );
}

interface TileProps {
  readonly label: string;
  readonly hint: ReactNode;
  readonly figure: string | undefined;
  readonly link: LinkProps;
}

function Tile({ label, hint, figure, link }: TileProps) {
  return (
    <div className="tile">
      <dt>{label}</dt>
      <dd>
        <Link {...link} className="count">
          {figure ?? "–"}
        </Link>
        <small>{hint}</small>
      </dd>
    </div>
  );
}

type Counted = Outputs["countRecalls"];
const CONTEXTS = ["answered", "partial", "none"] as const;

/** How many contexts were answered by the recall log, and how long all recalls took. */
function Answers({ space, range }: { readonly space: Space; readonly range: Range }) {
  // A whole minute, so that the request stays the same within it.
  const now = Math.ceil(Date.now() / MINUTE) * MINUTE;
  const counted = useQuery(
    trpc.countRecalls.queryOptions(
      {
        ...teamOf(space),
        after: new Date(now - RANGES[range].ms).toISOString(),
        before: new Date(now).toISOString(),
        steps: 1,
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const params = { space: space.key };
  const log = { to: "/$space/recalls", params, search: LOG_RANGES[range] } as const;
  const latency = counted.data?.latency;
  return (
    <>
      <Tile
        label="Recall p95"
        hint={
          latency ? `p50 is ${number.format(latency.p50_ms)} ms` : counted.data ? "no recall in the log" : ""
        }
        figure={latency ? `${number.format(latency.p95_ms)} ms` : undefined}
        link={log}
      />
      <Answered counted={counted.data} log={log} />
    </>
  );
}

function Answered({ counted, log }: { readonly counted: Counted | undefined; readonly log: LinkProps }) {
  const totals = CONTEXTS.map((outcome) => ({
    outcome,
    total: (counted?.steps ?? []).reduce((sum, step) => sum + step[outcome], 0),
  }));
  const all = totals.reduce((sum, { total }) => sum + total, 0);
  const share = all === 0 ? undefined : `${Math.round(((totals[0]?.total ?? 0) / all) * 100)}%`;
  return (
    <Tile
      label="Answered"
      hint={
        all === 0 ? (
          counted && "no context in the log"
        ) : (
          <span className="answers">
            {totals.map(({ outcome, total }) => (
              <span key={outcome} className="answer">
                <Moon of={outcome} />
                {`${ANSWERS[outcome]} ${number.format(total)}`}
              </span>
            ))}
          </span>
        )
      }
      figure={share}
      link={log}
    />
  );
}
