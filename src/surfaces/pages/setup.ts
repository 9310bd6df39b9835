import type { InvitationRefusal } from "../../core/access/accounts.ts";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../../core/access/password.ts";
import { html } from "../http/html.ts";
import { attemptOf } from "./attempt.ts";
import { createCarriedCode } from "./carried-code.ts";
import type { BrowserDependencies } from "./deps.ts";
import { alert, textField } from "./fields.ts";
import { codeOf, fieldOf, passwordOf } from "./form.ts";
import { tokenField } from "./layout.ts";
import { problemPage } from "./problem.ts";
import { HOME } from "./return-path.ts";
import { said } from "./said.ts";
import type { BrowserEndpoint, PageReply, Visit } from "./visit.ts";
import { when } from "./when.ts";

type Refused = InvitationRefusal["refused"];

export function setupPage(deps: Pick<BrowserDependencies, "accounts" | "publicUrl">): BrowserEndpoint {
  const { accounts } = deps;
  const carried = createCarriedCode("recollect_setup", deps.publicUrl);

  async function page(visit: Visit, code: string | null, refused: Refused | null = null, email = "") {
    const invitation = code === null ? null : await accounts.invitation(code);
    if (code === null || invitation === null) return gone();
    return formPage(visit, { code, refused, email, ...invitation });
  }

  return {
    path: "/setup",
    get: (visit) => carried.moved(visit) ?? page(visit, carried.read(visit)),
    async post(visit) {
      const { form } = visit;
      const code = codeOf(form.get("code"));
      const email = fieldOf(form, "email");
      const password = passwordOf(form);
      if (code === null) return gone();
      if (email === null) return page(visit, code, "invalid_email");
      if (password === null) return page(visit, code, "weak_password", email);
      const outcome = await accounts.accept(code, attemptOf(visit), { email, password });
      if ("refused" in outcome) return page(visit, code, outcome.refused, email);
      return { redirectTo: HOME, cookies: [...outcome.cookies, carried.end], isOtherSession: true };
    },
  };
}

interface State {
  readonly code: string;
  readonly owner: { readonly name: string };
  readonly expiresAt: number;
  readonly refused: Refused | null;
  readonly email: string;
}

const WORDS: Record<Refused, string> = {
  invitation_gone: "This invitation is of no more use. Ask for a new one.",
  email_taken: "There is an account with that e-mail address already. Take another address.",
  invalid_email: "That is not an e-mail address. It looks like name@example.com.",
  weak_password: `A password has ${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX} characters. Several random words make a good one.`,
};

function formPage(visit: Visit, { code, owner, expiresAt, refused, email }: State): PageReply {
  return {
    status: refused === null ? 200 : refused === "email_taken" ? 409 : 422,
    title: refused ? "Error: set up your account" : "Set up your account",
    body: html`<h1>Set up your account</h1>
    <p>This account will hold the memories of the user <strong>${said(owner.name)}</strong>. The invitation is good
    once; it lapses ${when(expiresAt, visit.now)}.</p>
    ${alert(refused && WORDS[refused])}
    <form method="post" action="/setup">
      ${tokenField(visit)}
      <input type="hidden" name="code" value="${code}">
      ${textField({
        name: "email",
        label: "E-mail address",
        type: "email",
        value: email,
        hint: "You sign in with it. No mail is sent.",
        isFirst: refused !== "weak_password",
        isWrong: refused === "invalid_email" || refused === "email_taken",
        attributes: html`autocomplete="username" maxlength="320"`,
      })}
      ${textField({
        name: "password",
        label: "Password",
        type: "password",
        hint: `${PASSWORD_CHARACTERS_MIN} characters or more: several random words, or what your password manager makes up.`,
        isFirst: refused === "weak_password",
        isWrong: refused === "weak_password",
        attributes: html`autocomplete="new-password" minlength="${PASSWORD_CHARACTERS_MIN}" maxlength="${PASSWORD_CHARACTERS_MAX}"`,
      })}
      <button type="submit">Make the account</button>
    </form>`,
  };
}

/** Unknown, used and expired invitations are told alike. */
function gone(): PageReply {
  return problemPage(
    404,
    "This invitation cannot be used",
    html`<p>It is not known here, was used already, or has expired. Ask whoever runs this service for a new one.</p>
    <p><a href="/sign-in">Sign in</a> if you have an account.</p>`,
  );
}
