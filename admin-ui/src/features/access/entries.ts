/** Everybody and everything that has access to a workspace, alike: people, agents, apps and keys. */
import { useQuery } from "@tanstack/react-query";
import { scopes as SCOPES } from "../../../../src/contract/scope.ts";
import { type Activity, activityOf } from "../../parts/recall-activity.ts";
import type { Tone } from "../../parts/status.tsx";
import { mayManage, type Role, type SignedIn, type Space, useSession } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { type Credential, KINDS, nameOf } from "./credential-name.ts";

export type Agent = Outputs["listAgents"]["agents"][number];
export type Member = Outputs["listMembers"]["members"][number];

interface Standing {
  readonly tone: Tone;
  readonly icon: "good" | "clock" | "bad";
  readonly word: string;
}

interface Common {
  readonly id: string;
  readonly name: string;
  /** Its kind for people: "Agent", "Key · team". */
  readonly kindWords: string;
  /** A sentence: "Reads and writes the team Gateway crew, only in apollo". */
  readonly access: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  /** null: as it should be. */
  readonly standing: Standing | null;
  readonly isEnded: boolean;
  /** Its recalls of the last seven days; null if the log does not tell. */
  readonly week: Activity | null;
  /** True if its recalls and audit lines are the team's rather than the person's own. */
  readonly isTeams: boolean;
}

export type Entry = Common &
  (
    | { readonly kind: "person"; readonly member: Member; readonly isSelf: boolean }
    | { readonly kind: "agent"; readonly agent: Agent; readonly credentials: readonly Credential[] }
    | { readonly kind: "app" | "key"; readonly credential: Credential }
  );

export const DAY = 86_400_000;
const HOUR = 3_600_000;
export const DAYS = 7;

/** The range of the last seven days; a whole hour, so that requests stay the same within it. */
export function lastWeek(): { readonly after: string; readonly before: string } {
  const end = Math.ceil(Date.now() / HOUR) * HOUR;
  return { after: new Date(end - DAYS * DAY).toISOString(), before: new Date(end).toISOString() };
}

/** While somebody has to hand over a token. */
const POLLED_EVERY_MS = 5000;
const isWaiting = ({ status }: Agent) => status === "pending" || status === "awaiting_confirmation";

export function useEntries(space: Space) {
  const session = useSession();
  const { teamId } = space;
  const isTeams = teamId !== null;
  const isKeeper = isTeams && mayManage(space);
  const ofTeam = { team_id: teamId ?? "" };
  const week = { ...lastWeek(), steps: DAYS };
  const members = useQuery(trpc.listMembers.queryOptions(ofTeam, { enabled: isTeams }));
  const agents = useQuery(
    trpc.listAgents.queryOptions(
      {},
      { refetchInterval: ({ state }) => (state.data?.agents.some(isWaiting) ? POLLED_EVERY_MS : false) },
    ),
  );
  const own = useQuery(trpc.listCredentials.queryOptions({}));
  const teams = useQuery(trpc.listCredentials.queryOptions(ofTeam, { enabled: isKeeper }));
  const ownWeek = useQuery(trpc.recallActivity.queryOptions(week));
  const teamsWeek = useQuery(trpc.recallActivity.queryOptions({ ...week, ...ofTeam }, { enabled: isKeeper }));
  const needed = [agents, own, ...(isTeams ? [members] : []), ...(isKeeper ? [teams] : [])];
  const failed = [...needed, ownWeek, ...(isKeeper ? [teamsWeek] : [])].find(({ isError }) => isError);
  return {
    isPending: needed.some(({ isPending }) => isPending),
    error: failed?.error ?? null,
    refetch: () => void failed?.refetch(),
    invitations: members.data?.invitations ?? [],
    entries: [
      ...peopleOf(session, space, members.data?.members, own.data?.credentials ?? []),
      ...(agents.data?.agents ?? [])
        .filter((agent) => !isTeams || agent.team_id === null || agent.team_id === teamId)
        .map((agent) =>
          ofAgent(agent, reachOf(agent.team_id, session, space), own.data?.credentials ?? [], ownWeek.data),
        ),
      ...(teams.data?.credentials ?? []).map((one) => ofCredential(one, null, teamsWeek.data, true)),
      ...(own.data?.credentials ?? [])
        .filter((one) => !isTeams || one.team_id === teamId)
        .filter(({ kind }) => !["session", "agent_formal", "agent_temporary"].includes(kind))
        .map((one) => ofCredential(one, reachOf(one.team_id, session, space), ownWeek.data, false)),
    ],
  };
}

const ROLES: Readonly<Record<Role, string>> = {
  owner: "Everything",
  admin: "Everything but ownership",
  member: "Reads and writes everything",
  viewer: "Reads everything",
};

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function peopleOf(
  { user }: SignedIn,
  { teamId }: Space,
  members: readonly Member[] | undefined,
  credentials: readonly Credential[],
): Entry[] {
  const seen = credentials.find(({ kind }) => kind === "session")?.last_used_at ?? null;
  const self = { user_id: user.id, name: user.name, role: "owner", since: "" } as const;
  return (teamId === null ? [self] : (members ?? [])).map((member) => {
    const isSelf = member.user_id === user.id;
    return {
      kind: "person",
      id: member.user_id,
      name: member.name,
      kindWords: teamId === null ? "You" : `${capital(member.role)}${isSelf ? " (you)" : ""}`,
      access: teamId === null ? "Everything of yours, and your teams' by role" : ROLES[member.role],
      lastUsedAt: isSelf ? seen : null,
      expiresAt: null,
      standing: null,
      isEnded: false,
      week: null,
      isTeams: teamId !== null,
      member,
      isSelf,
    };
  });
}

const STANDING: Readonly<Record<Agent["status"], Standing | null>> = {
  pending: { tone: "warn", icon: "clock", word: "Waiting for approval" },
  awaiting_confirmation: { tone: "warn", icon: "clock", word: "Waiting for its confirmation token" },
  bound: null,
  denied: { tone: "soft", icon: "bad", word: "Denied" },
  expired: { tone: "soft", icon: "clock", word: "Expired" },
  revoked: { tone: "soft", icon: "bad", word: "Revoked" },
};

/** Null for an agent that was seen in the last seven days. */
function silence({ last_used_at, approved_at }: Agent): Standing | null {
  const since = last_used_at ?? approved_at;
  const days = since === null ? 0 : Math.floor((Date.now() - Date.parse(since)) / DAY);
  return days < DAYS ? null : { tone: "warn", icon: "clock", word: `Silent for ${days} days` };
}

function ofAgent(
  agent: Agent,
  reach: string | null,
  credentials: readonly Credential[],
  week: Outputs["recallActivity"] | undefined,
): Entry {
  const own = credentials.filter(({ agent_id, kind }) => agent_id === agent.agent_id && kind !== "skill");
  const live = own.filter(({ state }) => state === "valid");
  return {
    kind: "agent",
    id: agent.agent_id,
    name: agent.client_name,
    kindWords: "Agent",
    access: accessOf(agent.scopes, reach, { ...agent, path_prefix: null, buckets: null }),
    lastUsedAt: agent.last_used_at,
    expiresAt: live.map(({ expires_at }) => expires_at).sort()[0] ?? null,
    standing: STANDING[agent.status] ?? (agent.status === "bound" ? silence(agent) : null),
    isEnded: ["denied", "expired", "revoked"].includes(agent.status),
    week: week
      ? activityOf(
          week.callers.filter(({ agent_id }) => agent_id === agent.agent_id),
          DAYS,
        )
      : null,
    isTeams: false,
    agent,
    credentials: own,
  };
}

function ofCredential(
  credential: Credential,
  reach: string | null,
  week: Outputs["recallActivity"] | undefined,
  isTeams: boolean,
): Entry {
  const { id, kind, state, scopes, expires_at, last_used_at } = credential;
  const word = state === "expired" ? "Expired" : "Revoked";
  return {
    kind: kind === "oauth" ? "app" : "key",
    id,
    name: nameOf(credential),
    kindWords: isTeams ? `${KINDS[kind]} · team` : KINDS[kind],
    access: accessOf(scopes, reach, credential),
    lastUsedAt: last_used_at,
    expiresAt: expires_at,
    standing: state === "valid" ? null : { tone: "soft", icon: state === "expired" ? "clock" : "bad", word },
    isEnded: state !== "valid",
    week: week
      ? activityOf(
          week.callers.filter(({ credential: { id: of } }) => of === id),
          DAYS,
        )
      : null,
    isTeams,
    credential,
  };
}

type Confines = Pick<Credential, "projects" | "path_prefix" | "buckets">;

/** Whose memories it reaches; null if those of the workspace alone. */
function reachOf(team_id: string | null, { teams }: SignedIn, space: Space): string | null {
  if (team_id === null) return "your and your teams' memories";
  if (team_id === space.teamId) return null;
  const name = teams.find((one) => one.team_id === team_id)?.name;
  return name === undefined ? "a team that you have left" : `the team ${name}`;
}

/** What it may do and where, as a sentence. */
function accessOf(
  scopes: Credential["scopes"],
  reach: string | null,
  { projects, path_prefix, buckets }: Confines,
): string {
  const has = (...some: Credential["scopes"]) => some.some((scope) => scopes.includes(scope));
  const reads = has("memory:read");
  const writes = has("memory:write", "memory:update");
  const verb = reads && writes ? "Reads and writes" : reads ? "Reads" : "Writes";
  const confines = [
    projects && `only in ${projects.join(", ")}`,
    path_prefix && `only below ${path_prefix}`,
    buckets && `only in the buckets ${buckets.join(", ")}`,
  ].filter(Boolean);
  if (!reads && !writes) return [...scopes.map((scope) => SCOPES[scope]), ...confines].join(", ");
  const within = reach === null ? confines : [reach, ...confines];
  return `${verb} ${within.join(", ") || "everything"}`;
}
