import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { AsOfBanner, AsOfButton } from "../../parts/as-of.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import type { LabSearch } from "../../routes/$space/lab.tsx";
import { mayWrite, readOnlyIf, type Space, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { AddToSet } from "./add-to-set.tsx";
import { AskForm } from "./ask-form.tsx";
import { addressOfA, addressOfB, requestOf, type Side, sideA, sideB } from "./asking.ts";
import { clearMarks, countOf, tellRecall, useMarks } from "./marks.ts";
import { OnRequest, Outcome, useRecalled } from "./outcome.tsx";
import { type Answered, Ranking } from "./ranking.tsx";
import { SideCard } from "./side.tsx";
import { WhyNot } from "./why.tsx";
import "./lab.css";

const FROM = "/$space/lab";

const EvalSets = lazy(() => import("./eval-sets.tsx").then(({ EvalSets }) => ({ default: EvalSets })));

/** Why did it, or did it not, come back? And do the questions that matter get their memories? */
export function LabPage() {
  const { space: key } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const { view } = search;
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Recall lab</h1>
          <p>What an agent would be given, and why</p>
        </div>
        {view === undefined && <Moment />}
        {view === undefined && <CompareButton />}
      </div>
      <nav className="tabs" aria-label="Lab">
        {([undefined, "sets"] as const).map((name) => (
          <Link
            key={name ?? "compare"}
            to={FROM}
            params={{ space: key }}
            search={{ ...search, view: name }}
            aria-current={name === view ? "page" : undefined}
          >
            {name === undefined ? "Questions" : "Evaluation sets"}
          </Link>
        ))}
      </nav>
      {view === undefined ? (
        <Asking />
      ) : (
        <Suspense fallback={<Waiting what="the evaluation sets" />}>
          <EvalSets />
        </Suspense>
      )}
    </>
  );
}

function useLab() {
  const search = useSearch({ from: FROM });
  const space = readOnlyIf(search.as_of !== undefined, useSpace());
  const navigate = useNavigate({ from: FROM });
  const set = (change: Partial<LabSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  return { space, search, set, a: sideA(search), b: sideB(search), isCompared: search.compare === "yes" };
}

function Moment() {
  const { search, set } = useLab();
  return <AsOfButton at={search.as_of} set={(as_of) => set({ as_of })} />;
}

function CompareButton() {
  const { set, a, isCompared } = useLab();
  return (
    <Button
      variant="default"
      aria-pressed={isCompared}
      onClick={() => set(isCompared ? { ...addressOfB(a, a), compare: undefined } : { compare: "yes" })}
    >
      {isCompared ? "Stop comparing" : "Compare two"}
    </Button>
  );
}

function Asking() {
  const { space, search, set, a, b, isCompared } = useLab();
  const credentials = useQuery(trpc.labCredentials.queryOptions({}));
  const known = credentials.data?.credentials ?? [];
  const [requestA, requestB] = [requestOf(a, space, search.as_of), requestOf(b, space, search.as_of)];
  const askedA = useRecalled(requestA, a.q !== "");
  const askedB = useRecalled(requestB, isCompared && b.q !== "");
  // B keeps what was set for it, and follows A in the rest.
  const ask = (side: Side) => set(addressOfA(side));
  const answered: Answered[] = [
    ...(askedA.data ? [{ name: "A" as const, request: requestA, recalled: askedA.data }] : []),
    ...(isCompared && askedB.data ? [{ name: "B" as const, request: requestB, recalled: askedB.data }] : []),
  ];
  const isReady = answered.length === (isCompared ? 2 : 1);
  return (
    <div className="lab">
      <AsOfBanner at={search.as_of} set={(as_of) => set({ as_of })} />
      {credentials.isError && (
        <Failed what="The credentials" error={credentials.error} retry={() => void credentials.refetch()} />
      )}
      <AskForm side={a} credentials={known} ask={ask} />
      <div className="sides" data-two={isCompared || undefined}>
        <SideCard name="A" side={a} credentials={known} ask={ask} />
        {isCompared && (
          <SideCard
            name="B"
            side={b}
            base={a}
            credentials={known}
            ask={(side) => set(addressOfB(a, side))}
            keep={() => set({ ...addressOfA(b), ...addressOfB(b, b), compare: undefined })}
          />
        )}
      </div>
      {a.q === "" ? (
        <Empty title="Ask something">Choose a credential, and ask what its agent would ask.</Empty>
      ) : (
        <>
          <div className="panel outcomes">
            <Outcome name="A" asked={askedA} />
            {isCompared && <Outcome name="B" asked={askedB} />}
          </div>
          {isReady && <Ranking sides={answered} space={space} />}
          {answered.map(({ name, recalled }) => (
            <OnRequest key={name} name={isCompared ? name : ""} recalled={recalled} />
          ))}
          <WhyNot id={search.why} request={requestA} ask={(why) => set({ why })} />
        </>
      )}
      <Judged space={space} />
    </div>
  );
}

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What can be done with the marks: send them as feedback to recall, or add them to an evaluation set as questions. */
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
      {mayWrite(space) && good > 0 && <AddToSet space={space} />}
      <Button variant="subtle" onClick={clearMarks}>
        Clear the marks
      </Button>
    </section>
  );
}
