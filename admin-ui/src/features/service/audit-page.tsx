import { Button, Select, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { Who } from "../../parts/who.tsx";
import type { AuditSearch } from "../../routes/$space/service/audit.tsx";
import { mayManage, type Space, teamOf, useSession, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

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
      </div>
      <Filters key={space.key} space={space} search={search} set={set} />
      <Lines space={space} search={search} clear={() => set({})} />
    </>
  );
}

interface FiltersProps {
  readonly space: Space;
  readonly search: AuditSearch;
  readonly set: (search: AuditSearch) => void;
}

function Filters({ space, search, set }: FiltersProps) {
  const [typed, setTyped] = useState(search);
  useEffect(() => setTyped(search), [search]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = Object.entries(typed).map(([name, value]) => [name, value?.trim() || undefined]);
    set(Object.fromEntries(given));
  };
  const field = (name: keyof AuditSearch, label: string, more: object) => (
    <TextInput
      key={name}
      label={label}
      value={typed[name] ?? ""}
      onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
      {...more}
    />
  );
  return (
    <search>
      <form onSubmit={submit} className="narrow">
        <WhoFilter space={space} search={search} set={set} />
        {field("operation", "What", {
          placeholder: "soft_delete",
          maxLength: 128,
          "data-search-field": true,
        })}
        {field("from", "From", { type: "datetime-local" })}
        {field("to", "Before", { type: "datetime-local" })}
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

type Line = Outputs["listAudit"]["lines"][number];

/** A time without a zone is the reader's. */
const inUtc = (local: string | undefined) => {
  const at = local === undefined ? Number.NaN : Date.parse(local);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

function Lines(props: { readonly space: Space; readonly search: AuditSearch; readonly clear: () => void }) {
  const { space, search, clear } = props;
  const { operation, person, agent, memory, user, from, to } = search;
  const list = useInfiniteQuery(
    trpc.listAudit.infiniteQueryOptions(
      {
        ...teamOf(space),
        operation,
        agent_id: agent,
        person,
        memory_id: memory,
        user_id: user,
        after: inUtc(from),
        before: inUtc(to),
      },
      { getNextPageParam: ({ next_cursor }) => next_cursor, placeholderData: keepPreviousData },
    ),
  );
  const titles = useTitles(space, list.data?.pages ?? []);
  if (list.isPending) return <Waiting what="the audit log" />;
  if (list.isError)
    return <Failed what="The audit log" error={list.error} retry={() => void list.refetch()} />;
  const lines = list.data.pages.flatMap((page) => page.lines);
  if (lines.length === 0)
    return Object.values(search).some(Boolean) ? (
      <Empty
        title="Nothing matches"
        action={
          <Button variant="default" onClick={clear}>
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
  return (
    <>
      <p className="soft" role="status" style={{ margin: "0 0 8px" }}>
        {list.hasNextPage
          ? `The newest ${lines.length}, and more as you scroll`
          : `${lines.length} lines, newest first`}
      </p>
      <Table
        label="Audit log"
        columns={columnsFor(space, titles)}
        items={lines}
        keyOf={({ id }) => id}
        {...(list.hasNextPage ? {} : { total: lines.length })}
        more={list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined}
      />
    </>
  );
}

const words = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/** Operations in the words of a sentence: who, did, what. */
const VERBS: Readonly<Record<string, string>> = {
  create: "wrote",
  update: "changed",
  soft_delete: "forgot",
  restore: "restored",
  hard_delete: "permanently erased",
  supersede: "superseded",
  archive: "archived",
  expire: "expired",
  merge: "merged",
};

const KINDS: Readonly<Record<string, string>> = {
  api_key: "key",
  oauth: "app",
  agent_temporary: "unbound agent",
  skill: "skill token",
  end_user: "end user's token",
};

/** An agent by its name, a person by theirs; a team's key by the name of the key. */
function WhoDid({ line }: { readonly line: Line }) {
  const { token, person, agent_id, agent_name } = line;
  if (agent_name !== null) return <Who kind="agent" name={agent_name} />;
  if (person !== null) {
    const via = token === null || token.kind === "session" ? null : (token.name ?? KINDS[`${token.kind}`]);
    return (
      <>
        <Who name={person} />
        {via && <span className="soft">{` via ${via}`}</span>}
        {agent_id !== null && <span className="soft">{`, as ${agent_id}`}</span>}
      </>
    );
  }
  if (token?.name) return <Who kind="key" name={token.name} />;
  if (agent_id !== null) return <Who kind="agent" name={agent_id} />;
  return <span className="soft">{token === null ? "The service" : "A credential that is gone"}</span>;
}

type Titles = ReadonlyMap<string, string>;
const TITLE_CHARACTERS = 160;

/** The beginnings of the memories that the lines are about, as far as the reader may see them. */
function useTitles(space: Space, pages: readonly Outputs["listAudit"][]): Titles {
  const asked = pages
    .map(({ lines }) => [...new Set(lines.flatMap(({ memory_id }) => memory_id ?? []))])
    .filter((ids) => ids.length > 0)
    // The pattern for any status leaves out what was forgotten.
    .flatMap((memory_ids) => ["%", "soft_deleted"].map((status) => ({ memory_ids, status })));
  return useQueries({
    queries: asked.map(({ memory_ids, status }) =>
      trpc.listMemories.queryOptions(
        { ...space.filter, memory_ids, status, limit: memory_ids.length },
        { placeholderData: keepPreviousData },
      ),
    ),
    combine: titlesOf,
  });
}

const titlesOf = (answers: readonly { readonly data?: Outputs["listMemories"] | undefined }[]): Titles =>
  new Map(
    answers.flatMap(({ data }) =>
      (data?.memories ?? []).map(({ id, content }) => [id, content.slice(0, TITLE_CHARACTERS)] as const),
    ),
  );

const told = (detail: Line["detail"]) =>
  Object.entries(detail)
    .map(([name, value]) => `${words(name)}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("; ");

const columnsFor = (space: Space, titles: Titles): readonly Column<Line>[] => [
  { label: "When", width: "72px", cell: ({ at }) => <Time at={at} /> },
  { label: "Who", width: "minmax(0, 1fr)", cell: (line) => <WhoDid line={line} /> },
  {
    label: "What",
    width: "minmax(88px, 0.6fr)",
    narrowWidth: "72px",
    cell: ({ operation }) => (
      <span title={operation}>{VERBS[operation] ?? operation.replaceAll("_", " ")}</span>
    ),
  },
  {
    label: "Object",
    width: "minmax(0, 2fr)",
    narrowWidth: "minmax(0, 1fr)",
    cell: ({ memory_id }) =>
      memory_id === null ? (
        <span className="soft">–</span>
      ) : (
        <Link to="/$space/memories" params={{ space: space.key }} search={{ id: memory_id }}>
          <bdi>{titles.get(memory_id) ?? "A memory that is not shown to you"}</bdi>
        </Link>
      ),
  },
  {
    label: "More",
    width: "minmax(0, 1.2fr)",
    isWide: true,
    cell: ({ detail, request_id }) => (
      <span
        className="soft"
        title={[told(detail), request_id && `Request ${request_id}`].filter(Boolean).join("\n")}
      >
        <bdi>{told(detail) || "–"}</bdi>
      </span>
    ),
  },
];
