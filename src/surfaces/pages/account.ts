import type { Grant } from "../../core/access/oauth.ts";
import type { Membership } from "../../core/access/team-store.ts";
import type { ListedAgent } from "../../core/agent/agent-claims.ts";
import { type Html, html } from "../http/html.ts";
import { agentCard, grantCard, teamCard } from "./account-cards.ts";
import type { BrowserDependencies } from "./deps.ts";
import { said } from "./said.ts";
import { signedIn } from "./signed-in.ts";
import type { BrowserEndpoint, PageReply, SignedInVisit } from "./visit.ts";

type Needs = Pick<BrowserDependencies, "claims" | "oauth" | "teams">;

/** What a person let in, and the teams it is in. */
export function accountPage({ claims, oauth, teams }: Needs): BrowserEndpoint {
  return {
    path: "/account",
    get: signedIn(async (visit) => {
      const { account } = visit;
      const [agents, grants, memberships] = await Promise.all([
        claims.list(account.owner),
        oauth.grants(account),
        teams.teamsOf(account.owner.id),
      ]);
      return page(visit, { agents, grants, memberships });
    }),
  };
}

interface State {
  readonly agents: readonly ListedAgent[];
  readonly grants: readonly Grant[];
  readonly memberships: readonly Membership[];
}

/** What has just been done, by the word that the address carries. */
const DONE: Readonly<Record<string, string>> = {
  agent: "The agent was revoked. Its tokens are refused from now on.",
  app: "The app was disconnected. Its tokens are refused from now on.",
};

function page(visit: SignedInVisit, { agents, grants, memberships }: State): PageReply {
  const { account, url } = visit;
  const done = DONE[url.searchParams.get("revoked") ?? ""];
  return {
    status: 200,
    title: "Your account",
    isWide: true,
    body: html`<h1>Your account</h1>
    <p class="lead">${account.email}, the user <strong>${said(account.owner.name)}</strong></p>
    ${done !== undefined && html`<div class="note" role="status"><p>${done}</p></div>`}
    <section aria-labelledby="agents"><h2 id="agents">Agents</h2>
      ${agents.length > 0 ? someAgents(agents, { visit, memberships }) : noAgents()}
    </section>
    <section aria-labelledby="apps"><h2 id="apps">Connected apps</h2>
      ${grants.length > 0 ? html`<ul class="cards">${grants.map((grant) => grantCard(grant, visit))}</ul>` : noApps()}
    </section>
    <section aria-labelledby="teams"><h2 id="teams">Teams</h2>
      ${memberships.length > 0 ? html`<ul class="cards">${memberships.map(teamCard)}</ul>` : noTeams()}
    </section>`,
  };
}

function someAgents(
  agents: readonly ListedAgent[],
  around: { visit: SignedInVisit; memberships: readonly Membership[] },
): Html {
  return html`<ul class="cards">${agents.map((agent) => agentCard(agent, around))}</ul>
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
  return html`<p>You are in no team. Whoever runs this service can add you to one.</p>`;
}
