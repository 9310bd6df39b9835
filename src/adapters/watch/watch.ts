import type { StatementWatch, SurfaceMetrics, Watch } from "../../core/watch/watch.ts";
import { GEN_AI_OPERATIONS } from "./gen-ai-operations.ts";
import type { Metrics } from "./metrics.ts";

/** Attributes of a span: never content, never an id that a caller chose. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Traces. The implementation is loaded only if tracing is configured. */
export interface Tracing {
  /** Runs a request in a server span, as a child of the one that its headers name. */
  request<T>(name: string, attributes: Attributes, headers: Headers, work: () => Promise<T>): Promise<T>;
  /** Runs work in a child span of the current one. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Begins a span without children. The returned function ends it, with the failure or null. */
  begin(name: string, attributes: Attributes): ((failure: unknown) => void) | null;
  /** Adds attributes to the current span. */
  note(attributes: Attributes): void;
  /** Marks the current span as failed. */
  fail(): void;
  traceId(): string | null;
  /** Whether the current trace is sampled. */
  isKept(): boolean;
  /** Sends what is left; never rejects. */
  stop(): Promise<void>;
}

/** Other listeners: the service's own figures, and refusals of the database. */
export interface EventReceiver extends Pick<Watch, "recalled">, Pick<SurfaceMetrics, "operationEnded"> {
  statementFailed(failure: unknown): void;
}

/** Turns reports into metrics and, if tracing is configured, into spans. */
export function createWatch(
  metrics: Metrics,
  tracing: Tracing | null,
  others: EventReceiver,
): Watch & SurfaceMetrics & StatementWatch {
  const span = <T>(name: string, work: () => Promise<T>, attributes: Record<string, string> = {}) =>
    tracing === null ? work() : tracing.span(name, attributes, work);
  return {
    async stage(name, work) {
      const begunAt = performance.now();
      try {
        return await span(`stage ${name}`, async () => work());
      } finally {
        metrics.stage(name, seconds(begunAt));
      }
    },
    recalled(recall) {
      metrics.recalled(recall);
      others.recalled(recall);
      tracing?.note({
        "recollect.engine": recall.engine,
        "recollect.coverage": recall.coverage,
        "recollect.degraded": recall.isDegraded,
      });
    },
    request({ door, method, route, headers }, answer) {
      if (tracing === null) return answer();
      const name = `${knownMethod(method)} ${route ?? "nowhere"}`;
      const attributes = { "http.request.method": knownMethod(method), "recollect.door": door };
      return tracing.request(
        name,
        route === null ? attributes : { ...attributes, "http.route": route },
        headers,
        answer,
      );
    },
    traceId: () => tracing?.traceId() ?? null,
    operation: (name, work) => span(`operation ${name}`, work, operationAttributes(name)),
    answered(request) {
      metrics.answered(request);
      tracing?.note({ "http.response.status_code": request.status });
      if (request.status >= 500) tracing?.fail();
    },
    operationEnded(operation) {
      metrics.operationEnded(operation);
      others.operationEnded(operation);
    },
    statement(kind) {
      const begunAt = performance.now();
      const end = tracing?.begin(`postgres ${kind}`, {
        "db.system.name": "postgresql",
        "db.operation.name": kind,
      });
      return (failure) => {
        metrics.statement(kind, seconds(begunAt));
        if (failure !== null) {
          metrics.statementFailed(sqlStateOf(failure));
          others.statementFailed(failure);
        }
        end?.(failure);
      };
    },
    async transaction(work) {
      const begunAt = performance.now();
      let waited = 0;
      try {
        return await span("postgres transaction", () =>
          work(() => {
            waited = seconds(begunAt);
          }),
        );
      } finally {
        metrics.transaction(seconds(begunAt), waited || seconds(begunAt));
      }
    },
  };
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** A client may call its method anything. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "OTHER";
}

/** Postgres' code of the failure; null if the connection failed. */
function sqlStateOf(failure: unknown): string | null {
  const { name, code } = failure as { name?: unknown; code?: unknown };
  return name === "PostgresError" && typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

function operationAttributes(name: string): Record<string, string> {
  const operation = (GEN_AI_OPERATIONS as Readonly<Record<string, string>>)[name];
  const genAi = operation === undefined ? {} : { "gen_ai.operation.name": operation };
  return { "recollect.operation": name, ...genAi };
}
