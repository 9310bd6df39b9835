import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import type { MemoriesSearch } from "../../routes/$space/memories.tsx";
import { mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { MemoryList } from "./memory-list.tsx";
import { MemoryPanel } from "./memory-panel.tsx";
import { RememberButton } from "./remember.tsx";
import "./memories.css";

const BulkDialog = lazy(() => import("./bulk.tsx").then(({ BulkDialog }) => ({ default: BulkDialog })));

const FROM = "/$space/memories";
const PAGE = 200;
const HITS = 100;
const number = new Intl.NumberFormat("en");

/** What is remembered, and how do I mend it? */
export function MemoriesPage() {
  const space = useSpace();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const set = (change: Partial<MemoriesSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: "id" in change === false });
  return (
    <>
      <div className="heading">
        <h1 className="grow">Memories</h1>
        {mayWrite(space) && <RememberButton space={space} />}
      </div>
      <Filters key={space.key} search={search} set={set} />
      <div className="browse" data-open={search.id !== undefined || undefined}>
        {search.q === undefined ? (
          <Listed space={space} search={search} set={set} />
        ) : (
          <Found space={space} search={{ ...search, q: search.q }} set={set} />
        )}
        {search.id !== undefined && (
          <MemoryPanel key={search.id} id={search.id} space={space} close={() => set({ id: undefined })} />
        )}
      </div>
    </>
  );
}

interface Part {
  readonly space: Space;
  readonly search: MemoriesSearch;
  readonly set: (change: Partial<MemoriesSearch>) => void;
}

const STATUSES = [
  { value: "active", label: "Active" },
  { value: "archived", label: "Archived" },
  { value: "superseded", label: "Superseded" },
  { value: "soft_deleted", label: "Forgotten" },
];

function Filters({ search, set }: Pick<Part, "search" | "set">) {
  const [typed, setTyped] = useState(search);
  const [isOpen, setOpen] = useState(hasFilter(search));
  // Back, a link, or the button that clears them: what the address says is what the fields show.
  useEffect(() => setTyped(search), [search]);
  const field = (name: "path" | "bucket" | "type" | "project", label: string, hint?: string) => (
    <TextInput
      label={label}
      placeholder={hint}
      value={typed[name] ?? ""}
      onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
      onBlur={() => submit()}
    />
  );
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const { q, path, bucket, type, project } = typed;
    const given = { q, path, bucket, type, project };
    const isChanged = Object.entries(given).some(
      ([name, value]) => (value?.trim() || undefined) !== search[name as keyof MemoriesSearch],
    );
    if (!isChanged) return;
    set({
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value?.trim() || undefined])),
      id: undefined,
    });
  };
  return (
    <search>
      <form onSubmit={submit} className="filters">
        <div className="query">
          <TextInput
            className="grow"
            type="search"
            aria-label="Search memories"
            placeholder="Search by meaning and words"
            leftSection={<Icon name="search" size={16} />}
            rightSection={<kbd className="only-wide">/</kbd>}
            data-search-field
            maxLength={65_536}
            value={typed.q ?? ""}
            onChange={(event) => setTyped({ ...typed, q: event.currentTarget.value })}
          />
          <Button type="submit" variant="default">
            Search
          </Button>
          <ActionIcon
            variant="default"
            size={36}
            aria-label="Filters"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="filter" />
          </ActionIcon>
        </div>
        {isOpen && (
          <div className="fields">
            {field("path", "Path", "projects/%")}
            {field("bucket", "Bucket")}
            {field("type", "Type", "semantic")}
            {field("project", "Project")}
            <Select
              label="Status"
              data={STATUSES}
              value={search.status ?? "active"}
              allowDeselect={false}
              onChange={(status) =>
                set({
                  status: status === "active" ? undefined : (status as MemoriesSearch["status"]),
                  id: undefined,
                })
              }
            />
          </div>
        )}
      </form>
    </search>
  );
}

function hasFilter({ path, bucket, type, project, status }: MemoriesSearch): boolean {
  return [path, bucket, type, project, status].some((value) => value !== undefined);
}

function filterOf(space: Space, { path, bucket, type, project, status }: MemoriesSearch) {
  return {
    ...space.filter,
    ...(path === undefined ? {} : { path }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(type === undefined ? {} : { memory_type: type }),
    ...(project === undefined ? {} : { project_id: project }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Without a query: all of them, newest first, by pages that follow the scrolling. */
function Listed({ space, search, set }: Part) {
  const list = useInfiniteQuery(
    trpc.listMemories.infiniteQueryOptions(
      { ...filterOf(space, search), limit: PAGE },
      { getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined, placeholderData: keepPreviousData },
    ),
  );
  if (list.isPending) return <Waiting what="the memories" />;
  if (list.isError)
    return <Failed what="The memories" error={list.error} retry={() => void list.refetch()} />;
  const items = list.data.pages.flatMap(({ memories }) => memories);
  const total = list.data.pages[0]?.total ?? 0;
  return (
    <Results
      items={items}
      total={total}
      said={`${number.format(total)} ${total === 1 ? "memory" : "memories"}, newest first`}
      search={search}
      set={set}
      space={space}
      isStale={list.isPlaceholderData}
      more={list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined}
    />
  );
}

/** With a query: what recall finds, by the same search as every agent's. */
function Found({ space, search, set }: Part & { readonly search: { readonly q: string } }) {
  const found = useQuery(
    trpc.searchMemories.queryOptions(
      { ...filterOf(space, search), query: search.q, limit: HITS },
      { placeholderData: keepPreviousData },
    ),
  );
  if (found.isPending) return <Waiting what="recall" />;
  if (found.isError)
    return <Failed what="The search" error={found.error} retry={() => void found.refetch()} />;
  const { results, coverage, degraded = [] } = found.data;
  const notes = [
    ...(degraded.length > 0 ? [`without ${degraded.join(", ")}`] : []),
    ...(coverage < 1 ? [`${Math.floor(coverage * 100)} % of memories considered`] : []),
  ];
  const most = results.length === HITS ? `The best ${HITS}` : `${results.length} found`;
  return (
    <Results
      items={results}
      total={results.length}
      said={[`${most}, most relevant first`, ...notes].join(" · ")}
      search={search}
      set={set}
      space={space}
      isStale={found.isPlaceholderData}
    />
  );
}

interface ResultsProps extends Part {
  readonly items: Parameters<typeof MemoryList>[0]["items"];
  readonly total: number;
  readonly said: ReactNode;
  readonly isStale: boolean;
  readonly more?: (() => void) | undefined;
}

function Results({ items, total, said, search, set, space, isStale, more }: ResultsProps) {
  const isNarrowed = search.q !== undefined || hasFilter(search);
  return (
    <section
      className="listed"
      aria-label="Memories"
      aria-busy={isStale}
      style={{ opacity: isStale ? 0.6 : 1 }}
    >
      <div className="over">
        <p className="soft said grow" role="status">
          {said}
        </p>
        {search.q === undefined && hasFilter(search) && mayWrite(space) && (
          <Bulk space={space} search={search} total={total} />
        )}
      </div>
      {items.length > 0 && (
        <MemoryList items={items} total={total} chosen={search.id} choose={(id) => set({ id })} more={more} />
      )}
      {items.length === 0 && isNarrowed && (
        <Empty
          title="Nothing matches"
          action={
            <Button
              variant="default"
              onClick={() =>
                set({
                  q: undefined,
                  path: undefined,
                  bucket: undefined,
                  type: undefined,
                  project: undefined,
                  status: undefined,
                  id: undefined,
                })
              }
            >
              Clear the filters
            </Button>
          }
        >
          No memory that you may see fits this query and these filters.
        </Empty>
      )}
      {items.length === 0 && !isNarrowed && (
        <Empty title="No memories yet">
          {mayWrite(space)
            ? "Remember something here, or connect an agent that does."
            : "Nobody has written here yet. Members of the team can."}
        </Empty>
      )}
    </section>
  );
}

/** What is done to all that the filters match, whatever of it has been scrolled to. The dialog stays when none are left. */
function Bulk({ space, search, total }: Pick<ResultsProps, "space" | "search" | "total">) {
  const [isOpen, setOpen] = useState(false);
  const verb = search.status === "soft_deleted" ? "Restore" : "Remove";
  return (
    <>
      {total > 0 && (
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          {`${verb} all ${number.format(total)}…`}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <BulkDialog space={space} filter={filterOf(space, search)} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
