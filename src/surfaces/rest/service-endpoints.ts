import { DISCOVERY_PATHS, SKILL_DOCUMENT_PATH } from "../../contract/discovery.ts";
import { SERVICE_ID, SERVICE_NAME, SERVICE_VERSION } from "../../contract/service.ts";
import type { Readiness } from "../../core/doctor/health.ts";
import { type Answer, json } from "../http/pipeline.ts";
import { wantsPage } from "../http/public-pages.ts";
import type { Endpoint } from "./endpoint.ts";
import { HttpError } from "./error-response.ts";

/** Endpoints about the service itself. None needs a credential. */
export function serviceEndpoints(parts: {
  readonly readiness: () => Promise<Readiness> | Readiness;
  readonly openApi: () => string;
  readonly startPage: (() => Answer) | null;
}): Endpoint[] {
  return [
    { path: "/", methods: { GET: ({ request }) => landing(request, parts.startPage) } },
    { path: "/healthz", methods: { GET: () => probe({ status: "ok", version: SERVICE_VERSION }) } },
    {
      path: "/readyz",
      methods: { GET: async () => answerFor(await parts.readiness()) },
    },
    { path: "/openapi.json", methods: { GET: () => openApi(parts.openApi()) } },
  ];
}

/** The root: a start page for people, links in JSON for programs. */
function landing(request: Request, startPage: (() => Answer) | null): Answer {
  if (startPage !== null && wantsPage(request)) return startPage();
  return json(
    200,
    {
      service: SERVICE_ID,
      name: SERVICE_NAME,
      version: SERVICE_VERSION,
      docs: "/docs",
      openapi: "/openapi.json",
      discovery: DISCOVERY_PATHS[0],
      skill: SKILL_DOCUMENT_PATH,
    },
    { vary: "accept" },
  );
}

function probe(value: unknown): Answer {
  return json(200, value, { "cache-control": "no-store" });
}

function answerFor({ needed, others, isStopping }: Readiness): Answer {
  const all = Object.entries({ ...needed, ...others });
  const dependencies = Object.fromEntries(all.map(([name, why]) => [name, why === null]));
  const [unavailable, degraded] = [missingIn(needed), missingIn(others)];
  const names = Object.keys(unavailable);
  // A degraded service is still ready: removing the replica would only shift its load to others with the same outage.
  if (names.length === 0 && !isStopping) return probe({ status: "ready", dependencies, degraded });
  const detail = names.length > 0 ? `Not available: ${names.join(", ")}.` : "The server is stopping.";
  throw new HttpError("dependency_unavailable", detail, {
    headers: { "cache-control": "no-store" },
    members: { dependencies, unavailable, degraded },
  });
}

function missingIn(dependencies: Readiness["needed"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).flatMap(([name, why]) => (why === null ? [] : [[name, why]])),
  );
}

function openApi(document: string): Answer {
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-cache" },
    body: document,
  };
}
