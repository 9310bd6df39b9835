import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { ProjectSearch } from "../../routes/$space/projects/$project.tsx";
import { useSpace } from "../../shell/space.ts";
import { ProjectMaintenance } from "../maintenance/project-maintenance.tsx";
import { Decisions } from "./decisions.tsx";
import { PackView } from "./pack.tsx";
import { Timeline } from "./timeline.tsx";
import { Todos } from "./todos.tsx";
import "./projects.css";

const FROM = "/$space/projects/$project";
const TABS = [
  ["pack", "Overview"],
  ["todos", "Board"],
  ["decisions", "Decisions"],
  ["timeline", "Timeline"],
  ["maintenance", "Maintenance"],
] as const;

/** One project: what an agent is told of it, what is open, what was decided, what happened, what may be tidied. */
export function ProjectPage() {
  const space = useSpace();
  const { project } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { tab = "pack" } = search;
  const set = (change: Partial<ProjectSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: "id" in change === false });
  const of = { project, space };
  const tabs = useRef<HTMLElement>(null);
  // On a phone they are wider than the page.
  useEffect(() => {
    tabs.current?.querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: "nearest" });
  }, [tab]);
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>
            <bdi>{project}</bdi>
          </h1>
          <p>
            <Link to="/$space/projects" params={{ space: space.key }}>
              All projects
            </Link>
          </p>
        </div>
      </div>
      <nav className="tabs" ref={tabs} aria-label="Of this project">
        {TABS.map(([name, label]) => (
          <Link
            key={name}
            data-tab={name}
            to={FROM}
            params={{ space: space.key, project }}
            search={{ tab: name }}
            aria-current={name === tab ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {tab === "pack" && <PackView {...of} />}
      {tab === "todos" && (
        <Todos
          {...of}
          id={search.id}
          open={(id) => set({ id })}
          isOrder={search.by === "dependencies"}
          setOrder={(isOrder) => set({ by: isOrder ? "dependencies" : undefined })}
        />
      )}
      {tab === "decisions" && <Decisions {...of} />}
      {tab === "timeline" && (
        <Timeline {...of} hours={search.hours ?? "168"} setHours={(hours) => set({ hours })} />
      )}
      {tab === "maintenance" && <ProjectMaintenance key={`${space.key} ${project}`} {...of} />}
    </>
  );
}
