/** The account page: a person's agents, apps and teams, with forms to revoke access. */
import type { Grant } from "../../core/access/oauth.ts";
import type { Membership, ReceivedInvitation } from "../../core/access/team-store.ts";
import type { ListedAgent } from "../../core/agent/agent-claims.ts";
import { type Html, html } from "../http/html.ts";
import { noticePage } from "./error-pages.ts";
import { fieldOf, scopeList, tokenField } from "./form.ts";
import { ago, type PageReply, untrusted, WHOLE, when } from "./page.ts";
import { invitationCard, teamCard } from "./teams.ts";
import { type BrowserDependencies, type BrowserEndpoint, type SignedInVisit, signedIn } from "./visit.ts";

export function accountPage({
  claims,
  oauth,
  teams,
}: Pick<BrowserDependencies, "claims" | "oauth" | "teams">): BrowserEndpoint {
  return {
    path: "/account",
    get: signedIn(async (visit) => {
      const { account } = visit;
      const [agents, grants, memberships, invitations] = await Promise.all([
        claims.list(account.owner),
        oauth.grants(account),
        teams.teamsOf(account.owner.id),
        teams.invitationsFor(account.owner.id),
      ]);
      return page(visit, { agents, grants, memberships, invitations });
    }),
  };
}

/** Targets of the account page's forms, which revoke an agent's or app's access. */
export function revocationPages({
  claims,
  oauth,
}: Pick<BrowserDependencies, "claims" | "oauth">): BrowserEndpoint[] {
  return [
    revocation("agent", "/account/agents/revoke", ({ account }, id) => claims.revoke(account.owner, id)),
    revocation("app", "/account/apps/revoke", ({ account }, id) => oauth.revoke(account, id)),
  ];
}

function revocation(
  what: "agent" | "app",
  path: string,
  revoke: (visit: SignedInVisit, id: string) => Promise<boolean>,
): BrowserEndpoint {
  return {
    path,
    post: signedIn(
      async (visit) => {
        const id = fieldOf(visit.form, "id");
        if (id !== null && (await revoke(visit, id))) return { redirectTo: `/account?done=${what}` };
        return noticePage(
          404,
          "This connection no longer exists",
          html`<p>It was ended before. Nothing was changed now.</p><p><a href="/account">To your account</a></p>`,
        );
      },
      () => "/account",
    ),
  };
}

interface State {
  readonly agents: readonly ListedAgent[];
  readonly grants: readonly Grant[];
  readonly memberships: readonly Membership[];
  readonly invitations: readonly ReceivedInvitation[];
}

/** Confirmation texts, by the word in the address. A map, because the word is untrusted. */
const DONE: ReadonlyMap<string | null, string> = new Map([
  ["agent", "The agent was revoked. Its tokens no longer work."],
  ["app", "The app was disconnected. Its tokens no longer work."],
  ["joined", "You are now in the team."],
  ["declined", "You declined the invitation. The team is not told."],
  ["left", "You have left the team."],
]);

function page(visit: SignedInVisit, { agents, grants, memberships, invitations }: State): PageReply {
  const { account, url } = visit;
  const done = DONE.get(url.searchParams.get("done"));
  return {
    status: 200,
    title: "Your account",
    isWide: true,
    body: html`<h1>Your account</h1>
    <p class="lead">${account.email}, the user <strong>${untrusted(account.owner.name)}</strong></p>
    <p><a href="/admin">Open the admin UI</a> for memories, teams, keys and the end of the account; it needs JavaScript.</p>
    ${done !== undefined && html`<div class="note" role="status"><p>${done}</p></div>`}
    <section aria-labelledby="agents"><h2 id="agents">Agents</h2>
      ${agents.length > 0 ? someAgents(agents, { visit, memberships }) : noAgents()}
    </section>
    <section aria-labelledby="apps"><h2 id="apps">Connected apps</h2>
      ${grants.length > 0 ? html`<ul class="cards">${grants.map((grant) => grantCard(grant, visit))}</ul>` : noApps()}
    </section>
    <section aria-labelledby="teams"><h2 id="teams">Teams</h2>
      ${invitations.length > 0 && html`<ul class="cards">${invitations.map((one) => invitationCard(one, visit))}</ul>`}
      ${memberships.length > 0 ? html`<ul class="cards">${memberships.map(teamCard)}</ul>` : noTeams()}
    </section>`,
  };
}

function someAgents(
  agents: readonly ListedAgent[],
  context: { visit: SignedInVisit; memberships: readonly Membership[] },
): Html {
  return html`<ul class="cards">${agents.map((agent) => agentCard(agent, context))}</ul>
    <p><a href="/bind">Connect another agent</a></p>`;
}

function noAgents(): Html {
  return html`<p>No agent is connected. One that registers here shows a code: <a href="/bind">type it in</a>.</p>`;
}

function noApps(): Html {
  return html`<p>No app is connected. Give an app that speaks MCP the address of this service, ending in
    <code>/mcp</code>; it will ask you here.</p>`;
}

function noTeams(): Html {
  return html`<p>You are not in a team. An owner or admin of one can invite you.</p>`;
}

const STATUS: Record<ListedAgent["status"], string> = {
  pending: "Waiting for approval",
  awaiting_confirmation: "Waiting for its confirmation token",
  bound: "Connected",
  denied: "Denied",
  expired: "Expired",
  revoked: "Revoked",
};

function agentCard(
  agent: ListedAgent,
  { visit, memberships }: { visit: SignedInVisit; memberships: readonly Membership[] },
): Html {
  const { agentId, status, clientName, approvedAt, lastUsedAt, scopes, teamId, projects } = agent;
  const isAlive = status === "bound" || status === "awaiting_confirmation" || status === "pending";
  const team = memberships.find((membership) => membership.team.id === teamId)?.team.name;
  return html`<li class="card">
    <h3>${untrusted(clientName)} <span class="state${isAlive && " live"}">${STATUS[status]}</span></h3>
    <p class="hint">${approvedAt !== null && html`Approved ${when(approvedAt, visit.now)}. `}${lastUse(lastUsedAt, visit.now)}
    <code>${agentId}</code></p>
    ${scopeList(scopes)}
    ${teamId !== null && html`<p>Only in the team ${team === undefined ? "that you have left" : untrusted(team)}.</p>`}
    ${projects !== null && html`<p>Only in the projects ${untrusted(projects.join(", "), WHOLE)}.</p>`}
    ${isAlive && revokeForm(visit, { action: "/account/agents/revoke", name: clientName, verb: "Revoke", id: agentId })}
  </li>`;
}

function grantCard(
  { id, clientId, clientName, scopes, createdAt, lastUsedAt }: Grant,
  visit: SignedInVisit,
): Html {
  const name = clientName ?? clientId;
  return html`<li class="card">
    <h3>${untrusted(name)}</h3>
    <p class="hint">Let in ${when(createdAt, visit.now)}. ${lastUse(lastUsedAt, visit.now)}</p>
    ${scopeList(scopes)}
    ${revokeForm(visit, { action: "/account/apps/revoke", name, verb: "Disconnect", id })}
  </li>`;
}

function lastUse(at: number | null, now: number): Html {
  return at === null ? html`Not used yet.` : html`Last used ${ago(at, now)}.`;
}

/** A button inside a disclosure: two steps, because revoking cannot be undone. */
function revokeForm(
  visit: SignedInVisit,
  { action, name, verb, id }: { action: string; name: string; verb: string; id: string },
): Html {
  return html`<details><summary>${verb}<span class="unseen"> ${untrusted(name)}</span></summary>
    <form method="post" action="${action}">
      ${tokenField(visit)}
      <input type="hidden" name="id" value="${id}">
      <p>All its tokens stop working within a second. This cannot be undone; it would have to ask you again.</p>
      <button class="danger" type="submit">${verb} ${untrusted(name)}</button>
    </form></details>`;
}
