/** The erasures that the person began, in whichever browser: how far they are, and their receipts. */
import { useQuery } from "@tanstack/react-query";
import { Progress } from "../../parts/progress.tsx";
import { Failed } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { counted, number, records } from "./found.ts";

type Erasure = Outputs["subjectErasures"]["erasures"][number];

const POLL_MS = 1000;

export function Erasures() {
  const asked = useQuery(
    trpc.subjectErasures.queryOptions(
      {},
      {
        // A running one moves; nothing else does.
        refetchInterval: ({ state }) =>
          state.data?.erasures.some(({ finished_at }) => finished_at === null) ? POLL_MS : false,
      },
    ),
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
            {erasure.finished_at === null ? <Running {...erasure} /> : <Finished {...erasure} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Running({ erased, skipped, records: total, began_at }: Erasure) {
  return (
    <div className="grow">
      <div className="erasure">
        <Status tone="warn" icon="clock" word="Running" />
        <span className="grow" role="status">
          {`${number.format(erased)} of ${records(total)} erased`}
          <span className="soft">
            {" · began "}
            <Time at={began_at} />
          </span>
        </span>
      </div>
      <Progress label="Erased" done={erased + skipped} of={total} />
      <p className="soft">It continues when you close this page.</p>
    </div>
  );
}

function Finished({ erased, skipped, questions, receipts, began_at }: Erasure) {
  return (
    <div className="grow">
      <div className="erasure">
        <Status tone="good" icon="good" word="Done" />
        <span className="grow">
          {`${records(erased)} erased`}
          {questions > 0 && `, ${counted(questions, "question")} of the recall log`}
          <span className="soft">
            {" · began "}
            <Time at={began_at} />
          </span>
        </span>
      </div>
      {skipped > 0 && (
        <p>
          {`${records(skipped)} skipped: changed or gone since the search, or no longer yours to erase. Search again to see what is left.`}
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
