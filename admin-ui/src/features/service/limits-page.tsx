import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Progress } from "../../parts/progress.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { mayManage, type Space, teamOf, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { KINDS, nameOf } from "../access/credential-name.ts";

type Usage = Outputs["rateUsage"];

const EVERY_MS = 10_000;

/** How much of what it may ask for has each credential asked for in this minute? */
export function LimitsPage() {
  const space = useSpace();
  const isShown = mayManage(space);
  const usage = useQuery(
    trpc.rateUsage.queryOptions(teamOf(space), { refetchInterval: EVERY_MS, enabled: isShown }),
  );
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Rate limits</h1>
          <p>
            {space.teamId === null
              ? "How many requests each of your credentials has made this minute, and how many it may make"
              : `How many requests the keys of ${space.name} have made this minute, and how many they may make`}
          </p>
        </div>
      </div>
      {!isShown && (
        <Empty title="For admins and owners">
          {`You are ${space.role}. What your own credentials have used is in your own workspace.`}
        </Empty>
      )}
      {isShown && usage.isPending && <Waiting what="the rate limits" />}
      {usage.isError && (
        <Failed what="The rate limits" error={usage.error} retry={() => void usage.refetch()} />
      )}
      {usage.data && !usage.data.is_limited && (
        <Empty title="No rate limits">
          This service does not limit requests. Operators turn limits on with RATE_LIMIT_ENABLED.
        </Empty>
      )}
      {usage.data?.is_limited && <Used space={space} usage={usage.data} />}
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = { data: "Requests", read: "Reads", write: "Writes" };
const number = new Intl.NumberFormat("en");

function Used({ space, usage }: { readonly space: Space; readonly usage: Usage }) {
  const { limits, credentials, window_seconds, resets_at } = usage;
  const listed = useQuery(trpc.listCredentials.queryOptions(teamOf(space)));
  const named = new Map(listed.data?.credentials.map((one) => [one.id, one]));
  // An agent's tokens count together, and are one line.
  const lines = [...Map.groupBy(credentials, ({ counted_as }) => counted_as).values()];
  const busiest = ({ used }: Usage["credentials"][number]) =>
    Math.max(...used.map((count, at) => count / Math.max(1, limits[at]?.limit ?? 1)));
  lines.sort(([a], [b]) => (a && b ? busiest(b) - busiest(a) : 0));
  return (
    <section className="panel" aria-labelledby="used">
      <h2 className="panel-title" id="used">
        This window
      </h2>
      <p className="soft" role="status">
        {`A window is ${window_seconds} seconds. `}
        {resets_at && (
          <>
            {"This one ends, and every count starts again at 0, "}
            <Time at={resets_at} whole />
            {"."}
          </>
        )}
      </p>
      {lines.length === 0 && (
        <Empty title="No credentials">There are no keys here, so no limit can be used up.</Empty>
      )}
      <ul className="plain rows">
        {lines.map(([first, ...more]) => {
          if (!first) return null;
          const one = named.get(first.credential_id);
          const name =
            one === undefined ? first.counted_as : one.kind === "session" ? KINDS.session : nameOf(one);
          return (
            <li key={first.counted_as} className="access">
              <div className="grow">
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                {more.length > 0 && (
                  <span className="soft">{` and ${more.length} more of the same agent, counted together`}</span>
                )}
              </div>
              <dl className="facts">
                {limits.map(({ category, limit }, at) => {
                  const used = first.used[at] ?? 0;
                  const words = WORDS[category] ?? category;
                  return (
                    <div className="fact" key={category}>
                      <dt>{words}</dt>
                      <dd>
                        {`${number.format(used)} of ${number.format(limit)} `}
                        <Progress label={`${words} of ${name}`} done={used} of={limit} />
                      </dd>
                    </div>
                  );
                })}
              </dl>
            </li>
          );
        })}
      </ul>
      <p style={{ margin: "12px 0 0" }}>
        <Link to="/$space/access" params={{ space: space.key }}>
          The credentials
        </Link>
      </p>
    </section>
  );
}
