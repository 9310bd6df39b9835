import { Elysia } from "elysia";
import { operationList } from "../../contract/operations.ts";
import { DomainError } from "../../core/error.ts";
import { docsPage } from "./docs-page.ts";
import { type Endpoint, type ExchangeDependencies, exchange } from "./exchange.ts";
import { once } from "./once.ts";
import { openApiDocument } from "./openapi.ts";
import { type OperationDependencies, operationEndpoints } from "./operation-endpoint.ts";
import { type Readiness, serviceEndpoints } from "./service-endpoints.ts";

/** What the REST surface stands on. */
export interface RestDependencies extends OperationDependencies, ExchangeDependencies {
  /** Asked by `/readyz`: which dependencies answer, by name. */
  readonly isReady: () => Promise<Readiness> | Readiness;
}

/**
 * The REST door: every operation at its path, the probes, `/openapi.json` and `/docs`. Elysia finds the path; which
 * method it is, and all else, is the same code on every runtime. Further routes may be added to what is returned.
 */
export function createRestSurface(deps: RestDependencies): Elysia {
  const document = once(openApiDocument);
  const endpoints = [
    ...serviceEndpoints({
      isReady: deps.isReady,
      openApi: once(() => JSON.stringify(document())),
      docsPage: once(() => docsPage(document())),
    }),
    ...operationEndpoints(deps, operationList),
  ];
  // By default Elysia takes a host of one to three letters for the beginning of the path.
  const surface = new Elysia({ name: "rest", handler: { standardHostname: false } });
  surface.onError(async ({ request, code, error }) => exchange(deps, nowhere(code === "NOT_FOUND" ? null : error), request));
  for (const endpoint of endpoints) {
    const path = (endpoint.route ?? "").replaceAll(/\{(\w+)\}/g, ":$1");
    // HEAD is named as well, or Elysia would answer it from the body of the rest.
    for (const method of ["ALL", "HEAD"]) {
      surface.route(method, path, async ({ request, params }) => exchange(deps, endpoint, request, params), { parse: "none" });
    }
  }
  return surface;
}

/** What answers where no route is, or where a route added by others has failed. */
function nowhere(error: unknown): Endpoint {
  const fail = () => {
    throw error ?? new DomainError("not_found", "There is nothing at this path. /docs lists what there is.");
  };
  return { route: null, methods: new Proxy({}, { getOwnPropertyDescriptor: () => ({ value: fail, configurable: true }), get: () => fail }) };
}
