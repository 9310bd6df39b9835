/** The list of maintenance runs, with their results and undo. */
import { Button, Modal } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Progress } from "../../parts/progress.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { mayManage, type Space } from "../../shell/space.ts";
import { codeOf, trpc } from "../../shell/trpc.ts";
import { didOf, isGoing, memories, number, type Run, reasonIn, undoable, WORDS } from "./words.ts";

const STATUSES = {
  running: { tone: "warn", icon: "clock", word: "Running" },
  completed: { tone: "good", icon: "good", word: "Done" },
  undoing: { tone: "warn", icon: "restore", word: "Being undone" },
  undone: { tone: "soft", icon: "restore", word: "Undone" },
} as const;

interface RunsProps {
  readonly runs: readonly Run[];
  readonly space: Space;
  /** Shows each run's project, for lists over several projects. */
  readonly withProject?: boolean;
}

export function Runs({ runs, space, withProject = false }: RunsProps) {
  const [undoing, setUndoing] = useState<Run | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  return (
    <>
      <ul className="plain rows">
        {runs.map((run) => (
          <li key={run.run_id}>
            <Status {...STATUSES[run.status]} />
            <span className="grow">
              {withProject && (
                <>
                  <Link
                    to="/$space/projects/$project"
                    params={{ space: space.key, project: run.project_id }}
                    search={{ tab: "maintenance" }}
                  >
                    <bdi>{run.project_id}</bdi>
                  </Link>
                  {": "}
                </>
              )}
              {didOf(run)}
              <span className="soft">
                {" · "}
                <Time at={run.started_at} />
                {run.trigger === "schedule" && " · by schedule"}
              </span>
            </span>
            <Button
              size="xs"
              variant="default"
              aria-expanded={open === run.run_id}
              onClick={() => setOpen(open === run.run_id ? null : run.run_id)}
            >
              {open === run.run_id ? "Hide what it did" : "What it did"}
            </Button>
            {mayManage(space) && undoable(run) > 0 && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="restore" size={16} />}
                onClick={() => setUndoing(run)}
              >
                {`Undo ${number.format(undoable(run))}`}
              </Button>
            )}
            {isGoing(run) && <RunProgress run={run} />}
            {open === run.run_id && <RunItems run={run} space={space} />}
          </li>
        ))}
      </ul>
      {undoing && <UndoRun run={undoing} close={() => setUndoing(null)} />}
    </>
  );
}

/** Progress of a run, or of its undo. */
export function RunProgress({ run }: { readonly run: Run }) {
  const sum = (of: (action: Run["actions"][number]) => number) =>
    run.actions.reduce((all, action) => all + of(action), 0);
  const isUndo = run.status === "undoing";
  const total = sum(({ matched, changed }) => (isUndo ? changed : matched));
  const processed = sum(({ changed, skipped, failed, undone }) =>
    isUndo ? undone : changed + skipped + failed,
  );
  const progress = `${number.format(processed)} of ${number.format(total)} ${isUndo ? "undone" : "done"}`;
  return (
    <div style={{ flexBasis: "100%" }}>
      <Progress label={progress} done={processed} of={total} />
      <p className="soft" role="status" style={{ margin: "4px 0 0" }}>
        {progress}. It continues by itself, even if you close this page.
      </p>
    </div>
  );
}

const ITEM_STATES = {
  pending: { tone: "warn", icon: "clock", word: "Pending" },
  changed: { tone: "good", icon: "good", word: "Done" },
  skipped: { tone: "soft", icon: "close", word: "Skipped" },
  failed: { tone: "bad", icon: "bad", word: "Failed" },
  back: { tone: "soft", icon: "restore", word: "Restored" },
} as const;

function RunItems({ run, space }: { readonly run: Run; readonly space: Space }) {
  const items = useQuery(
    trpc.listRunItems.queryOptions(
      { project_id: run.project_id, team_id: run.team_id, run_id: run.run_id },
      { refetchInterval: isGoing(run) ? 2000 : false },
    ),
  );
  const list = { flexBasis: "100%" };
  if (items.isPending) return <Waiting what="what the run did" />;
  if (items.isError)
    return <Failed what="What the run did" error={items.error} retry={() => void items.refetch()} />;
  return (
    <div style={list}>
      <ul className="plain rows done-items" aria-label="What the run did">
        {items.data.items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a run's items keep their places
          <li key={at}>
            <Status {...ITEM_STATES[item.undo === "changed" ? "back" : item.state]} />
            <span className="grow">
              <span className="soft">{`${WORDS[item.action].title}: `}</span>
              {item.memory_id === null ? (
                "a memory that is gone or that you may not see"
              ) : (
                <Link to="/$space/memories" params={{ space: space.key }} search={{ id: item.memory_id }}>
                  <bdi>{item.content || item.memory_id}</bdi>
                </Link>
              )}
              <span className="soft">{` · ${reasonIn(item.reason)}`}</span>
              {item.into !== null && (
                <>
                  <span className="soft">{" · merged into "}</span>
                  <Link to="/$space/memories" params={{ space: space.key }} search={{ id: item.into }}>
                    the one that was kept
                  </Link>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {items.data.truncated && <p className="soft">The first 500 are shown.</p>}
      {items.data.items.length === 0 && <p className="soft">It had nothing to do.</p>}
    </div>
  );
}

function UndoRun({ run, close }: { readonly run: Run; readonly close: () => void }) {
  const queries = useQueryClient();
  const count = undoable(run);
  const undo = useMutation(
    trpc.undoMaintenanceRun.mutationOptions({
      onSuccess({ actions }) {
        const restored = actions.reduce((sum, { undone }) => sum + undone, 0);
        const left = actions.reduce((sum, { skipped, failed }) => sum + skipped.length + failed.length, 0);
        done(
          left === 0
            ? `Restored ${memories(restored)}.`
            : `Restored ${memories(restored)}. Skipped ${number.format(left)}, changed since the run.`,
        );
        close();
      },
      onSettled: () => queries.invalidateQueries(),
    }),
  );
  const irreversible = run.actions.filter(
    ({ action, changed }) => changed > 0 && WORDS[action].returns === "never",
  );
  return (
    <Modal opened onClose={close} title="Undo this run?" closeButtonProps={{ "aria-label": "Close" }}>
      <p>
        {`${memories(count)} will be restored to their state before the run, unless somebody has changed them since.`}
      </p>
      {irreversible.length > 0 && (
        <p>
          {irreversible.map(({ action, changed }) => WORDS[action].did(changed)).join(", ")}: these cannot be
          restored.
        </p>
      )}
      {undo.isError &&
        (codeOf(undo.error) === "unreachable" ? (
          <StillGoing />
        ) : (
          <Failed what="Not undone" error={undo.error} />
        ))}
      <div className="acts">
        <Button variant="default" data-autofocus onClick={close}>
          Cancel
        </Button>
        <Button
          loading={undo.isPending}
          onClick={() =>
            undo.mutate({ project_id: run.project_id, team_id: run.team_id, run_id: run.run_id })
          }
        >
          {`Undo ${number.format(count)} ${count === 1 ? "change" : "changes"}`}
        </Button>
      </div>
    </Modal>
  );
}

/** Shown if a request timed out: the service records a run before it begins it, so it may be running. */
export function StillGoing() {
  return (
    <div className="note" data-tone="warn" role="alert">
      <Icon name="warn" />
      <p>
        <strong>The service did not answer in time.</strong> If the run has begun, it continues by itself: the
        history shows its progress.
      </p>
    </div>
  );
}
