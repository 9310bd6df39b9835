import type { Membership } from "../../core/access/team-store.ts";
import type { Claim } from "../../core/agent/agent-claims.ts";
import { type Html, html } from "../http/html.ts";
import { type ApprovalChoice, approvalFields } from "./approval-form.ts";
import { alert } from "./fields.ts";
import { tokenField } from "./layout.ts";
import { said } from "./said.ts";
import type { PageReply, SignedInVisit } from "./visit.ts";
import { when } from "./when.ts";

interface State {
  readonly code: string;
  readonly claim: Claim;
  readonly memberships: readonly Membership[];
  readonly choice: ApprovalChoice;
  /** Why the last attempt was refused, and with which status. */
  readonly refused?: { readonly status: number; readonly words: string };
}

/** Who asks to be bound, and the decision. The forms carry the code, so that they decide about what is shown here. */
export function claimPage(visit: SignedInVisit, state: State): PageReply {
  const { code, claim, memberships, choice, refused } = state;
  return {
    status: refused?.status ?? 200,
    title: refused ? "Error: an agent asks to use your memory" : "An agent asks to use your memory",
    body: html`<h1>An agent asks to use your memory</h1>
    ${alert(refused?.words ?? null)}
    <div class="warning"><p><strong>Approve only if you started this agent yourself, just now.</strong></p>
      <p>Anybody can make such a link and send it to you. If somebody did, deny.</p></div>
    ${claim.status === "awaiting_confirmation" && approvedBefore()}
    ${whoAsks(claim, visit)}
    <form method="post" action="/bind/approve">
      ${tokenField(visit)}
      <input type="hidden" name="code" value="${code}">
      ${approvalFields(choice, memberships)}
      <div class="actions">
        <button type="submit">Approve</button>
        <button class="second" type="submit" formaction="/bind/deny" formnovalidate>Deny</button>
      </div>
    </form>
    <p class="hint"><a href="/bind?code=">Type another code</a></p>`,
  };
}

function whoAsks(claim: Claim, { now, address }: SignedInVisit): Html {
  return html`<section class="panel" aria-labelledby="says">
    <h2 id="says">What it says of itself</h2>
    <p class="hint">Nothing of this was checked. An agent can call itself whatever it likes.</p>
    <dl>
      ${row("Name", said(claim.clientName))}
      ${row("Version", claim.clientVersion === null ? notSaid() : said(claim.clientVersion))}
      ${row("Runs on", claim.runtime === null ? notSaid() : said(claim.runtime))}
      ${row("Came in by", said(claim.entryType))}
      ${claim.projectId !== null && row("Project", said(claim.projectId))}
    </dl>
    <h2>What we saw</h2>
    <dl>
      ${row("Asked", when(claim.requestedAt, now))}
      ${row("From", html`${claim.address ?? "an unknown address"}${isElsewhere(claim, address) && elsewhere()}`)}
      ${row("Lapses", when(claim.expiresAt, now))}
    </dl>
  </section>`;
}

function row(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function notSaid(): Html {
  return html`<span class="soft">not said</span>`;
}

/** Only a difference tells anything: everybody behind the same router has the same address. */
function isElsewhere(claim: Claim, address: string | null): boolean {
  return claim.address !== null && address !== null && claim.address !== address;
}

function elsewhere(): Html {
  return html`<p class="hint">Not the address of this browser. An agent on this computer would usually have the same.</p>`;
}

function approvedBefore(): Html {
  return html`<div class="note"><p>This agent was approved before and waits for its confirmation token. If that was you,
  approving again shows a new token and ends the earlier one.</p></div>`;
}
