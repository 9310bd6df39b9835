/** An agent's last seven days by the recall log, and whether it has fallen silent. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Failed } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { OWN } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

const DAY = 86_400_000;
const DAYS = 7;
const HOUR = 3_600_000;
const number = new Intl.NumberFormat("en");

type Agent = Outputs["listAgents"]["agents"][number];

/** Nothing for an agent that was seen in the last seven days. */
export function Silent({ agent }: { readonly agent: Agent }) {
  const since = agent.last_used_at ?? agent.approved_at;
  const days = since === null ? 0 : Math.floor((Date.now() - Date.parse(since)) / DAY);
  if (agent.status !== "bound" || days < DAYS) return null;
  return <Status tone="warn" icon="clock" word={`Silent for ${days} days`} />;
}

/** The number of its recalls, and on how many days. */
export function Week({ agentId }: { readonly agentId: string }) {
  // A whole hour, so that the request stays the same within it.
  const end = Math.ceil(Date.now() / HOUR) * HOUR;
  const counted = useQuery(
    trpc.countRecalls.queryOptions({
      agent_id: agentId,
      after: new Date(end - DAYS * DAY).toISOString(),
      before: new Date(end).toISOString(),
      steps: DAYS,
    }),
  );
  if (counted.isError)
    return <Failed what="Its recalls" error={counted.error} retry={() => void counted.refetch()} />;
  const total = (counted.data?.steps ?? []).reduce(
    (sum, { answered, partial, found, none }) => sum + answered + partial + found + none,
    0,
  );
  return (
    <Link to="/$space/recalls" params={{ space: OWN }} search={{ agent: agentId, range: "week" }}>
      {counted.data
        ? `${number.format(total)} in the recall log, on ${counted.data.steps.length} of ${DAYS} days`
        : "–"}
    </Link>
  );
}
