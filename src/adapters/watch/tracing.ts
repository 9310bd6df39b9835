import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { Tracing } from "./watch.ts";

export interface TracingOptions {
  /** The address that spans are sent to, `/v1/traces` included. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  readonly instance: string;
  /** The share of traces starting here that are kept, 0 to 1. */
  readonly sampled: number;
  /** Called once when spans cannot be delivered, and again only after a success. */
  readonly onFailure: (error: unknown) => void;
}

/** Maximum number of spans waiting for delivery. More are dropped, so that nothing waits for a collector. */
const QUEUE_MAX = 4096;
const SEND_EVERY_MS = 2000;
const SEND_WITHIN_MS = 5000;

/**
 * Traces by OpenTelemetry, sent by OTLP over HTTP as JSON. The context is kept here and not registered globally, so
 * that
 * libraries which look for a provider find none, and send no spans with contents that this service does not choose.
 */
export function openTracing(options: TracingOptions): Tracing {
  const { url, headers, serviceName, version, instance, sampled, onFailure } = options;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_WITHIN_MS });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.version": version,
      "service.instance.id": instance,
    }),
    sampler: new ParentBasedSampler({ root: samplerOf(sampled) }),
    spanProcessors: [
      new BatchSpanProcessor(reporting(exporter, onFailure), {
        maxQueueSize: QUEUE_MAX,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  });
  const tracer = provider.getTracer(serviceName, version);
  const contexts = new AsyncLocalStorage<Context>();
  const activeSpan = () => trace.getSpan(contexts.getStore() ?? ROOT_CONTEXT);

  return {
    async request(name, attributes, headers, work) {
      const parent = parentIn(headers);
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...attributes } }, parent);
      return within(contexts, span, parent, work);
    },
    async span(name, attributes, work) {
      const parent = contexts.getStore();
      // Work without a request, such as a worker's statements, begins no trace.
      if (parent === undefined) return work();
      const span = tracer.startSpan(name, { attributes: { ...attributes } }, parent);
      return within(contexts, span, parent, work);
    },
    begin(name, attributes) {
      const parent = contexts.getStore();
      if (parent === undefined) return null;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { ...attributes } }, parent);
      return (failure) => ended(span, failure);
    },
    note(attributes) {
      activeSpan()?.setAttributes({ ...attributes });
    },
    fail() {
      activeSpan()?.setStatus({ code: SpanStatusCode.ERROR });
    },
    traceId: () => activeSpan()?.spanContext().traceId ?? null,
    isKept: () => ((activeSpan()?.spanContext().traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0,
    // An unavailable collector rejects, which must not keep a server from stopping.
    stop: () => provider.shutdown().catch(onFailure),
  };
}

function samplerOf(share: number): Sampler {
  if (share >= 1) return new AlwaysOnSampler();
  return share <= 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(share);
}

async function within<T>(
  contexts: AsyncLocalStorage<Context>,
  span: Span,
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await contexts.run(trace.setSpan(parent, span), work);
    span.end();
    return result;
  } catch (error) {
    ended(span, error);
    throw error;
  }
}

/** Without the error's message, which may quote what was sent or stored. */
function ended(span: Span, failure: unknown): void {
  if (failure !== null) {
    const { name = "Error", code } = failure as { name?: string; code?: unknown };
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", typeof code === "string" && /^\w{1,40}$/.test(code) ? code : name);
  }
  span.end();
}

/** W3C Trace Context: the current version, and later ones that begin the same. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Returns the context of the sender's span, if any. Malformed headers are ignored. */
function parentIn(headers: Headers): Context {
  const [, version, traceId = "", spanId = "", flags = "00"] =
    TRACEPARENT.exec(headers.get("traceparent")?.trim() ?? "") ?? [];
  if (version === undefined || version === "ff" || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Wraps an exporter, so that it reports a delivery failure once. */
function reporting(exporter: OTLPTraceExporter, onFailure: (error: unknown) => void): OTLPTraceExporter {
  let isFailing = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const failed = result.code !== 0;
      if (failed && !isFailing) onFailure(result.error);
      isFailing = failed;
      done(result);
    });
  return exporter;
}
