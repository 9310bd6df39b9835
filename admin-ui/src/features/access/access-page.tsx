/** Who has access, and to what? People, agents, apps and keys in one table; each leads to a page of its own. */
import { Checkbox, TextInput } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Spark } from "../../parts/spark.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { Who } from "../../parts/who.tsx";
import type { AccessSearch } from "../../routes/$space/access/index.tsx";
import { mayManage, type Space, useSpace } from "../../shell/space.ts";
import { useRowActs } from "./acts.tsx";
import { CreateKey } from "./create-key.tsx";
import { type Entry, useEntries } from "./entries.ts";
import { type EntryKind, KINDS_OF_ENTRY } from "./kinds.ts";
import { LetIn } from "./let-in.tsx";
import { Invited, InvitePerson } from "./members.tsx";
import { Invitations, Teams } from "./teams.tsx";
import "../../parts/brief.css";
import "./access.css";

const route = getRouteApi("/$space/access/");
const WORDS: Readonly<Record<EntryKind, string>> = {
  person: "People",
  agent: "Agents",
  app: "Apps",
  key: "Keys",
};

export function AccessPage() {
  const space = useSpace();
  const found = useEntries(space);
  const { teamId } = space;
  const isKeeper = teamId !== null && mayManage(space);
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>People and agents</h1>
          <p>Who has access, and to what</p>
        </div>
        {isKeeper && <InvitePerson teamId={teamId} role={space.role} />}
        <CreateKey space={space} />
        <LetIn />
      </div>
      {teamId === null && <Invitations />}
      {found.isPending && !found.error && <Waiting what="the people and agents" />}
      {found.error && <Failed what="People and agents" error={found.error} retry={found.refetch} />}
      <Awaited entries={found.entries} space={space} />
      {!found.isPending && <Listed entries={found.entries} space={space} />}
      {teamId !== null && !isKeeper && (
        <p className="soft">{`You are ${space.role}: only admins and owners manage the team's own keys.`}</p>
      )}
      {isKeeper && found.invitations.length > 0 && (
        <section className="panel" aria-labelledby="invited">
          <h2 className="panel-title" id="invited">
            Invited
          </h2>
          <ul className="plain rows">
            {found.invitations.map(({ user_name, role, expires_at }) => (
              <Invited key={user_name} teamId={teamId} name={user_name} role={role} expiresAt={expires_at} />
            ))}
          </ul>
        </section>
      )}
      {teamId === null && <Teams />}
    </>
  );
}

/** Why no request is listed: whoever could list codes could let strangers' agents in. */
const NOT_LISTED =
  "An agent that asks for access appears here once you enter its code under Add agent; until then only who has the code can see it.";

/** Agents that were approved and have not used their confirmation token. */
function Awaited({ entries, space }: { readonly entries: readonly Entry[]; readonly space: Space }) {
  const awaited = entries.filter(
    (entry) => entry.kind === "agent" && entry.agent.status === "awaiting_confirmation",
  );
  return awaited.map(({ kind, id, name }) => (
    <div key={id} className="note" data-tone="warn" role="status">
      <Icon name="clock" />
      <p className="grow">
        <bdi>{name}</bdi> was approved and has no access yet: give it the confirmation token. If the token was
        lost, revoke the agent and let it register again.
      </p>
      <Link to="/$space/access/$kind/$id" params={{ space: space.key, kind, id }}>
        Review
      </Link>
    </div>
  ));
}

function Listed({ entries, space }: { readonly entries: readonly Entry[]; readonly space: Space }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Partial<AccessSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const ended = entries.filter(({ isEnded }) => isEnded).length;
  const here = entries.filter(({ isEnded }) => search.ended !== undefined || !isEnded);
  const acts = useRowActs(space);
  const query = search.q?.trim().toLowerCase() ?? "";
  const isWithoutAgents = search.kind === "agent" && query === "";
  const shown = here
    .filter(({ kind }) => search.kind === undefined || kind === search.kind)
    .filter((one) => `${one.name} ${one.access} ${hintsOf(one)}`.toLowerCase().includes(query));
  return (
    <>
      <div className="sift">
        <fieldset className="segments" aria-label="Kind">
          {[undefined, ...KINDS_OF_ENTRY].map((kind) => {
            const count = here.filter((one) => kind === undefined || one.kind === kind).length;
            return (
              <button
                key={kind ?? "all"}
                type="button"
                aria-pressed={search.kind === kind}
                onClick={() => set({ kind })}
              >
                {`${kind === undefined ? "All" : WORDS[kind]} ${count}`}
              </button>
            );
          })}
        </fieldset>
        <TextInput
          type="search"
          aria-label="Search people and agents"
          placeholder="Name, access or token"
          leftSection={<Icon name="search" size={16} />}
          data-search-field
          value={search.q ?? ""}
          onChange={(event) => set({ q: withoutSecret(event.currentTarget.value) || undefined })}
        />
        <span className="grow" />
        {ended > 0 && (
          <Checkbox
            label={`Show ended (${ended})`}
            checked={search.ended !== undefined}
            onChange={(event) => set({ ended: event.currentTarget.checked ? "shown" : undefined })}
          />
        )}
      </div>
      {shown.length === 0 && (
        <Empty title={isWithoutAgents ? "No agents yet" : "Nothing matches"}>
          {isWithoutAgents ? NOT_LISTED : "Choose another kind, or other words."}
        </Empty>
      )}
      {shown.length > 0 && (
        <div className="access-table">
          <Table
            label="People and agents"
            columns={columnsFor(space, search, set, acts.menu)}
            items={sorted(shown, search)}
            keyOf={({ kind, id }) => `${kind} ${id}`}
            total={shown.length}
            open={({ kind, id }) => {
              void navigate({ to: "/$space/access/$kind/$id", params: { space: space.key, kind, id } });
            }}
          />
        </div>
      )}
      {shown.length > 0 && search.kind !== "person" && <p className="soft">{NOT_LISTED}</p>}
      {acts.dialog}
    </>
  );
}

/** How its tokens begin, which finds a leaked one. */
const hintsOf = (entry: Entry) =>
  entry.kind === "person"
    ? ""
    : (entry.kind === "agent" ? entry.credentials : [entry.credential]).map(({ hint }) => hint).join(" ");

const HINT_CHARACTERS = 12;

/** Keeps a pasted token out of the address, but for its beginning. */
const withoutSecret = (typed: string) =>
  typed.trim().startsWith("rcl_") ? typed.trim().slice(0, HINT_CHARACTERS) : typed;

type By = NonNullable<AccessSearch["by"]>;

/** Value by which entries are sorted; what has none comes last. */
const VALUES: Readonly<Record<By, (entry: Entry) => number | null>> = {
  used: ({ lastUsedAt }) => (lastUsedAt === null ? null : -Date.parse(lastUsedAt)),
  recalls: ({ week }) => (week === null ? null : -week.total),
  expires: ({ expiresAt }) => (expiresAt === null ? null : Date.parse(expiresAt)),
};

/** By kind and name, unless something else is asked for. */
function sorted(entries: readonly Entry[], { by, turned }: AccessSearch): Entry[] {
  const places = KINDS_OF_ENTRY as readonly EntryKind[];
  const named = entries.toSorted(
    (a, b) => places.indexOf(a.kind) - places.indexOf(b.kind) || a.name.localeCompare(b.name),
  );
  if (by === undefined) return turned === undefined ? named : named.toReversed();
  const sign = turned === undefined ? 1 : -1;
  return named.toSorted((a, b) => {
    const [one, other] = [VALUES[by](a), VALUES[by](b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
}

const SOON_MS = 7 * 86_400_000;

function columnsFor(
  space: Space,
  search: AccessSearch,
  set: (change: Partial<AccessSearch>) => void,
  menu: (entry: Entry) => ReactNode,
): readonly Column<Entry>[] {
  const sort = (by: By | undefined) => {
    const isNow = search.by === by;
    return {
      now: !isNow ? null : search.turned === undefined ? ("ascending" as const) : ("descending" as const),
      press: () => set({ by, turned: isNow && search.turned === undefined ? "yes" : undefined }),
    };
  };
  return [
    {
      label: "Name",
      width: "minmax(0, 1fr)",
      narrowWidth: "minmax(0, 1fr)",
      sort: sort(undefined),
      cell: ({ kind, id, name, access, standing }) => (
        <>
          <Link to="/$space/access/$kind/$id" params={{ space: space.key, kind, id }}>
            <Who kind={kind} name={name} />
          </Link>
          {standing && <Status {...standing} />}
          <span className="soft only-narrow">{access}</span>
        </>
      ),
    },
    { label: "Kind", width: "112px", isWide: true, cell: ({ kindWords }) => kindWords },
    {
      label: "Access",
      width: "minmax(0, 1.7fr)",
      isWide: true,
      cell: ({ access }) => <bdi title={access}>{access}</bdi>,
    },
    {
      label: "Last used",
      width: "96px",
      narrowWidth: "80px",
      sort: sort("used"),
      cell: ({ lastUsedAt, kind }) =>
        lastUsedAt ? (
          <Time at={lastUsedAt} />
        ) : (
          <span className="soft">{kind === "person" ? "–" : "never"}</span>
        ),
    },
    {
      label: "7 days",
      width: "80px",
      isWide: true,
      sort: sort("recalls"),
      cell: ({ week, name }) =>
        week === null ? (
          <span className="soft">–</span>
        ) : (
          <Spark values={week.recalls} label={`${week.total} recalls by ${name} in 7 days`} />
        ),
    },
    {
      label: "Expires",
      width: "96px",
      isWide: true,
      sort: sort("expires"),
      cell: ({ expiresAt, isEnded }) =>
        expiresAt === null || isEnded ? (
          <span className="soft">–</span>
        ) : (
          <span
            data-tone={Date.parse(expiresAt) - Date.now() < SOON_MS ? "warn" : undefined}
            className="status"
          >
            <Time at={expiresAt} />
          </span>
        ),
    },
    { label: "Actions", isLabelHidden: true, width: "40px", isRight: true, cell: menu },
  ];
}
