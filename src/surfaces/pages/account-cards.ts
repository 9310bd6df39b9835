import type { Grant } from "../../core/access/oauth.ts";
import type { Membership } from "../../core/access/team-store.ts";
import type { ListedAgent } from "../../core/agent/agent-claims.ts";
import { type Html, html } from "../http/html.ts";
import { tokenField } from "./layout.ts";
import { said } from "./said.ts";
import { scopeList } from "./scope-choice.ts";
import type { SignedInVisit } from "./visit.ts";
import { ago, when } from "./when.ts";

const STATUS: Record<ListedAgent["status"], string> = {
  pending: "Waiting for approval",
  awaiting_confirmation: "Waiting for its confirmation token",
  bound: "Connected",
  denied: "Denied",
  expired: "Expired",
  revoked: "Revoked",
};

export function agentCard(
  agent: ListedAgent,
  { visit, memberships }: { visit: SignedInVisit; memberships: readonly Membership[] },
): Html {
  const { agentId, status, clientName, approvedAt, lastUsedAt, scopes, teamId, projects } = agent;
  const isAlive = status === "bound" || status === "awaiting_confirmation" || status === "pending";
  const team = memberships.find((membership) => membership.team.id === teamId)?.team.name;
  return html`<li class="card">
    <h3>${said(clientName)} <span class="state${isAlive && " live"}">${STATUS[status]}</span></h3>
    <p class="hint">${approvedAt !== null && html`Approved ${when(approvedAt, visit.now)}. `}${lastUse(lastUsedAt, visit.now)}
    <code>${agentId}</code></p>
    ${scopeList(scopes)}
    ${teamId !== null && html`<p>Only in the team ${team === undefined ? "that you have left" : said(team)}.</p>`}
    ${projects !== null && html`<p>Only in the projects ${projects.join(", ")}.</p>`}
    ${isAlive && revocation(visit, { action: "/account/agents/revoke", name: clientName, verb: "Revoke", id: agentId })}
  </li>`;
}

export function grantCard(
  { id, clientId, clientName, scopes, createdAt, lastUsedAt }: Grant,
  visit: SignedInVisit,
): Html {
  const name = clientName ?? clientId;
  return html`<li class="card">
    <h3>${said(name)}</h3>
    <p class="hint">Let in ${when(createdAt, visit.now)}. ${lastUse(lastUsedAt, visit.now)}</p>
    ${scopeList(scopes)}
    ${revocation(visit, { action: "/account/apps/revoke", name, verb: "Disconnect", id })}
  </li>`;
}

export function teamCard({ team, role }: Membership): Html {
  return html`<li class="card"><h3>${said(team.name)} <span class="state">${role}</span></h3></li>`;
}

function lastUse(at: number | null, now: number): Html {
  return at === null ? html`Not used yet.` : html`Last used ${ago(at, now)}.`;
}

/** Two steps, as it cannot be undone. */
function revocation(
  visit: SignedInVisit,
  { action, name, verb, id }: { action: string; name: string; verb: string; id: string },
): Html {
  return html`<details><summary>${verb}<span class="unseen"> ${said(name)}</span></summary>
    <form method="post" action="${action}">
      ${tokenField(visit)}
      <input type="hidden" name="id" value="${id}">
      <p>All its tokens end within a second. This cannot be undone; it would have to ask you again.</p>
      <button class="danger" type="submit">${verb} ${said(name)}</button>
    </form></details>`;
}
