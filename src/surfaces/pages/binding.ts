/**
 * Pages, without a script, on which a person binds an agent that registered itself: the agent's code, its description
 * of itself, the person's decision, and the confirmation token that the person gives to the agent.
 */
import { approvalWords, describeWritten, firstScopes, readProjects } from "../../contract/agent-approval.ts";
import { errorCodes } from "../../contract/error.ts";
import type { InputOf, OutputOf } from "../../contract/operations.ts";
import { grantableScopes, type Scope } from "../../contract/scope.ts";
import type { Membership } from "../../core/access/team-store.ts";
import type { Caller } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import { type Html, html } from "../http/html.ts";
import { noticePage } from "./error-pages.ts";
import { alert, chosenScopes, codeOf, optionField, scopeChoice, textField, tokenField } from "./form.ts";
import { type PageReply, type Reply, untrusted, WHOLE, when } from "./page.ts";
import {
  type BrowserDependencies,
  type BrowserEndpoint,
  callerOf,
  createLinkCode,
  type LinkCode,
  type SignedInVisit,
  signedIn,
  type Visit,
} from "./visit.ts";

type Needs = Pick<BrowserDependencies, "application" | "accounts" | "hash" | "teams" | "publicUrl">;

export function bindingPages(deps: Needs): BrowserEndpoint[] {
  // The code of the claim from the link that the browser followed.
  const linkCode = createLinkCode("recollect_claim", deps.publicUrl);
  return [bindPage(deps, linkCode), ...decisionPages(deps, linkCode)];
}

/**
 * The page to which an agent sends its user: the agent's claim, and a form to decide. Without a code, the page asks for
 * one.
 */
function bindPage(deps: Needs, linkCode: LinkCode): BrowserEndpoint {
  const show = signedIn(async (visit) => {
    const code = linkCode.read(visit);
    return code === null
      ? codeForm(visit)
      : answered(linkCode, async () => shownClaim(deps, await callerOf(deps, visit), visit, { code }));
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

/**
 * Returns the reply, or a page that says why there is nothing to decide: a claim may end, or be approved by another
 * person, at any time.
 */
async function answered(linkCode: LinkCode, reply: () => Promise<Reply>): Promise<Reply> {
  try {
    return await reply();
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found")
      return { ...noSuchClaim(), cookies: [linkCode.end] };
    if (error instanceof DomainError && error.code === "conflict") return takenClaim();
    throw error;
  }
}

function decisionPages(deps: Needs, linkCode: LinkCode): BrowserEndpoint[] {
  const { application, teams } = deps;
  const decision = (decide: (visit: SignedInVisit, caller: Caller, code: string) => Promise<Reply>) =>
    signedIn(
      async (visit) => {
        const code = codeOf(visit.form.get("code"));
        if (code === null) return { ...noSuchClaim(), cookies: [linkCode.end] };
        return answered(linkCode, async () => decide(visit, await callerOf(deps, visit), code));
      },
      () => "/bind",
    );

  async function approve(visit: SignedInVisit, caller: Caller, code: string): Promise<Reply> {
    const choice = readChoice(visit.form);
    const again = (status: number, words: string) =>
      shownClaim(deps, caller, visit, { code, choice, failure: { status, words } });
    const approval = approvalOf(choice, await teams.teamsOf(caller.owner.id));
    if (typeof approval === "string") return again(422, approval);
    const claim = await application.call("reviewAgent", caller, { code, ...approval });
    try {
      const { discards } = choice;
      const seen = visit.form.get("seen") ?? "";
      const approved = await application.call("approveAgent", caller, { code, ...approval, discards, seen });
      return confirmationPage(claim.client_name, approved, visit.now);
    } catch (error) {
      const words = error instanceof DomainError ? MENDABLE[error.code] : undefined;
      if (words === undefined) throw error;
      return again(errorCodes[(error as DomainError).code].status, words);
    }
  }

  async function deny(_visit: SignedInVisit, caller: Caller, code: string): Promise<Reply> {
    await application.call("denyAgent", caller, { code });
    return { ...deniedPage(), cookies: [linkCode.end] };
  }

  return [
    { path: "/bind/approve", post: decision(approve) },
    {
      path: "/bind/review",
      post: decision((visit, caller, code) =>
        shownClaim(deps, caller, visit, { code, choice: readChoice(visit.form) }),
      ),
    },
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

/** Refusals that a person can resolve on the page. */
const MENDABLE: Partial<Record<DomainError["code"], string>> = {
  role_forbidden: approvalWords.roleForbids,
  precondition_failed: approvalWords.changedSince,
};

type AgentReview = OutputOf<"reviewAgent">;

interface Shown {
  readonly code: string;
  /** The form as filled in. Default: reading and writing everywhere. */
  readonly choice?: ApprovalChoice;
  /** Status and message of the last failed attempt. */
  readonly failure?: { readonly status: number; readonly words: string };
}

/** Shows the claim with the form, and the agent's memories that these choices would adopt. */
async function shownClaim(
  { application, teams }: Needs,
  caller: Caller,
  visit: SignedInVisit,
  { code, choice, failure }: Shown,
): Promise<PageReply> {
  const memberships = await teams.teamsOf(caller.owner.id);
  const approval = approvalOf(choice ?? FIRST_CHOICE, memberships);
  // While the form is incomplete, only its scopes are used.
  const assumed = typeof approval === "string" ? { scopes: (choice ?? FIRST_CHOICE).scopes } : approval;
  const claim = await application.call("reviewAgent", caller, { code, ...assumed });
  return claimPage(visit, {
    code,
    claim,
    memberships,
    choice: choice ?? { ...FIRST_CHOICE, projectList: claim.project_id ?? "" },
    failure,
  });
}

/** Renders the claim and the form. The form carries the code, so that the decision applies to the claim shown. */
function claimPage(
  visit: SignedInVisit,
  state: {
    readonly code: string;
    readonly claim: AgentReview;
    readonly memberships: readonly Membership[];
    readonly choice: ApprovalChoice;
    readonly failure: Shown["failure"];
  },
): PageReply {
  const { code, claim, memberships, choice, failure } = state;
  return {
    status: failure?.status ?? 200,
    title: failure ? "Error: an agent asks to use your memory" : "An agent asks to use your memory",
    body: html`<h1>An agent asks to use your memory</h1>
    ${alert(failure?.words ?? null)}
    <div class="warning"><p><strong>${approvalWords.startedByYou}</strong></p>
      <p>${approvalWords.anybodyCanAsk}</p></div>
    ${claim.status === "awaiting_confirmation" && html`<div class="note"><p>${approvalWords.approvedBefore}</p></div>`}
    ${whoAsks(claim, visit)}
    <form method="post" action="/bind/approve">
      ${tokenField(visit)}
      <input type="hidden" name="code" value="${code}">
      ${approvalFields(choice, memberships)}
      ${claim.groups.length > 0 && writtenFields(claim, choice, memberships)}
      <div class="actions">
        <button type="submit">Approve</button>
        <button class="second" type="submit" formaction="/bind/deny" formnovalidate>Deny</button>
      </div>
    </form>
    <p class="hint"><a href="/bind?code=">Type another code</a></p>`,
  };
}

function whoAsks(claim: AgentReview, { now, address }: SignedInVisit): Html {
  const given = (value: string | null) =>
    value === null ? html`<span class="soft">not given</span>` : untrusted(value);
  // Only a different address is informative: everyone behind the same router shares an address.
  const isElsewhere = claim.address !== null && address !== null && claim.address !== address;
  return html`<section class="panel" aria-labelledby="says">
    <h2 id="says">${approvalWords.aboutItself}</h2>
    <p class="hint">${approvalWords.unchecked}</p>
    <dl>
      ${row("Name", untrusted(claim.client_name))}
      ${row("Version", given(claim.client_version))}
      ${row("Runs on", given(claim.runtime))}
      ${row("Came in through", untrusted(claim.entry_type))}
      ${claim.project_id !== null && row("Project", untrusted(claim.project_id))}
    </dl>
    <h2>What we saw</h2>
    <dl>
      ${row("Asked", when(Date.parse(claim.requested_at), now))}
      ${row("From", html`${claim.address ?? "an unknown address"}${isElsewhere && html`<p class="hint">Not the address of this browser. An agent on this computer would usually have the same.</p>`}`)}
      ${row("Expires", when(Date.parse(claim.expires_at), now))}
    </dl>
  </section>`;
}

function row(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** The form as a person filled it in, not yet validated. */
interface ApprovalChoice {
  readonly scopes: readonly Scope[];
  /** "" for the person's own memories and those of all their teams. */
  readonly team: string;
  readonly isAllProjects: boolean;
  readonly projectList: string;
  /** Earlier writes are discarded instead of adopted. */
  readonly discards: boolean;
}

const FIRST_CHOICE: ApprovalChoice = {
  scopes: firstScopes,
  team: "",
  isAllProjects: true,
  projectList: "",
  // Adopted by default: the page shows all of it, and adopted memories get no more weight than a stranger's note.
  discards: false,
};

function readChoice(form: URLSearchParams): ApprovalChoice {
  return {
    scopes: chosenScopes(form, grantableScopes),
    team: form.get("team") ?? "",
    isAllProjects: form.get("projects") !== "these",
    projectList: form.get("project_list") ?? "",
    discards: form.get("written") === "discard",
  };
}

type Approval = Pick<InputOf<"reviewAgent">, "scopes" | "team_id" | "projects">;

/** Returns the chosen approval, or a sentence that says what to correct. */
function approvalOf(given: ApprovalChoice, memberships: readonly Membership[]): Approval | string {
  if (given.scopes.length === 0) return approvalWords.noScopes;
  if (given.team !== "" && !memberships.some(({ team }) => team.id === given.team))
    return "You are not a member of that team. Choose another.";
  const base = { scopes: [...given.scopes], team_id: given.team === "" ? null : given.team };
  if (given.isAllProjects) return { ...base, projects: null };
  const read = readProjects(given.projectList);
  return "problem" in read ? read.problem : { ...base, projects: read.projects };
}

/** Describes the owner that the agent's memories would get. */
function homeOf({ team: chosen }: ApprovalChoice, memberships: readonly Membership[]): Html {
  const membership = memberships.find(({ team }) => team.id === chosen);
  return membership ? html`the team ${untrusted(membership.team.name)}` : html`you`;
}

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
    <legend>${approvalWords.whose}</legend>
    ${optionField({
      type: "radio",
      name: "team",
      value: "",
      label: approvalWords.ownAndTeams,
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

/**
 * Renders the number of memories that an agent has written in each project, their texts, and the choice whether to
 * adopt them.
 */
function writtenFields(claim: AgentReview, choice: ApprovalChoice, memberships: readonly Membership[]): Html {
  const { groups, texts, texts_left_out, seen } = claim;
  const home = homeOf(choice, memberships);
  return html`<fieldset>
    <legend>${approvalWords.written}</legend>
    <p class="hint">${approvalWords.writtenByAStranger}</p>
    <table>
      <thead><tr><th scope="col">Project</th><th scope="col">What</th><th scope="col">With these choices</th></tr></thead>
      <tbody>${groups.map(
        ({ project_id, words, moves }) => html`<tr>
          <td>${project_id === null ? html`<span class="soft">none</span>` : untrusted(project_id)}</td>
          <td>${words}</td>
          <td>${moves ? html`${approvalWords.takenOver} by ${home}` : approvalWords.notTakenOver}</td>
        </tr>`,
      )}</tbody>
    </table>
    <details>
      <summary>Read it</summary>
      <ol class="quotes">${texts.map(quoted)}</ol>
      ${texts_left_out > 0 && html`<p class="hint">And ${String(texts_left_out)} more, which are not shown here.</p>`}
    </details>
    ${optionField({
      type: "radio",
      name: "written",
      value: "take",
      label: html`Take over what the table says is taken over by ${home}`,
      note: approvalWords.takeOver,
      isChosen: !choice.discards,
    })}
    ${optionField({
      type: "radio",
      name: "written",
      value: "discard",
      label: approvalWords.discard,
      note: approvalWords.discarded,
      isChosen: choice.discards,
    })}
    <input type="hidden" name="seen" value="${seen}">
    <p><button class="quiet" type="submit" formaction="/bind/review" formnovalidate>Update the table</button>
    <span class="hint">It shows what the choices on this page take over, as they were when it was made.</span></p>
  </fieldset>`;
}

function quoted(written: AgentReview["texts"][number]): Html {
  const { project_id, path, moves, beginning } = written;
  const place = project_id === null ? "in no project" : html`in the project ${untrusted(project_id)}`;
  return html`<li>
    <p class="hint">${untrusted(describeWritten(written), WHOLE)}, ${place}, filed under ${untrusted(path)}${!moves && "; not taken over"}</p>
    <blockquote>${untrusted(beginning, WHOLE)}</blockquote>
  </li>`;
}

/** The only page that shows a confirmation token. It works without a script: one click or Tab selects the token. */
function confirmationPage(
  name: string,
  { confirmation_token, expires_at }: OutputOf<"approveAgent">,
  now: number,
): PageReply {
  return {
    status: 200,
    title: "One more step",
    body: html`<h1>One more step</h1>
    <p>You approved ${untrusted(name)}. ${approvalWords.pasteToken}</p>
    <div class="field">
      <label for="confirmation_token">Confirmation token</label>
      <input class="token" id="confirmation_token" value="${confirmation_token}" readonly autocomplete="off"
        spellcheck="false" aria-describedby="confirmation-hint">
      <p class="hint" id="confirmation-hint">Shown only this once. It expires ${when(Date.parse(expires_at), now)}.</p>
    </div>
    <div class="warning"><p><strong>${approvalWords.onlyToYourAgent}</strong></p>
      <p>${approvalWords.neverToOthers}</p></div>
    <p>Lost it, or too late? Follow the agent's link again. Changed your mind? Do not paste it, and revoke the agent in
    <a href="/account">your account</a>.</p>`,
  };
}

function deniedPage(): PageReply {
  return noticePage(
    200,
    "Denied",
    html`<p>The agent has no access. ${approvalWords.denied}</p><p><a href="/account">To your account</a></p>`,
  );
}

/** Identical for unknown, expired and ended claims, so that codes cannot be probed. */
function noSuchClaim(): PageReply {
  return noticePage(
    404,
    "No agent is waiting under this code",
    html`<p>${approvalWords.unknownCode}</p>
    <p><a href="/bind">Type another code</a></p>`,
  );
}

/** Shown if another person approved the agent first. */
function takenClaim(): PageReply {
  return noticePage(
    409,
    "Somebody else has approved this agent",
    html`<p>${approvalWords.takenByAnother}</p><p><a href="/account">To your account</a></p>`,
  );
}
