import { errorCodes } from "../../contract/error.ts";
import type { Claim } from "../../core/agent/agent-claims.ts";
import { DomainError } from "../../core/error.ts";
import { html } from "../http/html.ts";
import { approvalOf, readChoice } from "./approval-form.ts";
import { claimCode, noSuchClaim, takenClaim } from "./bind.ts";
import { claimPage } from "./claim.ts";
import { confirmationPage } from "./confirmation.ts";
import type { BrowserDependencies } from "./deps.ts";
import { codeOf } from "./form.ts";
import { problemPage } from "./problem.ts";
import { said } from "./said.ts";
import { signedIn } from "./signed-in.ts";
import type { BrowserEndpoint, PageReply, Reply, SignedInVisit } from "./visit.ts";

type Needs = Pick<BrowserDependencies, "claims" | "teams" | "publicUrl">;

/** What a person decides about an agent that asks to be bound. */
export function bindDecisionPages(deps: Needs): BrowserEndpoint[] {
  const carried = claimCode(deps.publicUrl);
  const decision = (decide: (visit: SignedInVisit, code: string, claim: Claim) => Promise<Reply>) =>
    signedIn(
      async (visit) => {
        const code = codeOf(visit.form.get("code"));
        const claim = code === null ? null : await deps.claims.find(code);
        if (code === null || claim === null) return { ...noSuchClaim(), cookies: [carried.end] };
        return settled(claim, () => decide(visit, code, claim));
      },
      () => "/bind",
    );
  return [
    {
      path: "/bind/approve",
      post: decision((visit, code, claim) => approve(deps, visit, code, claim)),
    },
    {
      path: "/bind/deny",
      post: decision(async (visit, code, claim) => {
        await deps.claims.deny(visit.account.owner, code);
        return { ...deniedPage(claim), cookies: [carried.end] };
      }),
    },
  ];
}

async function approve(
  { claims, teams }: Needs,
  visit: SignedInVisit,
  code: string,
  claim: Claim,
): Promise<Reply> {
  const { owner } = visit.account;
  const memberships = await teams.teamsOf(owner.id);
  const choice = readChoice(visit.form);
  const again = (status: number, words: string) =>
    claimPage(visit, { code, claim, memberships, choice, refused: { status, words } });
  const approval = approvalOf(choice, memberships);
  if (typeof approval === "string") return again(422, approval);
  try {
    return confirmationPage(claim, await claims.approve(owner, code, approval), visit.now);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "role_forbidden") throw error;
    return again(
      errorCodes[error.code].status,
      "Your role in that team does not allow all of this. Choose less.",
    );
  }
}

/** The claim may lapse or be taken between being shown and being decided. */
async function settled(claim: Claim, decide: () => Promise<Reply>): Promise<Reply> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return noSuchClaim();
    if (error instanceof DomainError && error.code === "conflict") return takenClaim(claim);
    throw error;
  }
}

function deniedPage({ clientName }: Claim): PageReply {
  return problemPage(
    200,
    "Denied",
    html`<p>${said(clientName)} has no access. What it wrote while it waited will be deleted, and nobody but the agent
    itself could ever see it.</p><p><a href="/account">To your account</a></p>`,
  );
}
