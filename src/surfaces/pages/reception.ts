import { clientAddress } from "../http/address.ts";
import { createCookie } from "./cookie.ts";
import type { BrowserDependencies } from "./deps.ts";
import { readForm } from "./form.ts";
import { createFormTokens, isBrowserId, newBrowserId } from "./form-token.ts";
import type { PageContext } from "./layout.ts";
import { foreignForm, staleForm } from "./refused-request.ts";
import { createOriginCheck } from "./same-origin.ts";
import type { PageReply, Reply, Visit } from "./visit.ts";

/** A request on its way to a page; what is found out of it serves the pages of refusals too. */
export interface Arrival {
  readonly requestId: string;
  around: PageContext;
  /** `Set-Cookie` values that any answer carries. */
  cookies: readonly string[];
}

export const nobody: PageContext = { account: null, formToken: "" };

/** Finds out who visits, and lets no form in that was not made here, for this browser and person. */
export interface Reception {
  receive(request: Request, arrival: Arrival): Promise<{ visit: Visit } | { refused: PageReply }>;
  /** `Set-Cookie` values that follow from the reply: with another session, forms made before are no longer good. */
  afterwards(reply: Reply): readonly string[];
}

type Needs = Pick<BrowserDependencies, "accounts" | "clock" | "formKey" | "publicUrl" | "trustedProxies">;

export function createReception(deps: Needs): Reception {
  const cookie = createCookie("recollect_form", deps.publicUrl);
  const isOwnOrigin = createOriginCheck(deps.publicUrl);
  const tokens = createFormTokens(deps.formKey);

  /** Who asks. A browser without an id gets one, so that the forms it is shown now are good later. */
  async function holderOf({ headers }: Request, arrival: Arrival) {
    const account = await deps.accounts.signedIn(headers);
    const known = cookie.read(headers);
    const browserId = isBrowserId(known) ? known : newBrowserId();
    if (browserId !== known) arrival.cookies = [cookie.keep(browserId)];
    const holder = { browserId, accountId: account?.id ?? null };
    arrival.around = { account, formToken: await tokens.issue(holder) };
    return { holder, account };
  }

  return {
    async receive(request, arrival) {
      const isForm = request.method === "POST";
      if (isForm && !isOwnOrigin(request)) return { refused: foreignForm() };
      const { holder, account } = await holderOf(request, arrival);
      const form = isForm ? await readForm(request) : new URLSearchParams();
      if (isForm && !(await tokens.isGenuine(form.get("form_token"), holder)))
        return { refused: staleForm() };
      const { requestId, around } = arrival;
      const { url, address, now } = {
        url: new URL(request.url),
        address: clientAddress(request, deps.trustedProxies),
        now: deps.clock(),
      };
      return { visit: { request, url, requestId, address, account, formToken: around.formToken, form, now } };
    },
    afterwards: (reply) =>
      "isOtherSession" in reply && reply.isOtherSession ? [cookie.keep(newBrowserId())] : [],
  };
}
