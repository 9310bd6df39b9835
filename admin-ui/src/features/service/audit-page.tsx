import { ActionIcon, Button, Checkbox, Select, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { AuditSearch } from "../../routes/$space/service/audit.tsx";
import { mayManage, type Space, teamOf, useSession, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { type Burst, burstsOf, dayOf, dayWords, keyOf } from "./audit-bursts.ts";
import { ExportAudit } from "./audit-export.tsx";
import { useTitles } from "./audit-titles.ts";
import { ClockTime, OPERATIONS, Sentence, type Titles, WhoDid } from "./audit-words.tsx";
import "./audit.css";

const FROM = "/$space/service/audit";

/** The audit log: each act with the person or agent who did it, and the thing that it was done to. */
export function AuditPage() {
  const space = useSpace();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const set = (search: AuditSearch) => void navigate({ search, replace: true });
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Audit log</h1>
          <p>
            {space.teamId === null
              ? "What was done with your own memories and credentials"
              : `What was done in ${space.name}`}
          </p>
        </div>
        <ExportAudit filter={filterOf(space, search)} />
      </div>
      <Filters key={space.key} space={space} search={search} set={set} />
      <Lines key={`${space.key} lines`} space={space} search={search} set={set} />
    </>
  );
}

interface FiltersProps {
  readonly space: Space;
  readonly search: AuditSearch;
  readonly set: (search: AuditSearch) => void;
}

const OBJECTS = [
  { value: "record", label: "Memories, todos and decisions" },
  { value: "access", label: "Credentials and agents" },
  { value: "workspace", label: "Members, maintenance and the rest" },
];

function Filters({ space, search, set }: FiltersProps) {
  const [typed, setTyped] = useState(search);
  useEffect(() => setTyped(search), [search]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = Object.entries(typed).map(([name, value]) => [name, value?.trim() || undefined]);
    set(Object.fromEntries(given));
  };
  const day = (name: "from" | "to", label: string) => (
    <TextInput
      label={label}
      type="datetime-local"
      value={typed[name] ?? ""}
      onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
    />
  );
  return (
    <search>
      <form onSubmit={submit} className="narrow">
        <WhoFilter space={space} search={search} set={set} />
        <Choice
          label="What"
          data={withValue(OPERATIONS, search.operation)}
          value={search.operation}
          set={(operation) => set({ ...search, operation })}
        />
        <Choice
          label="Object"
          data={OBJECTS}
          value={search.object}
          set={(object) => set({ ...search, object })}
        />
        {day("from", "From")}
        {day("to", "Before")}
        <Button type="submit" variant="default">
          Filter
        </Button>
      </form>
      {(search.memory ?? search.user) !== undefined && (
        <p className="sift">
          {search.user === undefined
            ? "Only what was done to one memory"
            : `Only what was done in the space of the end user ${search.user}`}
          <Button
            size="xs"
            variant="default"
            onClick={() => set({ ...search, memory: undefined, user: undefined })}
          >
            Show all
          </Button>
        </p>
      )}
    </search>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

const withValue = (options: readonly Option[], value: string | undefined): readonly Option[] =>
  value === undefined || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];

function Choice(props: {
  readonly label: string;
  readonly data: readonly Option[];
  readonly value: string | undefined;
  readonly set: (value: string | undefined) => void;
}) {
  return (
    <Select
      label={props.label}
      placeholder="Any"
      clearable
      clearButtonProps={{ "aria-label": "Any" }}
      data={props.data}
      value={props.value ?? null}
      onChange={(value) => props.set(value ?? undefined)}
    />
  );
}

/** The people of the workspace and the agents, by name. */
function WhoFilter({ space, search, set }: FiltersProps) {
  const { user } = useSession();
  const { teamId } = space;
  const team = useQuery(
    trpc.listMembers.queryOptions(
      { team_id: teamId ?? "" },
      { enabled: teamId !== null && mayManage(space) },
    ),
  );
  const agents = useQuery(trpc.listAgents.queryOptions({}));
  const people = teamId === null ? [user.name] : (team.data?.members ?? []).map(({ name }) => name);
  const { person, agent } = search;
  const named = person === undefined || people.includes(person) ? people : [...people, person];
  const known = (agents.data?.agents ?? []).map((one) => ({
    value: `agent:${one.agent_id}`,
    label: one.client_name,
  }));
  const hasAgent = agent === undefined || known.some(({ value }) => value === `agent:${agent}`);
  return (
    <Select
      label="Who"
      placeholder="Anybody"
      clearable
      clearButtonProps={{ "aria-label": "Anybody" }}
      data={[
        { group: "People", items: named.map((name) => ({ value: `person:${name}`, label: name })) },
        {
          group: "Agents",
          items: hasAgent ? known : [...known, { value: `agent:${agent}`, label: `${agent}` }],
        },
      ].filter(({ items }) => items.length > 0)}
      value={person !== undefined ? `person:${person}` : agent !== undefined ? `agent:${agent}` : null}
      onChange={(value) => {
        const { person: _, agent: __, ...others } = search;
        const [, kind, name] = /^(person|agent):(.*)$/s.exec(value ?? "") ?? [];
        set(kind === undefined ? others : { ...others, [kind]: name });
      }}
    />
  );
}

/** A time without a zone is the reader's. */
const inUtc = (local: string | undefined) => {
  const at = local === undefined ? Number.NaN : Date.parse(local);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/** What the service is asked for. An object that it does not know is no condition. */
function filterOf(space: Space, { operation, object, agent, person, memory, user, from, to }: AuditSearch) {
  return {
    ...teamOf(space),
    operation,
    object: OBJECTS.find(({ value }) => value === object)?.value as "record" | undefined,
    agent_id: agent,
    person,
    memory_id: memory,
    user_id: user,
    after: inUtc(from),
    before: inUtc(to),
  };
}

/** So many lines are read as the page is scrolled; more when they are asked for. */
const READ_BY_SCROLLING = 2000;

function Lines(props: {
  readonly space: Space;
  readonly search: AuditSearch;
  readonly set: (search: AuditSearch) => void;
}) {
  const { space, search, set } = props;
  const [max, setMax] = useState(READ_BY_SCROLLING);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const list = useInfiniteQuery(
    trpc.listAudit.infiniteQueryOptions(filterOf(space, search), {
      getNextPageParam: ({ next_cursor }) => next_cursor,
      placeholderData: keepPreviousData,
    }),
  );
  const titles = useTitles(space, list.data?.pages ?? []);
  const isGrouped = search.bursts !== "no";
  if (list.isPending) return <Waiting what="the audit log" />;
  if (list.isError)
    return <Failed what="The audit log" error={list.error} retry={() => void list.refetch()} />;
  const lines = list.data.pages.flatMap((page) => page.lines);
  const { bursts: _, ...conditions } = search;
  if (lines.length === 0)
    return Object.values(conditions).some(Boolean) ? (
      <Empty
        title="Nothing matches"
        action={
          <Button variant="default" onClick={() => set({})}>
            Clear the filters
          </Button>
        }
      >
        Nothing of this kind was done in this period, or its lines are no longer kept.
      </Empty>
    ) : (
      <Empty title="Nothing has been done yet">
        Every change to a memory or a credential adds a line here.
      </Empty>
    );
  const bursts = burstsOf(lines, isGrouped);
  const perDay = new Map<string, number>();
  for (const { at } of lines) perDay.set(dayOf(at), (perDay.get(dayOf(at)) ?? 0) + 1);
  const lastDay = list.hasNextPage ? dayOf(lines.at(-1)?.at ?? "") : null;
  const toggle = (key: string) => {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    setOpened(next);
  };
  const more = () => void list.fetchNextPage();
  return (
    <>
      <div className="sift">
        <span className="soft grow" role="status">
          {list.hasNextPage
            ? `The newest ${lines.length}, and more as you scroll`
            : `${lines.length} ${lines.length === 1 ? "line" : "lines"}, newest first`}
        </span>
        <Checkbox
          label="Group bursts"
          checked={isGrouped}
          onChange={(event) => set({ ...search, bursts: event.currentTarget.checked ? undefined : "no" })}
        />
      </div>
      <div className="audit-table">
        <Table
          label="Audit log"
          columns={columnsFor({ space, titles, opened, toggle })}
          items={bursts}
          keyOf={keyOf}
          {...(list.hasNextPage ? {} : { total: bursts.length })}
          more={list.hasNextPage && !list.isFetchingNextPage && lines.length < max ? more : undefined}
          heading={({ lines: [first] }, before) => {
            const day = dayOf(first.at);
            if (before !== undefined && dayOf(before.lines[0].at) === day) return null;
            const count = perDay.get(day) ?? 0;
            return (
              <>
                <h2>{dayWords(first.at)}</h2>
                <span>{`${day === lastDay ? "at least " : ""}${count} ${count === 1 ? "line" : "lines"}`}</span>
              </>
            );
          }}
          detail={(burst) =>
            opened.has(keyOf(burst)) ? (
              <Suspense fallback={<Waiting what="the details" />}>
                <AuditDetail
                  burst={burst}
                  space={space}
                  titles={titles}
                  only={(memory) => set({ ...search, memory })}
                />
              </Suspense>
            ) : null
          }
        />
      </div>
      {list.hasNextPage && lines.length >= max && (
        <Button
          mt="xs"
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => {
            setMax(lines.length + READ_BY_SCROLLING);
            more();
          }}
        >
          Show earlier lines
        </Button>
      )}
    </>
  );
}

const AuditDetail = lazy(() =>
  import("./audit-detail.tsx").then(({ AuditDetail }) => ({ default: AuditDetail })),
);

interface Shown {
  readonly space: Space;
  readonly titles: Titles;
  readonly opened: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
}

const columnsFor = ({ space, titles, opened, toggle }: Shown): readonly Column<Burst>[] => [
  {
    label: "When",
    width: "52px",
    cell: ({ lines: [{ at }] }) => <ClockTime at={at} />,
  },
  {
    label: "Who",
    width: "minmax(0, 1fr)",
    cell: ({ lines: [line] }) => <WhoDid line={line} />,
  },
  {
    label: "What",
    width: "minmax(0, 3fr)",
    narrowWidth: "minmax(0, 1.4fr)",
    cell: (burst) => <Sentence burst={burst} space={space} titles={titles} />,
  },
  {
    label: "More",
    width: "52px",
    narrowWidth: "40px",
    isRight: true,
    cell: (burst) => {
      const isOpen = opened.has(keyOf(burst));
      return (
        <ActionIcon
          variant="subtle"
          aria-label={isOpen ? "Hide details" : "Show details"}
          aria-expanded={isOpen}
          onClick={() => toggle(keyOf(burst))}
        >
          <span className={isOpen ? "turned" : undefined}>
            <Icon name="onward" size={16} />
          </span>
        </ActionIcon>
      );
    },
  },
];
