import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { Answer } from "../../parts/answer.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Clock } from "../../parts/time.tsx";
import type { RecallSearch } from "../../routes/$space/recalls.tsx";
import { type Space, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { Filters } from "./filters.tsx";
import { RecallPanel } from "./recall-panel.tsx";
import { filterOf, isNarrowed, RANGES, type Range, type Recall, rangeOf } from "./recalls.ts";
import { Summary } from "./summary.tsx";
import { WhoAsked } from "./who-asked.tsx";
import "../../parts/beside.css";
import "./recall-log.css";

const FROM = "/$space/recalls";

/** The recall log: each question with the one who asked it, the answer, and the memories that came. */
export function RecallLogPage() {
  const space = useSpace();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const set = (change: Partial<RecallSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: !("id" in change) || search.id !== undefined,
    });
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Recall log</h1>
          <p>What agents asked, and what they got</p>
        </div>
        <Ranges space={space} search={search} />
        <Button
          leftSection={<Icon name="lab" size={16} />}
          renderRoot={(props) => <Link to="/$space/lab" params={{ space: space.key }} {...props} />}
        >
          Ask in the lab
        </Button>
      </div>
      <Log key={space.key} space={space} search={search} set={set} />
    </>
  );
}

function Ranges({ space, search }: Pick<LogProps, "space" | "search">) {
  return (
    <nav className="ranges" aria-label="Range of time">
      {(Object.keys(RANGES) as Range[]).map((one) => (
        <Link
          key={one}
          to={FROM}
          params={{ space: space.key }}
          search={{ ...search, range: one === "day" ? undefined : one, id: undefined }}
          replace
          activeProps={{}}
          aria-current={one === rangeOf(search) || undefined}
          aria-label={RANGES[one].words}
        >
          {RANGES[one].label}
        </Link>
      ))}
    </nav>
  );
}

interface LogProps {
  readonly space: Space;
  readonly search: RecallSearch;
  readonly set: (change: Partial<RecallSearch>) => void;
}

/** New recalls appear by themselves while only the newest page is loaded. */
const REFRESH_MS = 30_000;

function Log({ space, search, set }: LogProps) {
  const range = rangeOf(search);
  const { ms } = RANGES[range];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another range begins again
  const after = useMemo(() => (ms === null ? null : new Date(Date.now() - ms).toISOString()), [ms, range]);
  const filter = filterOf(space, search);
  const list = useInfiniteQuery(
    trpc.listRecalls.infiniteQueryOptions(
      { ...filter, after },
      {
        getNextPageParam: ({ next_cursor }) => next_cursor,
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
      },
    ),
  );
  if (list.isPending) return <Waiting what="the recall log" />;
  if (list.isError)
    return <Failed what="The recall log" error={list.error} retry={() => void list.refetch()} />;
  const recalls = list.data.pages.flatMap((page) => page.recalls);
  const keptDays = list.data.pages[0]?.kept_days ?? 0;
  if (keptDays === 0)
    return (
      <Empty title="The recall log is off">
        This service keeps no questions. Its operator turns the log on with RECALL_LOG_DAYS, the number of
        days that questions are kept.
      </Empty>
    );
  const open = recalls.find(({ id }) => id === search.id);
  const close = () => {
    const row = document.querySelector<HTMLElement>(".beside-list .line[data-open]");
    set({ id: undefined });
    setTimeout(() => row?.focus());
  };
  return (
    <>
      <Summary filter={filter} range={range} keptDays={keptDays} />
      <Filters space={space} search={search} set={set} />
      <div className="beside" data-open={open && true}>
        <div className="beside-list recall-list">
          {recalls.length === 0 ? (
            <Nothing search={search} set={set} />
          ) : (
            <Table
              label="Recall log, newest first"
              columns={columns}
              items={recalls}
              keyOf={({ id }) => id}
              open={({ id }) => set({ id })}
              isOpen={({ id }) => id === search.id}
              {...(list.hasNextPage ? {} : { total: recalls.length })}
              more={
                list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined
              }
            />
          )}
        </div>
        {open && <RecallPanel recall={open} space={space} close={close} />}
      </div>
      <p className="recall-kept">
        {`Newest first. Questions are kept for ${keptDays === 1 ? "a day" : `${keptDays} days`}, without secrets and in this workspace alone. Contents of memories are never stored here.`}
      </p>
    </>
  );
}

/** The reason for an empty list, and the way on. */
function Nothing({ search, set }: Omit<LogProps, "space">) {
  const range = rangeOf(search);
  if (isNarrowed(search))
    return (
      <Empty
        title="Nothing matches"
        action={
          <Button
            variant="default"
            onClick={() =>
              set({
                q: undefined,
                agent: undefined,
                key: undefined,
                project: undefined,
                answer: undefined,
                slower: undefined,
              })
            }
          >
            Clear the filters
          </Button>
        }
      >
        {`No recall of ${RANGES[range].words} matches these filters.`}
      </Empty>
    );
  return range === "all" ? (
    <Empty title="Nothing was asked yet">
      Searches and contexts that agents and keys of this workspace ask for appear here within ten seconds.
      Questions in the recall lab are not logged.
    </Empty>
  ) : (
    <Empty
      title={`Nothing was asked in ${RANGES[range].words}`}
      action={
        <Button variant="default" onClick={() => set({ range: "all" })}>
          Show all that is kept
        </Button>
      }
    >
      Searches and contexts that agents and keys of this workspace ask for appear here within ten seconds.
    </Empty>
  );
}

const number = new Intl.NumberFormat("en");

const columns: readonly Column<Recall>[] = [
  { label: "Time", width: "88px", narrowWidth: "64px", cell: ({ at }) => <Clock at={at} /> },
  {
    label: "Asked by",
    width: "minmax(128px, 1fr)",
    narrowWidth: "24px",
    cell: (recall) => <WhoAsked recall={recall} />,
  },
  {
    label: "Question",
    width: "minmax(0, 2.6fr)",
    narrowWidth: "minmax(0, 1fr)",
    cell: ({ question, id }) => (
      <Link from={FROM} to="." search={(before: RecallSearch) => ({ ...before, id })}>
        <bdi>{question}</bdi>
      </Link>
    ),
  },
  { label: "Answer", width: "96px", narrowWidth: "20px", cell: ({ outcome }) => <Answer of={outcome} /> },
  {
    label: "Items",
    width: "48px",
    isWide: true,
    isRight: true,
    cell: ({ memory_ids }) => memory_ids.length,
  },
  {
    label: "Tokens",
    width: "112px",
    isWide: true,
    isRight: true,
    cell: ({ tokens, max_tokens }) =>
      tokens === null ? (
        <span className="soft">–</span>
      ) : (
        <span
          className="recall-tokens"
          title={max_tokens === null ? undefined : `of ${number.format(max_tokens)}`}
        >
          <span className="meter" aria-hidden="true">
            <i style={{ width: `${Math.min(100, (100 * tokens) / (max_tokens || tokens || 1))}%` }} />
          </span>
          {number.format(tokens)}
        </span>
      ),
  },
  { label: "ms", width: "56px", isWide: true, isRight: true, cell: ({ ms }) => number.format(ms) },
];
