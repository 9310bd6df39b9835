import type { Cors } from "../http/cors.ts";
import type { Handler, Route } from "../http/pipeline.ts";
import { HttpError } from "./error-response.ts";
import type { Ignoring } from "./input.ts";

/** Everything that lives at one path, by method. HEAD is GET's. */
export interface Endpoint {
  /** An OpenAPI template. */
  readonly path: string;
  readonly methods: Readonly<Record<string, Handler<Ignoring>>>;
}

/**
 * The route that answers all methods of an endpoint, and a browser that asks first for a page of an allowed origin. A
 * method that the endpoint lacks is 405, with those that it has in `Allow`.
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
