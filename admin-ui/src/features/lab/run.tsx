import { useQuery } from "@tanstack/react-query";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import { codeOf, trpc } from "../../shell/trpc.ts";
import type { Recalled, Request } from "./asking.ts";
import { Hits } from "./hits.tsx";

const number = new Intl.NumberFormat("en");

export function useRecalled(request: Request, isAsked: boolean) {
  return useQuery({ ...trpc.labRecall.queryOptions(request), enabled: isAsked });
}

type Asked = ReturnType<typeof useRecalled>;

interface RunProps {
  readonly name: string;
  readonly asked: Asked;
  readonly request: Request;
  readonly space: Space;
  readonly other?: Asked | undefined;
  readonly otherName: string;
}

/** One side: the budget, the plan, the exact text, and every hit that was weighed. */
export function Run({ name, asked, request, space, other, otherName }: RunProps) {
  return (
    <section className="run" aria-label={name} aria-busy={asked.isFetching}>
      {asked.isPending && <Waiting what="recall" />}
      {asked.isError && codeOf(asked.error) === "insufficient_scope" && (
        <div className="note" data-tone="warn" role="alert">
          <Icon name="warn" />
          <p>{asked.error.message}</p>
        </div>
      )}
      {asked.isError && codeOf(asked.error) !== "insufficient_scope" && (
        <Failed what="Recall" error={asked.error} retry={() => void asked.refetch()} />
      )}
      {asked.data && (
        <>
          <Summary recalled={asked.data} />
          {asked.data.hits.length === 0 ? (
            <Empty title="Nothing was found">
              No memory that both you and this credential may see is related to the query.
            </Empty>
          ) : (
            <Hits
              hits={asked.data.hits}
              request={request}
              space={space}
              other={other?.data?.hits}
              otherName={otherName}
            />
          )}
        </>
      )}
    </section>
  );
}

function Summary({ recalled }: { readonly recalled: Recalled }) {
  const { answer, hits, milliseconds } = recalled;
  const { budget } = answer;
  const plan = "retrieval_plan" in answer ? answer.retrieval_plan : null;
  const status = "answer_status" in answer ? answer.answer_status.replaceAll("_", " ") : null;
  return (
    <div className="panel summary">
      <p role="status">
        {[
          `${hits.length} weighed`,
          `${budget.used_items} in the pack`,
          ...(status === null ? [] : [status]),
          ...(plan === null ? [] : [plan.engine]),
          `${number.format(milliseconds)} ms`,
        ].join(" · ")}
      </p>
      <Bar name="Tokens" used={budget.used_tokens} max={budget.max_tokens} />
      <Bar name="Items" used={budget.used_items} max={budget.max_items} />
      {plan && plan.degraded.length > 0 && (
        <div className="note" data-tone="warn">
          <Icon name="warn" />
          <p>{plan.degraded.join("; ")}</p>
        </div>
      )}
      <details>
        <summary>The plan</summary>
        {plan ? (
          <dl className="facts">
            <dt>Because</dt>
            <dd>{plan.because}</dd>
            <dt>Retrievers</dt>
            <dd>{plan.retrievers.join(", ")}</dd>
            <dt>Types</dt>
            <dd>{plan.memory_types.join(", ")}</dd>
            <dt>Time</dt>
            <dd>
              {plan.time_range === null
                ? "the query names none"
                : `${plan.time_range.from ?? "…"} to ${plan.time_range.to ?? "…"}: ${plan.time_range.because}`}
            </dd>
            <dt>Weights</dt>
            <dd>
              {Object.entries(plan.weights)
                .map(([signal, weight]) => `${signal.replaceAll("_", " ")} ${weight}`)
                .join(", ")}
            </dd>
            <dt>Selection</dt>
            <dd>{budget.selection_strategy.replaceAll("_", " ")}</dd>
            <dt>Left out</dt>
            <dd>
              {`${budget.filtered_items} without value, ${budget.budget_skipped_items} over the token budget, ${budget.structured_skipped_items} over the item limit`}
            </dd>
            {"coverage" in answer && (
              <>
                <dt>Coverage</dt>
                <dd>{`${Math.floor(answer.coverage * 100)}% of what it sees`}</dd>
              </>
            )}
          </dl>
        ) : (
          <p className="soft">An agent that is not bound gets no plan.</p>
        )}
      </details>
      <details>
        <summary>The exact context</summary>
        <pre className="context" dir="auto">
          {answer.context_text}
        </pre>
      </details>
    </div>
  );
}

function Bar({ name, used, max }: { readonly name: string; readonly used: number; readonly max: number }) {
  const words = `${number.format(used)} of ${number.format(max)}`;
  return (
    <div className="budget">
      <span>{name}</span>
      <span className="track" aria-hidden="true">
        <span className="fill" style={{ width: `${Math.min(100, (used / Math.max(1, max)) * 100)}%` }} />
      </span>
      <span className="amount">{words}</span>
    </div>
  );
}
