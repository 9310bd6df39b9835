import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Icon, type IconName } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { MemoryStatus } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { Face } from "../../parts/who.tsx";
import { useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

type Relation = Outputs["memoryRelations"]["relations"][number];

const KINDS: readonly (readonly [Relation["kind"], string, IconName])[] = [
  ["conflicts_with", "Conflicts with", "warn"],
  ["superseded_by", "Superseded by", "replaced"],
  ["supersedes", "Supersedes", "replaced"],
  ["merged_from", "Merged from", "merge"],
  ["same_fact", "Same fact", "link"],
  ["recalled_with", "Often recalled with", "log"],
];

const number = new Intl.NumberFormat("en");

interface RelationsProps {
  readonly id: string;
  /** Names of agents by their ids. */
  readonly agents: ReadonlyMap<string, string>;
}

/** The memories that this one is related to, by how. */
export function Relations({ id, agents }: RelationsProps) {
  const found = useQuery(trpc.memoryRelations.queryOptions({ memory_id: id }));
  if (found.isPending) return <Waiting what="the relations" />;
  if (found.isError)
    return <Failed what="The relations" error={found.error} retry={() => void found.refetch()} />;
  const { relations } = found.data;
  if (relations.length === 0)
    return (
      <p className="soft">
        None yet: it has superseded nothing, states no fact that others state, and came in no recall with
        another memory.
      </p>
    );
  return KINDS.map(([kind, title, icon]) => {
    const those = relations.filter((one) => one.kind === kind);
    return (
      those.length > 0 && (
        <section key={kind}>
          <h3 className="relation">
            <Icon name={icon} size={14} />
            {title}
            <span className="soft">{those.length}</span>
          </h3>
          <ul className="plain rows">
            {those.map((relation) => (
              <Related key={relation.id} {...relation} agents={agents} />
            ))}
          </ul>
        </section>
      )
    );
  });
}

function Related(props: Relation & Pick<RelationsProps, "agents">) {
  const { id, content, status, agent_id, updated_at, recalls, agents } = props;
  const space = useSpace();
  return (
    <li>
      {agent_id !== null && <Face name={agents.get(agent_id) ?? agent_id} kind="agent" />}
      <Link
        className="grow clip"
        to="/$space/memories"
        params={{ space: space.key }}
        search={(before) => ({ ...before, id })}
      >
        <bdi>{content}</bdi>
      </Link>
      {status !== "active" && <MemoryStatus status={status} />}
      <span className="soft">
        {recalls === null ? (
          <Time at={updated_at} />
        ) : (
          `${number.format(recalls)} ${recalls === 1 ? "time" : "times"}`
        )}
      </span>
    </li>
  );
}
