/** From the recall log: which memories come most, which never do, and which agents ask most. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { mayManage, type Space } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { BusiestAgents } from "./busiest-agents.tsx";
import type { Range } from "./figure-steps.ts";
import "../../parts/brief.css";

const SHOWN = 5;
const number = new Intl.NumberFormat("en");
const MOST = { recalled: "ever", sort: "recalls" } as const;
/** The oldest first: of what is new, the log cannot say much. */
const NEVER = { recalled: "never", order: "ascending" } as const;

type Listed = Outputs["listMemories"]["memories"];

export function Recalled({ space, range }: { readonly space: Space; readonly range: Range }) {
  const asked = { ...space.filter, limit: SHOWN };
  const most = useQuery(trpc.listMemories.queryOptions({ ...asked, recalled: true, sort: "recalls" }));
  const never = useQuery(trpc.listMemories.queryOptions({ ...asked, recalled: false, ascending: true }));
  const here = most.data?.memories ?? [];
  const ids = [...here, ...(never.data?.memories ?? [])].map(({ id }) => id);
  const counts = useQuery(
    trpc.memoryRecalls.queryOptions(
      { memory_ids: ids },
      { enabled: ids.length > 0, placeholderData: keepPreviousData },
    ),
  );
  const failed = [most, never, counts].find(({ isError }) => isError);
  if (failed)
    return (
      <Failed
        what="What was recalled"
        error={failed.error}
        retry={() => {
          for (const query of [most, never, counts]) if (query.isError) void query.refetch();
        }}
      />
    );
  // Without a log, all would seem never recalled.
  if (!most.data || !never.data || counts.data?.kept_days === 0) return null;
  const recallsOf = (id: string) => counts.data?.memories.find((one) => one.id === id)?.recalls;
  return (
    <div className="columns recalled">
      {mayManage(space) && <BusiestAgents space={space} range={range} />}
      <Card
        title="Most recalled"
        memories={here}
        figure={{
          title: "Recalls",
          of: ({ id }) => (counts.data === undefined ? "–" : number.format(recallsOf(id) ?? 0)),
        }}
        space={space}
        all={{ word: "All", search: MOST }}
        empty="No memory has come in a recall yet."
      />
      <Card
        title="Never recalled"
        memories={never.data.memories}
        total={never.data.total}
        figure={{ title: "Stored", of: ({ created_at }) => <Time at={created_at} /> }}
        space={space}
        all={{ word: "Review", search: NEVER }}
        empty="There is none."
        note={counts.data && `In none of the recalls kept, at most ${counts.data.kept_days} days.`}
      />
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly memories: Listed;
  readonly total?: number;
  readonly figure: { readonly title: string; readonly of: (memory: Listed[number]) => ReactNode };
  readonly space: Space;
  readonly all: { readonly word: string; readonly search: NonNullable<LinkProps["search"]> };
  readonly empty: string;
  readonly note?: string | undefined;
}

function Card({ title, memories, total, figure, space, all, empty, note }: CardProps) {
  const to = { to: "/$space/memories", params: { space: space.key } } as const;
  return (
    <section className="panel" aria-label={title}>
      <h2 className="panel-title panel-top">
        <span>
          {title}
          {total !== undefined && total > 0 && <span className="badge">{number.format(total)}</span>}
        </span>
        {memories.length > 0 && (
          <Link {...to} search={all.search} aria-label={`${all.word}: ${title.toLowerCase()}`}>
            {all.word}
          </Link>
        )}
      </h2>
      {memories.length === 0 ? (
        <p className="soft">{empty}</p>
      ) : (
        <table className="brief">
          <thead>
            <tr>
              <th scope="col">Memory</th>
              <th scope="col">{figure.title}</th>
            </tr>
          </thead>
          <tbody>
            {memories.map((memory) => (
              <tr key={memory.id}>
                <td>
                  <Link {...to} search={{ id: memory.id }}>
                    <bdi>{memory.content.slice(0, 160)}</bdi>
                  </Link>
                </td>
                <td>{figure.of(memory)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {note && memories.length > 0 && <p className="soft">{note}</p>}
    </section>
  );
}
