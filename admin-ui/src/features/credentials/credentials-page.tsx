import { Button, Checkbox, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { Confirmed } from "../../parts/confirmed.tsx";
import { ScopeWords } from "../../parts/scopes.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { mayManage, type Space, useSession, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { CreateKey } from "./create-key.tsx";
import { type Credential, KINDS, nameOf } from "./credential-name.ts";
import { Rotate } from "./rotate.tsx";

const route = getRouteApi("/$space/credentials");

/** What acts for me, and for the team? */
export function CredentialsPage() {
  const space = useSpace();
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Credentials</h1>
          <p>
            {space.teamId === null
              ? "Everything that acts for you: keys, agents, skills, apps and your sign-in"
              : `What can access the team ${space.name}`}
          </p>
        </div>
        <CreateKey space={space} />
      </div>
      <Filters />
      {space.teamId !== null && <TeamsOwn space={space} teamId={space.teamId} />}
      <Own space={space} />
    </>
  );
}

const FILTERS = [
  { value: "", label: "Every kind" },
  { value: "api_key", label: "Keys" },
  { value: "agent_formal", label: "Agents' tokens" },
  { value: "skill", label: "Skills' tokens" },
  { value: "oauth", label: "Apps, by OAuth" },
  { value: "session", label: "Your sign-in" },
];

function Filters() {
  const { kind, ended } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div className="sift">
      <Select
        aria-label="Kind"
        data={FILTERS}
        value={kind ?? ""}
        allowDeselect={false}
        onChange={(chosen) =>
          void navigate({
            search: (now) => ({ ...now, kind: (chosen || undefined) as typeof kind }),
            replace: true,
          })
        }
      />
      <Checkbox
        label="Show ended ones"
        checked={ended !== undefined}
        onChange={({ currentTarget: { checked } }) =>
          void navigate({
            search: (now) => ({ ...now, ended: checked ? "shown" : undefined }),
            replace: true,
          })
        }
      />
    </div>
  );
}

function TeamsOwn({ space, teamId }: { readonly space: Space; readonly teamId: string }) {
  const isKeeper = mayManage(space);
  const listed = useQuery(trpc.listCredentials.queryOptions({ team_id: teamId }, { enabled: isKeeper }));
  return (
    <section className="panel" aria-labelledby="teams-own">
      <h2 className="panel-title" id="teams-own">
        The team's own keys
      </h2>
      {isKeeper ? (
        <List
          listed={listed}
          empty="They can access everything of the team, even after whoever made them has left."
        />
      ) : (
        <p className="soft">{`You are ${space.role}: only admins and owners manage the team's own keys.`}</p>
      )}
    </section>
  );
}

function Own({ space }: { readonly space: Space }) {
  const listed = useQuery(trpc.listCredentials.queryOptions({}));
  const ofSpace = space.teamId === null ? () => true : ({ team_id }: Credential) => team_id === space.teamId;
  return (
    <section className="panel" aria-labelledby="own">
      <h2 className="panel-title" id="own">
        {space.teamId === null ? "Yours" : "Yours, for this team only"}
      </h2>
      <List
        listed={listed}
        keep={ofSpace}
        empty={
          space.teamId === null
            ? "Create a key for a program of your own, or let an agent in."
            : "Your credentials that are not confined can access this team too. They are listed in your own workspace."
        }
      />
    </section>
  );
}

interface Query {
  readonly data: Outputs["listCredentials"] | undefined;
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

function List(props: {
  readonly listed: Query;
  readonly keep?: (one: Credential) => boolean;
  readonly empty: string;
}) {
  const { listed, keep = () => true, empty } = props;
  const { kind, ended } = route.useSearch();
  const [acting, setActing] = useState<{ on: Credential; how: "revoke" | "rotate" } | null>(null);
  const close = () => setActing(null);
  if (listed.isPending) return <Waiting what="the credentials" />;
  if (!listed.data)
    return <Failed what="The credentials" error={listed.error} retry={() => void listed.refetch()} />;
  const all = listed.data.credentials.filter(keep);
  const shown = all.filter((one) => (!kind || one.kind === kind) && (ended || one.state === "valid"));
  return (
    <>
      {shown.length === 0 && (
        <Empty title={all.length === 0 ? "None yet" : "Nothing matches"}>
          {all.length === 0 ? empty : "There are others: choose another kind, or show ended ones."}
        </Empty>
      )}
      <ul className="plain rows">
        {shown.map((one) => (
          <Row key={one.id} one={one} act={(how) => setActing({ on: one, how })} />
        ))}
      </ul>
      {acting?.how === "revoke" && <Revoke one={acting.on} close={close} />}
      {acting?.how === "rotate" && <Rotate one={acting.on} close={close} />}
    </>
  );
}

/** Agents renew theirs themselves, OAuth its own; who signs in again has a new session. */
const mayRotate = ({ kind, state }: Credential) =>
  state === "valid" && (kind === "api_key" || kind === "skill");

const VERBS = { session: "Sign out everywhere", oauth: "Disconnect" } as Partial<
  Record<Credential["kind"], string>
>;
const verbOf = ({ kind }: Credential) => VERBS[kind] ?? "Revoke";

function Row({ one, act }: { readonly one: Credential; readonly act: (how: "revoke" | "rotate") => void }) {
  const { kind, hint, scopes, agent_id, created_at, expires_at, last_used_at, state } = one;
  return (
    <li className="access">
      <div className="grow">
        <div className="access-name">
          <strong>
            <bdi>{nameOf(one)}</bdi>
          </strong>
          <span className="soft">{KINDS[kind]}</span>
          {state !== "valid" && (
            <Status
              tone="soft"
              icon={state === "expired" ? "clock" : "bad"}
              word={state === "expired" ? "Expired" : "Revoked"}
            />
          )}
        </div>
        {kind === "session" ? (
          <p className="soft">Everything you may do, in the browsers where you are signed in</p>
        ) : (
          <ScopeWords granted={scopes} />
        )}
        <dl className="facts">
          <Confines one={one} />
          <dt>Created</dt>
          <dd>
            <Time at={created_at} />
          </dd>
          <dt>Last used</dt>
          <dd>{last_used_at ? <Time at={last_used_at} /> : "never"}</dd>
          {kind !== "session" && (
            <>
              <dt>Ends</dt>
              <dd>{expires_at ? <Time at={expires_at} whole /> : "when it is revoked"}</dd>
              <dt>Begins with</dt>
              <dd className="mono">{hint}…</dd>
            </>
          )}
          {agent_id !== null && (
            <>
              <dt>Agent</dt>
              <dd className="mono">{agent_id}</dd>
            </>
          )}
        </dl>
      </div>
      {state === "valid" && (
        <div className="row-acts">
          {mayRotate(one) && (
            <Button size="xs" variant="default" onClick={() => act("rotate")}>
              Replace
              <span className="unseen"> {nameOf(one)}</span>
            </Button>
          )}
          <Button size="xs" variant="outline" color="bad" onClick={() => act("revoke")}>
            {verbOf(one)}
            <span className="unseen"> {nameOf(one)}</span>
          </Button>
        </div>
      )}
    </li>
  );
}

/** The part of its owner's memories that it is confined to; nothing where it is confined to nothing. */
function Confines({ one: { team_id, projects, path_prefix, buckets } }: { readonly one: Credential }) {
  const { teams } = useSession();
  const confines = [
    ["Team", team_id && (teams.find((team) => team.team_id === team_id)?.name ?? "one that you have left")],
    ["Projects", projects?.join(", ")],
    ["Path", path_prefix],
    ["Buckets", buckets?.join(", ")],
  ] as const;
  return confines.map(
    ([name, value]) =>
      value && (
        <div className="fact" key={name}>
          <dt>{`Only ${name.toLowerCase()}`}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ),
  );
}

const ENDS: Partial<Record<Credential["kind"], string>> = {
  session: "You are signed out in every browser, this one included. You can sign in again.",
  oauth: "The app's tokens stop working within a second. It would have to ask you again.",
  agent_formal:
    "The agent, all its tokens and those of its skills stop working within a second. It would have to register and be let in again.",
};

function Revoke({ one, close }: { readonly one: Credential; readonly close: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation(
    trpc.revokeCredential.mutationOptions({
      async onSuccess() {
        if (one.kind === "session") return window.location.assign("/sign-in");
        await queries.invalidateQueries();
        close();
        done(`${nameOf(one).slice(0, 60)} is refused from now on.`);
      },
    }),
  );
  const verb = verbOf(one);
  return (
    <Confirmed
      title={`${verb}${one.kind === "session" ? "" : ` ${nameOf(one).slice(0, 60)}`}?`}
      verb={verb === "Revoke" ? "Revoke 1 credential" : verb === "Disconnect" ? "Disconnect 1 app" : verb}
      failed="Not revoked"
      isPending={revoke.isPending}
      error={revoke.error}
      confirm={() => revoke.mutate({ credential_id: one.id })}
      close={close}
    >
      <p>
        {ENDS[one.kind] ??
          "Whatever uses it is refused within a second. This cannot be undone, but you can create another. What was written with it stays."}
      </p>
    </Confirmed>
  );
}
