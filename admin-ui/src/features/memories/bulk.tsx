/** What is done to every memory that the filters match: counted first, with a sample, then just that or nothing. */
import { Button, Modal, Radio } from "@mantine/core";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Progress } from "../../parts/progress.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { Typed } from "../../parts/typed.tsx";
import { mayManage, type Space } from "../../shell/space.ts";
import { client, codeOf, type Outputs, trpc } from "../../shell/trpc.ts";
import type { Filter } from "./filter.ts";

type Mode = "soft_delete" | "redact" | "hard_delete";

const SAMPLE = 5;
const number = new Intl.NumberFormat("en");
const SHOWN_MAX = 120;
const beginningOf = (content: string) =>
  content.length > SHOWN_MAX ? `${content.slice(0, SHOWN_MAX)}…` : content;
const memories = (count: number) => `${number.format(count)} ${count === 1 ? "memory" : "memories"}`;

const VERBS: Readonly<Record<Mode, string>> = {
  soft_delete: "Forget",
  redact: "Redact",
  hard_delete: "Erase",
};
function doneWords(mode: Mode, count: number): string {
  const [was, they] = count === 1 ? ["was", "It"] : ["were", "They"];
  if (mode === "soft_delete") return `${memories(count)} left recall. ${they} can be restored.`;
  return `${memories(count)} ${was} ${mode === "redact" ? "redacted" : "erased"}`;
}

interface BulkProps {
  readonly space: Space;
  readonly filter: Filter;
  readonly close: () => void;
  /** Called once it is done. */
  readonly onDone: () => void;
}

/** `isNamed`: the filter is a list of memories that somebody looked at. Restored, or else removed. */
export function BulkDialog({
  space,
  filter,
  isNamed,
  verb,
  close,
  onDone,
}: BulkProps & { readonly isNamed: boolean; readonly verb: "Remove" | "Restore" | "Erase" }) {
  const isForgotten = filter.status === "soft_deleted";
  const which = isNamed
    ? isForgotten
      ? "The chosen forgotten memories"
      : "The chosen memories"
    : isForgotten
      ? "Every forgotten memory that matches"
      : "Everything that matches";
  return (
    <Modal opened onClose={close} title={which} closeButtonProps={{ "aria-label": "Close" }}>
      {verb === "Restore" ? (
        <Restore filter={filter} close={close} onDone={onDone} />
      ) : (
        <Remove space={space} filter={filter} isForgotten={isForgotten} close={close} onDone={onDone} />
      )}
    </Modal>
  );
}

function Remove({
  space,
  filter,
  isForgotten,
  close,
  onDone,
}: BulkProps & { readonly isForgotten: boolean }) {
  const [mode, setMode] = useState<Mode>(isForgotten ? "hard_delete" : "soft_delete");
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
    async onSuccess({ changed, receipt, memory_ids }) {
      close();
      onDone();
      const proof = receipt === undefined ? "" : `. Receipt ${receipt.id}.`;
      done(
        `${doneWords(mode, changed)}${proof}`,
        mode === "soft_delete" ? () => void takeBack(queries, memory_ids) : undefined,
      );
      await queries.invalidateQueries();
    },
  });
  const isOutdated = run.isError && codeOf(run.error) === "plan_changed";
  /** Those that were counted when it was refused; null: nothing was. */
  const [outdated, setOutdated] = useState<readonly string[] | null>(null);
  const again = async () => {
    setOutdated(plan.data?.memory_ids ?? null);
    run.reset();
    await plan.refetch();
  };
  const matched = plan.data?.matched ?? 0;
  const act = () => plan.data && run.mutate(plan.data.plan_hash);
  return (
    <div className="dialog-body">
      <Radio.Group
        label="What to do"
        value={mode}
        onChange={(value) => {
          run.reset();
          setOutdated(null);
          setMode(value as Mode);
        }}
      >
        <div className="choices">
          <Radio
            value="soft_delete"
            disabled={isForgotten}
            label="Forget: they leave recall and can be restored"
          />
          {mayManage(space) && (
            <>
              <Radio value="redact" label="Redact: their content is removed for good" />
              <Radio value="hard_delete" label="Erase: nothing of them remains" />
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
      {plan.data && !plan.isRefetching && outdated !== null && (
        <Difference before={outdated} now={plan.data.memory_ids} />
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
          <p>They cannot be restored. Either all of them are removed, or none.</p>
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

/** What is counted now and was not before, and the other way round. */
function Difference({
  before,
  now,
}: {
  readonly before: readonly string[];
  readonly now: readonly string[];
}) {
  const earlier = new Set(before);
  const later = new Set(now);
  const more = now.filter((id) => !earlier.has(id)).length;
  const fewer = before.filter((id) => !later.has(id)).length;
  const parts = [
    ...(more > 0 ? [`${memories(more)} more`] : []),
    ...(fewer > 0 ? [`${memories(fewer)} no longer`] : []),
  ];
  return (
    <p className="soft" role="status">
      {parts.length > 0
        ? `Compared with the count before: ${parts.join(", ")}.`
        : "They are the same memories as before, but something in them has changed."}
    </p>
  );
}

/** How many it is, and the newest of them. */
function Sample({ filter, count }: { readonly filter: Filter; readonly count: number }) {
  const sample = useQuery(trpc.listMemories.queryOptions({ ...filter, limit: SAMPLE }, { staleTime: 0 }));
  return (
    <section aria-label="Which memories">
      <p>
        <strong>
          {count === 0
            ? "Nothing that you may change matches."
            : `${memories(count)} ${count === 1 ? "matches" : "match"}.`}
        </strong>
        {count > 0 && " Todos and decisions are not included; remove them on their own pages."}
      </p>
      {count > 0 && sample.data && (
        <ul className="plain rows sample">
          {sample.data.memories.map(({ id, content }) => (
            <li key={id}>
              <bdi>{beginningOf(content)}</bdi>
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

/** So many are restored by one request. */
const PORTION = 200;

interface Restored {
  readonly restored: number;
  /** By id, why it was not. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Portion by portion; what cannot be restored any more is named, and stops none of the others. */
async function restoreAll(
  ids: readonly string[],
  tell: (so: Restored) => void = () => {},
): Promise<Restored> {
  let so: Restored = { restored: 0, refused: new Map() };
  for (let at = 0; at < ids.length; at += PORTION) {
    const answer = await client.restoreMemories.mutate({ memory_ids: ids.slice(at, at + PORTION) });
    so = {
      restored: so.restored + answer.restored.length,
      refused: new Map([...so.refused, ...answer.refused.map(({ id, why }) => [id, why] as const)]),
    };
    tell(so);
  }
  return so;
}

async function takeBack(queries: QueryClient, ids: readonly string[]): Promise<void> {
  try {
    const { restored, refused } = await restoreAll(ids);
    done(`${memories(restored)} back in recall${refused.size > 0 ? `, ${refused.size} not` : ""}.`);
  } catch (error) {
    notDone("Not all were restored", error);
  }
  await queries.invalidateQueries();
}

const RESTORED_MAX = 1000;
const PAGE = 200;

type Listed = Outputs["listMemories"]["memories"];

/** The forgotten ones that match now, the newest thousand. */
async function forgotten(filter: Filter): Promise<{ items: Listed; total: number }> {
  const items: Listed = [];
  for (let cursor: string | null = null; ; ) {
    const page: Outputs["listMemories"] = await client.listMemories.query({
      ...filter,
      limit: PAGE,
      cursor,
    });
    items.push(...page.memories);
    cursor = page.next_cursor;
    if (cursor === null || items.length >= RESTORED_MAX) return { items, total: page.total };
  }
}

function Restore({ filter, close, onDone }: Omit<BulkProps, "space">) {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["bulk", "restore", filter],
    queryFn: () => forgotten(filter),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [progress, setProgress] = useState<Restored | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const items = found.data?.items ?? [];
  const at = progress === null ? 0 : progress.restored + progress.refused.size;
  const isOver = progress !== null && at === items.length;
  const restore = async () => {
    setProgress({ restored: 0, refused: new Map() });
    setFailure(null);
    try {
      const { restored, refused } = await restoreAll(
        items.map(({ id }) => id),
        setProgress,
      );
      onDone();
      if (refused.size === 0) {
        done(`${memories(restored)} back in recall.`);
        close();
      }
    } catch (error) {
      setFailure(error);
    }
    // What was counted is what is told of until the dialog is closed.
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "bulk" });
  };
  const nameOf = (id: string) =>
    `${items.find((item) => item.id === id)?.content.slice(0, 60) ?? ""} (${id})`;
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
            <bdi>{beginningOf(content)}</bdi>
          </li>
        ))}
        {items.length > SAMPLE && (
          <li className="soft">{`and ${number.format(items.length - SAMPLE)} more`}</li>
        )}
      </ul>
      {progress && (
        <div role="status">
          <Progress label="Restored" done={at} of={items.length} />
          <p>{`${progress.restored} restored${progress.refused.size > 0 ? `, ${progress.refused.size} not` : ""} of ${items.length}`}</p>
        </div>
      )}
      {progress && progress.refused.size > 0 && (
        <ul className="plain rows" aria-label="Not restored">
          {[...progress.refused].map(([id, why]) => (
            <li key={id}>
              <bdi>{nameOf(id)}</bdi>
              <span className="soft">{why}</span>
            </li>
          ))}
        </ul>
      )}
      {failure !== null && <Failed what="The rest was not restored" error={failure} />}
      <div className="dialog-acts">
        <Button variant="default" data-autofocus onClick={close}>
          {isOver ? "Close" : "Cancel"}
        </Button>
        {!isOver && items.length > 0 && (
          <Button loading={progress !== null && failure === null} onClick={() => void restore()}>
            {`Restore ${memories(items.length)}`}
          </Button>
        )}
      </div>
    </div>
  );
}
