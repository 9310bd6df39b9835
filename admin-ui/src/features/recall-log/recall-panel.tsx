import { ActionIcon, Button } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Answer } from "../../parts/answer.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { labSearchOf, type Recall } from "./recalls.ts";
import { WhoAsked } from "./who-asked.tsx";

interface PanelProps {
  readonly recall: Recall;
  readonly space: Space;
  readonly close: () => void;
}

/** One recall beside the list: the question, its figures, and the memories that came, as they are now. */
export function RecallPanel({ recall, space, close }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another recall is read from its beginning
  useEffect(() => heading.current?.focus(), [recall.id]);
  const { question, operation, outcome, tokens, max_tokens, ms, at, project_id, credential } = recall;
  return (
    <section
      className="panel beside-panel"
      aria-labelledby="recall-heading"
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <div className="beside-top">
        <Answer of={outcome} />
        <span className="grow soft">{operation === "context" ? "Context" : "Search"}</span>
        <ActionIcon variant="default" size={36} aria-label="Close the recall" onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      <h2 id="recall-heading" className="recall-question" tabIndex={-1} ref={heading}>
        <bdi>{question}</bdi>
      </h2>
      <Button
        variant="default"
        leftSection={<Icon name="lab" size={16} />}
        renderRoot={(props) => (
          <Link to="/$space/lab" params={{ space: space.key }} search={labSearchOf(recall)} {...props} />
        )}
      >
        Ask again in the lab
      </Button>
      <dl className="facts">
        <dt>Asked by</dt>
        <dd>
          <WhoAsked recall={recall} />
        </dd>
        {recall.agent_id !== null && credential.name !== null && (
          <>
            <dt>Key</dt>
            <dd>{credential.name}</dd>
          </>
        )}
        <dt>When</dt>
        <dd>
          <Time at={at} whole />
        </dd>
        {project_id !== null && (
          <>
            <dt>Project</dt>
            <dd>{project_id}</dd>
          </>
        )}
        {tokens !== null && (
          <>
            <dt>Tokens</dt>
            <dd>
              {max_tokens === null
                ? number.format(tokens)
                : `${number.format(tokens)} of ${number.format(max_tokens)}`}
            </dd>
          </>
        )}
        <dt>Took</dt>
        <dd>{`${number.format(ms)} ms`}</dd>
      </dl>
      <Came recall={recall} space={space} />
    </section>
  );
}

const number = new Intl.NumberFormat("en");

/** The memories that came, best first. */
function Came({ recall, space }: Omit<PanelProps, "close">) {
  const { memory_ids } = recall;
  // The pattern for any status leaves out forgotten memories.
  const asked = useQueries({
    queries: (memory_ids.length === 0 ? [] : ["%", "soft_deleted"]).map((status) =>
      trpc.listMemories.queryOptions({ memory_ids, status, limit: memory_ids.length }),
    ),
  });
  const failed = asked.find(({ isError }) => isError);
  if (failed) return <Failed what="The memories" error={failed.error} retry={() => void failed.refetch()} />;
  if (asked.some(({ isPending }) => isPending)) return <Waiting what="the memories" />;
  const contents = new Map(
    asked.flatMap(({ data }) => (data?.memories ?? []).map(({ id, content }) => [id, content] as const)),
  );
  const there = memory_ids.filter((id) => contents.has(id));
  return (
    <>
      <h3 className="panel-title">
        {there.length === 0 ? "Nothing came" : `${there.length} came, best first`}
      </h3>
      <ol className="plain came">
        {there.map((id) => (
          <li key={id}>
            <Link to="/$space/memories" params={{ space: space.key }} search={{ id }}>
              <bdi>{contents.get(id)}</bdi>
            </Link>
            <Link
              className="soft"
              to="/$space/lab"
              params={{ space: space.key }}
              search={{ ...labSearchOf(recall), why: id }}
              aria-label="Why this memory was recalled"
            >
              Why
            </Link>
          </li>
        ))}
      </ol>
    </>
  );
}
