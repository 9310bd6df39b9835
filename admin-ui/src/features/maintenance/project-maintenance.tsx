import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { PlanPanel } from "./plan.tsx";
import { RunProgress, Runs } from "./runs.tsx";
import { SettingsPanel } from "./settings-form.tsx";
import { isGoing } from "./words.ts";
import "./maintenance.css";

const POLLED_MS = 1000;
const RUNS = 50;

/** A project's maintenance: what is due, what was done, and by what rules. */
export function ProjectMaintenance({ project, space }: { readonly project: string; readonly space: Space }) {
  const [isRunning, setRunning] = useState(false);
  const [looked, setLooked] = useState(0);
  const runs = useQuery(
    trpc.listMaintenanceRuns.queryOptions(
      { project_id: project, team_id: space.teamId, limit: RUNS },
      // Only while something moves.
      { refetchInterval: ({ state }) => (isRunning || state.data?.some(isGoing) ? POLLED_MS : false) },
    ),
  );
  const going = runs.data?.find(isGoing);
  return (
    <div className="upkeep">
      <div className="stack">
        {going && (
          <section className="panel" aria-label="The run in progress">
            <RunProgress run={going} />
          </section>
        )}
        <PlanPanel key={looked} project={project} space={space} onRun={setRunning} />
      </div>
      <div className="stack">
        <section className="panel" aria-labelledby="history">
          <h2 className="panel-title" id="history">
            History
          </h2>
          {runs.isPending && <Waiting what="the history" />}
          {runs.isError && <Failed what="The history" error={runs.error} retry={() => void runs.refetch()} />}
          {runs.data?.length === 0 && (
            <Empty title="No run yet">Runs are listed here for 90 days and can be undone.</Empty>
          )}
          {runs.data && <Runs runs={runs.data} space={space} />}
        </section>
        <SettingsPanel project={project} space={space} onSaved={() => setLooked(looked + 1)} />
      </div>
    </div>
  );
}
