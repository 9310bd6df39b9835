/** The details of a line of the audit log: what changed in the text, and everything the line says. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Compared } from "../../parts/compared.tsx";
import { Waiting } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import type { Burst, Line } from "./audit-bursts.ts";
import { AuditObject, ClockTime, factsOf, type Titles, titleOf } from "./audit-words.tsx";

interface DetailProps {
  readonly space: Space;
  readonly titles: Titles;
  /** Narrows the log to one memory. */
  readonly only: (memoryId: string) => void;
}

/** Lines of a burst that are shown at first. */
const LINES_SHOWN = 50;

export function AuditDetail({ burst, ...props }: DetailProps & { readonly burst: Burst }) {
  const [shown, setShown] = useState(LINES_SHOWN);
  const { lines } = burst;
  if (lines.length === 1) return <OneLine line={lines[0]} {...props} />;
  return (
    <ul className="plain burst">
      {lines.slice(0, shown).map((line) => (
        <li key={line.id}>
          <details>
            <summary>
              <ClockTime at={line.at} /> <bdi>{titleOf(line, props.titles)}</bdi>
            </summary>
            <OneLine line={line} isInBurst {...props} />
          </details>
        </li>
      ))}
      {lines.length > shown && (
        <li>
          <Button size="xs" variant="default" onClick={() => setShown(lines.length)}>
            {`Show all ${lines.length}`}
          </Button>
        </li>
      )}
    </ul>
  );
}

function OneLine(props: DetailProps & { readonly line: Line; readonly isInBurst?: boolean }) {
  const { line, only, space, titles, isInBurst = false } = props;
  const { memory_id, token, agent_id, request_id, detail, user_id, at } = line;
  const facts: (readonly [string, string | null | undefined])[] = [
    ...factsOf(detail),
    ["Time", `${at} (UTC)`],
    ["Credential", token && [token.name, token.kind, token.id].filter(Boolean).join(", ")],
    ["Agent", agent_id],
    ["End user", user_id],
    ["Request", request_id],
  ];
  return (
    <div className="stack">
      {isInBurst && (
        <p>
          <AuditObject line={line} space={space} titles={titles} />
        </p>
      )}
      {memory_id !== null && <Change memoryId={memory_id} at={at} />}
      <dl className="facts">
        {facts.map(([name, value]) =>
          value ? (
            <div className="fact" key={name}>
              <dt>{name}</dt>
              <dd className="mono">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {memory_id !== null && (
        <div>
          <Button size="xs" variant="default" onClick={() => only(memory_id)}>
            Only this memory
          </Button>
        </div>
      )}
    </div>
  );
}

/** Versions begin when the change was made, and the line is written in the same transaction. */
const SAME_CHANGE_MS = 3000;
const VERSIONS_READ = 200;

function Change({ memoryId, at }: { readonly memoryId: string; readonly at: string }) {
  const history = useQuery(
    trpc.listVersions.queryOptions({ memory_id: memoryId, limit: VERSIONS_READ }, { retry: false }),
  );
  if (history.isPending) return <Waiting what="the versions" />;
  // What may not be read, or is gone, has no versions to show.
  if (history.isError) return <p className="soft">Its versions cannot be read.</p>;
  const { versions } = history.data;
  const distance = (from: string) => Math.abs(Date.parse(from) - Date.parse(at));
  const index = versions.reduce(
    (best, { valid_from }, n) =>
      best < 0 || distance(valid_from) < distance(versions[best]?.valid_from ?? "") ? n : best,
    -1,
  );
  const made = versions[index];
  if (made === undefined || distance(made.valid_from) > SAME_CHANGE_MS)
    return <p className="soft">No earlier text is kept of this change.</p>;
  const former = versions[index + 1];
  return (
    <div className="change">
      <p className="stored">
        <Compared text={made.content} before={former?.content ?? null} />
      </p>
      <p className="soft">
        {former === undefined ? `Version ${made.version}` : `Version ${former.version} to ${made.version}`}
        {former?.reason ? ` · ${former.reason}` : ""}
        {former !== undefined && former.content === made.content ? " · the text stayed the same" : ""}
      </p>
    </div>
  );
}
