/** Lines of the audit log in words: who did what to what, and when. */
import { Link } from "@tanstack/react-router";
import { Who } from "../../parts/who.tsx";
import type { Space } from "../../shell/space.ts";
import type { Burst, Line } from "./audit-bursts.ts";

export type Titles = ReadonlyMap<string, string>;

/** The verb of each operation, as in: Ada wrote … */
const VERBS: Readonly<Record<string, string>> = {
  create: "wrote",
  update: "changed",
  soft_delete: "forgot",
  restore: "restored",
  hard_delete: "permanently erased",
  redact: "redacted",
  supersede: "superseded",
  archive_stale: "archived",
  expire_overdue: "archived as expired",
  merge_duplicates: "merged",
  purge_deleted: "erased as long forgotten",
  maintenance_restore: "undid maintenance of",
  maintenance_start: "started maintenance",
  maintenance_finish: "finished maintenance",
  complete_reminder: "completed",
  adopt: "took over",
  issue_credential: "issued a credential",
  rotate_credential: "replaced a credential",
  revoke_credential: "revoked a credential",
  agent_register: "registered an agent",
  agent_approve: "approved an agent",
  agent_bind: "bound an agent",
  agent_deny: "refused an agent",
  agent_revoke: "revoked an agent",
  agent_rotate: "replaced the token of an agent",
  account_created: "set up an account",
  invite: "invited a user to set up an account",
  team_add: "added a member",
  team_invite: "invited somebody",
  team_remove: "removed a member",
  import: "imported",
  set_alerts: "set the alerts",
};

export const verbOf = (operation: string) => VERBS[operation] ?? operation.replaceAll("_", " ");

export const OPERATIONS = Object.keys(VERBS).map((value) => ({ value, label: verbOf(value) }));

const KINDS: Readonly<Record<string, string>> = {
  api_key: "key",
  oauth: "app",
  agent_temporary: "unbound agent",
  skill: "skill token",
  end_user: "end user's token",
};

/** An agent by its name, a person by theirs; a team's key by the name of the key. */
export function WhoDid({ line }: { readonly line: Line }) {
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

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/** The time of day; the heading has the day. */
export function ClockTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={`${whole.format(new Date(at))}\n${at} (UTC)`}>
      {clock.format(new Date(at))}
    </time>
  );
}

const isRecord = ({ memory_id }: Line) => memory_id !== null;

export function Sentence(props: { readonly burst: Burst; readonly space: Space; readonly titles: Titles }) {
  const { lines } = props.burst;
  const [first] = lines;
  const verb = <span title={first.operation}>{verbOf(first.operation)}</span>;
  if (lines.length > 1) {
    const [from, to] = [lines.at(-1)?.at ?? first.at, first.at].map((at) => clock.format(new Date(at)));
    const what = lines.some(isRecord) ? "records" : "times";
    return (
      <>
        {verb} <strong>{`${lines.length} ${what}`}</strong>
        <span className="soft">{from === to ? `, at ${to}` : `, from ${from} to ${to}`}</span>
      </>
    );
  }
  return (
    <>
      {verb} <AuditObject line={first} space={props.space} titles={props.titles} />
    </>
  );
}

/** The beginning of the memory; otherwise what the line says of itself. */
export const titleOf = ({ memory_id, detail }: Line, titles: Titles): string =>
  memory_id === null ? wordsOf(detail) : (titles.get(memory_id) ?? "A todo, a decision or a hidden memory");

export function AuditObject(props: { readonly line: Line; readonly space: Space; readonly titles: Titles }) {
  const { memory_id } = props.line;
  const title = <bdi>{titleOf(props.line, props.titles)}</bdi>;
  if (memory_id === null) return <span className="soft">{title}</span>;
  return (
    <Link to="/$space/memories" params={{ space: props.space.key }} search={{ id: memory_id }}>
      {title}
    </Link>
  );
}

const named = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

export const factsOf = (detail: Line["detail"]): (readonly [string, string])[] =>
  Object.entries(detail).map(([name, value]) => [named(name), textOf(value)]);

const wordsOf = (detail: Line["detail"]) =>
  factsOf(detail)
    .map(([name, value]) => `${name}: ${value}`)
    .join("; ");
