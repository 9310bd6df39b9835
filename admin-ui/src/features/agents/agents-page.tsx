import { Button, Checkbox } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { Confirmed } from "../../parts/confirmed.tsx";
import { ScopeWords } from "../../parts/scopes.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { type Space, useSession, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { LetIn } from "./let-in.tsx";
import { Silent, Week } from "./week.tsx";

type Agent = Outputs["listAgents"]["agents"][number];

const route = getRouteApi("/$space/agents");
/** While somebody has to hand over a token. */
const POLLED_EVERY_MS = 5000;

const hasEnded = ({ status }: Agent) => ["denied", "expired", "revoked"].includes(status);
const isWaiting = ({ status }: Agent) => ["pending", "awaiting_confirmation"].includes(status);

/** Who may come in, and to what? */
export function AgentsPage() {
  const space = useSpace();
  const agents = useQuery(
    trpc.listAgents.queryOptions(
      {},
      { refetchInterval: ({ state }) => (state.data?.agents.some(isWaiting) ? POLLED_EVERY_MS : false) },
    ),
  );
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Agents</h1>
          <p>
            {space.teamId === null
              ? "The agents you let in"
              : "The agents you let in that can access this team"}
          </p>
        </div>
        <LetIn />
      </div>
      {agents.isPending && <Waiting what="the agents" />}
      {agents.isError && (
        <Failed what="The agents" error={agents.error} retry={() => void agents.refetch()} />
      )}
      {agents.data && <Listed agents={agents.data.agents.filter((one) => reaches(one, space))} />}
    </>
  );
}

/** An agent that is confined to no team reaches all of its user's. */
const reaches = ({ team_id }: Agent, { teamId }: Space) =>
  teamId === null || team_id === null || team_id === teamId;

function Listed({ agents }: { readonly agents: readonly Agent[] }) {
  const { ended } = route.useSearch();
  const navigate = route.useNavigate();
  const [revoking, setRevoking] = useState<Agent | null>(null);
  const endedCount = agents.filter(hasEnded).length;
  const shown = ended ? agents : agents.filter((agent) => !hasEnded(agent));
  return (
    <>
      {shown.length === 0 ? (
        <Empty title={endedCount > 0 ? "No agent has access now" : "No agent yet"}>
          Start an agent with this service's address. It registers itself and shows a code. Enter the code
          here to let the agent in, and choose what it may do.
        </Empty>
      ) : (
        <section className="panel" aria-label="Agents">
          <ul className="plain rows">
            {shown.map((agent) => (
              <AgentRow key={agent.agent_id} agent={agent} revoke={() => setRevoking(agent)} />
            ))}
          </ul>
        </section>
      )}
      {endedCount > 0 && (
        <Checkbox
          mt="md"
          label={`Show ${endedCount} whose access has ended`}
          checked={ended !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: checked ? { ended: "shown" } : {}, replace: true })
          }
        />
      )}
      {revoking && <Revoke agent={revoking} close={() => setRevoking(null)} />}
    </>
  );
}

const STATUS: Readonly<
  Record<Agent["status"], { tone: Tone; icon: "good" | "clock" | "bad"; word: string }>
> = {
  pending: { tone: "warn", icon: "clock", word: "Waiting for approval" },
  awaiting_confirmation: { tone: "warn", icon: "clock", word: "Waiting for its confirmation token" },
  bound: { tone: "good", icon: "good", word: "Connected" },
  denied: { tone: "soft", icon: "bad", word: "Denied" },
  expired: { tone: "soft", icon: "clock", word: "Expired" },
  revoked: { tone: "soft", icon: "bad", word: "Revoked" },
};

function AgentRow({ agent, revoke }: { readonly agent: Agent; readonly revoke: () => void }) {
  const { agent_id, status, trust_level, client_name, approved_at, last_used_at, scopes, projects } = agent;
  return (
    <li className="access">
      <div className="grow">
        <div className="access-name">
          <strong>
            <bdi>{client_name}</bdi>
          </strong>
          <Status {...STATUS[status]} />
          <Silent agent={agent} />
        </div>
        <ScopeWords granted={scopes} />
        <dl className="facts">
          <dt>Reaches</dt>
          <dd>
            <Reach teamId={agent.team_id} projects={projects} />
          </dd>
          <dt>Trust</dt>
          <dd>{trust_level === 2 ? "2: bound, with a token of its own" : "0: not bound yet"}</dd>
          <dt>Last seen</dt>
          <dd>{last_used_at ? <Time at={last_used_at} /> : "never"}</dd>
          {status === "bound" && (
            <>
              <dt>7 days</dt>
              <dd>
                <Week agentId={agent_id} />
              </dd>
            </>
          )}
          <dt>Approved</dt>
          <dd>{approved_at ? <Time at={approved_at} /> : "none now"}</dd>
          <dt>Id</dt>
          <dd className="mono">{agent_id}</dd>
        </dl>
      </div>
      {!hasEnded(agent) && (
        <Button size="xs" variant="outline" color="bad" onClick={revoke}>
          Revoke
          <span className="unseen"> {client_name}</span>
        </Button>
      )}
    </li>
  );
}

/** The part of their user's memories that they are confined to, in words. */
export function Reach(props: {
  readonly teamId: string | null;
  readonly projects: readonly string[] | null;
}) {
  const { teams } = useSession();
  const { teamId, projects } = props;
  const team = teams.find(({ team_id }) => team_id === teamId)?.name;
  return (
    <>
      {teamId === null ? "your memories and those of your teams" : "only the team "}
      {teamId !== null && <bdi>{team ?? "that you have left"}</bdi>}
      {projects !== null && ", only in "}
      {projects !== null && <bdi>{projects.join(", ")}</bdi>}
    </>
  );
}

function Revoke({ agent, close }: { readonly agent: Agent; readonly close: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation(
    trpc.revokeAgent.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries();
        close();
        done("The agent was revoked. Its tokens no longer work.");
      },
    }),
  );
  return (
    <Confirmed
      title={`Revoke ${agent.client_name.slice(0, 60)}?`}
      verb="Revoke 1 agent"
      failed="Not revoked"
      isPending={revoke.isPending}
      error={revoke.error}
      confirm={() => revoke.mutate({ agent_id: agent.agent_id })}
      close={close}
    >
      <p>
        All its tokens and those of its skills stop working within a second. This cannot be undone: the agent
        would have to register and be let in again. What it wrote stays yours.
      </p>
    </Confirmed>
  );
}
