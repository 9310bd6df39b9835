import type { Elysia } from "elysia";
import { errorCodes } from "../../contract/error.ts";
import { SERVICE_NAME } from "../../contract/service.ts";
import { DomainError } from "../../core/error.ts";
import { builtFile, forReading, namesFile } from "../http/built-files.ts";
import { errorBody } from "../http/error-response.ts";
import { html, plainPage } from "../http/html.ts";
import {
  type Answer,
  createSurface,
  json,
  type Surface,
  type SurfaceDependencies,
  securityHeaders,
} from "../http/pipeline.ts";
import { type PublicPages, wantsPage } from "../http/public-pages.ts";
import { createRequestGuard } from "../http/request-guard.ts";
import type { RequestLine } from "../http/request-line.ts";

export interface DocsDependencies
  extends Pick<SurfaceDependencies, "newId" | "isUnavailable" | "publicUrl" | "allowedHosts"> {
  /** The folder of the built documents. If it is missing, a page says so. */
  readonly site: string;
  /** Error pages for people. */
  readonly pages: PublicPages;
  /** Called for each request once its answer is ready. */
  readonly log: (line: RequestLine) => void;
}

/**
 * Scripts may come only from files of the build. Inline styles are allowed: highlighted code needs them.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Serves the documents at /docs, the API reference among them (each page also as Markdown), and `/llms.txt`.
 */
export function createDocsSurface(deps: DocsDependencies): Elysia {
  const surface: Surface = {
    name: "docs",
    dependencies: deps,
    guard: createRequestGuard({ ...deps, corsOrigins: [], isPage: () => true }),
    keep: () => ({}),
    always: { ...securityHeaders(deps.publicUrl), "content-security-policy": POLICY },
    errorResponse(error, { request, requestId }) {
      const answer = errorAnswer(error);
      if (!wantsPage(request)) return answer;
      const shown = deps.pages.refused(error, requestId);
      return { ...shown, headers: { ...answer.headers, ...shown.headers } };
    },
    log: deps.log,
  };
  const text = forReading(({ request }) => builtFile(deps.site, "llms.txt", request));
  return createSurface(surface, [
    {
      path: "/docs",
      handle: forReading(async ({ request }) => atFolder(request) ?? sitePage(deps, "", request)),
    },
    { path: "/llms.txt", handle: text },
    {
      path: "/docs/*",
      handle: forReading(({ params, request }) => {
        const name = params["*"] ?? "";
        if (!namesFile(name)) return sitePage(deps, name, request);
        return builtFile(deps.site, name, request, { isNamedByContent: name.startsWith("assets/") });
      }),
    },
  ]);
}

/** Redirects `/docs` to `/docs/`, because the site's links are relative. */
function atFolder(request: Request): Answer | null {
  if (new URL(request.url).pathname.endsWith("/")) return null;
  return { status: 302, headers: { location: "/docs/" }, body: "" };
}

async function sitePage(deps: DocsDependencies, name: string, request: Request): Promise<Answer | Response> {
  const found = async (file: string) => {
    try {
      return await builtFile(deps.site, file, request);
    } catch (error) {
      if (error instanceof DomainError && error.code === "not_found") return null;
      throw error;
    }
  };
  const built = await found(name === "" || name.endsWith("/") ? `${name}index.html` : `${name}.html`);
  if (built) return built;
  if ((await found("index.html")) === null) return notBuilt();
  const folder = name.endsWith("/") ? null : await found(`${name}/index.html`);
  if (folder) return { status: 302, headers: { location: `/docs/${name}/` }, body: "" };
  return notFound();
}

function page(status: number, body: string): Answer {
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
    body,
  };
}

function notFound(): Answer {
  return page(
    404,
    plainPage(
      `No such page · ${SERVICE_NAME}`,
      html`<h1>There is no such page</h1>
<p>The <a href="/docs/">documents</a> have a search, and the <a href="/docs/reference/">API reference</a> has every operation.</p>`,
    ),
  );
}

function notBuilt(): Answer {
  return page(
    503,
    plainPage(
      `Not built · ${SERVICE_NAME}`,
      html`<h1>The documents are not built here</h1>
<p>Run <code>npm run docs:build</code> where this service is installed, with its development packages, and load this page
again. Until then they can be read as Markdown in the folder <code>docs</code> of the repository.</p>
<p>The API is described at <a href="/openapi.json">openapi.json</a>, which works without.</p>`,
    ),
  );
}

/** A JSON error for requests that are not for a page. HTML would be mistaken for the file. */
function errorAnswer(error: DomainError): Answer {
  return json(errorCodes[error.code].status, errorBody(error), {
    "cache-control": "no-store",
    ...(error.code === "method_not_allowed" ? { allow: "GET, HEAD" } : {}),
  });
}
