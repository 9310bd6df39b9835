/** Pages to sign in, to sign out, and to create an account by invitation. */
import {
  type InvitationRefusal,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  type SignInRefusal,
} from "../../core/access/accounts.ts";
import { html } from "../http/html.ts";
import { noticePage } from "./error-pages.ts";
import { alert, codeOf, fieldOf, passwordOf, textField, tokenField } from "./form.ts";
import { type PageReply, untrusted, when } from "./page.ts";
import {
  attemptOf,
  type BrowserDependencies,
  type BrowserEndpoint,
  createLinkCode,
  HOME,
  returnPath,
  type Visit,
} from "./visit.ts";

export function signInPage({ accounts }: Pick<BrowserDependencies, "accounts">): BrowserEndpoint {
  return {
    path: "/sign-in",
    get(visit) {
      const next = returnPath(visit.url.searchParams.get("next"));
      return visit.account ? { redirectTo: next } : signInForm(visit, { next });
    },
    async post(visit) {
      const { form } = visit;
      const next = returnPath(form.get("next"));
      const email = fieldOf(form, "email");
      const password = passwordOf(form);
      const outcome =
        email === null || password === null
          ? ({ refused: "wrong_credentials" } as const)
          : await accounts.signIn(attemptOf(visit), email, password);
      if ("refused" in outcome) return signInForm(visit, { next, email: email ?? "", failure: outcome });
      return { redirectTo: next, cookies: outcome.cookies, isOtherSession: true };
    },
  };
}

interface SignInState {
  readonly next: string;
  readonly email?: string;
  /** Why the last attempt failed. */
  readonly failure?: SignInRefusal;
}

function signInForm(visit: Visit, { next, email = "", failure }: SignInState): PageReply {
  const isWrong = failure?.refused === "wrong_credentials";
  return {
    ...statusOf(failure),
    title: failure ? "Error: sign in" : "Sign in",
    body: html`<h1>Sign in</h1>
    ${alert(failure ? failureWords(failure) : null)}
    <form method="post" action="/sign-in">
      ${tokenField(visit)}
      <input type="hidden" name="next" value="${next}">
      ${textField({
        name: "email",
        label: "E-mail address",
        type: "email",
        value: email,
        isFirst: email === "",
        isWrong,
        attributes: html`autocomplete="username" maxlength="320"`,
      })}
      ${textField({
        name: "password",
        label: "Password",
        type: "password",
        isFirst: email !== "",
        isWrong,
        attributes: html`autocomplete="current-password" maxlength="1024"`,
      })}
      <button type="submit">Sign in</button>
    </form>
    <p class="hint">You need an invitation to make an account. Ask whoever runs this service for a link.</p>`,
  };
}

function statusOf(failure: SignInRefusal | undefined): Pick<PageReply, "status" | "headers"> {
  if (failure?.refused !== "too_many_attempts") return { status: failure ? 422 : 200 };
  return { status: 429, headers: { "retry-after": String(Math.ceil(failure.retryAfterSeconds)) } };
}

function failureWords(failure: SignInRefusal): string {
  if (failure.refused === "wrong_credentials")
    return "The e-mail address or the password is wrong. Check both and try again.";
  const minutes = Math.ceil(failure.retryAfterSeconds / 60);
  return `Too many attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}

export function signOutPage({ accounts }: Pick<BrowserDependencies, "accounts">): BrowserEndpoint {
  return {
    path: "/sign-out",
    async post({ request }) {
      const cookies = await accounts.signOut(request.headers);
      return { redirectTo: "/sign-in", cookies, isOtherSession: true };
    },
  };
}

/** The page of an invitation: the person chooses an e-mail address and a password, and is signed in. */
export function setupPage(deps: Pick<BrowserDependencies, "accounts" | "publicUrl">): BrowserEndpoint {
  const { accounts } = deps;
  const linkCode = createLinkCode("recollect_setup", deps.publicUrl);

  async function page(visit: Visit, code: string | null, failure: SetupFailure | null = null, email = "") {
    const invitation = code === null ? null : await accounts.invitation(code);
    if (code === null || invitation === null) return noInvitation();
    return setupForm(visit, { code, failure, email, ...invitation });
  }

  return {
    path: "/setup",
    get: (visit) => linkCode.moved(visit) ?? page(visit, linkCode.read(visit)),
    async post(visit) {
      const { form } = visit;
      const code = codeOf(form.get("code"));
      const email = fieldOf(form, "email");
      const password = passwordOf(form);
      if (code === null) return noInvitation();
      if (email === null) return page(visit, code, "invalid_email");
      if (password === null) return page(visit, code, "weak_password", email);
      const outcome = await accounts.accept(code, attemptOf(visit), { email, password });
      if ("refused" in outcome) return page(visit, code, outcome.refused, email);
      return { redirectTo: HOME, cookies: [...outcome.cookies, linkCode.end], isOtherSession: true };
    },
  };
}

type SetupFailure = InvitationRefusal["refused"];

const SETUP_WORDS: Record<SetupFailure, string> = {
  invitation_gone: "This invitation can no longer be used. Ask for a new one.",
  email_taken: "There is already an account with that e-mail address. Use another one.",
  invalid_email: "That is not an e-mail address. It looks like name@example.com.",
  weak_password: `A password has ${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX} characters. Several random words make a good one.`,
};

interface SetupState {
  readonly code: string;
  readonly owner: { readonly name: string };
  readonly expiresAt: number;
  readonly failure: SetupFailure | null;
  readonly email: string;
}

function setupForm(visit: Visit, { code, owner, expiresAt, failure, email }: SetupState): PageReply {
  return {
    status: failure === null ? 200 : failure === "email_taken" ? 409 : 422,
    title: failure ? "Error: set up your account" : "Set up your account",
    body: html`<h1>Set up your account</h1>
    <p>This account will hold the memories of the user <strong>${untrusted(owner.name)}</strong>. The invitation works
    once; it expires ${when(expiresAt, visit.now)}.</p>
    ${alert(failure && SETUP_WORDS[failure])}
    <form method="post" action="/setup">
      ${tokenField(visit)}
      <input type="hidden" name="code" value="${code}">
      ${textField({
        name: "email",
        label: "E-mail address",
        type: "email",
        value: email,
        hint: "You sign in with it. No mail is sent.",
        isFirst: failure !== "weak_password",
        isWrong: failure === "invalid_email" || failure === "email_taken",
        attributes: html`autocomplete="username" maxlength="320"`,
      })}
      ${textField({
        name: "password",
        label: "Password",
        type: "password",
        hint: `${PASSWORD_CHARACTERS_MIN} characters or more: several random words, or what your password manager makes up.`,
        isFirst: failure === "weak_password",
        isWrong: failure === "weak_password",
        attributes: html`autocomplete="new-password" minlength="${PASSWORD_CHARACTERS_MIN}" maxlength="${PASSWORD_CHARACTERS_MAX}"`,
      })}
      <button type="submit">Make the account</button>
    </form>`,
  };
}

/** Identical for unknown, used and expired invitations, so that secrets cannot be probed. */
function noInvitation(): PageReply {
  return noticePage(
    404,
    "This invitation cannot be used",
    html`<p>It is not known here, was used already, or has expired. Ask whoever runs this service for a new one.</p>
    <p><a href="/sign-in">Sign in</a> if you have an account.</p>`,
  );
}
