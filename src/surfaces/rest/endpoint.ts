import type { Cors } from "./cors.ts";
import type { Responder, Route } from "./exchange.ts";
import { Refused } from "./refusal.ts";

/** Everything that lives at one path, by method. HEAD is GET's. */
export interface Endpoint {
  /** An OpenAPI template. */
  readonly path: string;
  readonly methods: Readonly<Record<string, Responder>>;
}

/**
 * The route that answers all methods of an endpoint: those it has not with 405 and those it has in `Allow`; and a
 * browser that asks first for a page of an allowed origin.
 */
export function routeOf({ path, methods }: Endpoint, cors: Cors): Route {
  const allowed = Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  return {
    route: path,
    respond(exchange) {
      const { method } = exchange.request;
      const wanted = method === "HEAD" ? "GET" : method;
      const respond = Object.hasOwn(methods, wanted) ? methods[wanted] : undefined;
      if (respond) return respond(exchange);
      const permission = cors.preflight(exchange.request, allowed);
      if (permission) return permission;
      throw new Refused("method_not_allowed", `Use ${allowed} here.`, { headers: { allow: allowed } });
    },
  };
}
