/** The last look before an erasure begins. */
import { Button, Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Icon } from "../../parts/icons.tsx";
import { Failed } from "../../parts/states.tsx";
import { Typed } from "../../parts/typed.tsx";
import { codeOf, trpc } from "../../shell/trpc.ts";
import { counted, type ErasePlan, number, type RecordName, records } from "./found.ts";

interface EraseDialogProps {
  readonly terms: readonly string[];
  readonly found: ErasePlan;
  readonly leaveOut: readonly RecordName[];
  readonly close: () => void;
  readonly look: () => void;
  readonly onBegun: () => void;
}

export function EraseDialog({ terms, found, leaveOut, close, look, onBegun }: EraseDialogProps) {
  const queries = useQueryClient();
  const total = found.found - leaveOut.length;
  const run = useMutation(
    trpc.eraseSubject.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries({ queryKey: trpc.subjectErasures.queryKey() });
        close();
        onBegun();
      },
    }),
  );
  const begin = () =>
    run.mutate({
      terms: [...terms],
      leave_out: [...leaveOut],
      dry_run: false,
      plan_hash: found.plan_hash,
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
        {run.isError && !isOutdated && <Failed what="Not erased" error={run.error} />}
        {isOutdated ? (
          <div className="note" data-tone="warn" role="alert">
            <div>
              <p>
                <strong>Nothing was erased: records with these terms have changed since the search.</strong>
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
            act={begin}
            cancel={close}
          />
        )}
      </div>
    </Modal>
  );
}
