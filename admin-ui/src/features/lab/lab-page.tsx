import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { download } from "../../parts/download.ts";
import { Empty, Failed } from "../../parts/states.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import type { LabSearch } from "../../routes/$space/lab.tsx";
import { mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { AskForm } from "./ask-form.tsx";
import { addressOfA, addressOfB, requestOf, type Side, sideA, sideB } from "./asking.ts";
import { benchFile, clearMarks, countOf, tellRecall, useMarks } from "./marks.ts";
import { Run, useRecalled } from "./run.tsx";
import { WhyNot } from "./why.tsx";
import "./lab.css";

const FROM = "/$space/lab";

/** Why did it, or did it not, come back? */
export function LabPage() {
  const space = useSpace();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const set = (change: Partial<LabSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const credentials = useQuery(trpc.labCredentials.queryOptions({}));
  const [a, b] = [sideA(search), sideB(search)];
  const isCompared = search.compare === "yes";
  const [requestA, requestB] = [requestOf(a, space), requestOf(b, space)];
  const askedA = useRecalled(requestA, a.q !== "");
  const askedB = useRecalled(requestB, isCompared && b.q !== "");
  const askA = (side: Side) => set({ ...addressOfA(side), ...(isCompared ? addressOfB(side, b) : {}) });
  const askB = (side: Side) => set(addressOfB(a, side));
  const known = credentials.data?.credentials ?? [];
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Recall lab</h1>
          <p>What an agent would be given, and why</p>
        </div>
        <Button
          variant="default"
          aria-pressed={isCompared}
          onClick={() => set(isCompared ? { ...addressOfB(a, a), compare: undefined } : { compare: "yes" })}
        >
          {isCompared ? "Stop comparing" : "Compare two"}
        </Button>
      </div>
      {credentials.isError && (
        <Failed what="The credentials" error={credentials.error} retry={() => void credentials.refetch()} />
      )}
      <div className="sides" data-two={isCompared || undefined}>
        <div className="side">
          <AskForm name={isCompared ? "A" : ""} side={a} credentials={known} ask={askA} />
          {a.q === "" ? (
            <Empty title="Ask something">Choose a credential, and ask what its agent would ask.</Empty>
          ) : (
            <Run
              name={isCompared ? "A" : "What was recalled"}
              asked={askedA}
              request={requestA}
              space={space}
              other={isCompared ? askedB : undefined}
              otherName="B"
            />
          )}
        </div>
        {isCompared && (
          <div className="side">
            <AskForm name="B" side={b} credentials={known} ask={askB} />
            {b.q !== "" && (
              <Run name="B" asked={askedB} request={requestB} space={space} other={askedA} otherName="A" />
            )}
          </div>
        )}
      </div>
      {a.q !== "" && <WhyNot id={search.why} request={requestA} ask={(why) => set({ why })} />}
      <Judged space={space} />
    </>
  );
}

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What becomes of the marks: recall is told of them, or a file for the bench is made. */
function Judged({ space }: { readonly space: Space }) {
  const marks = useMarks();
  const [isBusy, setBusy] = useState(false);
  const { good, bad, queries, untold } = countOf(marks);
  if (good + bad === 0) return null;
  const busily = async (work: () => Promise<void>) => {
    setBusy(true);
    await work().finally(() => setBusy(false));
  };
  const tell = () =>
    busily(async () => {
      const { told, refused, error } = await tellRecall();
      if (told > 0) done(`Sent ${plural(told, "mark")} to recall: the memories' confidence has changed.`);
      if (refused > 0) notDone(`${plural(refused, "mark")} not taken`, error);
    });
  const save = () =>
    busily(async () => {
      try {
        const name = `lab-${new Date().toISOString().slice(0, 10)}`;
        download(`${name}.json`, [await benchFile(name)], "application/json");
        done(`${name}.json has ${plural(queries, "query", "queries")} for bench:recall.`);
      } catch (error) {
        notDone("No bench file", error);
      }
    });
  return (
    <section className="panel judged" aria-label="Marks">
      <p className="grow" role="status">
        {`${good} good and ${bad} bad for ${plural(queries, "query", "queries")}, kept for this tab`}
      </p>
      {mayWrite(space) && untold > 0 && (
        <Button variant="default" loading={isBusy} onClick={() => void tell()}>
          {`Send ${plural(untold, "mark")} to recall`}
        </Button>
      )}
      <Button variant="default" loading={isBusy} onClick={() => void save()}>
        Save a bench file
      </Button>
      <Button variant="subtle" onClick={clearMarks}>
        Clear the marks
      </Button>
    </section>
  );
}
