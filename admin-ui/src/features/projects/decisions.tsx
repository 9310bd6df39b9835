import { Button, Modal, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { TextArea } from "../../parts/text-area.tsx";
import { Time } from "../../parts/time.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { mayWrite } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import type { OfProject } from "./pack.tsx";
import { decisionsOf } from "./whole-lists.ts";

type Decision = Outputs["listDecisions"][number];

const STATUSES = {
  proposed: { tone: "warn", icon: "waits", word: "To decide" },
  resolved: { tone: "good", icon: "good", word: "Decided" },
  superseded: { tone: "soft", icon: "replaced", word: "Replaced" },
} as const;

/** What is to be decided and what was, each with all that it replaced. */
export function Decisions({ project, space }: OfProject) {
  const [isAdding, setAdding] = useState(false);
  const list = useQuery(decisionsOf({ project_id: project, team_id: space.teamId }));
  const chains = chainsOf(list.data ?? []);
  return (
    <>
      <div className="heading">
        <p className="grow" role="status">
          {list.data && `${chains.length} ${chains.length === 1 ? "decision" : "decisions"}, open ones first`}
        </p>
        {mayWrite(space) && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            Propose a decision
          </Button>
        )}
      </div>
      {list.isPending && <Waiting what="the decisions" />}
      {list.isError && <Failed what="The decisions" error={list.error} retry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <Empty title="No decision yet">
          Each decision is listed with its options, and later with what was decided, by whom and why.
        </Empty>
      )}
      <div className="stack">
        {chains.map((chain) => (
          <Chain key={chain[0]?.decision_id} chain={chain} project={project} space={space} />
        ))}
      </div>
      {isAdding && <DecideDialog project={project} space={space} close={() => setAdding(false)} />}
    </>
  );
}

/** Each decision that holds, or is to be made, with those that it replaced, the latest first. */
export function chainsOf(decisions: readonly Decision[]): Decision[][] {
  const byId = new Map(decisions.map((one) => [one.decision_id, one]));
  const heads = decisions.filter(({ superseded_by }) => superseded_by === null || !byId.has(superseded_by));
  return heads.map((head) => {
    const chain = [head];
    for (
      let next = byId.get(head.supersedes ?? "");
      next && !chain.includes(next);
      next = byId.get(next.supersedes ?? "")
    )
      chain.push(next);
    return chain;
  });
}

function Chain({ chain, project, space }: OfProject & { readonly chain: readonly Decision[] }) {
  const [head, ...former] = chain;
  const [asking, setAsking] = useState<"resolve" | "replace" | null>(null);
  const queries = useQueryClient();
  const reopen = useMutation(
    trpc.reopenDecision.mutationOptions({
      onSuccess: () => done("The decision is open again. What was decided stays in its history."),
      onError: (error) => notDone("Not reopened", error),
      onSettled: () => queries.invalidateQueries(),
    }),
  );
  if (!head) return null;
  return (
    <article className="panel" aria-label={head.title}>
      <DecisionText decision={head} isHead />
      {mayWrite(space) && (
        <div className="acts">
          {head.status === "proposed" && <Button onClick={() => setAsking("resolve")}>Decide it</Button>}
          {head.status === "resolved" && (
            <Button
              variant="default"
              loading={reopen.isPending}
              onClick={() =>
                reopen.mutate({ project_id: project, decision_id: head.decision_id, if_match: head.etag })
              }
            >
              Reopen it
            </Button>
          )}
          {head.status !== "superseded" && (
            <Button variant="default" onClick={() => setAsking("replace")}>
              Replace it
            </Button>
          )}
        </div>
      )}
      {former.length > 0 && (
        <details>
          <summary>{`Replaced ${former.length === 1 ? "an earlier one" : `${former.length} earlier ones`}`}</summary>
          <ol className="plain chain">
            {former.map((one) => (
              <li key={one.decision_id}>
                <DecisionText decision={one} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {asking && (
        <DecideDialog
          project={project}
          space={space}
          decision={head}
          isReplacing={asking === "replace"}
          close={() => setAsking(null)}
        />
      )}
    </article>
  );
}

function DecisionText({
  decision,
  isHead = false,
}: {
  readonly decision: Decision;
  readonly isHead?: boolean;
}) {
  const { status, impact_level, decision_context, title, resolution, rationale, options } = decision;
  return (
    <>
      <div className="top">
        <Status {...STATUSES[status]} />
        {impact_level !== null && <span className="soft">{`${impact_level} impact`}</span>}
        <span className="grow" />
        <span className="soft">
          <Time at={decision.resolved_at ?? decision.created_at} />
        </span>
      </div>
      {isHead ? (
        <h2 className="question">
          <bdi>{title}</bdi>
        </h2>
      ) : (
        <p className="stored">{title}</p>
      )}
      {decision_context !== title && <p className="stored soft">{decision_context}</p>}
      {resolution === null && options.length > 0 && (
        <ul>
          {options.map((option) => (
            <li key={option}>
              <bdi>{option}</bdi>
            </li>
          ))}
        </ul>
      )}
      {resolution !== null && (
        <p className="resolution stored">
          <strong>{resolution}</strong>
        </p>
      )}
      {rationale !== null && <p className="stored">{`Why: ${rationale}`}</p>}
      <p className="soft">
        {decision.proposed_by_agent_id !== null && (
          <>
            {"proposed by "}
            <bdi>{decision.proposed_by_agent_id}</bdi>
          </>
        )}
        {decision.resolved_by_agent_id !== null && (
          <>
            {" · decided by "}
            <bdi>{decision.resolved_by_agent_id}</bdi>
          </>
        )}
        {decision.due_at !== null && status === "proposed" && (
          <>
            {" · due "}
            <Time at={decision.due_at} />
          </>
        )}
      </p>
    </>
  );
}

interface DecideProps extends OfProject {
  /** The one that is decided or replaced; none where one is put up. */
  readonly decision?: Decision;
  readonly isReplacing?: boolean;
  readonly close: () => void;
}

const IMPACTS = ["low", "medium", "high", "critical"] as const;

/** Puts a decision up, decides one, or puts another in its place. */
function DecideDialog({ project, space, decision, isReplacing = false, close }: DecideProps) {
  const [context, setContext] = useState("");
  const [resolution, setResolution] = useState("");
  const [impact, setImpact] = useState<string | null>(null);
  const [options, setOptions] = useState("");
  const queries = useQueryClient();
  const settled = {
    onSuccess() {
      done(decision === undefined ? "The decision was proposed." : isReplacing ? "Replaced." : "Decided.");
      close();
    },
    onSettled: () => queries.invalidateQueries(),
  };
  const create = useMutation(trpc.createDecision.mutationOptions(settled));
  const resolve = useMutation(trpc.resolveDecision.mutationOptions(settled));
  const supersede = useMutation(trpc.supersedeDecision.mutationOptions(settled));
  const isDeciding = decision !== undefined && !isReplacing;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const says = {
      project_id: project,
      context,
      options: options
        .split("\n")
        .map((one) => one.trim())
        .filter((one) => one !== ""),
      impact_level: impact as (typeof IMPACTS)[number] | null,
    };
    if (decision === undefined)
      create.mutate({ ...says, ...(space.teamId === null ? {} : { team_id: space.teamId }) });
    else {
      const of = { project_id: project, decision_id: decision.decision_id, if_match: decision.etag };
      if (isReplacing)
        supersede.mutate({ ...says, ...of, resolution_note: resolution.trim() === "" ? null : resolution });
      else resolve.mutate({ ...of, resolution });
    }
  };
  const failed = create.error ?? resolve.error ?? supersede.error;
  const title =
    decision === undefined ? "Propose a decision" : isReplacing ? "Replace this decision" : "Decide it";
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit} className="form">
        {failed && <Failed what="Not saved" error={failed} />}
        {decision && <p className="stored">{decision.title}</p>}
        {!isDeciding && (
          <>
            <TextArea
              label={isReplacing ? "What to decide instead" : "What to decide"}
              required
              rows={2}
              maxLength={65_536}
              data-autofocus
              value={context}
              onChange={(event) => setContext(event.currentTarget.value)}
            />
            <TextArea
              label="Options"
              description="One per line"
              rows={2}
              value={options}
              onChange={(event) => setOptions(event.currentTarget.value)}
            />
            <Select label="Impact" clearable data={IMPACTS} value={impact} onChange={setImpact} />
          </>
        )}
        {decision !== undefined && (
          <TextArea
            label="What was decided"
            description={isReplacing ? "If empty, it is still open" : undefined}
            required={isDeciding}
            rows={2}
            maxLength={16_384}
            data-autofocus={isDeciding || undefined}
            value={resolution}
            onChange={(event) => setResolution(event.currentTarget.value)}
          />
        )}
        <div className="acts">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || resolve.isPending || supersede.isPending}>
            {decision === undefined ? "Propose it" : isReplacing ? "Replace it" : "Decide it"}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
