/** What is done to every memory that the filters match: counted first, with a sample, then just that or nothing. */
import { Button, Modal, Progress, Radio } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Failed, Waiting } from "../../parts/states.tsx";
import { done } from "../../parts/toasts.tsx";
import { Typed } from "../../parts/typed.tsx";
import { mayManage, type Space } from "../../shell/space.ts";
import { client, codeOf, type Outputs, trpc } from "../../shell/trpc.ts";

type Mode = "soft_delete" | "redact" | "hard_delete";
type Filter = NonNullable<Parameters<typeof client.deleteMatching.mutate>[0]>["filter"];

const SAMPLE = 5;
const number = new Intl.NumberFormat("en");
const memories = (count: number) => `${number.format(count)} ${count === 1 ? "memory" : "memories"}`;

const VERBS: Readonly<Record<Mode, string>> = {
  soft_delete: "Forget",
  redact: "Redact",
  hard_delete: "Erase",
};
const DONE: Readonly<Record<Mode, string>> = {
  soft_delete: "left recall. They can be restored.",
  redact: "were redacted",
  hard_delete: "were erased",
};

interface BulkProps {
  readonly space: Space;
  readonly filter: Filter;
  readonly close: () => void;
}

export function BulkDialog({ space, filter, close }: BulkProps) {
  const isForgotten = filter.status === "soft_deleted";
  return (
    <Modal
      opened
      onClose={close}
      title={isForgotten ? "Everything that was forgotten and matches" : "Everything that matches"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {isForgotten ? (
        <Restore filter={filter} close={close} />
      ) : (
        <Remove space={space} filter={filter} close={close} />
      )}
    </Modal>
  );
}

function Remove({ space, filter, close }: BulkProps) {
  const [mode, setMode] = useState<Mode>("soft_delete");
  const queries = useQueryClient();
  const plan = useQuery({
    queryKey: ["bulk", filter, mode],
    queryFn: () => client.deleteMatching.mutate({ filter, mode, dry_run: true }),
    // A plan is looked at once; another is made when it is asked for.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const run = useMutation({
    mutationFn: (plan_hash: string) =>
      client.deleteMatching.mutate({ filter, mode, dry_run: false, plan_hash }),
    async onSuccess({ changed, receipt }) {
      close();
      done(`${memories(changed)} ${DONE[mode]}${receipt === undefined ? "" : `. Receipt ${receipt.id}.`}`);
      await queries.invalidateQueries();
    },
  });
  const isOutdated = run.isError && codeOf(run.error) === "plan_changed";
  const again = async () => {
    run.reset();
    await plan.refetch();
  };
  const matched = plan.data?.matched ?? 0;
  const act = () => plan.data && run.mutate(plan.data.plan_hash);
  return (
    <div className="dialog-body">
      <Radio.Group
        label="What is to be done"
        value={mode}
        onChange={(value) => {
          run.reset();
          setMode(value as Mode);
        }}
      >
        <div className="choices">
          <Radio value="soft_delete" label="Forget: they leave recall, and can be restored" />
          {mayManage(space) && (
            <>
              <Radio value="redact" label="Redact: nothing of what they said is left" />
              <Radio value="hard_delete" label="Erase: nothing of them is left" />
            </>
          )}
        </div>
      </Radio.Group>
      {(plan.isPending || plan.isRefetching) && <Waiting what="the count" />}
      {plan.isError && <Failed what="The dry run" error={plan.error} retry={() => void plan.refetch()} />}
      {run.isError && !isOutdated && <Failed what="Nothing was done" error={run.error} />}
      {isOutdated && (
        <div className="note" data-tone="warn" role="alert">
          <div>
            <p>
              <strong>Nothing was done: what matches has changed since it was counted.</strong>
            </p>
            <Button mt="xs" size="xs" variant="default" onClick={() => void again()}>
              Count again
            </Button>
          </div>
        </div>
      )}
      {plan.data && !plan.isRefetching && <Sample filter={filter} count={matched} />}
      {plan.data && !plan.isRefetching && !isOutdated && matched > 0 && mode !== "soft_delete" && (
        <Typed
          key={mode}
          word={String(matched)}
          action={`${VERBS[mode]} ${memories(matched)}`}
          isBusy={run.isPending}
          act={act}
          cancel={close}
        >
          <p>Nothing brings them back. All of them go at once, or none.</p>
        </Typed>
      )}
      {plan.data && !isOutdated && (matched === 0 || mode === "soft_delete") && (
        <div className="dialog-acts">
          <Button variant="default" data-autofocus onClick={close}>
            Cancel
          </Button>
          {matched > 0 && (
            <Button color="bad" loading={run.isPending || plan.isRefetching} onClick={act}>
              {`Forget ${memories(matched)}`}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** How many it is, and the newest of them. */
function Sample({ filter, count }: { readonly filter: Filter; readonly count: number }) {
  const sample = useQuery(trpc.listMemories.queryOptions({ ...filter, limit: SAMPLE }, { staleTime: 0 }));
  return (
    <section aria-label="What it is about">
      <p>
        <strong>
          {count === 0
            ? "Nothing that may be changed matches."
            : `${memories(count)} ${count === 1 ? "matches" : "match"}.`}
        </strong>
        {count > 0 && " Todos and decisions are not among them; their pages remove those."}
      </p>
      {count > 0 && sample.data && (
        <ul className="plain rows sample">
          {sample.data.memories.map(({ id, content }) => (
            <li key={id}>
              <bdi>{content.slice(0, 120)}</bdi>
            </li>
          ))}
          {count > sample.data.memories.length && (
            <li className="soft">{`and ${number.format(count - sample.data.memories.length)} more`}</li>
          )}
        </ul>
      )}
    </section>
  );
}

const RESTORED_MAX = 1000;
const PAGE = 200;

type Listed = Outputs["listMemories"]["memories"];

/** The forgotten ones that match now, the newest thousand. */
async function forgotten(filter: Filter): Promise<{ items: Listed; total: number }> {
  const items: Listed = [];
  for (let cursor: string | null = null; ; ) {
    const page: Outputs["listMemories"] = await client.listMemories.query({ ...filter, limit: PAGE, cursor });
    items.push(...page.memories);
    cursor = page.next_cursor;
    if (cursor === null || items.length >= RESTORED_MAX) return { items, total: page.total };
  }
}

/** One after the other: what cannot be restored any more is named, and stops none of the others. */
function Restore({ filter, close }: Omit<BulkProps, "space">) {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["bulk", "restore", filter],
    queryFn: () => forgotten(filter),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [progress, setProgress] = useState<{ restored: number; failed: Map<string, string> } | null>(null);
  const items = found.data?.items ?? [];
  const at = progress === null ? 0 : progress.restored + progress.failed.size;
  const isOver = progress !== null && at === items.length;
  const restore = async () => {
    let restored = 0;
    const failed = new Map<string, string>();
    setProgress({ restored, failed });
    for (const { id, content } of items) {
      try {
        await client.restoreMemory.mutate({ memory_id: id });
        restored += 1;
      } catch (error) {
        failed.set(`${content.slice(0, 60)} (${id})`, error instanceof Error ? error.message : "refused");
      }
      setProgress({ restored, failed });
    }
    if (failed.size === 0) {
      done(`${memories(restored)} back in recall.`);
      close();
    }
    // What was counted is what is told of until the dialog is closed.
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "bulk" });
  };
  if (found.isPending) return <Waiting what="the count" />;
  if (found.isError)
    return <Failed what="The count" error={found.error} retry={() => void found.refetch()} />;
  return (
    <div className="dialog-body">
      <p>
        <strong>{`${memories(items.length)} will be restored.`}</strong>
        {found.data.total > items.length &&
          ` They are the newest of ${number.format(found.data.total)}: do the same again for the others.`}
      </p>
      <ul className="plain rows sample">
        {items.slice(0, SAMPLE).map(({ id, content }) => (
          <li key={id}>
            <bdi>{content.slice(0, 120)}</bdi>
          </li>
        ))}
        {items.length > SAMPLE && (
          <li className="soft">{`and ${number.format(items.length - SAMPLE)} more`}</li>
        )}
      </ul>
      {progress && (
        <div role="status">
          <Progress value={(at / Math.max(1, items.length)) * 100} aria-label="Restored" />
          <p>{`${progress.restored} restored${progress.failed.size > 0 ? `, ${progress.failed.size} not` : ""} of ${items.length}`}</p>
        </div>
      )}
      {progress && progress.failed.size > 0 && (
        <ul className="plain rows" aria-label="Not restored">
          {[...progress.failed].map(([name, why]) => (
            <li key={name}>
              <bdi>{name}</bdi>
              <span className="soft">{why}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="dialog-acts">
        <Button variant="default" data-autofocus onClick={close}>
          {isOver ? "Close" : "Cancel"}
        </Button>
        {!isOver && items.length > 0 && (
          <Button loading={progress !== null} onClick={() => void restore()}>
            {`Restore ${memories(items.length)}`}
          </Button>
        )}
      </div>
    </div>
  );
}
