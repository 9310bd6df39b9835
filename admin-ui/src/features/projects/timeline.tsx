import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import type { ProjectSearch } from "../../routes/$space/projects/$project.tsx";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { type OfProject, textsOf } from "./pack.tsx";
import { decisionsOf, todosOf } from "./whole-lists.ts";

type Pack = Outputs["projectContext"];
type Event = Pack["timeline"][number];
type Hours = NonNullable<ProjectSearch["hours"]>;

const SPANS: readonly { value: Hours; label: string }[] = [
  { value: "24", label: "24 h" },
  { value: "168", label: "7 d" },
  { value: "720", label: "30 d" },
  { value: "8760", label: "1 y" },
];

/** The most that a pack holds: the timeline is the one of a pack, whose other sections need room too. */
const LIMITS = { max_items: 1000, max_tokens: 50_000 } as const;

interface TimelineProps extends OfProject {
  readonly hours: Hours;
  readonly setHours: (hours: Hours) => void;
}

/** What happened, newest first. */
export function Timeline({ project, space, hours, setHours }: TimelineProps) {
  const pack = useQuery(
    trpc.projectContext.queryOptions(
      {
        project_id: project,
        team_id: space.teamId,
        recent_hours: Number(hours),
        include_durable_context: false,
        ...LIMITS,
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const of = { project_id: project, team_id: space.teamId };
  const todos = useQuery(todosOf(of));
  const decisions = useQuery(decisionsOf(of));
  const texts = new Map([
    ...(pack.data ? textsOf(pack.data) : []),
    // As the items say it themselves, also what the pack has no room for.
    ...(todos.data ?? []).map(({ todo_id, content }) => [todo_id, content] as const),
    ...(decisions.data ?? []).map(({ decision_id, title }) => [decision_id, title] as const),
  ]);
  return (
    <section className="panel" aria-labelledby="timeline" aria-busy={pack.isPlaceholderData}>
      <div className="top">
        <h2 className="panel-title grow" id="timeline">
          What happened
        </h2>
        <fieldset className="spans" aria-label="How far back">
          {SPANS.map(({ value, label }) => (
            <Button
              key={value}
              size="compact-sm"
              variant={value === hours ? "light" : "subtle"}
              aria-pressed={value === hours}
              onClick={() => setHours(value)}
            >
              {label}
            </Button>
          ))}
        </fieldset>
      </div>
      {pack.isPending && <Waiting what="the timeline" />}
      {pack.isError && <Failed what="The timeline" error={pack.error} retry={() => void pack.refetch()} />}
      {pack.data?.timeline.length === 0 && (
        <Empty title="Nothing happened">Nothing was written or changed in this period.</Empty>
      )}
      {pack.data && (
        <ol className="plain rows events">
          {pack.data.timeline.map((event) => (
            <li key={`${event.id} ${event.at} ${event.operation}`}>
              <Icon name={ICONS[event.kind]} size={16} />
              <span className="grow">
                <EventLine event={event} space={space} project={project} text={texts.get(event.id) ?? null} />
              </span>
              <span className="soft">
                <Time at={event.at} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {pack.data?.incomplete_domains.includes("timeline") && (
        <p className="soft">There is more than is shown: choose a shorter period.</p>
      )}
    </section>
  );
}

const ICONS = { todo: "good", decision: "replaced", memory: "memories" } as const;

/** What was done, in words; one that is new is said as the service calls it. */
const DID: Readonly<Record<string, string>> = {
  accept: "accepted",
  assign: "assigned",
  block: "blocked",
  cancel: "cancelled",
  change: "changed",
  complete: "completed",
  create: "added",
  delete: "deleted",
  redact: "redacted",
  reopen: "reopened",
  resolve: "decided",
  restore: "restored",
  soft_delete: "forgotten",
  store: "stored",
  supersede: "replaced",
  unblock: "unblocked",
  update: "changed",
};

interface LineProps extends OfProject {
  readonly event: Event;
  readonly text: string | null;
}

function EventLine({ event, space, project, text }: LineProps) {
  const words = <bdi>{text === null ? event.id : text.slice(0, 160)}</bdi>;
  const moved = event.from === null || event.from === event.to ? "" : ` · ${event.from} → ${event.to}`;
  return (
    <>
      {event.kind === "memory" ? (
        <Link to="/$space/memories" params={{ space: space.key }} search={{ id: event.id }}>
          {words}
        </Link>
      ) : (
        <Link
          to="/$space/projects/$project"
          params={{ space: space.key, project }}
          search={event.kind === "todo" ? { tab: "todos", id: event.id } : { tab: "decisions" }}
        >
          {words}
        </Link>
      )}
      <span className="soft">
        {` · ${event.kind} ${DID[event.operation] ?? event.operation.replaceAll("_", " ")}${moved}`}
        {event.agent_id !== null && (
          <>
            {" · "}
            <bdi>{event.agent_id}</bdi>
            {event.trust === "client_asserted" && " (as it says)"}
          </>
        )}
      </span>
    </>
  );
}
