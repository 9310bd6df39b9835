import { hostname } from "node:os";
import { z } from "zod";
import { isLoopback } from "../core/access/loopback.ts";
import { secret } from "./setting-kinds.ts";

/** Comma-separated, percent-encoded `name=value` pairs, as in OpenTelemetry. */
const headers = z
  .string()
  .transform((text) => text.split(",").map((pair) => pair.trim().split("=")))
  .refine((pairs) => pairs.every(([name, ...value]) => name && value.length > 0), "must be name=value pairs")
  .transform((pairs) =>
    Object.fromEntries(pairs.map(([name, ...value]) => [name as string, decoded(value.join("="))])),
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const httpUrl = z.url({ protocol: /^https?$/ });

/** The settings of logs, metrics, the recall log and traces. Those of traces are OpenTelemetry's own. */
export const watchShape = {
  INSTANCE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,64}$/, "must be 1 to 64 of A-Za-z0-9_.:-")
    .optional(),
  METRICS_TOKEN: secret(z.string().min(32).max(512).regex(/^\S+$/)).optional(),
  RECALL_LOG_DAYS: z.coerce.number().int().min(0).max(365).default(14),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: secret(headers).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).max(128).default("recollect"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SDK_DISABLED: z.enum(["true", "false"]).default("false"),
};

export interface WatchConfig {
  /** This server's name in logs and traces. */
  readonly instance: string;
  readonly metrics: { readonly token: string | null; readonly isForLoopback: boolean };
  /** How long questions are kept in the recall log; 0: not at all. */
  readonly recallLogDays: number;
  /** null: no traces. */
  readonly tracing: TracingConfig | null;
}

export interface TracingConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of traces starting here that are kept. */
  readonly sampled: number;
}

type Settings = z.output<z.ZodObject<typeof watchShape>>;

/**
 * Processes on this machine may read metrics without a token, unless the settings suggest a proxy: a proxy on this
 * machine would expose them to everyone.
 */
export function watchOf(
  settings: Settings,
  { publicUrl, trustedProxies }: { publicUrl: string; trustedProxies: readonly string[] },
): WatchConfig {
  const token = settings.METRICS_TOKEN ?? null;
  const isLocal = isLoopback(new URL(publicUrl).hostname) && trustedProxies.length === 0;
  return {
    instance: settings.INSTANCE_NAME ?? nameOf(hostname()),
    metrics: { token, isForLoopback: token === null && isLocal },
    recallLogDays: settings.RECALL_LOG_DAYS,
    tracing: tracingOf(settings),
  };
}

function nameOf(host: string): string {
  return host.replaceAll(/[^A-Za-z0-9_.:-]/g, "-").slice(0, 64) || "unnamed";
}

function tracingOf(settings: Settings): TracingConfig | null {
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "");
  const url =
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? null : `${base}/v1/traces`);
  if (url === null || settings.OTEL_SDK_DISABLED === "true") return null;
  return {
    url,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: settings.OTEL_SERVICE_NAME,
    sampled: settings.OTEL_TRACES_SAMPLER_ARG,
  };
}
