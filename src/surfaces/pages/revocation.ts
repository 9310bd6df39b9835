import { html } from "../http/html.ts";
import type { BrowserDependencies } from "./deps.ts";
import { fieldOf } from "./form.ts";
import { problemPage } from "./problem.ts";
import { signedIn } from "./signed-in.ts";
import type { BrowserEndpoint, SignedInVisit } from "./visit.ts";

/** Ends what a person let in. */
export function revocationPages({
  claims,
  oauth,
}: Pick<BrowserDependencies, "claims" | "oauth">): BrowserEndpoint[] {
  return [
    revocation("agent", "/account/agents/revoke", ({ account }, id) => claims.revoke(account.owner, id)),
    revocation("app", "/account/apps/revoke", ({ account }, id) => oauth.revoke(account, id)),
  ];
}

function revocation(
  what: "agent" | "app",
  path: string,
  revoke: (visit: SignedInVisit, id: string) => Promise<boolean>,
): BrowserEndpoint {
  return {
    path,
    post: signedIn(async (visit) => {
      const id = fieldOf(visit.form, "id");
      if (id !== null && (await revoke(visit, id))) return { redirectTo: `/account?revoked=${what}` };
      return problemPage(
        404,
        "There is no such connection",
        html`<p>It may have been ended already.</p><p><a href="/account">To your account</a></p>`,
      );
    }),
  };
}
