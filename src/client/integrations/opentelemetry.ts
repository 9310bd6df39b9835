/**
 * Spans of memory operations, by OpenTelemetry's conventions for generative AI (in development). Needs no package of
 * OpenTelemetry itself: pass the tracer of your program, and spans come below the agent's.
 *
 * @example
 * ```ts
 * const client = traceMemory(createClient({ baseUrl, apiKey }), trace.getTracer("my-agent"));
 * await client.recallContext({ query: "When is Apollo deployed?" }); // a span search_memory
 * ```
 * @module
 */
import { GEN_AI_OPERATIONS } from "../../adapters/watch/gen-ai-operations.ts";
import type { Client } from "../client.ts";
import type { OperationName } from "../operation-table.ts";

/** As much of OpenTelemetry's span as is used. */
export interface MemorySpan {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

/** As much of OpenTelemetry's tracer as is used. */
export interface MemoryTracer {
  startActiveSpan<T>(
    name: string,
    options: { kind: number; attributes: Record<string, string | number> },
    work: (span: MemorySpan) => T,
  ): T;
}

export interface TraceMemoryOptions {
  /** Address of the service, for `server.address` and `server.port`. */
  readonly baseUrl?: string | undefined;
  /** Records queries and memories in spans. Default: false, since they are what people said. */
  readonly captureContent?: boolean | undefined;
}

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR`. */
const CLIENT = 2;
const ERROR = 2;

type Method = (input?: object, options?: object) => Promise<unknown>;
type Methods = Readonly<Record<string, Method>>;

/** The client with a span for each memory operation. All else is the client's own. */
export function traceMemory(client: Client, tracer: MemoryTracer, options: TraceMemoryOptions = {}): Client {
  const methods = client as unknown as Methods;
  const traced: Methods = Object.fromEntries(
    Object.entries(GEN_AI_OPERATIONS satisfies Partial<Record<OperationName, string>>).map(
      ([name, operation]) => {
        const method = methods[name] as Method;
        return [
          name,
          (input = {}, given) => inSpan(tracer, operation, { input, options }, () => method(input, given)),
        ];
      },
    ),
  );
  const call = (name: OperationName, input: object, given?: object) =>
    (traced[name] ?? (methods[name] as Method))(input, given);
  const forUser = (user: string) => traceMemory(client.forUser(user), tracer, options);
  return { ...client, ...traced, call, forUser } as unknown as Client;
}

interface Traced {
  readonly input: object;
  readonly options: TraceMemoryOptions;
}

function inSpan(
  tracer: MemoryTracer,
  operation: string,
  { input, options }: Traced,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const { query, memory_id: id } = input as { query?: unknown; memory_id?: unknown };
  const attributes: Record<string, string | number> = {
    "gen_ai.operation.name": operation,
    ...addressOf(options.baseUrl),
    ...(typeof id === "string" && { "gen_ai.memory.record.id": id }),
    ...(options.captureContent === true &&
      typeof query === "string" && { "gen_ai.memory.query.text": query }),
  };
  return tracer.startActiveSpan(operation, { kind: CLIENT, attributes }, async (span) => {
    try {
      const answer = await work();
      const records = recordsOf(answer);
      span.setAttribute("gen_ai.memory.record.count", records.length);
      if (options.captureContent === true)
        span.setAttribute("gen_ai.memory.records", JSON.stringify(records.map(recordOf)));
      return answer;
    } catch (error) {
      // Without the error's message, which may quote what was sent.
      span.setStatus({ code: ERROR });
      span.setAttribute("error.type", errorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

function addressOf(baseUrl: string | undefined): Record<string, string | number> {
  if (baseUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  return { "server.address": hostname, "server.port": Number(port) || (protocol === "https:" ? 443 : 80) };
}

interface MemoryRecord {
  readonly id?: string;
  readonly content?: string;
  readonly score?: number;
  readonly metadata?: unknown;
}

/** The memories of an answer: those of a list, or the one that it is. */
function recordsOf(answer: unknown): readonly MemoryRecord[] {
  const { items, results, id } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const list = items ?? results;
  if (Array.isArray(list)) return list;
  return id === undefined ? [] : [answer as MemoryRecord];
}

function recordOf({ id, content, score, metadata }: MemoryRecord): object {
  return { id, content, score, metadata };
}

function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name ?? "Error");
}
