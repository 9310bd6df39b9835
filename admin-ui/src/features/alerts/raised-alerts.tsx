import { useQuery } from "@tanstack/react-query";
import type { AlertMeasure } from "../../../../src/contract/alert.ts";
import type { Matter } from "../../parts/matters.tsx";
import { Time } from "../../parts/time.tsx";
import { type Space, teamOf } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

type Alert = Outputs["alerts"]["raised"][number];

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** The workspace's alerts. An event says when one is raised or has ended; its value changes meanwhile. */
export const useAlerts = (space: Space) =>
  useQuery(trpc.alerts.queryOptions(teamOf(space), { refetchInterval: 60_000 }));

export interface AlertMatter extends Matter {
  readonly measure: AlertMeasure;
}

/** Raised alerts as lines for people. */
export function alertMatters(space: Space, alerts: Outputs["alerts"] | undefined): AlertMatter[] {
  return (alerts?.raised ?? []).map((alert) => {
    const { more, ...words } = wordsOf(space, alert);
    return {
      ...words,
      measure: alert.measure,
      icon: "warn",
      more: (
        <>
          {more}
          {alert.calm_since === null ? "; raised " : "; back to normal since "}
          <Time at={alert.calm_since ?? alert.raised_at} />
        </>
      ),
    };
  });
}

function wordsOf(
  space: Space,
  { measure, about, value, threshold }: Alert,
): Pick<Matter, "title" | "action" | "link"> & { readonly more: string } {
  const params = { space: space.key };
  switch (measure) {
    case "recall_p95":
      return {
        title: "Recall is slow",
        more: `p95 ${number.format(value)} ms over 15 minutes, above ${number.format(threshold)} ms`,
        action: "See slow recalls",
        link: { to: "/$space/recalls", params, search: { slower: String(Math.round(threshold)) } },
      };
    case "recall_coverage":
      return {
        title: "Recall misses memories",
        more: `It considered ${percent.format(value)} of them over 15 minutes, below ${percent.format(threshold)}`,
        action: "See the index",
        link: { to: "/$space/service/indexes", params },
      };
    case "open_conflicts":
      return {
        title: "Many conflicts",
        more: `${number.format(value)} memories state a fact differently, above ${number.format(threshold)}`,
        action: "Resolve",
        link: { to: "/$space", params },
      };
    case "silent_agent":
      return {
        title: `${about?.name ?? "An agent"} is silent`,
        more: `Not used for ${lengthOf(value)}`,
        action: "See its recalls",
        link: {
          to: "/$space/recalls",
          params,
          search: { [about?.is_agent ? "agent" : "key"]: about?.id, range: "all" },
        },
      };
  }
}

/** A number of hours in words. */
function lengthOf(hours: number): string {
  const [count, unit] = hours < 48 ? [hours, "hour"] : [hours / 24, "day"];
  const whole = Math.floor(count);
  return `${number.format(whole)} ${unit}${whole === 1 ? "" : "s"}`;
}
