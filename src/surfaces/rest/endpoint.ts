import type { Cors } from "../http/cors.ts";
import type { Handler, Route } from "../http/pipeline.ts";
import { HttpError } from "./error-response.ts";
import type { Ignoring } from "./input.ts";

/** The handlers of one path, by method. HEAD uses the handler of GET. */
export interface Endpoint {
  /** An OpenAPI template. */
  readonly path: string;
  readonly methods: Readonly<Record<string, Handler<Ignoring>>>;
}

/**
 * Creates the route of an endpoint. It answers all its methods and CORS preflights of allowed origins. Other methods
 * get 405 with `Allow`.
 */
export function routeOf({ path, methods }: Endpoint, cors: Cors): Route<Ignoring> {
  const allowed = Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  return {
    path,
    handle(context) {
      const { method } = context.request;
      const wanted = method === "HEAD" ? "GET" : method;
      const handle = Object.hasOwn(methods, wanted) ? methods[wanted] : undefined;
      if (handle) return handle(context);
      const permission = cors.preflight(context.request, allowed);
      if (permission) return permission;
      throw new HttpError("method_not_allowed", `Use ${allowed} here.`, { headers: { allow: allowed } });
    },
  };
}
