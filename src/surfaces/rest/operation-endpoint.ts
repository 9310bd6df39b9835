import type { Operation } from "../../contract/operation.ts";
import { isForVisitors, type OperationName, type VisitorOperationName } from "../../contract/operations.ts";
import type { Application } from "../../core/application.ts";
import { invalid } from "../../core/error.ts";
import { admitCaller, admitVisitor } from "../http/admission.ts";
import type { Door } from "../http/door.ts";
import { withMemberPlaces } from "../http/member-places.ts";
import { type Answer, json } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Responder } from "./exchange.ts";
import { inputCollector } from "./input.ts";

/** What the operations stand on. */
export interface OperationDependencies extends Door {
  readonly application: Application;
}

/** The endpoints of the operations: one for each path, with all its methods. */
export function operationEndpoints(
  deps: OperationDependencies,
  operations: readonly Operation[],
): Endpoint[] {
  const byPath = new Map<string, Record<string, Responder>>();
  for (const operation of operations) {
    const respond = responderOf(deps, operation);
    for (const path of [operation.http.path, ...(operation.http.aliases ?? [])]) {
      byPath.set(path, { ...byPath.get(path), [operation.http.method]: respond });
    }
  }
  return [...byPath].map(([path, methods]) => ({ path, methods }));
}

/** Lets the sender in, collects the input, calls the operation. The operation checks the scope and validates. */
function responderOf(deps: OperationDependencies, operation: Operation): Responder {
  const { application } = deps;
  const collect = inputCollector(operation);
  if (isForVisitors(operation)) {
    const name = operation.name as VisitorOperationName;
    return async (exchange) => {
      const visitor = await admitVisitor(deps, exchange, operation.rate);
      const input = await collect(exchange);
      return answerOf(
        operation,
        await withMemberPlaces(operation, () => application.visit(name, visitor, input)),
      );
    };
  }
  const name = operation.name as OperationName;
  return async (exchange) => {
    const caller = await admitCaller(deps, exchange, operation.rate);
    // Before a body is read that may not be sent at all.
    const call = application.permit(name, caller, exchange.params);
    const invocation = { idempotencyKey: idempotencyKey(operation, exchange.request.headers) };
    const input = await collect(exchange);
    return answerOf(operation, await withMemberPlaces(operation, () => call(input, invocation)));
  };
}

/** Whether a repeated request can be told by its `Idempotency-Key`. */
export function takesIdempotencyKey({ http, effect, unrepeatable }: Operation): boolean {
  return http.method === "POST" && effect !== "read" && !unrepeatable;
}

function idempotencyKey(operation: Operation, headers: Headers): string | null {
  const key = takesIdempotencyKey(operation) ? headers.get("idempotency-key") : null;
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid(["header", "idempotency-key"], "must be 1 to 255 visible ASCII characters");
}

function answerOf({ http }: Operation, output: unknown): Answer {
  const tag = http.etag === undefined ? undefined : (output as Record<string, unknown>)[http.etag];
  return json(http.status, output, typeof tag === "string" ? { etag: tag } : {});
}
