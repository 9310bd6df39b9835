import { HOME, returnPath, signInPath } from "./return-path.ts";
import type { Handler, Reply, SignedInVisit, Visit } from "./visit.ts";

/**
 * A handler for people who are signed in. Others are led to the sign-in page, and from there to what they asked for:
 * the page they are at, or the one that `back` names for a form.
 */
export function signedIn(
  handle: (visit: SignedInVisit) => Promise<Reply> | Reply,
  back: (visit: Visit) => string = pageOf,
): Handler {
  return (visit) => (isSignedIn(visit) ? handle(visit) : { redirectTo: signInPath(returnPath(back(visit))) });
}

export function isSignedIn(visit: Visit): visit is SignedInVisit {
  return visit.account !== null;
}

function pageOf({ request, url }: Visit): string {
  return request.method === "POST" ? HOME : url.pathname + url.search;
}
