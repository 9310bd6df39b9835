/** What a side answered and how its budget was spent; behind a click, its exact text and how it was recalled. */
import { useQuery } from "@tanstack/react-query";
import { Answer } from "../../parts/answer.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { codeOf, trpc } from "../../shell/trpc.ts";
import type { Recalled, Request } from "./asking.ts";
import { SideMark } from "./side.tsx";

const number = new Intl.NumberFormat("en");

export function useRecalled(request: Request, isAsked: boolean) {
  return useQuery({ ...trpc.labRecall.queryOptions(request), enabled: isAsked });
}

export type Asked = ReturnType<typeof useRecalled>;

export function Outcome({ name, asked }: { readonly name: "A" | "B"; readonly asked: Asked }) {
  return (
    <section className="outcome" aria-label={name} aria-busy={asked.isFetching}>
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
      {asked.data && <Figures name={name} recalled={asked.data} />}
    </section>
  );
}

function Figures({ name, recalled }: { readonly name: "A" | "B"; readonly recalled: Recalled }) {
  const { answer, outcome, milliseconds } = recalled;
  const { budget } = answer;
  const degraded = "retrieval_plan" in answer ? answer.retrieval_plan.degraded : [];
  return (
    <>
      <div className="outcome-row" role="status">
        <SideMark of={name} />
        <Answer of={outcome} />
        <Budget recalled={recalled} />
        <span className="amount">
          <strong>{number.format(budget.used_tokens)}</strong>
          {` of ${number.format(budget.max_tokens)} tokens`}
        </span>
        <span className="amount">{`${budget.used_items} of ${budget.max_items} items`}</span>
        <span className="amount">{`${number.format(milliseconds)} ms`}</span>
      </div>
      {degraded.length > 0 && (
        <div className="note" data-tone="warn">
          <Icon name="warn" />
          <p>{degraded.join("; ")}</p>
        </div>
      )}
    </>
  );
}

/** The tokens of the budget, by item in the order of the context, each with its place in the ranking. */
function Budget({ recalled: { answer, hits } }: { readonly recalled: Recalled }) {
  const { max_tokens, used_tokens, used_items } = answer.budget;
  const packed = hits.filter(({ place }) => place !== null).sort((a, b) => Number(a.place) - Number(b.place));
  return (
    <span
      className="budget"
      role="img"
      aria-label={`${used_items} items use ${used_tokens} of ${max_tokens} tokens`}
    >
      {packed.map(({ id, rank, tokens, content }) => (
        <span key={id} style={{ flexGrow: tokens ?? 0 }} title={`${tokens} tokens: ${content.slice(0, 120)}`}>
          {rank}
        </span>
      ))}
      {used_tokens < max_tokens && <span className="rest" style={{ flexGrow: max_tokens - used_tokens }} />}
    </span>
  );
}

/** How a side was recalled, and the text that its agent would read. */
export function OnRequest({ name, recalled }: { readonly name: string; readonly recalled: Recalled }) {
  const { answer } = recalled;
  const { budget } = answer;
  const plan = "retrieval_plan" in answer ? answer.retrieval_plan : null;
  return (
    <>
      <details>
        <summary>{`Context ${name}`.trim()}</summary>
        <pre className="context" dir="auto">
          {answer.context_text}
        </pre>
      </details>
      <details>
        <summary>{`Signals ${name}`.trim()}</summary>
        {plan ? (
          <dl className="facts">
            <dt>Because</dt>
            <dd>{plan.because}</dd>
            <dt>Index</dt>
            <dd>{`${plan.engine}, by ${plan.retrievers.join(", ")}`}</dd>
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
          <p className="soft">An agent that is not bound is told nothing of them.</p>
        )}
      </details>
    </>
  );
}
