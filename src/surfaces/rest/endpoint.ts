import type { Responder, Route } from "./exchange.ts";
import { Refused } from "./refusal.ts";

/** Everything that lives at one path, by method. HEAD is GET's. */
export interface Endpoint {
  /** An OpenAPI template. */
  readonly path: string;
  readonly methods: Readonly<Record<string, Responder>>;
}

/** The route that answers all methods of an endpoint: those it has not with 405 and those it has in `Allow`. */
export function routeOf({ path, methods }: Endpoint): Route {
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
      throw new Refused("method_not_allowed", `Use ${allowed} here.`, { headers: { allow: allowed } });
    },
  };
}
