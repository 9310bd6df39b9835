import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { Icon, type IconName } from "../../parts/icons.tsx";
import { Failed } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import { teamOf } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

const number = new Intl.NumberFormat("en");
const counted = (count: number, one: string, many = `${one}s`) =>
  `${number.format(count)} ${count === 1 ? one : many}`;

interface Matter {
  readonly icon: IconName;
  readonly title: string;
  readonly more: string;
  readonly action: string;
  readonly link: LinkProps;
}

/** Work that waits for a person, one action a line: conflicts, agents, and everything overdue. */
export function NeedsAttention({ space }: { readonly space: Space }) {
  // No event says that something became overdue: it is looked at again now and then.
  const attention = useQuery(trpc.attention.queryOptions(teamOf(space), { refetchInterval: 60_000 }));
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  const matters = [
    ...(agents.data ? agentsWaiting(space, agents.data) : []),
    ...(attention.data ? mattersOf(space, attention.data) : []),
  ];
  const failed = [attention, agents].find(({ isError }) => isError);
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
            void attention.refetch();
            void agents.refetch();
          }}
        />
      )}
      {matters.length === 0 && !failed && (
        <p className="soft">
          {agents.data && attention.data
            ? "Nothing: no conflicts, nothing overdue, and no agent is waiting."
            : "Looking…"}
        </p>
      )}
      <ul className="plain rows">
        {matters.map(({ icon, title, more, action, link }) => (
          <li key={title}>
            <Icon name={icon} />
            <span className="grow two-lines">
              <b>{title}</b>
              <small>
                <bdi>{more}</bdi>
              </small>
            </span>
            <Button
              size="xs"
              variant="default"
              aria-label={`${action}: ${title}`}
              renderRoot={(props) => <Link {...link} {...props} />}
            >
              {action}
            </Button>
          </li>
        ))}
      </ul>
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
      link: { to: "/$space/agents", params: { space: space.key } },
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
