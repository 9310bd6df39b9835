import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { activityOf } from "../../parts/recall-activity.ts";
import { Spark } from "../../parts/spark.tsx";
import { Failed } from "../../parts/states.tsx";
import { Who } from "../../parts/who.tsx";
import { type Space, teamOf } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { RANGES, type Range } from "./figure-steps.ts";
import "../../parts/brief.css";

const SHOWN = 5;
const STEPS = 12;
const MINUTE = 60_000;
const number = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent" });

/** The agents that recalled most in the range, each with all its credentials. */
export function BusiestAgents({ space, range }: { readonly space: Space; readonly range: Range }) {
  // A whole minute, so that the request stays the same within it.
  const now = Math.ceil(Date.now() / MINUTE) * MINUTE;
  const asked = useQuery(
    trpc.recallActivity.queryOptions(
      {
        ...teamOf(space),
        after: new Date(now - RANGES[range].ms).toISOString(),
        before: new Date(now).toISOString(),
        steps: STEPS,
      },
      { placeholderData: keepPreviousData },
    ),
  );
  if (asked.isError)
    return <Failed what="The busiest agents" error={asked.error} retry={() => void asked.refetch()} />;
  const callers = asked.data?.callers ?? [];
  const agents = new Set(callers.flatMap(({ agent_id }) => agent_id ?? []));
  const busiest = [...agents]
    .map((id) => {
      const own = callers.filter(({ agent_id }) => agent_id === id);
      return { id, name: own[0]?.agent_name ?? id, ...activityOf(own, STEPS) };
    })
    .sort((a, b) => b.total - a.total)
    .slice(0, SHOWN);
  return (
    <section className="panel" aria-label="Busiest agents">
      <h2 className="panel-title panel-top">
        Busiest agents
        <Link to="/$space/access" params={{ space: space.key }} aria-label="All agents">
          All
        </Link>
      </h2>
      {busiest.length === 0 ? (
        <p className="soft">{asked.data && `No agent has recalled in ${RANGES[range].words}.`}</p>
      ) : (
        <table className="brief busiest">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Recalls</th>
              <th scope="col">Answered</th>
              <th scope="col" className="only-wide">
                {RANGES[range].label}
              </th>
            </tr>
          </thead>
          <tbody>
            {busiest.map(({ id, name, recalls, total, answered }) => (
              <tr key={id}>
                <td>
                  <Link to="/$space/recalls" params={{ space: space.key }} search={{ agent: id }}>
                    <Who kind="agent" name={name} />
                  </Link>
                </td>
                <td>{number.format(total)}</td>
                <td>{answered === null ? "–" : percent.format(answered)}</td>
                <td className="only-wide">
                  <Spark values={recalls} label={`Recalls of ${name} in ${RANGES[range].words}`} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
