import { Button } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { type Space, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { Runs } from "./runs.tsx";
import { isGoing, memories } from "./words.ts";
import "./maintenance.css";

type Project = Outputs["listProjects"]["projects"][number];

/** So many projects' runs are listed together: those that were maintained last. */
const PROJECTS_MAX = 20;
const RUNS_EACH = 5;

/** What can be tidied, and what has been? */
export function MaintenancePage() {
  const space = useSpace();
  const projects = useQuery(trpc.listProjects.queryOptions({ team_id: space.teamId }));
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Maintenance</h1>
          <p>What can be tidied, and what has been</p>
        </div>
      </div>
      {projects.isPending && <Waiting what="the projects" />}
      {projects.isError && (
        <Failed what="The projects" error={projects.error} retry={() => void projects.refetch()} />
      )}
      {projects.data?.projects.length === 0 && (
        <Empty title="No project yet">
          Maintenance is done project by project. A project exists as soon as a memory or a todo names it.
        </Empty>
      )}
      {projects.data && projects.data.projects.length > 0 && (
        <div className="upkeep">
          <RecentRuns projects={projects.data.projects} space={space} />
          <MaintainedProjects projects={projects.data.projects} space={space} />
        </div>
      )}
    </>
  );
}

function RecentRuns({ projects, space }: { readonly projects: readonly Project[]; readonly space: Space }) {
  const maintained = projects
    .filter(({ last_run }) => last_run !== null)
    .sort((a, b) => (b.last_run?.started_at ?? "").localeCompare(a.last_run?.started_at ?? ""))
    .slice(0, PROJECTS_MAX);
  const { runs, failed, isPending } = useQueries({
    queries: maintained.map(({ project_id }) =>
      trpc.listMaintenanceRuns.queryOptions(
        { project_id, team_id: space.teamId, limit: RUNS_EACH },
        { refetchInterval: ({ state }) => (state.data?.some(isGoing) ? 1000 : false) },
      ),
    ),
    combine: (found) => ({
      runs: found.flatMap(({ data }) => data ?? []).sort((a, b) => b.started_at.localeCompare(a.started_at)),
      failed: found.find(({ isError }) => isError),
      isPending: found.some(({ isPending }) => isPending),
    }),
  });
  return (
    <section className="panel" aria-labelledby="recent">
      <h2 className="panel-title" id="recent">
        Recent runs
      </h2>
      {failed && <Failed what="The history" error={failed.error} retry={() => void failed.refetch()} />}
      {isPending && <Waiting what="the history" />}
      {!isPending && runs.length === 0 && !failed && (
        <Empty title="No run yet">Open a project to see what is due in it, and why.</Empty>
      )}
      <Runs runs={runs} space={space} withProject />
    </section>
  );
}

function MaintainedProjects({
  projects,
  space,
}: {
  readonly projects: readonly Project[];
  readonly space: Space;
}) {
  return (
    <section className="panel" aria-labelledby="maintained">
      <h2 className="panel-title" id="maintained">
        Projects
      </h2>
      <ul className="plain rows">
        {projects.map(({ project_id, memories: count, next_run_at }) => (
          <li key={project_id}>
            <span className="grow">
              <strong>
                <bdi>{project_id}</bdi>
              </strong>
              <span className="soft">
                {` · ${memories(count)} · `}
                {next_run_at === null ? (
                  "nothing automatic"
                ) : (
                  <>
                    {"automatically "}
                    <Time at={next_run_at} />
                  </>
                )}
              </span>
            </span>
            <Button
              size="xs"
              variant="default"
              aria-label={`Review ${project_id}`}
              renderRoot={(props) => (
                <Link
                  to="/$space/projects/$project"
                  params={{ space: space.key, project: project_id }}
                  search={{ tab: "maintenance" }}
                  {...props}
                />
              )}
            >
              Review
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
