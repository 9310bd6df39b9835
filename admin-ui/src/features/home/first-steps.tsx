import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Status } from "../../parts/status.tsx";
import type { Space } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

const hasRecalls = (figures: Outputs["figures"] | undefined) =>
  figures?.steps.some(({ recalls }) => recalls > 0) ?? false;

/** The guided beginning. It is there until all of it is done, and says what is done by what the service knows. */
export function FirstSteps({ space }: { readonly space: Space }) {
  const any = useQuery(trpc.listMemories.queryOptions({ ...space.filter, status: "active", limit: 1 }));
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  // Recalls are in the figures of whoever recalls, whatever they recall from, some ten seconds later.
  const figures = useQuery(
    trpc.figures.queryOptions(
      { range: "quarter" },
      { refetchInterval: ({ state }) => (hasRecalls(state.data) ? false : 10_000) },
    ),
  );
  if (!any.data || !agents.data || !figures.data) return null;
  const hasMemory = any.data.total > 0;
  const hasRecalled = hasRecalls(figures.data);
  const hasAgent = agents.data.agents.some(({ status }) => status === "bound");
  if (hasMemory && hasRecalled && hasAgent) return null;
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps" className="panel-title">
        The first five minutes
      </h2>
      <ol className="plain rows">
        <li>
          <Status
            tone={hasMemory ? "good" : "soft"}
            icon={hasMemory ? "good" : "plus"}
            word={hasMemory ? "Done" : "To do"}
          />
          <span className="grow">Add memory</span>
        </li>
        <li>
          {hasRecalled ? (
            <Status tone="good" icon="good" word="Done" />
          ) : (
            <Status tone="soft" icon="search" word={hasMemory ? "Try it" : "Then"} />
          )}
          <span className="grow">Recall it: ask a question in your own words</span>
          {hasMemory && !hasRecalled && (
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => <Link to="/$space/memories" params={{ space: space.key }} {...props} />}
            >
              Search
            </Button>
          )}
        </li>
        <li>
          <Status
            tone={hasAgent ? "good" : "soft"}
            icon={hasAgent ? "good" : "agent"}
            word={hasAgent ? "Done" : "To do"}
          />
          <span className="grow">
            Connect an agent: give it this service's address, then approve the code it shows
          </span>
          {!hasAgent && (
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => <Link to="/$space/access" params={{ space: space.key }} {...props} />}
            >
              Let it in
            </Button>
          )}
        </li>
      </ol>
    </section>
  );
}
