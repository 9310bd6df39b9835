import type { Claim } from "../../core/agent/agent-claims.ts";
import { html } from "../http/html.ts";
import { said } from "./said.ts";
import type { PageReply } from "./visit.ts";
import { when } from "./when.ts";

/** The only page that ever shows a confirmation token. It needs no script: one click or Tab marks all of it. */
export function confirmationPage(
  { clientName }: Pick<Claim, "clientName">,
  { confirmationToken, expiresAt }: { confirmationToken: string; expiresAt: number },
  now: number,
): PageReply {
  return {
    status: 200,
    title: "One more step",
    body: html`<h1>One more step</h1>
    <p>You approved ${said(clientName)}. It is connected once it has this token. Paste it where you started the
    agent:</p>
    <div class="field">
      <label for="confirmation_token">Confirmation token</label>
      <input class="token" id="confirmation_token" value="${confirmationToken}" readonly autocomplete="off"
        spellcheck="false" aria-describedby="confirmation-hint">
      <p class="hint" id="confirmation-hint">Shown this once. It lapses ${when(expiresAt, now)}.</p>
    </div>
    <div class="warning"><p><strong>Give it only to the agent that you started yourself.</strong></p>
      <p>Never to anybody who sent you the link, and to nobody who asks you for it: with it, their agent would read and
      write your memory.</p></div>
    <p>Lost it, or too late? Follow the agent's link again. Changed your mind? Do not paste it, and revoke the agent in
    <a href="/account">your account</a>.</p>`,
  };
}
