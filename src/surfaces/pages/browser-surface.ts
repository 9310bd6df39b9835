import { drain } from "../http/drain.ts";
import { createHostCheck } from "../http/host-guard.ts";
import { domainErrorOf } from "../http/refusal.ts";
import { requestIdOf } from "../http/request-id.ts";
import { faultOf, type RequestLine } from "../http/request-line.ts";
import { securityHeaders } from "../http/security-headers.ts";
import type { BrowserDependencies } from "./deps.ts";
import { pages } from "./pages.ts";
import { refusalPage } from "./problem.ts";
import { type Arrival, createReception, nobody } from "./reception.ts";
import { referrerPolicyFor } from "./referrer-policy.ts";
import { misdirected, nothingHere, wrongMethod } from "./refused-request.ts";
import { pageResponse, redirectResponse } from "./response.ts";
import type { BrowserEndpoint, Handler, Reply } from "./visit.ts";

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
  const reception = createReception(deps);
  const always = {
    ...securityHeaders(deps.publicUrl),
    "referrer-policy": referrerPolicyFor(deps.publicUrl),
  };

  async function replyTo(request: Request, endpoint: BrowserEndpoint | undefined, arrival: Arrival) {
    if (!isOurHost(request)) return misdirected();
    if (endpoint === undefined) return nothingHere();
    const handle = handlerOf(endpoint, request.method);
    if (handle === undefined) return wrongMethod(endpoint);
    const received = await reception.receive(request, arrival);
    return "visit" in received ? await handle(received.visit) : received.refused;
  }

  return {
    paths: [...endpoints.keys()],
    async fetch(request) {
      const startedAt = performance.now();
      const requestId = requestIdOf(request.headers, deps.newId);
      const endpoint = endpoints.get(new URL(request.url).pathname.replace(/(?<=.)\/$/, ""));
      const arrival: Arrival = { requestId, around: nobody, cookies: [] };
      const { reply, ...failure } = await settle(deps, requestId, () => replyTo(request, endpoint, arrival));
      await drain(request);
      const cookies = [...arrival.cookies, ...reception.afterwards(reply)];
      const sending = { method: request.method, requestId, always, cookies };
      const response =
        "redirectTo" in reply
          ? redirectResponse(reply, sending)
          : pageResponse(reply, arrival.around, sending);
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
    const page = refusalPage(error, requestId);
    return { reply: page, code: error.code, ...(page.status >= 500 ? { fault: faultOf(cause) } : {}) };
  }
}
