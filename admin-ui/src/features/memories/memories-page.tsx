import { ActionIcon, Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Fragment, lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { AsOfBanner, AsOfButton } from "../../parts/as-of.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { mayManage, mayWrite, readOnlyIf, type Space, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { type MemoriesSearch, viewOf } from "./address.ts";
import { columnsOf, wordsOfOrder } from "./columns.ts";
import { Facets, useFacetCounts } from "./facets.tsx";
import { type Filter, filterOf, hasFilter, NO_FILTER } from "./filter.ts";
import { MemoryList } from "./memory-list.tsx";
import { MemoryPanel } from "./memory-panel.tsx";
import { RememberButton } from "./remember.tsx";
import { Chips, ColumnsMenu, Search } from "./toolbar.tsx";
import { Views } from "./views.tsx";
import { type ListedMemory, orderOf, type Seen, useMemoryWindows, useRecallCounts } from "./windows.ts";
import "./memories.css";

const BulkDialog = lazy(() => import("./bulk.tsx").then(({ BulkDialog }) => ({ default: BulkDialog })));

const HITS = 100;
/** So many ids one request may name. */
const CHOSEN_MAX = 1000;
const number = new Intl.NumberFormat("en");

/** What is remembered, and how do I mend it? */
export function MemoriesPage() {
  return <Browse from="/$space/memories" />;
}

/** What lasts, and is recalled by those alone who may see knowledge: of its type, or in its bucket. */
export function KnowledgePage() {
  return <Browse from="/$space/knowledge" isKnowledge />;
}

interface BrowseProps {
  readonly from: "/$space/memories" | "/$space/knowledge";
  readonly isKnowledge?: boolean;
}

const KNOWLEDGE = "knowledge";
const NONE: Partial<MemoriesSearch> = {};

/** The filter that the page itself makes, whatever else it is narrowed by. */
const fixedFor = (isKnowledge: boolean, { bucket }: MemoriesSearch): Partial<MemoriesSearch> =>
  !isKnowledge ? NONE : bucket === KNOWLEDGE ? { bucket } : { type: KNOWLEDGE };

function Browse({ from, isKnowledge = false }: BrowseProps) {
  // Both addresses hold the same.
  const at = from as "/$space/memories";
  const search = useSearch({ from: at });
  const isPast = search.as_of !== undefined;
  const mine = useSpace();
  const space = useMemo(() => readOnlyIf(isPast, mine), [isPast, mine]);
  const setMoment = (as_of: string | undefined) => set({ as_of, status: undefined });
  const navigate = useNavigate({ from: at });
  const set = (change: Partial<MemoriesSearch>) =>
    // From memory to memory is one step back, not many; so is from tab to tab.
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: (change.id !== undefined && search.id !== undefined) || "part" in change,
    });
  const { id } = search;
  const asked = JSON.stringify([space.key, { ...viewOf(search), columns: undefined }]);
  const fixed = useMemo(() => fixedFor(isKnowledge, search), [isKnowledge, search]);
  const filter = useMemo(() => filterOf(space, { ...search, ...fixed }), [space, search, fixed]);
  const [isReady, setReady] = useState(false);
  const [areFacetsOpen, setFacetsOpen] = useState(false);
  const counts = useFacetCounts({ space, search, fixed, isReady });
  const agents = useMemo(
    () => new Map(counts.data?.agent.map(({ value, name }) => [value, name ?? value])),
    [counts.data],
  );
  const part = { space, search, filter, set, isKnowledge, agents, onReady: () => setReady(true) };
  const close = () => {
    set({ id: undefined, part: undefined });
    // Where it was opened from.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus());
  };
  return (
    <>
      <div className="heading">
        <h1 className="grow">{isKnowledge ? "Knowledge" : "Memories"}</h1>
        <ActionIcon
          className="only-narrow"
          variant="default"
          size={40}
          aria-label="Filters"
          aria-expanded={areFacetsOpen}
          onClick={() => setFacetsOpen(!areFacetsOpen)}
        >
          <Icon name="filter" />
        </ActionIcon>
        <AsOfButton at={search.as_of} set={setMoment} />
        {mayWrite(space) && <RememberButton space={space} isKnowledge={isKnowledge} />}
      </div>
      <AsOfBanner at={search.as_of} set={setMoment} />
      <div className="browse" data-open={id !== undefined || undefined}>
        <aside className="facets" aria-label="Filters" data-open={areFacetsOpen || undefined}>
          <Facets space={space} search={search} set={set} fixed={fixed} counts={counts} />
        </aside>
        <div className="listed">
          <Views space={space} at={from} search={search} isReady={isReady} />
          <div className="tools">
            <Search search={search} set={set} />
            <ColumnsMenu search={search} set={set} />
          </div>
          {isKnowledge && <Kinds search={search} set={set} />}
          {/* Selections and scroll positions belong to one list. */}
          {search.q === undefined ? (
            <Listed key={asked} {...part} />
          ) : (
            <Found key={asked} {...part} query={search.q} />
          )}
        </div>
        {id !== undefined && (
          <MemoryPanel
            key={id}
            id={id}
            space={space}
            agents={agents}
            tab={search.part}
            setTab={(part) => set({ part })}
            isForgotten={search.status === "soft_deleted"}
            asOf={search.as_of}
            close={close}
          />
        )}
      </div>
    </>
  );
}

const KINDS = [
  [undefined, "Of the type knowledge"],
  [KNOWLEDGE, "In the bucket knowledge"],
] as const;

/** A memory may be knowledge by what it is, or by where it is kept. */
function Kinds({ search, set }: Pick<Part, "search" | "set">) {
  return (
    <fieldset className="among">
      <legend className="soft">Knowledge</legend>
      {KINDS.map(([bucket, label]) => {
        const isShown = (search.bucket === KNOWLEDGE) === (bucket === KNOWLEDGE);
        return (
          <Button
            key={label}
            size="compact-sm"
            variant={isShown ? "light" : "subtle"}
            aria-pressed={isShown}
            onClick={() => set({ bucket, id: undefined })}
          >
            {label}
          </Button>
        );
      })}
    </fieldset>
  );
}

interface Part {
  readonly isKnowledge: boolean;
  readonly space: Space;
  readonly search: MemoriesSearch;
  readonly filter: Filter;
  readonly set: (change: Partial<MemoriesSearch>) => void;
  /** Names of agents by their ids. */
  readonly agents: ReadonlyMap<string, string>;
  /** Called once the list is here. */
  readonly onReady: () => void;
}

/** All of them, in the order that the address says. */
function Listed({ filter, ...part }: Part) {
  const { search } = part;
  const [seen, setSeen] = useState<Seen>([0, 0]);
  const { windows, ...list } = useMemoryWindows({ ...filter, ...orderOf(search) }, seen);
  const { total, error } = list;
  const failure = error !== null && <Failed what="The memories" error={error} retry={list.refetch} />;
  if (total === null) return failure || <Waiting what="the memories" />;
  return (
    <>
      {failure}
      <Results
        {...part}
        {...list}
        filter={filter}
        total={total}
        windows={windows}
        said={`${number.format(total)} ${total === 1 ? "memory" : "memories"}, ${wordsOfOrder(search)}`}
        onSeen={setSeen}
      />
    </>
  );
}

/** What recall finds, by the same search as every agent's. */
function Found({ filter, query, ...part }: Part & { readonly query: string }) {
  const found = useQuery(
    trpc.searchMemories.queryOptions(
      { ...filter, query, limit: HITS },
      { placeholderData: keepPreviousData },
    ),
  );
  if (found.isPending) return <Waiting what="recall" />;
  if (found.isError)
    return <Failed what="The search" error={found.error} retry={() => void found.refetch()} />;
  const { results, coverage, degraded = [] } = found.data;
  const notes = [
    ...(degraded.length > 0 ? [`without ${degraded.join(", ")}`] : []),
    ...(coverage < 1 ? [`${Math.floor(coverage * 100)}% of memories considered`] : []),
  ];
  const most = results.length === HITS ? `The best ${HITS}` : `${results.length} found`;
  return (
    <Results
      {...part}
      filter={filter}
      found={results}
      scores={new Map(results.map(({ id, score }) => [id, score]))}
      query={query}
      total={results.length}
      windows={[results]}
      itemAt={(index) => results[index]}
      indexOf={(id) => results.findIndex((one) => one.id === id)}
      said={[`${most}, most relevant first`, ...notes].join(" · ")}
      isStale={found.isPlaceholderData}
    />
  );
}

interface ResultsProps extends Part {
  readonly total: number;
  readonly windows: readonly (readonly ListedMemory[])[];
  readonly itemAt: (index: number) => ListedMemory | undefined;
  readonly indexOf: (id: string) => number;
  /** All that a search found. */
  readonly found?: readonly ListedMemory[];
  readonly scores?: ReadonlyMap<string, number>;
  readonly query?: string;
  readonly said: ReactNode;
  readonly isStale: boolean;
  readonly onSeen?: (seen: Seen) => void;
}

function Results(props: ResultsProps) {
  const { total, windows, said, search, set, space, isStale, isKnowledge, onReady } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [acted, setActed] = useState<Acted | null>(null);
  const acts = { chosen, setChosen, setActed };
  const recalls = useRecallCounts(
    windows,
    columnsOf(search).some(({ name }) => name === "recalls"),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(onReady, []);
  const isNarrowed = search.q !== undefined || search.as_of !== undefined || hasFilter(search);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const here = windows.flat();
  return (
    <section
      className="results"
      aria-label="Memories"
      aria-busy={isStale}
      style={{ opacity: isStale ? 0.6 : 1 }}
    >
      <Chips search={search} set={set}>
        <p className="soft tally grow" role="status">
          {chosen.size > 0 ? `${number.format(chosen.size)} chosen of ${said}` : said}
        </p>
        {mayWrite(space) && chosen.size === 0 && <Acts {...props} {...acts} />}
      </Chips>
      {total > 0 && (
        <MemoryList
          {...props}
          recalls={recalls}
          setOpen={(id) => set({ id })}
          chosen={mayWrite(space) ? chosen : null}
          toggle={toggle}
          all={here.length === total ? here.map(({ id }) => id) : null}
          chooseAll={(ids) => setChosen(new Set(ids))}
        />
      )}
      {chosen.size > 0 && (
        <section className="bulk" aria-label="Selection">
          <b>{`${number.format(chosen.size)} chosen`}</b>
          <Acts {...props} {...acts} />
        </section>
      )}
      {acted !== null && (
        <Suspense>
          <BulkDialog
            space={space}
            {...acted}
            close={() => setActed(null)}
            onDone={() => setChosen(new Set())}
          />
        </Suspense>
      )}
      {total === 0 && isNarrowed && (
        <Empty
          title="Nothing matches"
          action={
            <Button variant="default" onClick={() => set({ ...NO_FILTER, q: undefined, id: undefined })}>
              Clear the filters
            </Button>
          }
        >
          No memory you may see matches this query and these filters.
        </Empty>
      )}
      {total === 0 && !isNarrowed && (
        <Empty title={isKnowledge ? "No knowledge yet" : "No memories yet"}>
          {mayWrite(space)
            ? "Add a memory here, or connect an agent that does."
            : "Nobody has written here yet. Members of the team can."}
        </Empty>
      )}
    </section>
  );
}

interface ActsProps extends ResultsProps {
  readonly chosen: ReadonlySet<string>;
  readonly setChosen: (chosen: ReadonlySet<string>) => void;
  readonly setActed: (acted: Acted) => void;
}

/** What is done to many at once: to those that are chosen, else to all that the filters match or the search has found. */
function Acts({ space, search, filter, total, found, query, chosen, setChosen, setActed }: ActsProps) {
  const verbs = verbsOf(space, search);
  const named = namedIn(found ?? [], query);
  const start = (verb: Verb, ids: readonly string[] | null) => {
    // What was found or chosen is just that, whatever else the filters would match.
    const { team_id, scope, status } = filter;
    const those = { ...(team_id && { team_id }), ...(scope && { scope }), ...(status && { status }) };
    setActed({
      verb,
      filter: ids === null ? filter : { ...those, memory_ids: [...ids] },
      isNamed: ids !== null,
    });
  };
  return (
    <>
      {chosen.size === 0 && named.length > 0 && (
        <>
          <Button variant="default" size="xs" onClick={() => setChosen(new Set(named))}>
            {`Choose the ${number.format(named.length)} here that say “${shortened(query ?? "")}”`}
          </Button>
          <Link to="/$space/erase" params={{ space: space.key }} search={{ term: query }}>
            Find every record that says it
          </Link>
        </>
      )}
      {verbs.map((verb) => (
        <Fragment key={verb}>
          {chosen.size === 0 && found !== undefined && total > 0 && (
            <Button
              variant="default"
              size="xs"
              onClick={() =>
                start(
                  verb,
                  found.map(({ id }) => id),
                )
              }
            >
              {`${verb} all ${number.format(total)} found…`}
            </Button>
          )}
          {chosen.size === 0 && found === undefined && hasFilter(search) && total > 0 && (
            <Button variant="default" size="xs" onClick={() => start(verb, null)}>
              {`${verb} all ${number.format(total)}…`}
            </Button>
          )}
          {chosen.size > 0 && (
            <Button
              variant="default"
              size="xs"
              disabled={chosen.size > CHOSEN_MAX}
              onClick={() => start(verb, [...chosen])}
            >
              {`${verb} ${number.format(chosen.size)} chosen…`}
            </Button>
          )}
        </Fragment>
      ))}
      {chosen.size > 0 && (
        <Button variant="subtle" size="xs" onClick={() => setChosen(new Set())}>
          Choose none
        </Button>
      )}
    </>
  );
}

type Verb = "Remove" | "Restore" | "Erase";

interface Acted {
  readonly verb: Verb;
  readonly filter: Filter;
  /** Whether it is about what was looked at one by one. */
  readonly isNamed: boolean;
}

/** What was forgotten comes back, or goes for good. */
function verbsOf(space: Space, { status }: MemoriesSearch): readonly Verb[] {
  if (status !== "soft_deleted") return ["Remove"];
  return mayManage(space) ? ["Restore", "Erase"] : ["Restore"];
}

/** Those of what was found that have the words as they were typed. */
function namedIn(found: readonly ListedMemory[], query = ""): string[] {
  const words = query.trim().toLowerCase();
  if (words === "") return [];
  return found
    .filter(({ content, path }) => `${content}\n${path}`.toLowerCase().includes(words))
    .map(({ id }) => id);
}

function shortened(words: string): string {
  return words.length > 24 ? `${words.slice(0, 23)}…` : words;
}
