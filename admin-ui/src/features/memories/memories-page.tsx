import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Fragment, lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { mayManage, mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import type { MemoriesSearch } from "./address.ts";
import { type Filter, filterOf, hasFilter, NO_FILTER } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { MemoryList } from "./memory-list.tsx";
import { MemoryPanel } from "./memory-panel.tsx";
import { RememberButton } from "./remember.tsx";
import { type ListedMemory, type Seen, useMemoryWindows } from "./windows.ts";
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

/** Whatever else it is narrowed by, it stays knowledge. */
const knowledgeIn = (search: MemoriesSearch): MemoriesSearch =>
  search.bucket === KNOWLEDGE ? search : { ...search, type: KNOWLEDGE };

const KNOWLEDGE = "knowledge";

function Browse({ from, isKnowledge = false }: BrowseProps) {
  const space = useSpace();
  // Both addresses hold the same.
  const at = from as "/$space/memories";
  const search = useSearch({ from: at });
  const navigate = useNavigate({ from: at });
  const set = (change: Partial<MemoriesSearch>) =>
    // From memory to memory is one step back, not many.
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: change.id !== undefined && search.id !== undefined,
    });
  const { id, ...asked } = search;
  const filter = useMemo(
    () => filterOf(space, isKnowledge ? knowledgeIn(search) : search),
    [space, search, isKnowledge],
  );
  // What was chosen, and how far it was scrolled, is of one list.
  const key = JSON.stringify([space.key, asked]);
  const part = { space, search, filter, set, isKnowledge };
  return (
    <>
      <div className="heading">
        <h1 className="grow">{isKnowledge ? "Knowledge" : "Memories"}</h1>
        {mayWrite(space) && <RememberButton space={space} isKnowledge={isKnowledge} />}
      </div>
      <Filters key={space.key} space={space} search={search} set={set} />
      {isKnowledge && <Kinds search={search} set={set} />}
      {search.ids !== undefined && <Named search={search} set={set} />}
      <div className="browse" data-open={id !== undefined || undefined}>
        {search.q === undefined ? (
          <Listed key={key} {...part} />
        ) : (
          <Found key={key} {...part} query={search.q} />
        )}
        {id !== undefined && (
          <MemoryPanel
            key={id}
            id={id}
            space={space}
            isForgotten={search.status === "soft_deleted"}
            close={() => set({ id: undefined })}
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

/** Where a link has led to some memories alone, such as those that conflict. */
function Named({ search, set }: Pick<Part, "search" | "set">) {
  return (
    <p className="soft">
      {`Only the ${number.format((search.ids ?? "").split(" ").length)} that the link names `}
      <Button size="compact-sm" variant="subtle" onClick={() => set({ ids: undefined, id: undefined })}>
        Show all
      </Button>
    </p>
  );
}

interface Part {
  readonly isKnowledge: boolean;
  readonly space: Space;
  readonly search: MemoriesSearch;
  readonly filter: Filter;
  readonly set: (change: Partial<MemoriesSearch>) => void;
}

/** Without a query: all of them, newest first. */
function Listed({ filter, ...part }: Part) {
  const [seen, setSeen] = useState<Seen>([0, 0]);
  const list = useMemoryWindows(filter, seen);
  const { total, error } = list;
  const failure = error !== null && <Failed what="The memories" error={error} retry={list.refetch} />;
  if (total === null) return failure || <Waiting what="the memories" />;
  return (
    <div className="listed">
      {failure}
      <Results
        {...part}
        {...list}
        filter={filter}
        total={total}
        said={`${number.format(total)} ${total === 1 ? "memory" : "memories"}, newest first`}
        onSeen={setSeen}
      />
    </div>
  );
}

/** With a query: what recall finds, by the same search as every agent's. */
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
    ...(coverage < 1 ? [`${Math.floor(coverage * 100)} % of memories considered`] : []),
  ];
  const most = results.length === HITS ? `The best ${HITS}` : `${results.length} found`;
  return (
    <Results
      {...part}
      filter={filter}
      found={results}
      query={query}
      total={results.length}
      itemAt={(index) => results[index]}
      indexOf={(id) => results.findIndex((one) => one.id === id)}
      said={[`${most}, most relevant first`, ...notes].join(" · ")}
      isStale={found.isPlaceholderData}
    />
  );
}

interface ResultsProps extends Part {
  readonly total: number;
  readonly itemAt: (index: number) => ListedMemory | undefined;
  readonly indexOf: (id: string) => number;
  /** What a search found, all of it. */
  readonly found?: readonly ListedMemory[];
  readonly query?: string;
  readonly said: ReactNode;
  readonly isStale: boolean;
  readonly onSeen?: (seen: Seen) => void;
}

function Results(props: ResultsProps) {
  const { total, said, search, set, space, isStale, isKnowledge } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isNarrowed = search.q !== undefined || hasFilter(search);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <section
      className="listed"
      aria-label="Memories"
      aria-busy={isStale}
      style={{ opacity: isStale ? 0.6 : 1 }}
    >
      {search.q !== undefined && <Among search={search} set={set} />}
      <div className="over">
        <p className="soft tally grow" role="status">
          {chosen.size > 0 ? `${number.format(chosen.size)} chosen of ${said}` : said}
        </p>
        {mayWrite(space) && <Acts {...props} chosen={chosen} setChosen={setChosen} />}
      </div>
      {total > 0 && (
        <MemoryList
          {...props}
          open={search.id}
          setOpen={(id) => set({ id })}
          chosen={mayWrite(space) ? chosen : null}
          toggle={toggle}
        />
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
            ? "Remember something here, or connect an agent that does."
            : "Nobody has written here yet. Members of the team can."}
        </Empty>
      )}
    </section>
  );
}

const AMONG = [
  [undefined, "Live ones"],
  ["any", "Any status"],
  ["soft_deleted", "Forgotten"],
] as const;

/** Among which a search looks: what is out of recall is found here alone. */
function Among({ search, set }: Pick<Part, "search" | "set">) {
  return (
    <fieldset className="among">
      <legend className="soft">Among</legend>
      {AMONG.map(([status, label]) => (
        <Button
          key={label}
          size="compact-sm"
          variant={search.status === status ? "light" : "subtle"}
          aria-pressed={search.status === status}
          onClick={() => set({ status, id: undefined })}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

interface ActsProps extends ResultsProps {
  readonly chosen: ReadonlySet<string>;
  readonly setChosen: (chosen: ReadonlySet<string>) => void;
}

/** What is done to many at once: to those that are chosen, else to all that the filters match or the search has found. */
function Acts({ space, search, filter, total, found, query, chosen, setChosen }: ActsProps) {
  const [acted, setActed] = useState<Acted | null>(null);
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
        <Button variant="default" size="xs" onClick={() => setChosen(new Set(named))}>
          {`Choose the ${number.format(named.length)} that say “${shortened(query ?? "")}”`}
        </Button>
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
