/** What is asked on each side of the lab: the address as it is typed, and as the service is asked. */
import type { LabSearch } from "../../routes/$space/lab.tsx";
import type { Space } from "../../shell/space.ts";
import type { Outputs } from "../../shell/trpc.ts";

export type Recalled = Outputs["labRecall"];
export type Hit = Recalled["hits"][number];
export type Credential = Outputs["labCredentials"]["credentials"][number];

/** One side's settings, as text. */
export interface Side {
  readonly q: string;
  readonly as: string;
  /** The end user in whose space it is asked; then nobody's credential is. */
  readonly user: string;
  readonly items: string;
  readonly tokens: string;
  readonly path: string;
  readonly type: string;
  readonly project: string;
  readonly session: string;
  readonly isHere: boolean;
  readonly hasKnowledge: boolean;
}

export const ITEMS = "8";
export const TOKENS = "1500";
const HITS_MAX = 200;

export function sideA(search: LabSearch): Side {
  const { q = "", as = "", user = "", items = ITEMS, tokens = TOKENS } = search;
  const { path = "", type = "", project = "", session = "", where, knowledge } = search;
  const [isHere, hasKnowledge] = [where === "here", knowledge === "yes"];
  return { q, as, user, items, tokens, path, type, project, session, isHere, hasKnowledge };
}

/** Side A, but for what side B has otherwise. */
export function sideB(search: LabSearch): Side {
  const a = sideA(search);
  return {
    q: search.b_q ?? a.q,
    as: search.b_as === OWN_SIGHT ? "" : (search.b_as ?? a.as),
    user: search.b_user === ANY ? "" : (search.b_user ?? a.user),
    items: search.b_items ?? a.items,
    tokens: search.b_tokens ?? a.tokens,
    path: search.b_path === ANY ? "" : (search.b_path ?? a.path),
    type: search.b_type === ANY ? "" : (search.b_type ?? a.type),
    project: search.b_project === ANY ? "" : (search.b_project ?? a.project),
    session: search.b_session === ANY ? "" : (search.b_session ?? a.session),
    isHere: search.b_where === undefined ? a.isHere : search.b_where === "here",
    hasKnowledge: search.b_knowledge === undefined ? a.hasKnowledge : search.b_knowledge === "yes",
  };
}

/** How the address says that side B has nothing where side A has something. */
const OWN_SIGHT = "you";
const ANY = "%";

/** The address of a side A. */
export function addressOfA(side: Side): Partial<LabSearch> {
  const text = (value: string, otherwise = "") =>
    value.trim() === otherwise ? undefined : value.trim() || undefined;
  return {
    q: text(side.q),
    as: text(side.as),
    user: text(side.user),
    items: text(side.items, ITEMS),
    tokens: text(side.tokens, TOKENS),
    path: text(side.path),
    type: text(side.type),
    project: text(side.project),
    session: text(side.session),
    where: side.isHere ? "here" : undefined,
    knowledge: side.hasKnowledge ? "yes" : undefined,
  };
}

/** The address of a side B beside this side A: only what differs. */
export function addressOfB(a: Side, b: Side): Partial<LabSearch> {
  const other = (name: "q" | "items" | "tokens") =>
    b[name].trim() === a[name].trim() ? undefined : b[name].trim() || undefined;
  const anyOther = (name: "as" | "user" | "path" | "type" | "project" | "session", none: string) =>
    b[name].trim() === a[name].trim() ? undefined : b[name].trim() || none;
  return {
    b_q: other("q"),
    b_items: other("items"),
    b_tokens: other("tokens"),
    b_as: anyOther("as", OWN_SIGHT),
    b_user: anyOther("user", ANY),
    b_path: anyOther("path", ANY),
    b_type: anyOther("type", ANY),
    b_project: anyOther("project", ANY),
    b_session: anyOther("session", ANY),
    b_where: b.isHere === a.isHere ? undefined : b.isHere ? "here" : "all",
    b_knowledge: b.hasKnowledge === a.hasKnowledge ? undefined : b.hasKnowledge ? "yes" : "no",
  };
}

const within = (text: string, max: number, otherwise: string) => {
  const number = Math.round(Number(text));
  return Number.isFinite(number) && number >= 1 ? Math.min(number, max) : Number(otherwise);
};

/** What the service is asked for a side: as the credential would ask for a pack, with nothing of the lab's own. */
export function requestOf(side: Side, space: Space, asOf?: string) {
  return {
    query: side.q,
    as: side.user === "" ? side.as || null : null,
    ...(side.user !== "" && { user_id: side.user, application: space.teamId }),
    max_items: within(side.items, HITS_MAX, ITEMS),
    max_tokens: within(side.tokens, 50_000, TOKENS),
    ...(side.path === "" ? {} : { path: side.path }),
    ...(side.type === "" ? {} : { memory_type: side.type }),
    ...(side.project === "" ? {} : { project_id: side.project }),
    ...(side.session === "" ? {} : { session_id: side.session }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
    ...(side.hasKnowledge ? { include_knowledge: true } : {}),
    ...(side.isHere && side.user === "" ? space.filter : {}),
    limit: hitsFor(within(side.items, HITS_MAX, ITEMS)),
  };
}

/** As many hits as recall considers by itself for so many items, as far as the lab lists them. */
function hitsFor(items: number): number {
  return Math.min(HITS_MAX, Math.max(40, items * 4));
}

export type Request = ReturnType<typeof requestOf>;

const KINDS: Readonly<Record<Credential["kind"], string>> = {
  api_key: "key",
  oauth: "OAuth client",
  agent_temporary: "agent, not bound",
  agent_formal: "agent",
  skill: "skill token",
  session: "session",
  end_user: "end user",
};

/** What a credential is called. */
export function nameOf({ name, hint, kind, owner }: Credential): string {
  const whose = owner.kind === "team" ? ` of ${owner.name}` : "";
  return `${name ?? `${hint}…`} (${KINDS[kind]}${whose})`;
}

/** What a credential reaches, in words. */
export function reachOf(credential: Credential, teams: ReadonlyMap<string, string>): string {
  const { team_id, projects, path_prefix, buckets, scopes } = credential;
  const parts = [
    team_id === null ? null : `only the team ${teams.get(team_id) ?? team_id}`,
    projects === null ? null : `the projects ${projects.join(", ") || "none"}`,
    path_prefix === null ? null : `paths below ${path_prefix}`,
    buckets === null ? null : `the buckets ${buckets.join(", ")}`,
    scopes.includes("knowledge:read") ? null : "no knowledge",
    scopes.includes("memory:read") ? null : "nothing, because it lacks memory:read",
  ].filter((part) => part !== null);
  return parts.length === 0 ? "Reaches everything its owner can" : `Reaches ${parts.join("; ")}`;
}
