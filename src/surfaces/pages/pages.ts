import { accountPage } from "./account.ts";
import { bindPage } from "./bind.ts";
import { bindDecisionPages } from "./bind-decision.ts";
import { consentPage } from "./consent.ts";
import type { BrowserDependencies } from "./deps.ts";
import { oauthErrorPage } from "./oauth-error.ts";
import { revocationPages } from "./revocation.ts";
import { setupPage } from "./setup.ts";
import { signInPage } from "./sign-in.ts";
import { signOutPage } from "./sign-out.ts";
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
