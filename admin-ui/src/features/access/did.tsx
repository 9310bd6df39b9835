/** What somebody or something did lately: recalls, memories, and lines of the audit log. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Answer } from "../../parts/answer.tsx";
import { Chart } from "../../parts/chart.tsx";
import type { Activity } from "../../parts/recall-activity.ts";
import { Failed } from "../../parts/states.tsx";
import { Clock, Time } from "../../parts/time.tsx";
import { mayManage, OWN, type Space, teamOf } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { burstsOf, keyOf } from "../service/audit-bursts.ts";
import { useTitles } from "../service/audit-titles.ts";
import { Sentence } from "../service/audit-words.tsx";
import { DAY, DAYS, type Entry, lastWeek } from "./entries.ts";

const SHOWN = 5;
/** How many lines are read: those that belong together are shown as one. */
const LINES = 40;
const number = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent" });

interface PanelProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly all?: ReactNode;
  readonly error: unknown;
  readonly retry: () => unknown;
  /** undefined: it is still asked for. */
  readonly rows: readonly ReactNode[] | undefined;
  readonly empty: string;
}

function Panel({ title, note, all, error, retry, rows, empty }: PanelProps) {
  return (
    <section className="panel" aria-label={title}>
      <h2 className="panel-title panel-top">
        <span>
          {title}
          {note && <span className="badge">{note}</span>}
        </span>
        {rows !== undefined && rows.length > 0 && all}
      </h2>
      {error != null && <Failed what={title} error={error} retry={() => void retry()} />}
      {rows?.length === 0 && <p className="soft">{empty}</p>}
      {rows !== undefined && rows.length > 0 && (
        <table className="brief">
          <tbody>{rows}</tbody>
        </table>
      )}
    </section>
  );
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** Nothing for whatever asked for nothing. */
export function Week({ week }: { readonly week: Activity | null }) {
  if (week === null || week.total === 0) return null;
  const { recalls, total, answered } = week;
  const begins = Date.parse(lastWeek().after);
  const days = recalls.filter(Boolean).length;
  const says = `${number.format(total)} ${total === 1 ? "recall" : "recalls"} in ${DAYS} days, on ${days} of them`;
  return (
    <Chart
      title="Recalls per day"
      says={answered === null ? says : `${says}; ${percent.format(answered)} of the contexts were answered`}
      at={recalls.map((_, step) => begins + step * DAY)}
      series={[{ name: "Recalls", values: recalls }]}
      format={(value) => number.format(value)}
      label={(at) => day.format(at)}
    />
  );
}

export function Recalls({ entry, space }: { readonly entry: Entry; readonly space: Space }) {
  const { kind, id, week, isTeams } = entry;
  const by = kind === "agent" ? { agent_id: id } : { credential_id: id };
  const found = useQuery(
    trpc.listRecalls.queryOptions({ ...(isTeams ? teamOf(space) : {}), ...by, limit: SHOWN }),
  );
  const rows = found.data?.recalls.map(({ id: of, at, question, outcome, ms }) => (
    <tr key={of}>
      <td>
        <bdi>{question}</bdi>
      </td>
      <td className="access-answer">
        <Answer of={outcome} />
      </td>
      <td>{`${number.format(ms)} ms`}</td>
      <td>
        <Clock at={at} />
      </td>
    </tr>
  ));
  const search =
    kind === "agent" ? { agent: id, range: "week" as const } : { key: id, range: "week" as const };
  return (
    <Panel
      title="Last questions"
      all={
        <Link to="/$space/recalls" params={{ space: isTeams ? space.key : OWN }} search={search}>
          {week ? `All ${number.format(week.total)} of 7 days` : "All"}
        </Link>
      }
      error={found.error}
      retry={found.refetch}
      rows={rows}
      empty={
        found.data?.kept_days === 0
          ? "This service keeps no recalls."
          : `None in the recalls kept, at most ${found.data?.kept_days} days.`
      }
    />
  );
}

export function Wrote({ agentId, space }: { readonly agentId: string; readonly space: Space }) {
  const found = useQuery(
    trpc.listMemories.queryOptions({ ...space.filter, agent_id: agentId, limit: SHOWN }),
  );
  const total = found.data?.total ?? 0;
  const to = { to: "/$space/memories", params: { space: space.key } } as const;
  return (
    <Panel
      title="Wrote"
      note={total > 0 ? `${number.format(total)} ${total === 1 ? "memory" : "memories"}` : undefined}
      all={
        <Link {...to} search={{ agent: encodeURIComponent(agentId) }}>
          All
        </Link>
      }
      error={found.error}
      retry={found.refetch}
      rows={found.data?.memories.map(({ id, content, created_at }) => (
        <tr key={id}>
          <td>
            <Link {...to} search={{ id }}>
              <bdi>{content.slice(0, 160)}</bdi>
            </Link>
          </td>
          <td>
            <Time at={created_at} />
          </td>
        </tr>
      ))}
      empty="No memory of this workspace is by this agent."
    />
  );
}

export function Audited({ entry, space }: { readonly entry: Entry; readonly space: Space }) {
  const { kind, id, name } = entry;
  const isHere = space.teamId === null || mayManage(space);
  const by = kind === "agent" ? { agent_id: id } : { person: name };
  const found = useQuery(
    trpc.listAudit.queryOptions({ ...teamOf(space), ...by, limit: LINES }, { enabled: isHere }),
  );
  const titles = useTitles(space, found.data ? [found.data] : []);
  if (!isHere) return null;
  // Lines about an agent are found too: those it wrote itself bear its name.
  const own = found.data?.lines.filter(({ agent_name }) => kind !== "agent" || agent_name !== null);
  const bursts = own && burstsOf(own, true).slice(0, SHOWN);
  return (
    <Panel
      title="Did"
      all={
        <Link
          to="/$space/service/audit"
          params={{ space: space.key }}
          search={kind === "agent" ? { agent: id } : { person: name }}
        >
          Audit log
        </Link>
      }
      error={found.error}
      retry={found.refetch}
      rows={bursts?.map((burst) => (
        <tr key={keyOf(burst)}>
          <td>
            <Sentence burst={burst} space={space} titles={titles} />
          </td>
          <td>
            <Time at={burst.lines[0].at} />
          </td>
        </tr>
      ))}
      empty="Nothing in the audit log of this workspace."
    />
  );
}
