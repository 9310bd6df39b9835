/** The erasures that the person began, in whichever browser: how far they are, and their receipts. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Confirmed } from "../../parts/confirmed.tsx";
import { Progress } from "../../parts/progress.tsx";
import { Failed } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Clock, Time } from "../../parts/time.tsx";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { counted, number, records } from "./found.ts";

type Erasure = Outputs["subjectErasures"]["erasures"][number];

const POLL_MS = 1000;
/** While it waits for its next attempt. */
const POLL_FAILING_MS = 10_000;

/** A running one moves; nothing else does. */
function pollMs(erasures: readonly Erasure[] = []): number | false {
  const open = erasures.filter(({ finished_at }) => finished_at === null);
  if (open.length === 0) return false;
  return open.every(({ failing }) => failing !== null) ? POLL_FAILING_MS : POLL_MS;
}

export function Erasures() {
  const asked = useQuery(
    trpc.subjectErasures.queryOptions({}, { refetchInterval: ({ state }) => pollMs(state.data?.erasures) }),
  );
  if (asked.isError)
    return <Failed what="Erasures not loaded" error={asked.error} retry={() => void asked.refetch()} />;
  const erasures = asked.data?.erasures ?? [];
  if (erasures.length === 0) return null;
  return (
    <section className="panel stack found" aria-labelledby="erasures">
      <h2 className="panel-title" id="erasures">
        Your erasures
      </h2>
      <ul className="plain rows">
        {erasures.map((erasure) => (
          <li key={erasure.id}>
            {erasure.finished_at === null ? <Open erasure={erasure} /> : <Finished {...erasure} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Open({ erasure }: { readonly erasure: Erasure }) {
  const { erased, skipped, records: total, began_at, failing } = erasure;
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="grow">
      <div className="erasure">
        {failing === null ? (
          <Status tone="warn" icon="clock" word="Running" />
        ) : (
          <Status tone="bad" icon="warn" word="Failing" />
        )}
        <span className="grow" role="status">
          {`${number.format(erased)} of ${records(total)} erased`}
          <span className="soft">
            {" · began "}
            <Time at={began_at} />
          </span>
        </span>
        <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
          End erasure…
        </Button>
      </div>
      <Progress label="Erased" done={erased + skipped} of={total} />
      {failing === null ? (
        <p className="soft">It continues when you close this page.</p>
      ) : (
        <p>
          {`${failing.reason} Tried ${counted(failing.attempts, "time")}, next try at `}
          <Clock at={failing.next_attempt_at} />.
        </p>
      )}
      {isAsking && <EndDialog erasure={erasure} close={() => setAsking(false)} />}
    </div>
  );
}

function EndDialog({ erasure, close }: { readonly erasure: Erasure; readonly close: () => void }) {
  const queries = useQueryClient();
  const stop = useMutation(
    trpc.stopSubjectErasure.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries({ queryKey: trpc.subjectErasures.queryKey() });
        close();
      },
    }),
  );
  const { id, records: total, erased, skipped } = erasure;
  return (
    <Confirmed
      title="End this erasure?"
      verb="End erasure"
      isPending={stop.isPending}
      error={stop.error}
      failed="Not ended"
      confirm={() => stop.mutate({ erasure_id: id })}
      close={close}
    >
      <p>
        {`${records(total - erased - skipped)} not erased yet will stay. What is erased does not return. Search again to erase the rest.`}
      </p>
    </Confirmed>
  );
}

function Finished({ erased, skipped, questions, receipts, began_at, was_stopped }: Erasure) {
  return (
    <div className="grow">
      <div className="erasure">
        {was_stopped ? (
          <Status tone="soft" icon="bad" word="Ended" />
        ) : (
          <Status tone="good" icon="good" word="Done" />
        )}
        <span className="grow">
          {`${records(erased)} erased`}
          {questions > 0 && !was_stopped && `, ${counted(questions, "question")} of the recall log`}
          <span className="soft">
            {" · began "}
            <Time at={began_at} />
          </span>
        </span>
      </div>
      {skipped > 0 && (
        <p>
          {was_stopped
            ? `${records(skipped)} not erased: you ended it. Search again to see what is left.`
            : `${records(skipped)} skipped: changed or gone since the search, or no longer yours to erase. Search again to see what is left.`}
        </p>
      )}
      {receipts.length > 0 && (
        <details>
          <summary>{counted(receipts.length, "receipt")}</summary>
          <p className="soft">They prove the erasure. They hold numbers, no content.</p>
          <ul className="plain mono">
            {receipts.map((id) => (
              <li key={id}>{id}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
