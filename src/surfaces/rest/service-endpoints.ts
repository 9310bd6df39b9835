import { SERVICE_ID, SERVICE_NAME, SERVICE_VERSION } from "../../contract/service.ts";
import { type Answer, json } from "./answer.ts";
import type { Endpoint } from "./exchange.ts";
import { preferenceFor } from "./media-type.ts";

/** Which dependencies are there, by name. */
export type Readiness = Readonly<Record<string, boolean>>;

/** What a probe waits for a dependency that does not answer. */
const READY_WITHIN_MS = 5000;

/** Paths about the service itself. None needs a credential. */
export function serviceEndpoints(parts: {
  readonly isReady: () => Promise<Readiness> | Readiness;
  readonly openApi: () => string;
  readonly docsPage: () => Answer;
}): Endpoint[] {
  return [
    { route: "/", methods: { GET: ({ request }) => landing(request.headers.get("accept")) } },
    { route: "/healthz", methods: { GET: () => probe(200, { status: "ok", version: SERVICE_VERSION }) } },
    { route: "/readyz", methods: { GET: async () => readiness(await inTime(parts.isReady)) } },
    { route: "/openapi.json", methods: { GET: () => openApi(parts.openApi()) } },
    { route: "/docs", methods: { GET: parts.docsPage } },
  ];
}

/** People are led to the docs, machines are told where things are. */
function landing(accept: string | null): Answer {
  if (preferenceFor(accept, "text/html") > 0) {
    return { status: 302, headers: { location: "/docs", vary: "accept" }, body: "" };
  }
  return json(
    200,
    { service: SERVICE_ID, name: SERVICE_NAME, version: SERVICE_VERSION, docs: "/docs", openapi: "/openapi.json" },
    { vary: "accept" },
  );
}

function probe(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return json(status, value, { "cache-control": "no-store", ...headers });
}

function readiness(dependencies: Readiness | null): Answer {
  const missing = Object.keys(dependencies ?? {}).filter((name) => dependencies?.[name] !== true);
  if (dependencies && missing.length === 0) return probe(200, { status: "ready", dependencies });
  const which = dependencies ? missing.join(", ") : "A dependency did not answer in time";
  const detail = dependencies ? `Not available: ${which}.` : `${which}.`;
  return probe(
    503,
    { detail, code: "dependency_unavailable", status: "not_ready", dependencies: dependencies ?? {} },
    { "retry-after": "2" },
  );
}

/** null where the check fails or takes too long. */
async function inTime(isReady: () => Promise<Readiness> | Readiness): Promise<Readiness | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, READY_WITHIN_MS, null);
  });
  try {
    return await Promise.race([isReady(), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function openApi(document: string): Answer {
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-cache" },
    body: document,
  };
}
