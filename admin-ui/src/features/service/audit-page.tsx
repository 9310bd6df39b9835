import { Button, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import type { AuditSearch } from "../../routes/$space/service/audit.tsx";
import { type Space, teamOf, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

const FROM = "/$space/service/audit";
const FIELDS = [
  { name: "operation", label: "What", hint: "soft_delete" },
  { name: "memory", label: "Memory", hint: "Its id" },
  { name: "agent", label: "Agent", hint: "Its id" },
] as const;

/** Who did what, and when? */
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
            ; never their content
          </p>
        </div>
      </div>
      <Filters key={space.key} search={search} set={set} />
      <Lines space={space} search={search} clear={() => set({})} />
    </>
  );
}

interface FiltersProps {
  readonly search: AuditSearch;
  readonly set: (search: AuditSearch) => void;
}

function Filters({ search, set }: FiltersProps) {
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
        {FIELDS.map(({ name, label, hint }, at) =>
          field(name, label, {
            placeholder: hint,
            maxLength: 128,
            ...(at === 0 && { "data-search-field": true }),
          }),
        )}
        {field("from", "From", { type: "datetime-local" })}
        {field("to", "Before", { type: "datetime-local" })}
        <Button type="submit" variant="default">
          Filter
        </Button>
      </form>
    </search>
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
  const { operation, agent, memory, from, to } = search;
  const list = useInfiniteQuery(
    trpc.listAudit.infiniteQueryOptions(
      {
        ...teamOf(space),
        operation,
        agent_id: agent,
        memory_id: memory,
        after: inUtc(from),
        before: inUtc(to),
      },
      { getNextPageParam: ({ next_cursor }) => next_cursor, placeholderData: keepPreviousData },
    ),
  );
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
        columns={columnsFor(space)}
        items={lines}
        keyOf={({ id }) => id}
        {...(list.hasNextPage ? {} : { total: lines.length })}
        more={list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined}
      />
    </>
  );
}

const words = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

const KINDS: Readonly<Record<string, string>> = {
  api_key: "API key",
  oauth: "App",
  agent_temporary: "Unbound agent",
  agent_formal: "Agent",
  skill: "Skill token",
  session: "A person, signed in",
};

function who({ token, agent_id }: Line): string {
  if (token === null) return agent_id ?? "The service";
  const kind = token.kind === null ? "A former credential" : (KINDS[token.kind] ?? token.kind);
  const name = token.kind === "session" ? null : (token.name ?? agent_id);
  return name === null ? kind : `${kind}: ${name}`;
}

const told = (detail: Line["detail"]) =>
  Object.entries(detail)
    .map(([name, value]) => `${words(name)}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("; ");

const columnsFor = (space: Space): readonly Column<Line>[] => [
  { label: "When", width: "88px", cell: ({ at }) => <Time at={at} /> },
  {
    label: "What",
    width: "minmax(120px, 1fr)",
    cell: ({ operation }) => <span title={operation}>{words(operation)}</span>,
  },
  {
    label: "Memory",
    width: "minmax(0, 1.2fr)",
    cell: ({ memory_id }) =>
      memory_id === null ? (
        <span className="soft">–</span>
      ) : (
        <Link to="/$space/memories" params={{ space: space.key }} search={{ id: memory_id }} className="mono">
          {memory_id}
        </Link>
      ),
  },
  {
    label: "Who",
    width: "minmax(0, 1fr)",
    isWide: true,
    cell: (line) => <bdi title={line.token?.id}>{who(line)}</bdi>,
  },
  {
    label: "More",
    width: "minmax(0, 1.4fr)",
    isWide: true,
    cell: ({ detail, request_id }) => (
      <span
        className="soft"
        title={[told(detail), request_id && `Request ${request_id}`].filter(Boolean).join("\n")}
      >
        <bdi>{told(detail) || (request_id && `Request ${request_id}`) || "–"}</bdi>
      </span>
    ),
  },
];
