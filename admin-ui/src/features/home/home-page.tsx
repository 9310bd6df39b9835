import { Button } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { RememberButton } from "../memories/remember.tsx";

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
            <Status tone="good" icon="good" word="The service and its index are well" />
            <Link to="/$space/service" params={{ space: space.key }}>
              Health
            </Link>
          </>
        ) : (
          <span className="soft">Looking at the service…</span>
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
                See what it stands on
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
  const coverage = useQuery(
    trpc.searchMemories.queryOptions(
      { ...space.filter, query: "coverage", limit: 1 },
      { refetchInterval: 60_000 },
    ),
  );
  const failed = counts.find(({ isError }) => isError);
  return (
    <section aria-label="Counts">
      {failed && <Failed what="The counts" error={failed.error} retry={() => void failed.refetch()} />}
      <dl className="tiles">
        {COUNTED.map(([status, label, hint], at) => (
          <div className="tile" key={status}>
            <dt>{label}</dt>
            <dd>
              <Link to="/$space/memories" params={{ space: space.key }} search={{ status }} className="count">
                {counts[at]?.data ? number.format(counts[at].data.total) : "–"}
              </Link>
              <small>{hint}</small>
            </dd>
          </div>
        ))}
        <div className="tile">
          <dt>Coverage</dt>
          <dd>
            {coverage.data ? `${Math.floor(coverage.data.coverage * 100)} %` : "–"}
            <small>{coverageWords(coverage.data)}</small>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function coverageWords(found: Outputs["searchMemories"] | undefined): string {
  if (!found) return "of memories in the index";
  const { coverage, degraded = [] } = found;
  if (degraded.length > 0) return `without ${degraded.join(", ")}`;
  return coverage < 1 ? "the index is catching up" : "recall sees every memory";
}

/** What waits for a person: reminders that are overdue, and agents that have not finished coming in. */
function NeedsYou({ space }: { readonly space: Space }) {
  const reminders = useQuery(
    trpc.listMemories.queryOptions({ ...space.filter, memory_type: "reminder", limit: 200 }),
  );
  const agents = useQuery(trpc.operator.listAgents.queryOptions({}));
  const overdue = (reminders.data?.memories ?? []).filter(isOverdue);
  const waiting = (agents.data?.agents ?? []).filter(({ status }) => status === "awaiting_confirmation");
  const nothing = overdue.length === 0 && waiting.length === 0;
  return (
    <section className="panel" aria-labelledby="needs-you">
      <h2 id="needs-you" className="panel-title">
        Needs you
      </h2>
      {agents.isError && <Failed what="Agents" error={agents.error} retry={() => void agents.refetch()} />}
      {nothing && !agents.isError && (
        <p className="soft">
          {agents.data && reminders.data
            ? "Nothing waits for you: no overdue reminder, no agent at the door."
            : "Looking…"}
        </p>
      )}
      <ul className="plain rows">
        {overdue.slice(0, 5).map(({ id, content }) => (
          <li key={id}>
            <Status tone="warn" icon="clock" word="Overdue" />
            <Link
              className="grow"
              to="/$space/memories"
              params={{ space: space.key }}
              search={{ type: "reminder", id }}
            >
              {content.slice(0, 120)}
            </Link>
          </li>
        ))}
        {waiting.map(({ agent_id, client_name }) => (
          <li key={agent_id}>
            <Status tone="warn" icon="agent" word="Must confirm" />
            <a className="grow" href="/account">
              {client_name}
            </a>
          </li>
        ))}
      </ul>
      {overdue.length > 5 && (
        <p className="soft">{`and ${overdue.length - 5} more overdue reminders among the newest 200`}</p>
      )}
    </section>
  );
}

function isOverdue({ metadata, status }: { metadata: Record<string, unknown>; status: string }): boolean {
  const { due_at } = metadata;
  return status !== "completed" && typeof due_at === "string" && Date.parse(due_at) < Date.now();
}

/** The guided beginning. It is there until all of it is done, and says what is done by what the service knows. */
function FirstSteps({ space }: { readonly space: Space }) {
  const any = useQuery(trpc.listMemories.queryOptions({ ...space.filter, status: "active", limit: 1 }));
  const agents = useQuery(trpc.operator.listAgents.queryOptions({}));
  if (!any.data || !agents.data) return null;
  const hasMemory = any.data.total > 0;
  const hasAgent = agents.data.agents.some(({ status }) => status === "bound");
  if (hasMemory && hasAgent) return null;
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
          <Status tone="soft" icon="search" word={hasMemory ? "Try it" : "Then"} />
          <span className="grow">Recall it: ask a question in your own words</span>
          {hasMemory && (
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
            Connect an agent: give it this service's address, then approve the code that it shows
          </span>
          {!hasAgent && (
            <Button size="xs" variant="default" component="a" href="/bind">
              Enter a code
            </Button>
          )}
        </li>
      </ol>
    </section>
  );
}
