import { Button, FileInput, Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { download } from "../../parts/download.ts";
import { Progress } from "../../parts/progress.tsx";
import { Failed } from "../../parts/states.tsx";
import { done } from "../../parts/toasts.tsx";
import { mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { exportLines, type ImportReport, importLines, type Progressing } from "./transfer.ts";

const number = new Intl.NumberFormat("en");
const memories = (count: number) => `${number.format(count)} ${count === 1 ? "memory" : "memories"}`;

/** How do I take my memories with me, and bring some in? */
export function TransferPage() {
  const space = useSpace();
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Export and import</h1>
          <p>
            {space.teamId === null ? "Your own memories" : `The memories of ${space.name}`}, as a file of JSON
            Lines
          </p>
        </div>
      </div>
      <div style={{ display: "grid", gap: 16 }}>
        <Export key={`export ${space.key}`} space={space} />
        {mayWrite(space) && <Import key={`import ${space.key}`} space={space} />}
      </div>
    </>
  );
}

interface Work {
  readonly done: number;
  readonly of: number;
  readonly wait: string | null;
}

/** One piece of work at a time, which says how far it is and can be stopped; leaving the page stops it. */
function useWork() {
  const [work, setWork] = useState<Work | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (carryOut: (how: Progressing) => Promise<void>) => {
    const controller = new AbortController();
    running.current = controller;
    setError(null);
    setWork({ done: 0, of: 0, wait: null });
    try {
      await carryOut({
        signal: controller.signal,
        onProgress: (done, of) => setWork({ done, of, wait: null }),
        onWait: (wait) => setWork((now) => now && { ...now, wait }),
      });
    } catch (failed) {
      if (!controller.signal.aborted) setError(failed);
    } finally {
      setWork(null);
    }
  };
  return { work, error, start, stop: () => running.current?.abort() };
}

function Running({
  work,
  label,
  stop,
}: {
  readonly work: Work;
  readonly label: string;
  readonly stop: () => void;
}) {
  return (
    <div role="status" style={{ display: "flex", flexWrap: "wrap", gap: 12, alignItems: "center" }}>
      <Progress label={label} done={work.done} of={Math.max(1, work.of)} />
      {work.wait !== null && <span>{work.wait}</span>}
      <Button size="xs" variant="default" onClick={stop}>
        Stop
      </Button>
    </div>
  );
}

function Part(props: {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="panel" aria-labelledby={props.id}>
      <h2 id={props.id} className="panel-title">
        {props.title}
      </h2>
      <p className="soft" style={{ margin: "0 0 12px" }}>
        {props.says}
      </p>
      <div style={{ display: "grid", gap: 12, justifyItems: "start" }}>{props.children}</div>
    </section>
  );
}

const WHICH = [
  { value: "live", label: "Live memories" },
  { value: "kept", label: "All except forgotten ones" },
];

function Export({ space }: { readonly space: Space }) {
  const [which, setWhich] = useState<"live" | "kept">("live");
  const { work, error, start, stop } = useWork();
  const begin = () =>
    start(async (how) => {
      const { parts, count } = await exportLines(space, which, how);
      download("recollect-memories.jsonl", parts, "application/x-ndjson");
      done(`${memories(count)} exported.`);
    });
  return (
    <Part
      id="export"
      title="Export"
      says="Each memory as it is now, in clear text, so keep the file as safe as the memories. To export versions, project state or the whole service, use recollect export on the service's machine."
    >
      <Select
        label="Which"
        data={WHICH}
        value={which}
        allowDeselect={false}
        onChange={(chosen) => chosen && setWhich(chosen as "live" | "kept")}
      />
      {error !== null && <Failed what="Not exported" error={error} retry={() => void begin()} />}
      {work ? (
        <Running work={work} label="Export" stop={stop} />
      ) : (
        <Button onClick={() => void begin()}>Export the memories</Button>
      )}
    </Part>
  );
}

function Import({ space }: { readonly space: Space }) {
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const { work, error, start, stop } = useWork();
  const queries = useQueryClient();
  const begin = (from: File) =>
    start(async (how) => {
      setReport(null);
      try {
        setReport(await importLines(space, from, how));
      } finally {
        await queries.invalidateQueries();
      }
    });
  return (
    <Part
      id="import"
      title="Import"
      says="A file from this page or from recollect export. Its live and archived memories are stored here as yours, dated now. Memories that already exist are not stored twice, so you can import a file again."
    >
      <FileInput
        label="File"
        placeholder="Choose a file of JSON Lines"
        accept=".jsonl,.ndjson,application/x-ndjson,application/json"
        value={file}
        onChange={setFile}
        w={320}
        maw="100%"
      />
      {error !== null && <Failed what="Not all was imported" error={error} />}
      {work ? (
        <Running work={work} label="Import" stop={stop} />
      ) : (
        <Button variant="default" disabled={file === null} onClick={() => file && void begin(file)}>
          Import the memories
        </Button>
      )}
      {report && <Report report={report} />}
    </Part>
  );
}

const SHOWN = 20;

function Report({ report }: { readonly report: ImportReport }) {
  const { lines, taken, leftOut, refused } = report;
  return (
    <div role="status">
      <p style={{ margin: 0 }}>
        <strong>{`${memories(taken)} of ${number.format(lines)} lines are here now.`}</strong>
        {leftOut > 0 &&
          ` ${number.format(leftOut)} left out: earlier versions, and lines that are not memories.`}
        {refused.length > 0 && ` ${number.format(refused.length)} refused:`}
      </p>
      <ul>
        {refused.slice(0, SHOWN).map(({ line, why }) => (
          <li key={line}>{`Line ${line}: ${why}`}</li>
        ))}
      </ul>
      {refused.length > SHOWN && <p>{`and ${number.format(refused.length - SHOWN)} more`}</p>}
    </div>
  );
}
