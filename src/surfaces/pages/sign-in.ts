import type { SignInRefusal } from "../../core/access/accounts.ts";
import { html } from "../http/html.ts";
import { attemptOf } from "./attempt.ts";
import type { BrowserDependencies } from "./deps.ts";
import { alert, textField } from "./fields.ts";
import { fieldOf, passwordOf } from "./form.ts";
import { tokenField } from "./layout.ts";
import { returnPath } from "./return-path.ts";
import type { BrowserEndpoint, PageReply, Visit } from "./visit.ts";

export function signInPage({ accounts }: Pick<BrowserDependencies, "accounts">): BrowserEndpoint {
  return {
    path: "/sign-in",
    get(visit) {
      const next = returnPath(visit.url.searchParams.get("next"));
      return visit.account ? { redirectTo: next } : page(visit, { next });
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
      if ("refused" in outcome) return page(visit, { next, email: email ?? "", refusal: outcome });
      return { redirectTo: next, cookies: outcome.cookies, isOtherSession: true };
    },
  };
}

interface State {
  readonly next: string;
  readonly email?: string;
  readonly refusal?: SignInRefusal;
}

function page(visit: Visit, { next, email = "", refusal }: State): PageReply {
  return {
    ...statusOf(refusal),
    title: refusal ? "Error: sign in" : "Sign in",
    body: html`<h1>Sign in</h1>
    ${alert(refusal ? words(refusal) : null)}
    <form method="post" action="/sign-in">
      ${tokenField(visit)}
      <input type="hidden" name="next" value="${next}">
      ${textField({
        name: "email",
        label: "E-mail address",
        type: "email",
        value: email,
        isFirst: email === "",
        isWrong: refusal?.refused === "wrong_credentials",
        attributes: html`autocomplete="username" maxlength="320"`,
      })}
      ${textField({
        name: "password",
        label: "Password",
        type: "password",
        isFirst: email !== "",
        isWrong: refusal?.refused === "wrong_credentials",
        attributes: html`autocomplete="current-password" maxlength="1024"`,
      })}
      <button type="submit">Sign in</button>
    </form>
    <p class="hint">Accounts are made by invitation. If you have none, ask whoever runs this service for a link.</p>`,
  };
}

function statusOf(refusal: SignInRefusal | undefined): Pick<PageReply, "status" | "headers"> {
  if (refusal?.refused !== "too_many_attempts") return { status: refusal ? 422 : 200 };
  return { status: 429, headers: { "retry-after": String(Math.ceil(refusal.retryAfterSeconds)) } };
}

function words(refusal: SignInRefusal): string {
  if (refusal.refused === "wrong_credentials")
    return "The e-mail address or the password is wrong. Check both and try again.";
  const minutes = Math.ceil(refusal.retryAfterSeconds / 60);
  return `Too many attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}
