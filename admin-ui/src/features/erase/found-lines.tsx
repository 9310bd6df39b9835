/** All records that contain the terms, loaded in pages. Each can be excluded from the erasure. */
import { Button, Checkbox } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Failed } from "../../parts/states.tsx";
import { MemoryStatus } from "../../parts/status.tsx";
import { client } from "../../shell/trpc.ts";
import { type ErasePlan, keyOf, nameOfWorkspace, number, type PlanLine, type RecordName } from "./found.ts";

interface LinesProps {
  readonly terms: readonly string[];
  readonly found: ErasePlan;
  readonly leftOut: ReadonlyMap<string, RecordName>;
  readonly toggle: (record: RecordName) => void;
}

export function FoundLines({ terms, found, leftOut, toggle }: LinesProps) {
  const list = useInfiniteQuery({
    queryKey: ["subject", found.plan_hash, terms],
    queryFn: ({ pageParam }) =>
      pageParam === 0 ? found : client.eraseSubject.mutate({ terms: [...terms], skip: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.has_more_lines ? pages.reduce((sum, { lines }) => sum + lines.length, 0) : null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const lines = list.data?.pages.flatMap((page) => page.lines) ?? found.lines;
  // Records that match only since the search are not part of the plan that the user confirms.
  const isOutdated = list.data?.pages.some(({ plan_hash }) => plan_hash !== found.plan_hash) ?? false;
  const names = new Map(found.workspaces.map((one) => [one.workspace_id, nameOfWorkspace(one)]));
  return (
    <section className="panel" aria-labelledby="lines">
      <h2 className="panel-title" id="lines">
        {`Records: ${number.format(lines.length)} of ${number.format(found.found)}`}
      </h2>
      {isOutdated && (
        <p className="soft" role="alert">
          Records with these terms have changed since the search. Search again before you erase.
        </p>
      )}
      <ul className="plain rows">
        {lines.map((line) => (
          <li key={keyOf(line)}>
            <Checkbox
              aria-label={`Erase: ${line.excerpt.before}${line.excerpt.match}${line.excerpt.after}`}
              checked={!leftOut.has(keyOf(line))}
              onChange={() => toggle({ workspace_id: line.workspace_id, id: line.id })}
            />
            <Line line={line} workspace={names.get(line.workspace_id) ?? ""} />
          </li>
        ))}
      </ul>
      {list.isFetchNextPageError && <Failed what="More lines" error={list.error} />}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  );
}

const KINDS = { memory: "Memory", todo: "Todo", decision: "Decision" } as const;
const PLACES = { text: "", details: "in its details", earlier: "in an earlier version" } as const;

function Line({ line, workspace }: { readonly line: PlanLine; readonly workspace: string }) {
  const { before, match, after } = line.excerpt;
  return (
    <div className="grow">
      <bdi>
        {before}
        <mark>{match}</mark>
        {after}
      </bdi>
      <div className="soft line-facts">
        <span>{[KINDS[line.kind], PLACES[line.place]].filter(Boolean).join(", ")}</span>
        <bdi>{workspace}</bdi>
        {line.status !== "active" && <MemoryStatus status={line.status} />}
      </div>
    </div>
  );
}
