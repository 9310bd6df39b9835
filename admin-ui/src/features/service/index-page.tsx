import { Button, Modal } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Progress } from "../../parts/progress.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { mayManage, type Space, teamOf, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

type State = Outputs["serviceState"];

const MOVING_MS = 2000;
const STILL_MS = 60_000;

const isMoving = ({ indexes, embeddings }: State) =>
  indexes.some(({ state }) => state === "building") ||
  embeddings.some(({ is_current, memories, of }) => is_current && memories < of);

/** Which indexes and vectors are there, and how far are those that are being made? */
export function IndexPage() {
  const space = useSpace();
  const state = useQuery(
    trpc.serviceState.queryOptions(teamOf(space), {
      refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? MOVING_MS : STILL_MS),
    }),
  );
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Search index</h1>
          <p>What recall searches. It is built from the record and can be rebuilt at any time</p>
        </div>
      </div>
      {state.isPending && <Waiting what="the index" />}
      {state.isError && <Failed what="The index" error={state.error} retry={() => void state.refetch()} />}
      {state.data && (
        <div style={{ display: "grid", gap: 16 }}>
          <Indexes state={state.data} />
          <Embeddings state={state.data} space={space} />
          <ByHand hasEngine={state.data.dependencies.some(({ name }) => name === "elasticsearch")} />
        </div>
      )}
    </>
  );
}

const WORDS = {
  active: { tone: "good", icon: "good", word: "In use by recall" },
  building: { tone: "warn", icon: "clock", word: "Being built" },
  retired: { tone: "soft", icon: "archive", word: "Replaced" },
} as const;

function Indexes({ state }: { readonly state: State }) {
  const hasEngine = state.dependencies.some(({ name }) => name === "elasticsearch");
  const wait = state.changes_wait_seconds;
  return (
    <section className="panel" aria-labelledby="indexes">
      <h2 id="indexes" className="panel-title">
        Search indexes
      </h2>
      {!hasEngine && (
        <p style={{ margin: 0 }}>
          <Status tone="good" icon="good" word="Index in memory" />
          <br />
          <span className="soft">
            It is read from the record when it is needed, so there is nothing to rebuild. For millions of
            memories, set ELASTICSEARCH_URL.
          </span>
        </p>
      )}
      {hasEngine && state.indexes.length === 0 && (
        <Empty title="No index yet">
          A running server builds one as soon as the search engine answers. Until then recall uses the index
          in memory.
        </Empty>
      )}
      <ul className="plain rows">
        {state.indexes.map(({ name, state, built }) => (
          <li key={name}>
            <Status {...WORDS[state]} />
            <span className="grow mono">{name}</span>
            {state === "building" && <Progress label={`Progress of ${name}`} done={built} of={1} />}
          </li>
        ))}
      </ul>
      <p className="soft" style={{ margin: "12px 0 0" }}>
        {[
          ...(wait === null && state.set_aside.length === 0 ? ["Every change is in it."] : []),
          ...(wait === null ? [] : [`The oldest change has been waiting for ${Math.ceil(wait)} s.`]),
          ...(state.set_aside.length === 0
            ? []
            : [`Some changes are no longer retried: ${state.set_aside.join(", ")}.`]),
        ].join(" ")}
      </p>
    </section>
  );
}

const number = new Intl.NumberFormat("en");

function Embeddings({ state, space }: { readonly state: State; readonly space: Space }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <section className="panel" aria-labelledby="embeddings">
      <div
        style={{ display: "flex", alignItems: "center", justifyContent: "space-between", flexWrap: "wrap" }}
      >
        <h2 id="embeddings" className="panel-title">
          Vectors of this workspace
        </h2>
        {mayManage(space) && (
          <Button variant="default" onClick={() => setAsked(true)}>
            Embed what is missing
          </Button>
        )}
      </div>
      {isAsked && <CatchUp space={space} close={() => setAsked(false)} />}
      <ul className="plain rows">
        {state.embeddings.map(({ provider, model, dimension, is_current, created_at, memories, of }) => (
          <li key={`${provider} ${model} ${dimension}`}>
            {is_current ? (
              <Status
                tone={memories < of ? "warn" : "good"}
                icon={memories < of ? "clock" : "good"}
                word={memories < of ? "Being made" : "In use"}
              />
            ) : (
              <Status tone="soft" icon="archive" word="Previous" />
            )}
            <span className="grow" style={{ minWidth: 180 }}>
              <strong>
                <bdi>{model}</bdi>
              </strong>{" "}
              <span className="soft">
                {`${provider}, ${number.format(dimension)} dimensions, since `}
                <Time at={created_at} />
              </span>
            </span>
            <span className="soft">{`${number.format(memories)} of ${number.format(of)} memories`}</span>
            <Progress label={`Vectors of ${model}`} done={memories} of={of} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Asks for it once; how far it is, the list of vectors behind shows. */
function CatchUp({ space, close }: { readonly space: Space; readonly close: () => void }) {
  const queries = useQueryClient();
  const catchUp = useMutation(
    trpc.catchUpIndex.mutationOptions({
      async onSuccess(outcome) {
        await queries.invalidateQueries({ queryKey: trpc.serviceState.pathKey() });
        done(outcomeWords(outcome));
        close();
      },
    }),
  );
  return (
    <Modal opened onClose={close} title="Embed what is missing?" closeButtonProps={{ "aria-label": "Close" }}>
      <p style={{ marginTop: 0 }}>
        This embeds the memories of this workspace that have no vector from the current model, and retries
        changes that its index did not take. Existing vectors are left alone.
      </p>
      <p>
        Recall keeps working: a memory without a vector is found by its words, and by its meaning as soon as
        it has one. The work continues, even if you close this page.
      </p>
      {catchUp.error !== null && <Failed what="Starting" error={catchUp.error} />}
      <div className="acts">
        <Button variant="default" data-autofocus onClick={close}>
          Cancel
        </Button>
        <Button loading={catchUp.isPending} onClick={() => catchUp.mutate(teamOf(space))}>
          Embed it
        </Button>
      </div>
    </Modal>
  );
}

function outcomeWords({ embedding, retried, truncated }: Outputs["catchUpIndex"]): string {
  if (embedding + retried === 0) return "Everything that is missing is already under way.";
  const words = [
    ...(embedding > 0
      ? [
          `${number.format(embedding)} ${embedding === 1 ? "memory is waiting for its" : "memories are waiting for their"} vector`,
        ]
      : []),
    ...(retried > 0
      ? [`${number.format(retried)} ${retried === 1 ? "change is" : "changes are"} being retried`]
      : []),
  ].join(", ");
  return `${words}.${truncated ? " There are more: ask again once these are done." : ""}`;
}

/** What runs by itself, and how the service's operator does it at once. */
function ByHand({ hasEngine }: { readonly hasEngine: boolean }) {
  const commands = [
    ["recollect reembed", "Makes every missing vector, showing progress"],
    ...(hasEngine
      ? ([
          ["recollect reindex", "Rebuilds the search index beside the current one, showing progress"],
          ["recollect reindex --verify", "Compares it with the record and corrects the differences"],
        ] as const)
      : []),
  ] as const;
  return (
    <section className="panel" aria-labelledby="by-hand">
      <h2 id="by-hand" className="panel-title">
        By hand
      </h2>
      <p className="soft" style={{ margin: 0 }}>
        A running server does all of this by itself. Operators can do it at once for everybody, on the
        service's machine, because the index is shared by all workspaces. Progress is shown here.
      </p>
      <ul className="plain rows">
        {commands.map(([command, what]) => (
          <li key={command}>
            <code className="mono">{command}</code>
            <span className="grow soft">{what}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
