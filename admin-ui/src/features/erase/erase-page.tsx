/** Erases what is stored about a person or subject in all workspaces at once: looked at first, record by record. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { TextArea } from "../../parts/text-area.tsx";
import { trpc } from "../../shell/trpc.ts";
import { EraseDialog } from "./erase-dialog.tsx";
import { Erasures } from "./erasures.tsx";
import { type ErasePlan, keyOf, type RecordName, records } from "./found.ts";
import { Counts } from "./found-counts.tsx";
import { FoundLines } from "./found-lines.tsx";
import "./erase.css";

export function ErasePage() {
  const { term = "" } = useSearch({ from: "/$space/erase" });
  const [typed, setTyped] = useState(term);
  const [hasBegun, setBegun] = useState(false);
  const search = useMutation(trpc.eraseSubject.mutationOptions());
  const terms = [...new Set(typed.split("\n").map((line) => line.trim()))].filter(Boolean);
  const look = () => {
    setBegun(false);
    search.mutate({ terms });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (terms.length > 0) look();
  };
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Erase a person or subject</h1>
          <p>In all your workspaces at once, and for good</p>
        </div>
      </div>
      <form onSubmit={submit} className="panel stack">
        <TextArea
          label="Names, mail addresses and other terms, one on each line"
          description="Found as whole words, in upper and lower case. Add every spelling that may have been used."
          placeholder={"Anna Schmidt\nanna.schmidt@example.com"}
          rows={3}
          value={typed}
          data-search-field
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" disabled={terms.length === 0} loading={search.isPending}>
            Search every record
          </Button>
        </div>
      </form>
      {search.isPending && <Waiting what="every record to be read" />}
      {search.isError && <Failed what="Not searched" error={search.error} retry={look} />}
      {search.data && !search.isPending && !hasBegun && (
        <Findings
          key={search.data.plan_hash}
          terms={search.variables?.terms ?? []}
          found={search.data}
          look={look}
          onBegun={() => setBegun(true)}
        />
      )}
      <Erasures />
    </>
  );
}

interface FindingsProps {
  readonly terms: readonly string[];
  readonly found: ErasePlan;
  readonly look: () => void;
  readonly onBegun: () => void;
}

function Findings({ terms, found, look, onBegun }: FindingsProps) {
  const [leftOut, setLeftOut] = useState<ReadonlyMap<string, RecordName>>(new Map());
  const [isAsking, setAsking] = useState(false);
  const questions = found.workspaces.reduce((sum, one) => sum + one.questions, 0);
  const chosen = found.found - leftOut.size;
  const toggle = (record: RecordName) => {
    const next = new Map(leftOut);
    if (!next.delete(keyOf(record))) next.set(keyOf(record), record);
    setLeftOut(next);
  };
  if (found.found === 0 && questions === 0)
    return (
      <>
        <Empty title="No record contains these terms">
          Every memory, todo and decision was read, with its earlier versions and whatever its state.
        </Empty>
        <Near found={found} />
        <NotSearched found={found} />
      </>
    );
  return (
    <div className="stack found">
      <section className="panel stack" aria-labelledby="found">
        <h2 className="panel-title" id="found">
          {`${records(found.found)} ${found.found === 1 ? "contains" : "contain"} these terms`}
        </h2>
        <Counts found={found} />
        <NotSearched found={found} />
      </section>
      <Near found={found} />
      <FoundLines terms={terms} found={found} leftOut={leftOut} toggle={toggle} />
      <div className="erase-bar">
        <span role="status">
          {leftOut.size === 0
            ? `${records(found.found)} will be erased`
            : `${records(chosen)} will be erased, ${leftOut.size} stay`}
        </span>
        <Button color="bad" disabled={chosen === 0 && questions === 0} onClick={() => setAsking(true)}>
          {chosen === 0 && questions > 0 ? "Erase the questions…" : `Erase ${records(chosen)}…`}
        </Button>
      </div>
      {isAsking && (
        <EraseDialog
          terms={terms}
          found={found}
          leaveOut={[...leftOut.values()]}
          close={() => setAsking(false)}
          look={look}
          onBegun={onBegun}
        />
      )}
    </div>
  );
}

/** Similar records, which stay: a missing spelling is noticed among them. */
function Near({ found: { near, near_lines } }: { readonly found: ErasePlan }) {
  if (near === 0) return null;
  return (
    <details className="panel">
      <summary>
        <strong>{`${records(near)} ${near === 1 ? "is" : "are"} similar and will stay`}</strong>
        <span className="soft"> The words are there in another order or inside longer words</span>
      </summary>
      <ul className="plain rows">
        {near_lines.map((line) => (
          <li key={keyOf(line)}>
            <bdi>{line.beginning}</bdi>
          </li>
        ))}
        {near > near_lines.length && <li className="soft">{`and ${near - near_lines.length} more`}</li>}
      </ul>
      <p className="soft">If one of them is meant, add its spelling above and search again.</p>
    </details>
  );
}

function NotSearched({ found: { not_searched } }: { readonly found: ErasePlan }) {
  return (
    <p className="soft">
      {not_searched.length > 0 &&
        `Not searched, because only owners and admins may erase there: ${not_searched.map(({ name, role }) => `${name} (you are a ${role})`).join(", ")}. `}
      The spaces of end users are not searched: erase an end user as a whole. Names of agents, credentials and
      projects are not searched either. The event log keeps ids and paths until its lines expire, and backups
      keep everything until they do.
    </p>
  );
}
