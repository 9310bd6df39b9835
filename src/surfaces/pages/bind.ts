import type { Claim } from "../../core/agent/agent-claims.ts";
import { html } from "../http/html.ts";
import { firstChoice } from "./approval-form.ts";
import { type CarriedCode, createCarriedCode } from "./carried-code.ts";
import { claimPage } from "./claim.ts";
import type { BrowserDependencies } from "./deps.ts";
import { alert, textField } from "./fields.ts";
import { codeOf } from "./form.ts";
import { tokenField } from "./layout.ts";
import { problemPage } from "./problem.ts";
import { signedIn } from "./signed-in.ts";
import type { BrowserEndpoint, PageReply, Visit } from "./visit.ts";

/** Keeps the code of the claim that a browser was led to. */
export function claimCode(publicUrl: string): CarriedCode {
  return createCarriedCode("recollect_claim", publicUrl);
}

type Needs = Pick<BrowserDependencies, "claims" | "teams" | "publicUrl">;

/** Where an agent sends its user: who asks, and what the user makes of it. Without a code, one can be typed. */
export function bindPage({ claims, teams, publicUrl }: Needs): BrowserEndpoint {
  const carried = claimCode(publicUrl);
  const show = signedIn(async (visit) => {
    const code = carried.read(visit);
    if (code === null) return typePage(visit);
    const claim = await claims.find(code);
    if (claim === null) return { ...noSuchClaim(), cookies: [carried.end] };
    const memberships = await teams.teamsOf(visit.account.owner.id);
    return claimPage(visit, { code, claim, memberships, choice: firstChoice(claim) });
  });
  return {
    path: "/bind",
    get: (visit) => carried.moved(visit) ?? show(visit),
    post: signedIn(
      (visit) => {
        const code = codeOf(visit.form.get("code"));
        if (code === null) return typePage(visit, "Type the code that the agent shows.");
        return { redirectTo: "/bind", cookies: [carried.keep(code)] };
      },
      () => "/bind",
    ),
  };
}

function typePage(visit: Visit, refused: string | null = null): PageReply {
  return {
    status: refused === null ? 200 : 422,
    title: refused === null ? "Connect an agent" : "Error: connect an agent",
    body: html`<h1>Connect an agent</h1>
    <p>An agent that registers here shows a code or a link. Type the code of the agent that you started yourself.</p>
    ${alert(refused)}
    <form method="post" action="/bind">
      ${tokenField(visit)}
      ${textField({
        name: "code",
        label: "Code",
        isFirst: true,
        isWrong: refused !== null,
        hint: "Capitals and spaces do not matter.",
        attributes: html`autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="128"`,
      })}
      <button type="submit">Continue</button>
    </form>`,
  };
}

/** Unknown, lapsed and ended claims are told alike, so that codes cannot be probed. */
export function noSuchClaim(): PageReply {
  return problemPage(
    404,
    "No agent is waiting under this code",
    html`<p>The code may be mistyped, or the agent has been connected or refused, or it waited too long. Ask the agent
    for a new one.</p>
    <p><a href="/bind">Type another code</a></p>`,
  );
}

/** Another person approved the agent first. */
export function takenClaim(claim: Pick<Claim, "agentId"> | null): PageReply {
  return problemPage(
    409,
    "Somebody else has approved this agent",
    html`<p>${claim ? html`The agent <code>${claim.agentId}</code> waits` : "It waits"} for the confirmation of another
    person. Nothing was changed. If you started it, tell it to register again and do not confirm it before you have
    approved it yourself.</p><p><a href="/account">To your account</a></p>`,
  );
}
