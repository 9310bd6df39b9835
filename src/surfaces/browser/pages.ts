import type { BrowserDependencies } from "./deps.ts";
import { accountPage } from "./pages/account.ts";
import { bindPage } from "./pages/bind.ts";
import { bindDecisionPages } from "./pages/bind-decision.ts";
import { consentPage } from "./pages/consent.ts";
import { oauthErrorPage } from "./pages/oauth-error.ts";
import { revocationPages } from "./pages/revocation.ts";
import { setupPage } from "./pages/setup.ts";
import { signInPage } from "./pages/sign-in.ts";
import { signOutPage } from "./pages/sign-out.ts";
import type { BrowserEndpoint } from "./visit.ts";

/** Every page there is. */
export function pages(deps: BrowserDependencies): BrowserEndpoint[] {
  return [
    signInPage(deps),
    signOutPage(deps),
    setupPage(deps),
    bindPage(deps),
    ...bindDecisionPages(deps),
    consentPage(deps),
    oauthErrorPage(),
    accountPage(deps),
    ...revocationPages(deps),
  ];
}
