/**
 * How a person binds an agent that registered by itself: the code that the agent shows, what it says of itself, the
 * person's decision, and the confirmation token that the person hands to the agent.
 */
import { z } from "zod";
import { errorCodes } from "../../contract/error.ts";
import { projectId } from "../../contract/primitives.ts";
import { grantableScopes, type Scope } from "../../contract/scope.ts";
import type { Membership } from "../../core/access/team-store.ts";
import type { Approval, Claim, Review } from "../../core/agent/agent-claims.ts";
import { DomainError } from "../../core/error.ts";
import { type Html, html } from "../http/html.ts";
import { noticePage } from "./error-pages.ts";
import { alert, codeOf, optionField, textField, tokenField } from "./form.ts";
import { type PageReply, type Reply, untrusted, when } from "./page.ts";
import { chosenScopes, scopeChoice } from "./scope-choice.ts";
import {
  type BrowserDependencies,
  type BrowserEndpoint,
  createLinkCode,
  type LinkCode,
  type SignedInVisit,
  signedIn,
  type Visit,
} from "./visit.ts";
import { isDiscarded, writtenFields } from "./written.ts";

type Needs = Pick<BrowserDependencies, "claims" | "teams" | "publicUrl">;

export function bindingPages(deps: Needs): BrowserEndpoint[] {
  // The code of the claim that the browser was led to.
  const linkCode = createLinkCode("recollect_claim", deps.publicUrl);
  return [bindPage(deps, linkCode), ...decisionPages(deps, linkCode)];
}

/** The page to which an agent sends its user: the claim, and a form to decide. Without a code, one can be typed. */
function bindPage({ claims, teams }: Needs, linkCode: LinkCode): BrowserEndpoint {
  const show = signedIn(async (visit) => {
    const code = linkCode.read(visit);
    if (code === null) return codeForm(visit);
    const claim = await claims.find(code);
    if (claim === null) return { ...noSuchClaim(), cookies: [linkCode.end] };
    return shownClaim({ claims, teams }, visit, { code, claim, choice: firstChoice(claim) });
  });
  return {
    path: "/bind",
    get: (visit) => linkCode.moved(visit) ?? show(visit),
    post: signedIn(
      (visit) => {
        const code = codeOf(visit.form.get("code"));
        if (code === null) return codeForm(visit, "Type the code that the agent shows.");
        return { redirectTo: "/bind", cookies: [linkCode.keep(code)] };
      },
      () => "/bind",
    ),
  };
}

function decisionPages({ claims, teams }: Needs, linkCode: LinkCode): BrowserEndpoint[] {
  const decision = (decide: (visit: SignedInVisit, code: string, claim: Claim) => Promise<Reply>) =>
    signedIn(
      async (visit) => {
        const code = codeOf(visit.form.get("code"));
        const claim = code === null ? null : await claims.find(code);
        if (code === null || claim === null) return { ...noSuchClaim(), cookies: [linkCode.end] };
        try {
          return await decide(visit, code, claim);
        } catch (error) {
          // The claim may expire or be taken between being shown and being decided.
          if (error instanceof DomainError && error.code === "not_found") return noSuchClaim();
          if (error instanceof DomainError && error.code === "conflict") return takenClaim(claim);
          throw error;
        }
      },
      () => "/bind",
    );

  async function approve(visit: SignedInVisit, code: string, claim: Claim): Promise<Reply> {
    const { owner } = visit.account;
    const choice = readChoice(visit.form);
    const again = (status: number, words: string) =>
      shownClaim({ claims, teams }, visit, { code, claim, choice, failure: { status, words } });
    const approval = approvalOf(choice, await teams.teamsOf(owner.id));
    if (typeof approval === "string") return again(422, approval);
    try {
      // Discarded memories need not have been shown.
      const seen = choice.discards ? undefined : (visit.form.get("seen") ?? "");
      return confirmationPage(claim, await claims.approve(owner, code, approval, seen), visit.now);
    } catch (error) {
      const words = error instanceof DomainError ? MENDABLE[error.code] : undefined;
      if (words === undefined) throw error;
      return again(errorCodes[(error as DomainError).code].status, words);
    }
  }

  const review = (visit: SignedInVisit, code: string, claim: Claim) =>
    shownClaim({ claims, teams }, visit, { code, claim, choice: readChoice(visit.form) });

  async function deny(visit: SignedInVisit, code: string, claim: Claim): Promise<Reply> {
    await claims.deny(visit.account.owner, code);
    return { ...deniedPage(claim), cookies: [linkCode.end] };
  }

  return [
    { path: "/bind/approve", post: decision(approve) },
    { path: "/bind/review", post: decision(review) },
    { path: "/bind/deny", post: decision(deny) },
  ];
}

function codeForm(visit: Visit, failure: string | null = null): PageReply {
  return {
    status: failure === null ? 200 : 422,
    title: failure === null ? "Connect an agent" : "Error: connect an agent",
    body: html`<h1>Connect an agent</h1>
    <p>An agent that registers here shows a code or a link. Type the code of the agent that you started yourself.</p>
    ${alert(failure)}
    <form method="post" action="/bind">
      ${tokenField(visit)}
      ${textField({
        name: "code",
        label: "Code",
        isFirst: true,
        isWrong: failure !== null,
        hint: "Capitals and spaces do not matter.",
        attributes: html`autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="128"`,
      })}
      <button type="submit">Continue</button>
    </form>`,
  };
}

/** Refusals of an approval that the person can correct on the page. */
const MENDABLE: Partial<Record<DomainError["code"], string>> = {
  role_forbidden: "Your role in that team does not allow all of this. Choose less.",
  precondition_failed:
    "Look again at what it has written: this is not what the page showed, because you chose otherwise or the agent has written more. The table below is as of now. Approve if that is right.",
};

/**
 * The claim with the form to decide as it is filled in, and what the agent has written, as far as that may be shown.
 */
async function shownClaim(
  { claims, teams }: Pick<Needs, "claims" | "teams">,
  visit: SignedInVisit,
  asked: Omit<ClaimState, "memberships" | "review">,
): Promise<PageReply> {
  const { owner } = visit.account;
  const memberships = await teams.teamsOf(owner.id);
  const approval = approvalOf(asked.choice, memberships);
  // Until the form is filled in, what it says of scopes counts.
  const { scopes } = asked.choice;
  const assumed = typeof approval === "string" ? { scopes, teamId: null, projects: null } : approval;
  try {
    // As if it were taken over: the person may change its mind.
    const review = await claims.review(owner, asked.code, { ...assumed, discards: false });
    return claimPage(visit, { ...asked, memberships, review });
  } catch (error) {
    // Another person has approved it: nobody else is shown what it wrote.
    if (!(error instanceof DomainError) || error.code !== "conflict") throw error;
    return claimPage(visit, { ...asked, memberships, review: null });
  }
}

interface ClaimState {
  readonly code: string;
  readonly claim: Claim;
  readonly memberships: readonly Membership[];
  readonly choice: ApprovalChoice;
  readonly review: Review | null;
  /** Why the last attempt failed, and with which status. */
  readonly failure?: { readonly status: number; readonly words: string };
}

/** The claim, and the form to decide. It carries the code, so that the decision is about the claim shown. */
function claimPage(visit: SignedInVisit, state: ClaimState): PageReply {
  const { code, claim, memberships, choice, review, failure } = state;
  return {
    status: failure?.status ?? 200,
    title: failure ? "Error: an agent asks to use your memory" : "An agent asks to use your memory",
    body: html`<h1>An agent asks to use your memory</h1>
    ${alert(failure?.words ?? null)}
    <div class="warning"><p><strong>Approve only if you started this agent yourself, just now.</strong></p>
      <p>Anybody can make such a link and send it to you. If somebody did, deny.</p></div>
    ${claim.status === "awaiting_confirmation" && approvedBefore()}
    ${whoAsks(claim, visit)}
    <form method="post" action="/bind/approve">
      ${tokenField(visit)}
      <input type="hidden" name="code" value="${code}">
      ${approvalFields(choice, memberships)}
      ${review && writtenFields(review, { discards: choice.discards, home: homeOf(choice, memberships) })}
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
    <p class="hint">None of this has been checked. An agent can call itself whatever it likes.</p>
    <dl>
      ${row("Name", untrusted(claim.clientName))}
      ${row("Version", claim.clientVersion === null ? notGiven() : untrusted(claim.clientVersion))}
      ${row("Runs on", claim.runtime === null ? notGiven() : untrusted(claim.runtime))}
      ${row("Came in through", untrusted(claim.entryType))}
      ${claim.projectId !== null && row("Project", untrusted(claim.projectId))}
    </dl>
    <h2>What we saw</h2>
    <dl>
      ${row("Asked", when(claim.requestedAt, now))}
      ${row("From", html`${claim.address ?? "an unknown address"}${isElsewhere(claim, address) && elsewhere()}`)}
      ${row("Expires", when(claim.expiresAt, now))}
    </dl>
  </section>`;
}

function row(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function notGiven(): Html {
  return html`<span class="soft">not given</span>`;
}

/** Only a difference says anything: everybody behind the same router has the same address. */
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

/** The person's choices, before validation. */
interface ApprovalChoice {
  readonly scopes: readonly Scope[];
  /** "" for the person's own memories and all its teams'. */
  readonly team: string;
  readonly isAllProjects: boolean;
  readonly projectList: string;
  /** Earlier writes are discarded instead of adopted. */
  readonly discards: boolean;
}

const PROJECTS_MAX = 100;
const projectList = z.array(projectId).min(1).max(PROJECTS_MAX);

/** Reading and writing, everywhere; the project that the agent named is filled in, to be chosen. */
function firstChoice(claim: Pick<Claim, "projectId">): ApprovalChoice {
  return {
    scopes: ["memory:read", "memory:write"],
    team: "",
    isAllProjects: true,
    projectList: claim.projectId ?? "",
    // The page shows all of it, and it is of no more weight than a stranger's note: who reads it decides.
    discards: false,
  };
}

function readChoice(form: URLSearchParams): ApprovalChoice {
  return {
    scopes: chosenScopes(form, grantableScopes),
    team: form.get("team") ?? "",
    isAllProjects: form.get("projects") !== "these",
    projectList: form.get("project_list") ?? "",
    discards: isDiscarded(form),
  };
}

/** The approval that was chosen, or a sentence that says what to change. */
function approvalOf(given: ApprovalChoice, memberships: readonly Membership[]): Approval | string {
  if (given.scopes.length === 0) return "Choose at least one thing that the agent may do, or deny it.";
  if (given.team !== "" && !memberships.some(({ team }) => team.id === given.team))
    return "You are not a member of that team. Choose another.";
  const { scopes, discards } = given;
  const base = { scopes, teamId: given.team === "" ? null : given.team, discards };
  if (given.isAllProjects) return { ...base, projects: null };
  const names = given.projectList.split(/[\s,]+/).filter((name) => name !== "");
  const projects = projectList.safeParse([...new Set(names)]);
  if (projects.success) return { ...base, projects: projects.data };
  if (names.length === 0) return "Name the projects, or choose all of them.";
  return `Name at most ${PROJECTS_MAX} projects, each of A-Z a-z 0-9 . _ : - and not . or .., with a comma between them.`;
}

/** The owner that the agent's memories get by that choice. */
function homeOf({ team: chosen }: ApprovalChoice, memberships: readonly Membership[]): Html {
  const membership = memberships.find(({ team }) => team.id === chosen);
  return membership ? html`the team ${untrusted(membership.team.name)}` : html`you`;
}

/** The fields of an approval. */
function approvalFields(given: ApprovalChoice, memberships: readonly Membership[]): Html {
  return html`${scopeChoice(grantableScopes, given.scopes)}
  ${memberships.length > 0 && teamChoice(given, memberships)}
  <fieldset>
    <legend>In which projects</legend>
    ${optionField({ type: "radio", name: "projects", value: "all", label: "All projects", isChosen: given.isAllProjects })}
    ${optionField({
      type: "radio",
      name: "projects",
      value: "these",
      label: "Only these",
      isChosen: !given.isAllProjects,
    })}
    <div class="field within">
      <label for="project_list">Projects, with commas between them</label>
      <input id="project_list" name="project_list" value="${given.projectList}" autocomplete="off" spellcheck="false">
    </div>
  </fieldset>`;
}

function teamChoice(given: ApprovalChoice, memberships: readonly Membership[]): Html {
  return html`<fieldset>
    <legend>Whose memories</legend>
    ${optionField({
      type: "radio",
      name: "team",
      value: "",
      label: "Mine, and those of all my teams",
      isChosen: given.team === "",
    })}
    ${memberships.map(({ team, role }) =>
      optionField({
        type: "radio",
        name: "team",
        value: team.id,
        label: html`Only those of the team ${untrusted(team.name)}`,
        note: `Your role there is ${role}; the agent can never do more than that.`,
        isChosen: given.team === team.id,
      }),
    )}
  </fieldset>`;
}

/** The only page that ever shows a confirmation token. It needs no script: one click or Tab marks all of it. */
function confirmationPage(
  { clientName }: Pick<Claim, "clientName">,
  { confirmationToken, expiresAt }: { confirmationToken: string; expiresAt: number },
  now: number,
): PageReply {
  return {
    status: 200,
    title: "One more step",
    body: html`<h1>One more step</h1>
    <p>You approved ${untrusted(clientName)}. It is connected once it has this token. Paste it where you started the
    agent:</p>
    <div class="field">
      <label for="confirmation_token">Confirmation token</label>
      <input class="token" id="confirmation_token" value="${confirmationToken}" readonly autocomplete="off"
        spellcheck="false" aria-describedby="confirmation-hint">
      <p class="hint" id="confirmation-hint">Shown only this once. It expires ${when(expiresAt, now)}.</p>
    </div>
    <div class="warning"><p><strong>Give it only to the agent that you started yourself.</strong></p>
      <p>Never to anybody who sent you the link, and to nobody who asks you for it: with it, their agent would read and
      write your memory.</p></div>
    <p>Lost it, or too late? Follow the agent's link again. Changed your mind? Do not paste it, and revoke the agent in
    <a href="/account">your account</a>.</p>`,
  };
}

function deniedPage({ clientName }: Claim): PageReply {
  return noticePage(
    200,
    "Denied",
    html`<p>${untrusted(clientName)} has no access. What it wrote while it waited is deleted after 30 days, and nobody
    reads it until then.</p><p><a href="/account">To your account</a></p>`,
  );
}

/** The same page for unknown, expired and ended claims, so that codes cannot be probed. */
function noSuchClaim(): PageReply {
  return noticePage(
    404,
    "No agent is waiting under this code",
    html`<p>The code may be mistyped, or the agent has been connected or refused, or it waited too long. Ask the agent
    for a new one.</p>
    <p><a href="/bind">Type another code</a></p>`,
  );
}

/** Another person approved the agent first. */
function takenClaim(claim: Pick<Claim, "agentId"> | null): PageReply {
  return noticePage(
    409,
    "Somebody else has approved this agent",
    html`<p>${claim ? html`The agent <code>${claim.agentId}</code> waits` : "It waits"} for the confirmation of another
    person. Nothing was changed. If you started it, tell it to register again and do not confirm it before you have
    approved it yourself.</p><p><a href="/account">To your account</a></p>`,
  );
}
