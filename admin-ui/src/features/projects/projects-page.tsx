import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import "./projects.css";

type Project = Outputs["listProjects"]["projects"][number];
const number = new Intl.NumberFormat("en");

/** What is open, and what was decided? */
export function ProjectsPage() {
  const space = useSpace();
  const list = useQuery(trpc.listProjects.queryOptions({ team_id: space.teamId }));
  const projects = list.data?.projects ?? [];
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Projects</h1>
          <p>What is open, and what was decided</p>
        </div>
      </div>
      {list.isPending && <Waiting what="the projects" />}
      {list.isError && <Failed what="The projects" error={list.error} retry={() => void list.refetch()} />}
      {projects.length > 0 && (
        <ul className="plain cards" aria-label="Projects">
          {projects.map((project) => (
            <ProjectCard key={project.project_id} project={project} space={space} />
          ))}
        </ul>
      )}
      {list.data?.truncated && <p className="soft">The 500 most recently changed are shown.</p>}
      {list.data && projects.length === 0 && (
        <Empty title="No project yet">
          A project exists as soon as a memory, a todo or a decision names it. Agents name the one they work
          on.
        </Empty>
      )}
      {list.data && <OpenByName space={space} isFirst={projects.length === 0} />}
    </>
  );
}

function ProjectCard({ project, space }: { readonly project: Project; readonly space: Space }) {
  const { project_id, memories, open_todos, blocked_todos, proposed_decisions, last_activity_at } = project;
  const isStalled = open_todos > 0 && blocked_todos === open_todos;
  return (
    <li className="panel card-link">
      <h2>
        <Link to="/$space/projects/$project" params={{ space: space.key, project: project_id }}>
          <bdi>{project_id}</bdi>
        </Link>
      </h2>
      <p className="counts">
        <span>{`${number.format(open_todos)} open`}</span>
        {blocked_todos > 0 && (
          <Status
            tone={isStalled ? "bad" : "warn"}
            icon="warn"
            word={isStalled ? "all blocked" : `${number.format(blocked_todos)} blocked`}
          />
        )}
        {proposed_decisions > 0 && (
          <Status tone="warn" icon="waits" word={`${number.format(proposed_decisions)} to decide`} />
        )}
      </p>
      <p className="soft">
        {`${number.format(memories)} ${memories === 1 ? "memory" : "memories"} · changed `}
        <Time at={last_activity_at} />
      </p>
    </li>
  );
}

/** There is nothing to create: the first todo or memory that names a project makes it. */
function OpenByName({ space, isFirst }: { readonly space: Space; readonly isFirst: boolean }) {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  if (!mayWrite(space)) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({
      to: "/$space/projects/$project",
      params: { space: space.key, project: name.trim() },
      search: { tab: "todos" },
    });
  };
  return (
    <form onSubmit={submit} className="by-name">
      <TextInput
        className="grow"
        label={isFirst ? "Start one by name" : "Open another by name"}
        placeholder="apollo"
        required
        withAsterisk={false}
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant={isFirst ? "filled" : "default"}
        leftSection={<Icon name="projects" size={16} />}
      >
        Open the project
      </Button>
    </form>
  );
}
