/** One person, agent, app or key: what it may do, and what it does. */
import { Button, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ScopeWords } from "../../parts/scopes.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Day, Time } from "../../parts/time.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { Face } from "../../parts/who.tsx";
import { mayManage, type Role, type Space, useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { Acts } from "./acts.tsx";
import { Audited, Recalls, Week, Wrote } from "./did.tsx";
import { type Entry, useEntries } from "./entries.ts";
import { rolesFor } from "./members.tsx";
import { RevokeCredential } from "./revoke.tsx";
import "../../parts/brief.css";
import "./access.css";

const route = getRouteApi("/$space/access/$kind/$id");

export function DetailPage() {
  const space = useSpace();
  const { kind, id } = route.useParams();
  const found = useEntries(space);
  const entry = found.entries.find((one) => one.kind === kind && one.id === id);
  return (
    <>
      <div className="heading">
        {entry && <Face name={entry.name} kind={entry.kind} />}
        <div className="grow access-name">
          <p>
            <Link to="/$space/access" params={{ space: space.key }}>
              People and agents
            </Link>
          </p>
          <h1>
            <bdi>{entry?.name ?? "People and agents"}</bdi>
          </h1>
          {entry?.standing && <Status {...entry.standing} />}
        </div>
        {entry && <Acts entry={entry} space={space} />}
      </div>
      {found.isPending && !found.error && <Waiting what="the page" />}
      {found.error && <Failed what="This page" error={found.error} retry={found.refetch} />}
      {!found.isPending && !found.error && entry === undefined && (
        <Empty title="It is not here">It is gone, or you may not see it.</Empty>
      )}
      {entry && (
        <div className="access-detail">
          <div>
            <Access entry={entry} />
            <Week week={entry.week} />
            {entry.kind !== "person" && <Recalls entry={entry} space={space} />}
            {(entry.kind === "person" || entry.kind === "agent") && <Audited entry={entry} space={space} />}
          </div>
          <div>
            <Facts entry={entry} />
            {entry.kind === "agent" && <Wrote agentId={entry.id} space={space} />}
            {entry.kind === "person" && entry.isSelf && <Keys entries={found.entries} space={space} />}
          </div>
        </div>
      )}
    </>
  );
}

function Access({ entry }: { readonly entry: Entry }) {
  const scopes =
    entry.kind === "person" ? null : entry.kind === "agent" ? entry.agent.scopes : entry.credential.scopes;
  return (
    <section className="panel" aria-labelledby="access">
      <h2 className="panel-title" id="access">
        Access
      </h2>
      <p className="access-say">
        <bdi>{entry.access}</bdi>
        {entry.expiresAt !== null && !entry.isEnded && (
          <>
            , until <Day at={entry.expiresAt} />
          </>
        )}
        .
      </p>
      {scopes && <ScopeWords granted={scopes} />}
      {entry.kind === "person" && entry.isTeams && <RoleChoice entry={entry} />}
    </section>
  );
}

function RoleChoice({ entry: { member } }: { readonly entry: Extract<Entry, { kind: "person" }> }) {
  const space = useSpace();
  const queries = useQueryClient();
  const setRole = useMutation(
    trpc.setMemberRole.mutationOptions({
      onSuccess: () => done("The role was changed. It takes effect with the next request."),
      onError: (error) => notDone("The role was not changed", error),
      onSettled: () => queries.invalidateQueries(),
    }),
  );
  const { teamId, role: mine } = space;
  if (teamId === null || !mayManage(space) || (mine !== "owner" && member.role === "owner")) return null;
  return (
    <Select
      w={320}
      maw="100%"
      label="Role"
      data={rolesFor(mine)}
      value={member.role}
      allowDeselect={false}
      disabled={setRole.isPending}
      onChange={(role) =>
        role && setRole.mutate({ team_id: teamId, user_id: member.user_id, role: role as Role })
      }
    />
  );
}

function Facts({ entry }: { readonly entry: Entry }) {
  return (
    <section className="panel" aria-labelledby="facts">
      <h2 className="panel-title" id="facts">
        {entry.kind === "person" ? "Person" : "Credential"}
      </h2>
      <dl className="facts">
        {factsOf(entry).map(([name, value]) => (
          <div className="fact" key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const never = "never";
const at = (instant: string | null, none: string) => (instant ? <Time at={instant} /> : none);
const mono = (text: string) => <span className="mono">{text}</span>;

/** Rows without a value are left out. */
function factsOf(entry: Entry): (readonly [string, ReactNode])[] {
  if (entry.kind === "person") {
    const { since } = entry.member;
    return [
      ["Role", entry.kindWords],
      ...(since ? [["Member since", at(since, never)] as const] : []),
      ...(entry.lastUsedAt ? [["Last seen", at(entry.lastUsedAt, never)] as const] : []),
    ];
  }
  if (entry.kind === "agent") {
    const { agent, credentials } = entry;
    const live = credentials.filter(({ state }) => state === "valid");
    return [
      ["Identity", agent.trust_level === 2 ? "Verified, own token" : "Unverified"],
      ...live.map(({ hint }) => ["Token", mono(`${hint}…`)] as const),
      ["Approved", at(agent.approved_at, "not now")],
      ["Last seen", at(agent.last_used_at, never)],
      ["Id", mono(agent.agent_id)],
    ];
  }
  const { hint, created_at, expires_at, last_used_at, agent_id, revoked_at } = entry.credential;
  return [
    ["Kind", entry.kindWords],
    ["Token", mono(`${hint}…`)],
    ["Created", at(created_at, never)],
    ["Last used", at(last_used_at, never)],
    ["Expires", at(expires_at, "when it is revoked")],
    ...(revoked_at ? [["Revoked", at(revoked_at, never)] as const] : []),
    ...(agent_id ? [["Agent", mono(agent_id)] as const] : []),
  ];
}

/** Where the person is signed in, and what else acts for them here. */
function Keys({ entries, space }: { readonly entries: readonly Entry[]; readonly space: Space }) {
  const [isEnding, setEnding] = useState(false);
  const credentials = useQuery(trpc.listCredentials.queryOptions({}));
  const session = credentials.data?.credentials.find(
    ({ kind, state }) => kind === "session" && state === "valid",
  );
  const own = entries.filter((one) => one.kind !== "person" && !one.isTeams && !one.isEnded);
  return (
    <section className="panel" aria-labelledby="keys">
      <h2 className="panel-title panel-top" id="keys">
        Sessions and keys
        <Link to="/$space/account" params={{ space: space.key }}>
          Where you are signed in
        </Link>
      </h2>
      <ul className="plain rows">
        {own.map(({ kind, id, name, kindWords }) => (
          <li key={`${kind} ${id}`}>
            <Link className="grow" to="/$space/access/$kind/$id" params={{ space: space.key, kind, id }}>
              <bdi>{name}</bdi>
            </Link>
            <span className="soft">{kindWords}</span>
          </li>
        ))}
      </ul>
      {session && (
        <Button mt={12} size="xs" variant="outline" color="bad" onClick={() => setEnding(true)}>
          Sign out everywhere…
        </Button>
      )}
      {isEnding && session && <RevokeCredential one={session} close={() => setEnding(false)} />}
    </section>
  );
}
