import {
  type ErrorCode,
  errorCodes,
  errorBody as errorSchema,
  problemBody,
  validationErrorBody,
} from "../../../contract/error.ts";
import { rateLimitedBody } from "../../../contract/rate-limit.ts";
import { DomainError } from "../../../core/error.ts";
import { RateLimited } from "../../../core/limits/rate-limiter.ts";
import { errorBody } from "../../http/error-response.ts";
import { problemDocument } from "../error-response.ts";
import type { Components } from "./components.ts";
import type { JsonSchema, MediaContent, OpenApiResponse, Reference } from "./open-api.ts";

/** Headers of an answer to a request that was counted by rate limits. */
export const RATE_LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Policy",
] as const;

/** Headers by status, in addition to the common ones. */
const HEADERS_OF: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After", ...RATE_LIMIT_HEADERS],
  503: ["Retry-After"],
};

/** Returns an operation's error responses by status, each with its possible codes and both representations. */
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
          headers: headersOf(["Link", ...(HEADERS_OF[status] ?? [])]),
          content: contentOf(components, here),
        },
      ];
    }),
  );
}

function contentOf(components: Components, codes: readonly ErrorCode[]): Record<string, MediaContent> {
  const ordinary = ordinaryOf(components, codes);
  const shown = (bodyOf: (error: DomainError) => unknown) =>
    Object.fromEntries(codes.map((code) => [code, { value: bodyOf(exampleOf(code)) }]));
  return {
    "application/json": { schema: ordinary, examples: shown(errorBody) },
    "application/problem+json": {
      schema: components.name("Problem", components.write(problemBody, "output")),
      examples: shown(problemDocument),
    },
  };
}

/** Returns the schema of an error body for codes that share a status. */
function ordinaryOf(components: Components, codes: readonly ErrorCode[]): JsonSchema {
  if (codes.includes("validation_failed")) {
    return components.name("ValidationError", components.write(validationErrorBody, "output"));
  }
  if (codes.includes("rate_limited")) return components.write(rateLimitedBody, "output");
  return components.name("Error", components.write(errorSchema, "output"));
}

const ISSUES = [{ loc: ["body", "content"], msg: "is required", type: "missing" }];

const READS_USED_UP = {
  category: "read",
  limit: 300,
  remaining: 0,
  isExceeded: true,
  resetsAt: 1_767_225_600,
  retryAfterSeconds: 12,
} as const;

function exampleOf(code: ErrorCode): DomainError {
  if (code === "rate_limited") return new RateLimited(READS_USED_UP);
  const issues = code === "validation_failed" ? ISSUES : [];
  return new DomainError(code, `${errorCodes[code].title}.`, { issues });
}
