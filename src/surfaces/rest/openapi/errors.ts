import {
  type ErrorCode,
  errorBody,
  errorCodes,
  problemBody,
  validationErrorBody,
} from "../../../contract/error.ts";
import {
  policyOf,
  RATE_WINDOW_SECONDS,
  type RateLimitedBody,
  rateLimitedBody,
} from "../../../contract/rate-limit.ts";
import { SERVICE_ID } from "../../../contract/service.ts";
import type { Components } from "./components.ts";
import type { JsonSchema, MediaContent, OpenApiResponse, Reference } from "./open-api.ts";

/** The headers of an answer to a request that rate limits let in, or refused. */
export const RATE_LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Policy",
] as const;

/** Headers by status, besides those of every answer. */
const HEADERS_OF: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After", ...RATE_LIMIT_HEADERS],
  503: ["Retry-After"],
};

/** The refusals of an operation by status, each with the codes it can carry and both representations. */
export function errorResponses(
  components: Components,
  codes: readonly ErrorCode[],
  headersOf: (names: readonly string[]) => Record<string, Reference>,
): Record<string, OpenApiResponse> {
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const here = [...new Set(codes)].filter((code) => errorCodes[code].status === status);
      return [
        String(status),
        {
          description: here.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(" "),
          headers: headersOf(HEADERS_OF[status] ?? []),
          content: contentOf(components, here),
        },
      ];
    }),
  );
}

function contentOf(components: Components, codes: readonly ErrorCode[]): Record<string, MediaContent> {
  const ordinary = ordinaryOf(components, codes);
  const examples = codes.map((code) => [code, { value: exampleOf(code) }] as const);
  return {
    "application/json": { schema: ordinary, examples: Object.fromEntries(examples) },
    "application/problem+json": {
      schema: components.name("Problem", components.write(problemBody, "output")),
      examples: Object.fromEntries(codes.map((code) => [code, { value: problemOf(code) }])),
    },
  };
}

/** The body of what all these codes have in common, as they share a status. */
function ordinaryOf(components: Components, codes: readonly ErrorCode[]): JsonSchema {
  if (codes.includes("validation_failed")) {
    return components.name("ValidationError", components.write(validationErrorBody, "output"));
  }
  if (codes.includes("rate_limited")) return components.write(rateLimitedBody, "output");
  return components.name("Error", components.write(errorBody, "output"));
}

const LIMITED = {
  category: "read",
  policy: policyOf("read", 300),
  limit: 300,
  window_seconds: RATE_WINDOW_SECONDS,
  retry_after_seconds: 12,
} as const satisfies Partial<RateLimitedBody>;

const ISSUES = [{ loc: ["body", "content"], msg: "is required", type: "missing" }];

function exampleOf(code: ErrorCode): unknown {
  return {
    detail: code === "validation_failed" ? ISSUES : `${errorCodes[code].title}.`,
    code,
    ...(code === "rate_limited" ? LIMITED : {}),
  };
}

function problemOf(code: ErrorCode): unknown {
  const { status, title } = errorCodes[code];
  return {
    type: `urn:${SERVICE_ID}:problem:${code}`,
    title,
    status,
    code,
    detail: `${title}.`,
    ...(code === "validation_failed" ? { errors: ISSUES } : {}),
    ...(code === "rate_limited" ? LIMITED : {}),
  };
}
