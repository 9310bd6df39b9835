import { Elysia } from "elysia";
import { operationGroups, operationList } from "../../contract/operations.ts";
import { DomainError } from "../../core/error.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { createCors } from "./cors.ts";
import { docsPage } from "./docs/docs-page.ts";
import { routeOf } from "./endpoint.ts";
import { type ExchangeDependencies, exchange } from "./exchange.ts";
import { lazy } from "./lazy.ts";
import { openApiDocument } from "./openapi/document.ts";
import { type OperationDependencies, operationEndpoints } from "./operation-endpoint.ts";
import { type Outages, type Readiness, serviceEndpoints } from "./service-endpoints.ts";

/** What the REST surface stands on. */
export interface RestDependencies extends OperationDependencies, Pick<ExchangeDependencies, "log"> {
  /** Whose pages may call the API from a browser: origins; none where it is empty. */
  readonly corsOrigins: readonly string[];
  /** Asked by `/readyz`, which waits for it: which dependencies answer in time, by name. */
  readonly isReady: () => Promise<Readiness> | Readiness;
  /** Dependencies that the service goes on without; none, unless given. */
  readonly outages?: () => Outages;
}

/**
 * The REST door: every operation at its path, the probes, `/openapi.json` and `/docs`. Elysia finds the path; the
 * method and all else is the same code on every runtime. Further routes may be added to what is returned.
 */
export function createRestSurface(deps: RestDependencies): Elysia {
  const cors = createCors(deps.corsOrigins);
  const exchanges: ExchangeDependencies = { ...deps, cors, always: securityHeaders(deps.publicUrl) };
  const document = lazy(() => openApiDocument(operationGroups));
  const endpoints = [
    ...serviceEndpoints({
      isReady: deps.isReady,
      outages: deps.outages ?? (() => ({})),
      openApi: lazy(() => JSON.stringify(document())),
      docsPage: lazy(() => docsPage(document())),
    }),
    ...operationEndpoints(deps, operationList),
  ];
  // By default Elysia takes a host of one to three letters for the beginning of the path.
  const surface = new Elysia({ name: "rest", handler: { standardHostname: false } });
  surface.onError(async ({ request, code, error }) => {
    const cause =
      code === "NOT_FOUND"
        ? new DomainError("not_found", "There is nothing here. /docs says what there is.")
        : error;
    return exchange(exchanges, { route: null, respond: () => Promise.reject(cause) }, request);
  });
  for (const endpoint of endpoints) {
    const route = routeOf(endpoint, cors);
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1");
    // HEAD is named too, or Elysia would make it up from the answer to another method.
    for (const method of ["ALL", "HEAD"]) {
      surface.route(
        method,
        path,
        async ({ request, params }) => exchange(exchanges, route, request, params),
        {
          parse: "none",
        },
      );
    }
  }
  return surface;
}
