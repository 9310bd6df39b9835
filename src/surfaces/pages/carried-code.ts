import { createCookie } from "./cookie.ts";
import { codeOf } from "./form.ts";
import type { RedirectReply, Visit } from "./visit.ts";

/** As long as it may take to sign in on the way. */
const SECONDS = 15 * 60;

/** A code from a link, kept out of the address while it is needed: addresses end up in histories, logs and screenshots. */
export interface CarriedCode {
  /** Where the address has a code: the same page without it, the code in a short-lived cookie. */
  moved(visit: Visit): RedirectReply | null;
  /** The code that came with the visit, or null. It is a claim of the browser's: it may be anything. */
  read(visit: Visit): string | null;
  keep(code: string): string;
  /** The `Set-Cookie` value that ends it. */
  readonly end: string;
}

export function createCarriedCode(cookieName: string, publicUrl: string): CarriedCode {
  const cookie = createCookie(cookieName, publicUrl);
  const keep = (code: string) => cookie.keep(code, SECONDS);
  return {
    keep,
    end: cookie.end,
    read: ({ request }) => codeOf(cookie.read(request.headers)),
    moved({ url }) {
      const given = url.searchParams.get("code");
      if (given === null) return null;
      const code = codeOf(given);
      return { redirectTo: url.pathname, cookies: [code === null ? cookie.end : keep(code)] };
    },
  };
}
