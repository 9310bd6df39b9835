/** The last look, and the erasure itself: batch by batch, until nothing of the plan is left. */
import { Button, Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Progress } from "../../parts/progress.tsx";
import { Failed } from "../../parts/states.tsx";
import { Typed } from "../../parts/typed.tsx";
import { client, codeOf } from "../../shell/trpc.ts";
import { counted, type Found, number, type RecordName, records } from "./found.ts";

export interface Erased {
  readonly erased: number;
  /** Their ids. */
  readonly receipts: readonly string[];
}

interface EraseDialogProps {
  readonly terms: readonly string[];
  readonly found: Found;
  readonly leaveOut: readonly RecordName[];
  readonly close: () => void;
  readonly look: () => void;
  readonly onErased: (erased: Erased) => void;
}

export function EraseDialog({ terms, found, leaveOut, close, look, onErased }: EraseDialogProps) {
  const queries = useQueryClient();
  const [done, setDone] = useState<Erased>({ erased: 0, receipts: [] });
  const total = found.found - leaveOut.length;
  const run = useMutation({
    async mutationFn() {
      let so: Erased = { erased: 0, receipts: [] };
      for (let plan = found.plan_hash; ; ) {
        const answer = await client.eraseSubject.mutate({
          terms: [...terms],
          leave_out: [...leaveOut],
          dry_run: false,
          plan_hash: plan,
        });
        so = {
          erased: so.erased + answer.erased,
          receipts: [...so.receipts, ...answer.receipts.map(({ id }) => id)],
        };
        setDone(so);
        if (answer.remaining === 0) return so;
        plan = answer.plan_hash;
      }
    },
    onSuccess: (so) => {
      close();
      onErased(so);
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const sum = (name: "memories" | "todos" | "decisions" | "questions") =>
    found.workspaces.reduce((all, workspace) => all + workspace[name], 0);
  const kinds = [
    counted(sum("memories"), "memory", "memories"),
    counted(sum("todos"), "todo"),
    counted(sum("decisions"), "decision"),
  ].filter((words) => !words.startsWith("0 "));
  const questions = sum("questions");
  const what = total > 0 ? records(total) : counted(questions, "question");
  const isOutdated = run.isError && codeOf(run.error) === "plan_changed";
  return (
    <Modal
      opened
      onClose={run.isPending ? () => {} : close}
      title={`Erase ${what} for good?`}
      closeButtonProps={{ "aria-label": "Close", disabled: run.isPending }}
    >
      <div className="dialog-body">
        <ul className="gone">
          <li>
            <strong>{records(total)}</strong>
            {leaveOut.length > 0 && ` of ${number.format(found.found)} found`}
            {`: ${kinds.join(", ")}`}
          </li>
          <li>all their versions, comments, vectors and index entries</li>
          {questions > 0 && <li>{`${counted(questions, "question")} of the recall log`}</li>}
        </ul>
        <div className="note" data-tone="bad">
          <Icon name="warn" />
          <p>
            <strong>This cannot be undone.</strong> Receipts without content are kept.
          </p>
        </div>
        {run.isPending && (
          <div role="status">
            <Progress label="Erased" done={done.erased} of={total} />
            <p>{`${number.format(done.erased)} of ${records(total)} erased. Keep this page open.`}</p>
          </div>
        )}
        {run.isError && !isOutdated && (
          <Failed
            what={done.erased > 0 ? `Stopped after ${records(done.erased)}` : "Not erased"}
            error={run.error}
          />
        )}
        {isOutdated ? (
          <div className="note" data-tone="warn" role="alert">
            <div>
              <p>
                <strong>
                  {done.erased > 0
                    ? `Stopped after ${records(done.erased)}: what contains these terms has changed.`
                    : "Nothing was erased: what contains these terms has changed since the search."}
                </strong>
              </p>
              <Button
                mt="xs"
                size="xs"
                variant="default"
                onClick={() => {
                  close();
                  look();
                }}
              >
                Search again
              </Button>
            </div>
          </div>
        ) : (
          <Typed
            word={String(total > 0 ? total : questions)}
            action={`Erase ${what}`}
            isBusy={run.isPending}
            act={() => run.mutate()}
            cancel={close}
          />
        )}
      </div>
    </Modal>
  );
}
