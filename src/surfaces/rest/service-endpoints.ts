import { DISCOVERY_PATHS, SKILL_DOCUMENT_PATH } from "../../contract/discovery.ts";
import { SERVICE_ID, SERVICE_NAME, SERVICE_VERSION } from "../../contract/service.ts";
import { preferenceFor } from "../http/media-type.ts";
import { type Answer, json } from "../http/pipeline.ts";
import type { Endpoint } from "./endpoint.ts";
import { HttpError } from "./error-response.ts";

/** Which dependencies are there, by name. */
export type Readiness = Readonly<Record<string, boolean>>;

/** Dependencies that the service goes on without: by name, why they do not answer in a few words, or null. */
export type Outages = Readonly<Record<string, string | null>>;

/** Paths about the service itself. None needs a credential. */
export function serviceEndpoints(parts: {
  readonly isReady: () => Promise<Readiness> | Readiness;
  readonly outages: () => Outages;
  readonly openApi: () => string;
  readonly docsPage: () => Answer;
}): Endpoint[] {
  return [
    { path: "/", methods: { GET: ({ request }) => landing(request.headers.get("accept")) } },
    { path: "/healthz", methods: { GET: () => probe({ status: "ok", version: SERVICE_VERSION }) } },
    {
      path: "/readyz",
      methods: { GET: async () => readiness(await asked(parts.isReady), parts.outages()) },
    },
    { path: "/openapi.json", methods: { GET: () => openApi(parts.openApi()) } },
    { path: "/docs", methods: { GET: parts.docsPage } },
  ];
}

/** People are led to the docs, machines are told where things are. */
function landing(accept: string | null): Answer {
  if (preferenceFor(accept, "text/html") > 0) {
    return { status: 302, headers: { location: "/docs", vary: "accept" }, body: "" };
  }
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

function readiness(needed: Readiness | null, outages: Outages): Answer {
  const others = Object.entries(outages);
  const answering = Object.fromEntries(others.map(([name, why]) => [name, why === null]));
  const degraded = Object.fromEntries(others.filter(([, why]) => why !== null));
  const dependencies = { ...needed, ...answering };
  const missing = Object.keys(needed ?? {}).filter((name) => needed?.[name] !== true);
  // Degraded is not unready: a replica that is taken out for it would leave its load to others with the same outage.
  if (needed && missing.length === 0) return probe({ status: "ready", dependencies, degraded });
  const detail = needed ? `Not available: ${missing.join(", ")}.` : "The dependencies could not be asked.";
  throw new HttpError("dependency_unavailable", detail, {
    headers: { "cache-control": "no-store" },
    members: { dependencies },
  });
}

/** null where the check fails. */
async function asked(isReady: () => Promise<Readiness> | Readiness): Promise<Readiness | null> {
  try {
    return await isReady();
  } catch {
    return null;
  }
}

function openApi(document: string): Answer {
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-cache" },
    body: document,
  };
}
