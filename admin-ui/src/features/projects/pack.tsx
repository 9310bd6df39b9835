import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Progress } from "../../parts/progress.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import type { Tone } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { Who } from "../../parts/who.tsx";
import { type Space, useSession } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

type Pack = Outputs["projectContext"];

export interface OfProject {
  readonly project: string;
  readonly space: Space;
}

const HEALTH: Readonly<
  Record<Pack["project_state"]["health"], { tone: Tone; icon: "good" | "warn" | "bad"; word: string }>
> = {
  empty: { tone: "soft", icon: "good", word: "Empty" },
  on_track: { tone: "good", icon: "good", word: "On track" },
  needs_attention: { tone: "warn", icon: "warn", word: "Needs attention" },
  stalled: { tone: "bad", icon: "bad", word: "Stalled" },
};

const number = new Intl.NumberFormat("en");

/** What entries say, by their ids: a text stands in one section of a pack, and may be meant in any. */
export function textsOf(pack: Pack): Map<string, string> {
  const sections = [
    pack.action_items,
    pack.decisions,
    pack.recent_memories,
    pack.durable_context ?? [],
    pack.timeline,
  ];
  return new Map(
    sections.flatMap((entries) =>
      entries.flatMap(({ id, text }) => (text === null ? [] : [[id, text] as const])),
    ),
  );
}

/** What an agent is told when it asks for this project, with the same limits. */
export function PackView({ project, space }: OfProject) {
  const pack = useQuery(trpc.projectContext.queryOptions({ project_id: project, team_id: space.teamId }));
  if (pack.isPending) return <Waiting what="the pack" />;
  if (pack.isError) return <Failed what="The pack" error={pack.error} retry={() => void pack.refetch()} />;
  const { project_state: state, governance_caveats, suggested_next_actions } = pack.data;
  const health = HEALTH[state.health];
  const texts = textsOf(pack.data);
  return (
    <>
      <div className="note" data-tone={health.tone}>
        <Icon name={health.icon} />
        <p>
          <strong>{health.word}.</strong> {state.health_reasons.join("; ")}
        </p>
      </div>
      <Counts state={state} />
      <div className="columns">
        <section className="panel" aria-labelledby="next">
          <h2 className="panel-title" id="next">
            What to do next
          </h2>
          {suggested_next_actions.length === 0 && <p className="soft">Nothing is suggested.</p>}
          <ul className="plain rows">
            {suggested_next_actions.map(({ operation, id, because }) => (
              <li key={`${operation} ${id}`}>
                <span className="grow">
                  <bdi className="excerpt">{texts.get(id) ?? id}</bdi>
                  <span className="soft stored">{because}</span>
                </span>
                <Next operation={operation} id={id} space={space} project={project} />
              </li>
            ))}
          </ul>
        </section>
        <section className="panel" aria-labelledby="caveats">
          <h2 className="panel-title" id="caveats">
            Warnings
          </h2>
          {governance_caveats.length === 0 && <p className="soft">Nothing stands out.</p>}
          <ul className="plain rows">
            {governance_caveats.map(({ kind, statement, count }) => (
              <li key={kind}>
                <Icon name="warn" size={16} />
                <span className="grow">{statement}</span>
                {count > 0 && <span className="soft">{number.format(count)}</span>}
              </li>
            ))}
          </ul>
        </section>
        <Agents agents={pack.data.agent_states} space={space} />
        <Knowledge pack={pack.data} space={space} />
      </div>
      <ContextText pack={pack.data} />
    </>
  );
}

interface NextProps {
  readonly operation: string;
  readonly id: string;
  readonly space: Space;
  readonly project: string;
}

/** The way to where that is done. An operation that has no page is named as the service calls it. */
function Next({ operation, id, space, project }: NextProps) {
  const params = { space: space.key };
  const inProject = { ...params, project };
  switch (operation) {
    case "acceptTodo":
    case "completeTodo":
    case "unblockTodo":
      return (
        <Link to="/$space/projects/$project" params={inProject} search={{ tab: "todos", id }}>
          {{ acceptTodo: "Assign", completeTodo: "Complete it", unblockTodo: "Unblock it" }[operation]}
        </Link>
      );
    case "resolveDecision":
      return (
        <Link to="/$space/projects/$project" params={inProject} search={{ tab: "decisions" }}>
          Decide it
        </Link>
      );
    case "completeReminder":
      return (
        <Link to="/$space/reminders" params={params}>
          Complete it
        </Link>
      );
    case "updateMemory":
      return (
        <Link to="/$space/memories" params={params} search={{ id }}>
          Look at it
        </Link>
      );
    default:
      return <span className="soft mono">{operation}</span>;
  }
}

function Counts({ state: { todos, decisions, reminders } }: { readonly state: Pack["project_state"] }) {
  const tiles = [
    [
      "Open todos",
      todos.open + todos.assigned + todos.accepted + todos.blocked,
      `${todos.blocked} blocked, ${todos.overdue} overdue`,
    ],
    ["Finished todos", todos.completed + todos.cancelled, `${todos.cancelled} cancelled`],
    ["To decide", decisions.proposed, `${decisions.resolved} decided, ${decisions.superseded} replaced`],
    ["Reminders", reminders.due, `due; ${reminders.upcoming} upcoming`],
  ] as const;
  return (
    <dl className="tiles" style={{ marginTop: 16 }}>
      {tiles.map(([label, count, hint]) => (
        <div className="tile" key={label}>
          <dt>{label}</dt>
          <dd>
            {number.format(count)}
            <small>{hint}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A person accepts a todo by the id of their account; agents have names, and ids with a prefix. */
const isPerson = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/** Names of the workspace's people and of the reader's agents, by their ids. */
function useNames({ teamId }: Space): ReadonlyMap<string, string> {
  const { user } = useSession();
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  const members = useQuery(
    trpc.listMembers.queryOptions({ team_id: teamId ?? "" }, { enabled: teamId !== null }),
  );
  return new Map([
    [user.id, user.name],
    ...(members.data?.members ?? []).map(({ user_id, name }) => [user_id, name] as const),
    ...(agents.data?.agents ?? []).map(({ agent_id, client_name }) => [agent_id, client_name] as const),
  ]);
}

interface AgentsProps {
  readonly agents: Pack["agent_states"];
  readonly space: Space;
}

function Agents({ agents, space }: AgentsProps) {
  const names = useNames(space);
  return (
    <section className="panel" aria-labelledby="agents">
      <h2 className="panel-title" id="agents">
        People and agents
      </h2>
      {agents.length === 0 && <p className="soft">No agent has done anything here.</p>}
      <ul className="plain rows">
        {agents.map(({ agent_id, trust, last_activity_at, open_todos, blocked_todos }) => (
          <li key={agent_id}>
            <span className="grow">
              <Who name={names.get(agent_id) ?? agent_id} kind={isPerson(agent_id) ? "person" : "agent"} />{" "}
              {trust !== "token_bound" && !isPerson(agent_id) && <span className="soft">Unverified</span>}
            </span>
            <span className="soft">
              {`${open_todos} open${blocked_todos > 0 ? `, ${blocked_todos} blocked` : ""}`}
              {last_activity_at !== null && (
                <>
                  {" · "}
                  <Time at={last_activity_at} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Knowledge({ pack, space }: { readonly pack: Pack; readonly space: Space }) {
  const known = [...(pack.durable_context ?? []), ...pack.recent_memories].filter(
    ({ text }) => text !== null,
  );
  return (
    <section className="panel" aria-labelledby="known">
      <h2 className="panel-title" id="known">
        What is known
      </h2>
      {known.length === 0 && <p className="soft">No memory of this project yet.</p>}
      <ul className="plain rows">
        {known.slice(0, 12).map(({ id, text }) => (
          <li key={id}>
            <Link
              className="grow excerpt"
              to="/$space/memories"
              params={{ space: space.key }}
              search={{ id }}
            >
              <bdi>{text}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {known.length > 12 && <p className="soft">{`and ${known.length - 12} more in the text below`}</p>}
    </section>
  );
}

/** The text as a model gets it, and what of its limits it uses. */
function ContextText({ pack }: { readonly pack: Pack }) {
  const [isOpen, setOpen] = useState(false);
  const { used_tokens, max_tokens, used_items } = pack.budget;
  const said = `${number.format(used_tokens)} of ${number.format(max_tokens)} tokens, ${number.format(used_items)} entries`;
  if (pack.context_text === "")
    return <Empty title="Nothing to tell">There is nothing to tell an agent about this project yet.</Empty>;
  return (
    <section className="panel" aria-labelledby="text" style={{ marginTop: 16 }}>
      <div className="top">
        <h2 className="panel-title grow" id="text">
          What an agent reads
        </h2>
        <span className="soft">{said}</span>
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide the text" : "Show the text"}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            void navigator.clipboard.writeText(pack.context_text).then(() => done("The text was copied."))
          }
        >
          Copy it
        </Button>
      </div>
      <Progress label={said} done={used_tokens} of={max_tokens} />
      {pack.incomplete_domains.length > 0 && (
        <p className="soft">{`Left out or shortened because of the limits: ${pack.incomplete_domains.join(", ").replaceAll("_", " ")}.`}</p>
      )}
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <pre className="context" tabIndex={0}>
          {pack.context_text}
        </pre>
      )}
    </section>
  );
}
