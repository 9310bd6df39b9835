/** How a person answers an invitation to a team, and leaves one. */
import { uuid } from "../../contract/primitives.ts";
import type { ReceivedInvitation } from "../../core/access/team-invitations.ts";
import type { Membership } from "../../core/access/team-store.ts";
import { notFound } from "../../core/error.ts";
import { acceptInvitation, declineInvitation } from "../../core/operator/invitations.ts";
import { leaveTeam, reviewLeaving } from "../../core/operator/leave-team.ts";
import { type Html, html } from "../http/html.ts";
import { fieldOf, tokenField } from "./form.ts";
import { untrusted, when } from "./page.ts";
import { type BrowserDependencies, type BrowserEndpoint, type SignedInVisit, signedIn } from "./visit.ts";

type TeamPagePorts = Pick<BrowserDependencies, "teams" | "erasures" | "accounts">;

/** The pages below /account/teams. */
export function teamPages(ports: TeamPagePorts): BrowserEndpoint[] {
  const answer = (path: string, done: string, act: typeof acceptInvitation | typeof declineInvitation) => ({
    path,
    post: signedIn(
      async ({ account, form }) => {
        await act(ports, account.owner, { team_id: teamId(fieldOf(form, "team")) });
        return { redirectTo: `/account?done=${done}` };
      },
      () => "/account",
    ),
  });
  return [
    answer("/account/teams/accept", "joined", acceptInvitation),
    answer("/account/teams/decline", "declined", declineInvitation),
    leavePage(ports),
  ];
}

function leavePage(ports: TeamPagePorts): BrowserEndpoint {
  return {
    path: "/account/teams/leave",
    get: signedIn(async (visit) => {
      const { owner } = visit.account;
      const team_id = teamId(visit.url.searchParams.get("team"));
      const review = await reviewLeaving(ports, owner, { team_id });
      const team = (await ports.teams.teamsOf(owner.id)).find((one) => one.team.id === team_id)?.team;
      const name = untrusted(team?.name ?? "");
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
      async ({ account, form, request }) => {
        const session = await ports.accounts.session(request.headers);
        const outcome = OUTCOMES.find((one) => one === fieldOf(form, "outcome")) ?? "leaves";
        await leaveTeam(
          ports,
          { user: account.owner, tokenId: session?.credential.tokenId ?? "" },
          {
            team_id: teamId(fieldOf(form, "team")),
            outcome,
            successor_id: fieldOf(form, "successor") ?? null,
          },
        );
        return { redirectTo: "/account?done=left" };
      },
      () => "/account",
    ),
  };
}

/** Anybody can make an address or a form: what is no id is the id of no team. */
function teamId(given: string | null): string {
  const parsed = uuid.safeParse(given);
  if (parsed.success) return parsed.data;
  throw notFound("team");
}

const OUTCOMES = ["leaves", "hands_over", "closes"] as const;

function consequence({ outcome, successor, would_remove }: Awaited<ReturnType<typeof reviewLeaving>>): Html {
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
