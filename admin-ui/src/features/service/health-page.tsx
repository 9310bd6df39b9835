import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { type Space, teamOf, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { Alerts } from "../alerts/alerts.tsx";
import { coverageOf, isIndexLate, percent, type State } from "./coverage.ts";
import { remedyFor } from "./remedies.ts";

const EVERY_MS = 15_000;

/** Is the service well, and if recall is degraded, why and what now? */
export function HealthPage() {
  const space = useSpace();
  const state = useQuery(trpc.serviceState.queryOptions(teamOf(space), { refetchInterval: EVERY_MS }));
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Health</h1>
          <p>{state.data ? `Version ${state.data.version}` : "What it depends on, and what to do"}</p>
        </div>
      </div>
      <div style={{ display: "grid", gap: 16 }}>
        {state.isError && (
          <Failed what="The service's state" error={state.error} retry={() => void state.refetch()} />
        )}
        {state.isPending && <Waiting what="the service's state" />}
        <RecallNow space={space} state={state.data} />
        {state.data && <StandsOn state={state.data} />}
        <Checks />
        <Alerts space={space} />
      </div>
    </>
  );
}

interface Reason {
  readonly what: string;
  readonly advice: string;
}

/** Why recall gives less than it could, the gravest first; none where it gives everything. */
function reasonsOf(state: State): Reason[] {
  const { dependencies, changes_wait_seconds, is_embedding_late, set_aside, indexes } = state;
  const away = dependencies.flatMap(({ name, why }) => {
    const { label, advice } = remedyFor(name);
    return why === null ? [] : [{ what: `${label}: ${why}.`, advice }];
  });
  const building = indexes.find((index) => index.state === "building");
  const said = (isSo: boolean, what: string, advice: string) => (isSo ? [{ what, advice }] : []);
  return [
    ...away,
    ...said(
      building !== undefined,
      `A new search index is being built: ${percent(building?.built ?? 0)} done.`,
      "Until it is complete, recall uses the current one; then it switches over by itself.",
    ),
    ...said(
      isIndexLate(state),
      `The index is ${Math.round(changes_wait_seconds ?? 0)} s behind.`,
      "Newer memories are still found, but recall takes longer. The index catches up by itself.",
    ),
    ...said(
      is_embedding_late,
      "Some memories are waiting for their vectors.",
      "Until then they are found by their words. If this persists, check the embedder.",
    ),
    ...said(
      set_aside.length > 0,
      `Some changes are no longer retried: ${set_aside.join(", ")}.`,
      "recollect reindex --verify retries them and says which memories are refused.",
    ),
  ];
}

/** What a recall in this workspace gets now. */
function RecallNow({ space, state }: { readonly space: Space; readonly state: State | undefined }) {
  if (!state) return null;
  const { share } = coverageOf(state);
  const reasons = reasonsOf(state);
  const isWell = reasons.length === 0;
  return (
    <section className="panel" aria-labelledby="recall-now">
      <h2 id="recall-now" className="panel-title">
        Recall
      </h2>
      <p style={{ margin: 0 }} role="status">
        {isWell ? (
          <Status tone="good" icon="good" word={"Recall sees every memory of this workspace"} />
        ) : (
          <Status
            tone="warn"
            icon="warn"
            word={
              share < 1
                ? `Recall is degraded: ${percent(share)} of this workspace's memories are found by meaning`
                : "Recall is degraded: it sees every memory of this workspace, but something is wrong"
            }
          />
        )}
      </p>
      {!isWell && (
        <ul className="plain rows" aria-label="Why recall is degraded">
          {reasons.map(({ what, advice }) => (
            <li key={what}>
              <div className="grow">
                <strong>{what}</strong>
                <p className="soft" style={{ margin: 0 }}>
                  {advice}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <p style={{ margin: "12px 0 0" }}>
        <Link to="/$space/service/indexes" params={{ space: space.key }}>
          The index and its vectors
        </Link>
        {" · "}
        <Link to="/$space" params={{ space: space.key }} search={{ range: "day" }}>
          See the charts for when it began
        </Link>
      </p>
    </section>
  );
}

function StandsOn({ state }: { readonly state: State }) {
  return (
    <section className="panel" aria-labelledby="stands-on">
      <h2 id="stands-on" className="panel-title">
        Dependencies
      </h2>
      {state.is_stopping && (
        <p>
          <Status tone="warn" icon="clock" word="This server is about to stop; another one will take over." />
        </p>
      )}
      <ul className="plain rows">
        {state.dependencies.map(({ name, is_needed, why }) => {
          const { label, isFor, advice } = remedyFor(name);
          return (
            <li key={name}>
              <Status
                tone={why === null ? "good" : is_needed ? "bad" : "warn"}
                icon={why === null ? "good" : is_needed ? "bad" : "warn"}
                word={why === null ? "Healthy" : is_needed ? "Away" : "Impaired"}
              />
              <div className="grow">
                <strong>{label}</strong> <span className="soft">{isFor}</span>
                {why !== null && <p style={{ margin: 0 }}>{`It is impaired: ${why}. ${advice}`}</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const TONES: Readonly<Record<string, { tone: Tone; icon: "good" | "warn" | "bad"; word: string }>> = {
  ok: { tone: "good", icon: "good", word: "Passed" },
  warning: { tone: "warn", icon: "warn", word: "Warning" },
  broken: { tone: "bad", icon: "bad", word: "Broken" },
};

/** What doctor finds. */
function Checks() {
  const doctor = useQuery(trpc.doctor.queryOptions({}, { refetchInterval: 60_000 }));
  if (doctor.isError)
    return <Failed what="The checks" error={doctor.error} retry={() => void doctor.refetch()} />;
  return (
    <section className="panel" aria-labelledby="checks">
      <h2 id="checks" className="panel-title">
        Checks
      </h2>
      <ul className="plain rows">
        {(doctor.data?.findings ?? []).map(({ check, status, found, advice }) => {
          const { tone, icon, word } = TONES[status] ?? {
            tone: "soft" as const,
            icon: "warn" as const,
            word: status,
          };
          return (
            <li key={check}>
              <Status tone={tone} icon={icon} word={word} />
              <div className="grow">
                {found}
                {status !== "ok" && advice && <p style={{ margin: 0 }}>{advice}</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
