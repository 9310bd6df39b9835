import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { Failed, Waiting } from "../../parts/states.tsx";
import { MemoryStatus, Status } from "../../parts/status.tsx";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import type { Request } from "./asking.ts";
import { Signals, strongestOf } from "./signals.tsx";

type Answer = Outputs["labWhy"];

const OUTCOMES: Readonly<Record<NonNullable<Answer["why"]>["outcome"], string>> = {
  found: "It is in the pack",
  filtered: "A filter leaves it out",
  not_proposed: "No retriever proposed it",
  below_threshold: "Its score is too low",
  beyond_limit: "It is ranked below the hits that are considered",
  omitted: "It was found, but left out of the pack",
};

interface WhyProps {
  readonly id: string | undefined;
  readonly request: Request;
  readonly ask: (id: string | undefined) => void;
}

/** Why a memory is, or is not, in the answer: asked of the real ranking and the real pack. */
export function WhyNot({ id, request, ask }: WhyProps) {
  const [typed, setTyped] = useState(id ?? "");
  useEffect(() => setTyped(id ?? ""), [id]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask(typed.trim() || undefined);
  };
  return (
    <section className="panel why" aria-labelledby="why-heading">
      <h2 id="why-heading" className="panel-title">
        Why not this memory?
      </h2>
      <form className="query" onSubmit={submit}>
        <TextInput
          className="grow"
          aria-label="Id of the memory"
          placeholder="The id of any memory you may see"
          maxLength={128}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Ask why
        </Button>
      </form>
      {id !== undefined && <WhyAnswer id={id} request={request} />}
    </section>
  );
}

function WhyAnswer({ id, request }: { readonly id: string; readonly request: Request }) {
  const asked = useQuery(trpc.labWhy.queryOptions({ ...request, memory_id: id }));
  if (asked.isPending) return <Waiting what="the reason" />;
  if (asked.isError)
    return <Failed what="The reason" error={asked.error} retry={() => void asked.refetch()} />;
  const { memory, hidden_by, why } = asked.data;
  return (
    <div aria-live="polite">
      <p className="stored quoted">{memory.text}</p>
      <p>
        <MemoryStatus status={memory.status} />{" "}
        {why === null ? (
          <Status
            tone="warn"
            icon="warn"
            word={memory.status === "soft_deleted" ? "It is forgotten" : "The credential cannot see it"}
          />
        ) : (
          <Status
            tone={why.found ? "good" : "warn"}
            icon={why.found ? "good" : "warn"}
            word={OUTCOMES[why.outcome]}
          />
        )}
        {why?.rank != null && ` · ranked ${why.rank}`}
        {why?.score != null && ` · score ${why.score.toFixed(3)}`}
      </p>
      <ul className="plain reasons">
        {[...hidden_by, ...(why?.reasons ?? [])].map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {why && Object.keys(why.signals).length > 0 && (
        <Signals signals={why.signals} strongest={strongestOf(why.signals)} />
      )}
    </div>
  );
}
