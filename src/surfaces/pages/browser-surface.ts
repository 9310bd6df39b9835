import { drain } from "../http/body.ts";
import { createHostCheck } from "../http/host-guard.ts";
import { domainErrorOf } from "../http/refusal.ts";
import { requestIdOf } from "../http/request-id.ts";
import { faultOf, type RequestLine } from "../http/request-line.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { accountPage, revocationPages } from "./account.ts";
import { bindingPages } from "./binding.ts";
import { consentPage, oauthErrorPage } from "./consent.ts";
import { errorPage, notFoundPage, wrongHostPage, wrongMethodPage } from "./error-pages.ts";
import { pageResponse, type Reply, redirectResponse } from "./page.ts";
import { setupPage, signInPage, signOutPage } from "./sign-in.ts";
import {
  type Arrival,
  anonymous,
  type BrowserDependencies,
  type BrowserEndpoint,
  createVisits,
  type Handler,
  referrerPolicyFor,
} from "./visit.ts";

export interface BrowserSurface {
  /** Where it is to be mounted, for all methods. */
  readonly paths: readonly string[];
  /** Answers any request to one of the paths. Never rejects. */
  fetch(request: Request): Promise<Response>;
}

/** The pages for people: sign-in, agent binding, consent, account. Written here, without a script. */
export function createBrowserSurface(deps: BrowserDependencies): BrowserSurface {
  const endpoints = new Map(pages(deps).map((endpoint) => [endpoint.path, endpoint]));
  const isOurHost = createHostCheck([new URL(deps.publicUrl).host]);
  const visits = createVisits(deps);
  const always = {
    ...securityHeaders(deps.publicUrl),
    "referrer-policy": referrerPolicyFor(deps.publicUrl),
  };

  async function replyTo(request: Request, endpoint: BrowserEndpoint | undefined, arrival: Arrival) {
    if (!isOurHost(request)) return wrongHostPage();
    if (endpoint === undefined) return notFoundPage();
    const handle = handlerOf(endpoint, request.method);
    if (handle === undefined) return wrongMethodPage(endpoint);
    const opened = await visits.open(request, arrival);
    return "visit" in opened ? await handle(opened.visit) : opened.errorPage;
  }

  return {
    paths: [...endpoints.keys()],
    async fetch(request) {
      const startedAt = performance.now();
      const requestId = requestIdOf(request.headers, deps.newId);
      const endpoint = endpoints.get(new URL(request.url).pathname.replace(/(?<=.)\/$/, ""));
      const arrival: Arrival = { requestId, context: anonymous, cookies: [] };
      const { reply, ...failure } = await settle(deps, requestId, () => replyTo(request, endpoint, arrival));
      await drain(request);
      const cookies = [...arrival.cookies, ...visits.cookiesAfter(reply)];
      const sending = { method: request.method, requestId, always, cookies };
      const response =
        "redirectTo" in reply
          ? redirectResponse(reply, sending)
          : pageResponse(reply, arrival.context, sending);
      deps.log({
        method: request.method,
        route: endpoint?.path ?? null,
        status: response.status,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        requestId,
        tokenId: null,
        ...failure,
      });
      return response;
    },
  };
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
  ];
}

function handlerOf({ get, post }: BrowserEndpoint, method: string): Handler | undefined {
  if (method === "POST") return post;
  return method === "GET" || method === "HEAD" ? get : undefined;
}

interface Settled extends Pick<RequestLine, "code" | "fault"> {
  readonly reply: Reply;
}

/** The reply, whatever happens on the way to it. */
async function settle(
  { isUnavailable }: BrowserDependencies,
  requestId: string,
  reply: () => Promise<Reply>,
): Promise<Settled> {
  try {
    return { reply: await reply() };
  } catch (cause) {
    const error = domainErrorOf(cause, isUnavailable);
    const page = errorPage(error, requestId);
    return { reply: page, code: error.code, ...(page.status >= 500 ? { fault: faultOf(cause) } : {}) };
  }
}
