import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Time } from "../../parts/time.tsx";
import { Who } from "../../parts/who.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";

/** Newest memories that are looked at for those of agents. */
const READ = 50;
const SHOWN = 5;

/** The newest memories that agents wrote; nothing if the newest are all of people. */
export function AgentsWrote({ space }: { readonly space: Space }) {
  const list = useQuery(trpc.listMemories.queryOptions({ ...space.filter, limit: READ }));
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  const names = new Map(
    (agents.data?.agents ?? []).map(({ agent_id, client_name }) => [agent_id, client_name]),
  );
  const written = (list.data?.memories ?? []).flatMap(({ id, content, created_at, provenance }) =>
    typeof provenance.agent_id === "string" ? [{ id, content, created_at, agent: provenance.agent_id }] : [],
  );
  if (written.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="wrote">
      <h2 id="wrote" className="panel-title panel-top">
        Agents wrote
        <Link to="/$space/memories" params={{ space: space.key }}>
          All memories
        </Link>
      </h2>
      <ul className="plain rows wrote">
        {written.slice(0, SHOWN).map(({ id, content, created_at, agent }) => (
          <li key={id}>
            <Who kind="agent" name={names.get(agent) ?? agent} />
            <Link className="grow" to="/$space/memories" params={{ space: space.key }} search={{ id }}>
              <bdi>{content.slice(0, 160)}</bdi>
            </Link>
            <span className="soft">
              <Time at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
