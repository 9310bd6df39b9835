import type { Elysia } from "elysia";
import { partyOf } from "../../core/limits/fair-share.ts";
import { runInSlot } from "../http/admission.ts";
import { createSurface, type RequestContext, type Surface, securityHeaders } from "../http/pipeline.ts";
import { createRequestGuard } from "../http/request-guard.ts";
import { accountPage, revocationPages } from "./account.ts";
import { bindingPages } from "./binding.ts";
import { consentPage, oauthErrorPage } from "./consent.ts";
import { errorPage, wrongMethodPage } from "./error-pages.ts";
import { answerOf, PAGE_HEADERS } from "./page.ts";
import { setupPage, signInPage, signOutPage } from "./sign-in.ts";
import { teamPages } from "./teams.ts";
import {
  type Arrival,
  anonymous,
  type BrowserDependencies,
  type BrowserEndpoint,
  createVisits,
  type Handler,
  referrerPolicyFor,
} from "./visit.ts";

/** The operation under which page requests are counted. */
const PAGE = { name: "page", effect: "write" } as const;

/** The pages for people: sign-in, agent binding, consent, account. Rendered on the server, without scripts. */
export function createBrowserSurface(deps: BrowserDependencies): Elysia {
  const visits = createVisits(deps);
  const surface: Surface<Pick<Arrival, "page" | "cookies">> = {
    name: "pages",
    dependencies: deps,
    // Origins that may call the API may not act for the person who is signed in here.
    guard: createRequestGuard({ ...deps, corsOrigins: [], isPage: () => true }),
    keep: () => ({ page: anonymous, cookies: [] }),
    always: {
      ...securityHeaders(deps.publicUrl),
      "referrer-policy": referrerPolicyFor(deps.publicUrl),
      ...PAGE_HEADERS,
    },
    errorResponse: (error, context) => answerOf(errorPage(error, context.requestId), context),
    log: deps.log,
  };
  const routes = pages(deps).map((endpoint) => ({
    path: endpoint.path,
    async handle(context: RequestContext & Pick<Arrival, "page" | "cookies">) {
      const { request } = context;
      const handle = handlerOf(endpoint, request.method);
      if (handle === undefined) return answerOf(wrongMethodPage(endpoint), context);
      const opened = await visits.open(request, context);
      const { account } = context.page;
      // Sessions use their user's share, so that anonymous clients of the same network do not crowd them out.
      if (account) context.requester = { credential: account.id, party: partyOf(account.owner, null) };
      const reply =
        "visit" in opened
          ? await runInSlot(deps, context, PAGE, async () => handle(opened.visit))
          : opened.errorPage;
      context.cookies = [...context.cookies, ...visits.cookiesAfter(reply)];
      return answerOf(reply, context);
    },
  }));
  return createSurface(surface, routes);
}

/** Every page there is. */
function pages(deps: BrowserDependencies): BrowserEndpoint[] {
  return [
    signInPage(deps),
    signOutPage(deps),
    setupPage(deps),
    ...bindingPages(deps),
    consentPage(deps),
    oauthErrorPage(),
    accountPage(deps),
    ...revocationPages(deps),
    ...teamPages(deps),
  ];
}

function handlerOf({ get, post }: BrowserEndpoint, method: string): Handler | undefined {
  if (method === "POST") return post;
  return method === "GET" || method === "HEAD" ? get : undefined;
}
