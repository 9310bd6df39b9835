import { z } from "zod";
import type { Components } from "./components.ts";
import { errorResponses } from "./errors.ts";
import type { OpenApiOperation, Reference } from "./types.ts";

export const probeTag = {
  name: "Service",
  description: "Whether the service is there. No credential is needed.",
};

const health = z.object({ status: z.literal("ok"), version: z.string() }).meta({ id: "Health" });
const ready = z
  .object({
    status: z.literal("ready"),
    dependencies: z.record(z.string(), z.boolean()).describe("Whether each answers"),
    degraded: z
      .record(z.string(), z.string())
      .describe("What does not answer though the service goes on without it, and why"),
  })
  .meta({ id: "Readiness" });

/** The paths that tell a load balancer how the service is. */
export function probePaths(components: Components): Record<string, Record<string, OpenApiOperation>> {
  const probe = (
    operationId: string,
    summary: string,
    schema: z.ZodType,
    description: string,
  ): OpenApiOperation => ({
    operationId,
    tags: [probeTag.name],
    summary,
    security: [],
    responses: {
      "200": {
        description,
        headers: headersOf([]),
        content: { "application/json": { schema: components.write(schema, "output") } },
      },
    },
  });
  const isReady = probe("getReadiness", "Whether its dependencies answer", ready, "All of them do");
  const responses = {
    ...isReady.responses,
    ...errorResponses(components, ["dependency_unavailable"], headersOf),
  };
  return {
    "/healthz": { get: probe("getHealth", "Whether the process runs", health, "It does") },
    "/readyz": { get: { ...isReady, responses } },
  };
}

function headersOf(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(
    [...names, "X-Request-Id"].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
