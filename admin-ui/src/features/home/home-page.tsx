import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { RememberButton } from "../memories/remember.tsx";
import { Activity } from "./activity.tsx";
import { RANGES, type Range } from "./figure-steps.ts";
import { FirstSteps } from "./first-steps.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import "./home.css";

const Figures = lazy(() => import("./figures.tsx").then(({ Figures }) => ({ default: Figures })));
const Recalled = lazy(() => import("./recalled.tsx").then(({ Recalled }) => ({ default: Recalled })));

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
        <Ranges space={space} range={range} />
        {mayWrite(space) && <RememberButton space={space} />}
      </div>
      <Findings space={space} />
      <div className="columns home-first">
        <NeedsAttention space={space} />
        <FirstSteps space={space} />
      </div>
      <Activity space={space} range={range} />
      <Suspense fallback={<Waiting what="the charts" />}>
        <Figures space={space} range={range} />
        <Recalled space={space} range={range} />
      </Suspense>
    </>
  );
}

function Ranges({ space, range }: { readonly space: Space; readonly range: Range }) {
  return (
    <nav className="ranges" aria-label="Range of time">
      {(Object.keys(RANGES) as Range[]).map((one) => (
        <Link
          key={one}
          to="/$space"
          params={{ space: space.key }}
          search={{ range: one }}
          replace
          resetScroll={false}
          activeProps={{}}
          aria-current={one === range || undefined}
          aria-label={RANGES[one].words}
        >
          {RANGES[one].label}
        </Link>
      ))}
    </nav>
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
