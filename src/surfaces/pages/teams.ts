/** Pages to answer an invitation to a team, and to leave a team. */
import type { OutputOf } from "../../contract/operations.ts";
import type { Membership, ReceivedInvitation } from "../../core/access/team-store.ts";
import { type Html, html } from "../http/html.ts";
import { fieldOf, tokenField } from "./form.ts";
import { untrusted, when } from "./page.ts";
import {
  type BrowserDependencies,
  type BrowserEndpoint,
  callerOf,
  type SignedInVisit,
  signedIn,
} from "./visit.ts";

type TeamPagePorts = Pick<BrowserDependencies, "teams" | "application" | "accounts" | "hash">;

/** The pages below /account/teams. */
export function teamPages(ports: TeamPagePorts): BrowserEndpoint[] {
  return [
    answerPage(ports, "/account/teams/accept", "acceptInvitation", "joined"),
    answerPage(ports, "/account/teams/decline", "declineInvitation", "declined"),
    leavePage(ports),
  ];
}

function answerPage(
  ports: TeamPagePorts,
  path: string,
  name: "acceptInvitation" | "declineInvitation",
  done: string,
): BrowserEndpoint {
  return {
    path,
    post: signedIn(
      async (visit) => {
        await ports.application.call(name, await callerOf(ports, visit), {
          team_id: fieldOf(visit.form, "team"),
        });
        return { redirectTo: `/account?done=${done}` };
      },
      () => "/account",
    ),
  };
}

function leavePage(ports: TeamPagePorts): BrowserEndpoint {
  return {
    path: "/account/teams/leave",
    get: signedIn(async (visit) => {
      const team_id = visit.url.searchParams.get("team") ?? "";
      const caller = await callerOf(ports, visit);
      const review = await ports.application.call("reviewLeaving", caller, { team_id });
      const joined = await ports.teams.teamsOf(visit.account.owner.id);
      const name = untrusted(joined.find(({ team }) => team.id === team_id)?.team.name ?? "");
      return {
        status: 200,
        title: "Leave a team",
        body: html`<h1>Leave the team ${name}?</h1>
        <p>You and your agents lose access to it with the next request.</p>
        ${consequence(review)}
        <form method="post" action="/account/teams/leave">
          ${tokenField(visit)}
          <input type="hidden" name="team" value="${team_id}">
          <input type="hidden" name="outcome" value="${review.outcome}">
          <input type="hidden" name="successor" value="${review.successor?.user_id ?? ""}">
          <button class="danger" type="submit">Leave the team</button>
        </form>
        <p><a href="/account">Stay in it</a></p>`,
      };
    }),
    post: signedIn(
      async (visit) => {
        const { form } = visit;
        await ports.application.call("leaveTeam", await callerOf(ports, visit), {
          team_id: fieldOf(form, "team"),
          outcome: fieldOf(form, "outcome"),
          successor_id: fieldOf(form, "successor"),
        });
        return { redirectTo: "/account?done=left" };
      },
      () => "/account",
    ),
  };
}

function consequence({ outcome, successor, would_remove }: OutputOf<"reviewLeaving">): Html {
  if (outcome === "leaves") return html`<p>What you wrote there stays with the team.</p>`;
  if (outcome === "hands_over")
    return html`<p>You are its last owner: <strong>${untrusted(successor?.name ?? "")}</strong> becomes the owner. What
    you wrote there stays with the team.</p>`;
  return html`<p>You are its last member, so the team is closed: everything in it is erased for good, among that
  ${would_remove?.memories ?? 0} memories, and its keys stop working.</p>`;
}

export function invitationCard(invitation: ReceivedInvitation, visit: SignedInVisit): Html {
  const { team, role, invitedBy, expiresAt } = invitation;
  const form = (verb: "accept" | "decline", label: string) => html`
    <form method="post" action="/account/teams/${verb}">
      ${tokenField(visit)}
      <input type="hidden" name="team" value="${team.id}">
      <button type="submit">${label}<span class="unseen"> the invitation to ${untrusted(team.name)}</span></button>
    </form>`;
  return html`<li class="card">
    <h3>${untrusted(team.name)} <span class="state">invited as ${role}</span></h3>
    <p>By ${invitedBy === null ? html`the operator of this service` : untrusted(invitedBy)}, open until
      ${when(expiresAt, visit.now)}. If you accept, you and your agents read what the team has stored.</p>
    ${form("accept", "Accept")}
    ${form("decline", "Decline")}
  </li>`;
}

export function teamCard({ team, role }: Membership): Html {
  return html`<li class="card">
    <h3>${untrusted(team.name)} <span class="state">${role}</span></h3>
    <p><a href="/account/teams/leave?team=${team.id}">Leave<span class="unseen"> ${untrusted(team.name)}</span></a></p>
  </li>`;
}
