import { Button, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import type { EndUsersSearch } from "../../routes/$space/end-users.tsx";
import { mayManage, type Space, teamOf, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { CreateKey } from "../access/create-key.tsx";
import { EndUserPanel } from "./end-user-panel.tsx";
import "../../parts/beside.css";

const FROM = "/$space/end-users";
const PAGE = 200;
const number = new Intl.NumberFormat("en");

/** The end users of an application: who they are, how much is remembered of each, and what may be done about it. */
export function EndUsersPage() {
  const space = useSpace();
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>End users</h1>
          <p>{space.teamId === null ? "Of your own application" : `Of the application of ${space.name}`}</p>
        </div>
        {mayManage(space) && <CreateKey space={space} isForApplication />}
      </div>
      <div className="note" style={{ marginBottom: 16 }}>
        <Icon name="users" />
        <p>
          <strong>Every end user has a space of their own.</strong> What is remembered of one is never
          recalled for another, and is not among {space.teamId === null ? "your" : "the team's"} memories.
        </p>
      </div>
      <Listed key={space.key} space={space} />
    </>
  );
}

function Listed({ space }: { readonly space: Space }) {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const set = (change: Partial<EndUsersSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: !("user" in change) || search.user !== undefined,
    });
  const list = useInfiniteQuery(
    trpc.listEndUsers.infiniteQueryOptions(
      { ...teamOf(space), prefix: search.prefix, limit: PAGE },
      { getNextPageParam: ({ next_cursor }) => next_cursor, placeholderData: keepPreviousData },
    ),
  );
  if (list.isPending) return <Waiting what="the end users" />;
  if (list.isError)
    return <Failed what="The end users" error={list.error} retry={() => void list.refetch()} />;
  const users = list.data.pages.flatMap((page) => page.users);
  if (users.length === 0 && search.prefix === undefined) return <None />;
  const close = () => {
    const row = document.querySelector<HTMLElement>(".beside-list .line[data-open]");
    set({ user: undefined });
    setTimeout(() => row?.focus());
  };
  return (
    <>
      <Find prefix={search.prefix} find={(prefix) => set({ prefix })} />
      <p className="soft" role="status" style={{ margin: "0 0 8px" }}>
        {list.hasNextPage
          ? `The first ${number.format(users.length)}, in the order of their ids`
          : `${number.format(users.length)} ${users.length === 1 ? "end user" : "end users"}, in the order of their ids`}
      </p>
      <div className="beside" data-open={search.user !== undefined || undefined}>
        <div className="beside-list">
          {users.length === 0 ? (
            <Empty
              title="Nothing matches"
              action={
                <Button variant="default" onClick={() => set({ prefix: undefined })}>
                  Show all
                </Button>
              }
            >
              {`No id begins with “${search.prefix}”. Large and small letters differ.`}
            </Empty>
          ) : (
            <Table
              label="End users, in the order of their ids"
              columns={columns}
              items={users}
              keyOf={({ user_id }) => user_id}
              open={({ user_id }) => set({ user: user_id })}
              isOpen={({ user_id }) => user_id === search.user}
              {...(list.hasNextPage ? {} : { total: users.length })}
              more={
                list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined
              }
            />
          )}
        </div>
        {search.user !== undefined && (
          <EndUserPanel key={search.user} userId={search.user} space={space} close={close} />
        )}
      </div>
    </>
  );
}

interface FindProps {
  readonly prefix: string | undefined;
  readonly find: (prefix: string | undefined) => void;
}

function Find({ prefix, find }: FindProps) {
  const [typed, setTyped] = useState(prefix ?? "");
  useEffect(() => setTyped(prefix ?? ""), [prefix]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    find(typed.trim() || undefined);
  };
  return (
    <search>
      <form onSubmit={submit} style={{ marginBottom: 12 }}>
        <TextInput
          type="search"
          aria-label="Beginning of an id"
          placeholder="Find by the beginning of an id, such as cust_81"
          leftSection={<Icon name="search" size={16} />}
          data-search-field
          maxLength={128}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

function None() {
  return (
    <Empty title="No end users yet">
      An application makes them. With a key that may act for end users, it names one in each request, as the
      member <code>user_id</code> or the header <code>X-User-Id</code>; the first write under a name makes the
      end user. Create such a key above, or with <code>recollect keys create --end-users</code>.
    </Empty>
  );
}

type EndUser = Outputs["listEndUsers"]["users"][number];

const columns: readonly Column<EndUser>[] = [
  {
    label: "End user",
    width: "minmax(0, 1fr)",
    narrowWidth: "minmax(0, 1fr)",
    cell: ({ user_id }) => (
      <Link
        className="mono"
        from={FROM}
        to="."
        search={(before: EndUsersSearch) => ({ ...before, user: user_id })}
      >
        {user_id}
      </Link>
    ),
  },
  {
    label: "Memories",
    width: "80px",
    narrowWidth: "72px",
    isRight: true,
    cell: ({ memories }) => number.format(memories),
  },
  {
    label: "Last active",
    width: "minmax(88px, 1fr)",
    narrowWidth: "80px",
    cell: ({ last_active }) => <Time at={last_active} />,
  },
  {
    label: "First seen",
    width: "minmax(88px, 1fr)",
    isWide: true,
    cell: ({ first_seen }) => <Time at={first_seen} />,
  },
];
