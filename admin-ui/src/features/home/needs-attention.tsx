import { useQuery } from "@tanstack/react-query";
import { type Matter, Matters } from "../../parts/matters.tsx";
import { Failed } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import { teamOf } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { alertMatters, useAlerts } from "../alerts/raised-alerts.tsx";

const number = new Intl.NumberFormat("en");
const counted = (count: number, one: string, many = `${one}s`) =>
  `${number.format(count)} ${count === 1 ? one : many}`;

/** Work that waits for a person, one action a line: alerts, agents, conflicts, and everything overdue. */
export function NeedsAttention({ space }: { readonly space: Space }) {
  // No event says that something became overdue: it is looked at again now and then.
  const attention = useQuery(trpc.attention.queryOptions(teamOf(space), { refetchInterval: 60_000 }));
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  const alerts = useAlerts(space);
  const queries = [attention, agents, alerts];
  const matters = [
    // Conflicts are listed in any case.
    ...alertMatters(space, alerts.data).filter(({ measure }) => measure !== "open_conflicts"),
    ...(agents.data ? agentsWaiting(space, agents.data) : []),
    ...(attention.data ? mattersOf(space, attention.data) : []),
  ];
  const failed = queries.find(({ isError }) => isError);
  return (
    <section className="panel" aria-labelledby="attention">
      <h2 id="attention" className="panel-title">
        Needs attention
      </h2>
      {failed && (
        <Failed
          what="What needs attention"
          error={failed.error}
          retry={() => {
            for (const query of queries) void query.refetch();
          }}
        />
      )}
      {matters.length === 0 && !failed && (
        <p className="soft">
          {queries.every(({ data }) => data)
            ? "Nothing: no conflicts, nothing overdue, and no agent is waiting."
            : "Looking…"}
        </p>
      )}
      <Matters matters={matters} />
    </section>
  );
}

function agentsWaiting(space: Space, { agents }: Outputs["listAgents"]): Matter[] {
  const waiting = agents.filter(({ status }) => status === "awaiting_confirmation");
  if (waiting.length === 0) return [];
  return [
    {
      icon: "agent",
      title: `${counted(waiting.length, "agent")} to confirm`,
      more: `approved, not connected yet: ${waiting.map(({ client_name }) => client_name).join(", ")}`,
      action: "Review",
      link: { to: "/$space/access", params: { space: space.key } },
    },
  ];
}

function mattersOf(space: Space, found: Outputs["attention"]): Matter[] {
  const { conflicts, conflicting, overdue, overdue_reminders, overdue_todos } = found;
  const params = { space: space.key };
  const firstOf = (kind: "todo" | "reminder") => overdue.find((one) => one.kind === kind);
  const todo = firstOf("todo");
  const textOf = (kind: "todo" | "reminder") =>
    overdue
      .filter((one) => one.kind === kind)
      .map(({ content }) => content.slice(0, 80))
      .join("; ");
  const matters: (Matter | false)[] = [
    conflicts > 0 && {
      icon: "replaced",
      title: counted(conflicts, "conflict"),
      more: "memories with different values for one fact",
      action: "Resolve",
      link: { to: "/$space/memories", params, search: { ids: conflicting.join(" ") } },
    },
    overdue_todos > 0 && {
      icon: "clock",
      title: counted(overdue_todos, "overdue todo"),
      more: textOf("todo") || "in any project",
      action: "Open",
      link:
        overdue_todos === 1 && todo?.project_id
          ? {
              to: "/$space/projects/$project",
              params: { ...params, project: todo.project_id },
              search: { tab: "todos" },
            }
          : { to: "/$space/projects", params },
    },
    overdue_reminders > 0 && {
      icon: "bell",
      title: counted(overdue_reminders, "overdue reminder"),
      more: textOf("reminder"),
      action: "Open",
      link: { to: "/$space/reminders", params },
    },
  ];
  return matters.filter((matter) => matter !== false);
}
