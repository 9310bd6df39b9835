import { Button } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { mayWrite, type Space, teamOf, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { RememberButton } from "../memories/remember.tsx";
import { coverageOf, percent } from "../service/coverage.ts";

const Figures = lazy(() => import("./figures.tsx").then(({ Figures }) => ({ default: Figures })));

/** Is anything wrong, and what do I do? */
export function HomePage() {
  const space = useSpace();
  const { range = "day" } = useSearch({ from: "/$space/" });
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Home</h1>
          <p>
            {space.teamId === null ? "Your own memories" : `The team ${space.name}; you are ${space.role}`}
          </p>
        </div>
        {mayWrite(space) && <RememberButton space={space} />}
      </div>
      <Findings space={space} />
      <Counts space={space} />
      <Waits space={space} />
      <div className="columns">
        <NeedsYou space={space} />
        <FirstSteps space={space} />
      </div>
      <Suspense fallback={<Waiting what="the charts" />}>
        <Figures space={space} range={range} />
      </Suspense>
    </>
  );
}

const TONES: Readonly<Record<string, Tone>> = { ok: "good", warning: "warn", broken: "bad" };

/** What is not as it should be, with what to do about it; one quiet line where all is well. */
function Findings({ space }: { readonly space: Space }) {
  const doctor = useQuery(trpc.doctor.queryOptions({}, { refetchInterval: 60_000 }));
  if (doctor.isError)
    return <Failed what="The service's health" error={doctor.error} retry={() => void doctor.refetch()} />;
  const wrong = (doctor.data?.findings ?? []).filter(({ status }) => status !== "ok");
  if (wrong.length === 0)
    return (
      <p
        style={{ minHeight: 24, margin: "0 0 16px", display: "flex", gap: 12, alignItems: "center" }}
        aria-live="polite"
      >
        {doctor.data ? (
          <>
            <Status tone="good" icon="good" word="The service and its index are healthy" />
            <Link to="/$space/service" params={{ space: space.key }}>
              See the checks
            </Link>
          </>
        ) : (
          <span className="soft">Checking the service…</span>
        )}
      </p>
    );
  return (
    <div style={{ display: "grid", gap: 8, marginBottom: 16 }}>
      {wrong.map(({ check, status, found, advice }) => (
        <div className="note" data-tone={TONES[status]} key={check}>
          <Icon name={status === "broken" ? "bad" : "warn"} />
          <div>
            <p>
              <strong>{status === "broken" ? "Broken" : "Warning"}:</strong> {found}
            </p>
            {advice && <p>{advice}</p>}
            <p>
              <Link to="/$space/service" params={{ space: space.key }}>
                See the service's dependencies
              </Link>
            </p>
          </div>
        </div>
      ))}
    </div>
  );
}

const COUNTED = [
  ["active", "Active", "can be recalled"],
  ["superseded", "Superseded", "kept as history"],
  ["archived", "Archived", "kept out of recall"],
  ["soft_deleted", "Forgotten", "can be restored"],
] as const;

const number = new Intl.NumberFormat("en");

function Counts({ space }: { readonly space: Space }) {
  const counts = useQueries({
    queries: COUNTED.map(([status]) => trpc.listMemories.queryOptions({ ...space.filter, status, limit: 1 })),
  });
  // What the service says of its index: a search, which counts as a recall, would change the figures that it is shown in.
  const state = useQuery(trpc.serviceState.queryOptions(teamOf(space), { refetchInterval: 60_000 }));
  const coverage = state.data && coverageOf(state.data);
  const failed = counts.find(({ isError }) => isError);
  const retry = () => {
    for (const count of counts) if (count.isError) void count.refetch();
  };
  return (
    <section aria-label="Counts">
      {failed && <Failed what="The counts" error={failed.error} retry={retry} />}
      <dl className="tiles">
        {COUNTED.map(([status, label, hint], at) => (
          <Tile key={status} label={label} hint={hint}>
            <Link to="/$space/memories" params={{ space: space.key }} search={{ status }} className="count">
              {counts[at]?.data ? number.format(counts[at].data.total) : "–"}
            </Link>
          </Tile>
        ))}
        <Tile label="Coverage" hint={coverage?.words ?? "of memories in the index"}>
          <Link to="/$space/service/indexes" params={{ space: space.key }} className="count">
            {coverage ? percent(coverage.share) : "–"}
          </Link>
        </Tile>
      </dl>
    </section>
  );
}

interface TileProps {
  readonly label: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Tile({ label, hint, children }: TileProps) {
  return (
    <div className="tile">
      <dt>{label}</dt>
      <dd>
        {children}
        <small>{hint}</small>
      </dd>
    </div>
  );
}

/** What becomes overdue is in no event: it is looked at again now and then. */
const attentionOf = (space: Space) => trpc.attention.queryOptions(teamOf(space), { refetchInterval: 60_000 });

/** The figures of what waits for a person, each of which leads to where it is dealt with. */
function Waits({ space }: { readonly space: Space }) {
  const { data, isError, error, refetch } = useQuery(attentionOf(space));
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  const said = (count: number | undefined) => (count === undefined ? "–" : number.format(count));
  const params = { space: space.key };
  return (
    <section aria-label="What waits" style={{ marginTop: 12 }}>
      {isError && <Failed what="What waits" error={error} retry={() => void refetch()} />}
      <dl className="tiles">
        <Tile label="Conflicts" hint="memories that state the same fact">
          <Link
            to="/$space/memories"
            params={params}
            search={data && data.conflicting.length > 0 ? { ids: data.conflicting.join(" ") } : {}}
            className="count"
          >
            {said(data?.conflicts)}
          </Link>
        </Tile>
        <Tile label="Overdue reminders" hint="past due, not completed">
          <Link to="/$space/reminders" params={params} className="count">
            {said(data?.overdue_reminders)}
          </Link>
        </Tile>
        <Tile label="Overdue todos" hint="past due, in any project">
          <Link to="/$space/projects" params={params} className="count">
            {said(data?.overdue_todos)}
          </Link>
        </Tile>
        <Tile label="Pending agents" hint="approved, not connected yet">
          <Link to="/$space/agents" params={params} className="count">
            {said(agents.data && waitingOf(agents.data).length)}
          </Link>
        </Tile>
      </dl>
    </section>
  );
}

const waitingOf = ({ agents }: Outputs["listAgents"]) =>
  agents.filter(({ status }) => status === "awaiting_confirmation");

/** What waits for a person one by one: what is overdue the longest, and agents that have not finished coming in. */
function NeedsYou({ space }: { readonly space: Space }) {
  const attention = useQuery(attentionOf(space));
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  const { overdue = [], overdue_reminders = 0, overdue_todos = 0 } = attention.data ?? {};
  const waiting = agents.data ? waitingOf(agents.data) : [];
  const nothing = overdue.length === 0 && waiting.length === 0;
  const more = overdue_reminders + overdue_todos - overdue.length;
  return (
    <section className="panel" aria-labelledby="needs-you">
      <h2 id="needs-you" className="panel-title">
        Needs you
      </h2>
      {agents.isError && <Failed what="Agents" error={agents.error} retry={() => void agents.refetch()} />}
      {nothing && !agents.isError && (
        <p className="soft">
          {agents.data && attention.data
            ? "Nothing needs you: nothing is overdue, and no agent is waiting."
            : "Looking…"}
        </p>
      )}
      <ul className="plain rows">
        {overdue.map(({ id, kind, project_id, content }) => (
          <li key={id}>
            <Status tone="warn" icon="clock" word="Overdue" />
            {kind === "todo" && project_id !== null ? (
              <Link
                className="grow"
                to="/$space/projects/$project"
                params={{ space: space.key, project: project_id }}
                search={{ tab: "todos" }}
              >
                <bdi>{content.slice(0, 120)}</bdi>
              </Link>
            ) : (
              <Link
                className="grow"
                to="/$space/memories"
                params={{ space: space.key }}
                search={{ type: "reminder", id }}
              >
                <bdi>{content.slice(0, 120)}</bdi>
              </Link>
            )}
          </li>
        ))}
        {waiting.map(({ agent_id, client_name }) => (
          <li key={agent_id}>
            <Status tone="warn" icon="agent" word="Must confirm" />
            <Link className="grow" to="/$space/agents" params={{ space: space.key }}>
              <bdi>{client_name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="soft">{`and ${number.format(more)} more that are overdue`}</p>}
    </section>
  );
}

const hasRecalls = (figures: Outputs["figures"] | undefined) =>
  figures?.steps.some(({ recalls }) => recalls > 0) ?? false;

/** The guided beginning. It is there until all of it is done, and says what is done by what the service knows. */
function FirstSteps({ space }: { readonly space: Space }) {
  const any = useQuery(trpc.listMemories.queryOptions({ ...space.filter, status: "active", limit: 1 }));
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  // Recalls are in the figures of whoever recalls, whatever they recall from, some ten seconds later.
  const figures = useQuery(
    trpc.figures.queryOptions(
      { range: "quarter" },
      { refetchInterval: ({ state }) => (hasRecalls(state.data) ? false : 10_000) },
    ),
  );
  if (!any.data || !agents.data || !figures.data) return null;
  const hasMemory = any.data.total > 0;
  const hasRecalled = hasRecalls(figures.data);
  const hasAgent = agents.data.agents.some(({ status }) => status === "bound");
  if (hasMemory && hasRecalled && hasAgent) return null;
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps" className="panel-title">
        The first five minutes
      </h2>
      <ol className="plain rows">
        <li>
          <Status
            tone={hasMemory ? "good" : "soft"}
            icon={hasMemory ? "good" : "plus"}
            word={hasMemory ? "Done" : "To do"}
          />
          <span className="grow">Remember something</span>
        </li>
        <li>
          {hasRecalled ? (
            <Status tone="good" icon="good" word="Done" />
          ) : (
            <Status tone="soft" icon="search" word={hasMemory ? "Try it" : "Then"} />
          )}
          <span className="grow">Recall it: ask a question in your own words</span>
          {hasMemory && !hasRecalled && (
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => <Link to="/$space/memories" params={{ space: space.key }} {...props} />}
            >
              Search
            </Button>
          )}
        </li>
        <li>
          <Status
            tone={hasAgent ? "good" : "soft"}
            icon={hasAgent ? "good" : "agent"}
            word={hasAgent ? "Done" : "To do"}
          />
          <span className="grow">
            Connect an agent: give it this service's address, then approve the code it shows
          </span>
          {!hasAgent && (
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => <Link to="/$space/agents" params={{ space: space.key }} {...props} />}
            >
              Let it in
            </Button>
          )}
        </li>
      </ol>
    </section>
  );
}
