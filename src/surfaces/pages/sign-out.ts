import type { BrowserDependencies } from "./deps.ts";
import type { BrowserEndpoint } from "./visit.ts";

export function signOutPage({ accounts }: Pick<BrowserDependencies, "accounts">): BrowserEndpoint {
  return {
    path: "/sign-out",
    async post({ request }) {
      const cookies = await accounts.signOut(request.headers);
      return { redirectTo: "/sign-in", cookies, isOtherSession: true };
    },
  };
}
