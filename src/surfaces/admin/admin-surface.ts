import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Elysia } from "elysia";
import { errorCodes } from "../../contract/error.ts";
import { SERVICE_NAME } from "../../contract/service.ts";
import type { DomainError } from "../../core/error.ts";
import { builtFile, contentOf, forReading, namesFile } from "../http/built-files.ts";
import { html, plainPage } from "../http/html.ts";
import {
  type Answer,
  createSurface,
  type Surface,
  type SurfaceDependencies,
  securityHeaders,
} from "../http/pipeline.ts";
import { type PublicPages, wantsPage } from "../http/public-pages.ts";
import { createRequestGuard } from "../http/request-guard.ts";
import type { RequestLine } from "../http/request-line.ts";

export interface AdminDependencies
  extends Pick<SurfaceDependencies, "newId" | "isUnavailable" | "publicUrl" | "allowedHosts"> {
  /** The folder of the built admin UI. If it is missing, a page says so. */
  readonly adminUi: string;
  /** Error pages for people. */
  readonly pages: PublicPages;
  /** Called for each request once its answer is ready. */
  readonly log: (line: RequestLine) => void;
}

/** Placeholder in the built page for the nonce of each answer. */
const NONCE_PLACE = /__NONCE__/g;
const NONCE_BYTES = 16;

/**
 * Serves the built admin UI: its files, and its one page at every other path below /admin. Neither contains user data,
 * which comes through the tRPC surface.
 */
export function createAdminSurface(deps: AdminDependencies): Elysia {
  const surface: Surface = {
    name: "admin",
    dependencies: deps,
    guard: createRequestGuard({ ...deps, corsOrigins: [], isPage: () => true }),
    keep: () => ({}),
    always: securityHeaders(deps.publicUrl),
    errorResponse(error, { request, requestId }) {
      const answer = errorAnswer(error);
      if (!wantsPage(request)) return answer;
      const page = deps.pages.refused(error, requestId);
      return { ...page, headers: { ...answer.headers, ...page.headers } };
    },
    log: deps.log,
  };
  const page = () => pageAnswer(deps.adminUi);
  return createSurface(surface, [
    { path: "/admin", handle: forReading(page) },
    {
      path: "/admin/*",
      handle: forReading((context) => {
        const name = context.params["*"] ?? "";
        return namesFile(name)
          ? builtFile(deps.adminUi, name, context.request, { isNamedByContent: name.startsWith("assets/") })
          : page();
      }),
    },
  ]);
}

/** The page of the admin UI. It must not be cached: its nonce is valid for this response only. */
async function pageAnswer(folder: string): Promise<Answer> {
  const built = await contentOf(join(folder, "index.html"));
  if (built === null) return notBuilt();
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  return pageWith(200, built.toString("utf8").replace(NONCE_PLACE, nonce), `'self' 'nonce-${nonce}'`);
}

function pageWith(status: number, body: string, styles: string): Answer {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
    body,
  };
}

function notBuilt(): Answer {
  const page = plainPage(
    `Not built · ${SERVICE_NAME}`,
    html`<h1>The admin UI is not built here</h1>
<p>Run <code>npm run admin:build</code> where this service is installed, with its development packages, and load this page again.</p>
<p><a href="/account">Your account</a> works without it.</p>`,
  );
  return pageWith(503, page, "'none'");
}

/** A plain-text error for file requests. HTML would be mistaken for the file. */
function errorAnswer(error: DomainError): Answer {
  return {
    status: errorCodes[error.code].status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      ...(error.code === "method_not_allowed" ? { allow: "GET, HEAD" } : {}),
    },
    body: `${error.message}\n`,
  };
}
