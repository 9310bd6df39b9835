import {
  type ErrorCode,
  errorBody,
  errorCodes,
  problemBody,
  validationErrorBody,
} from "../../../contract/error.ts";
import { SERVICE_ID } from "../../../contract/service.ts";
import type { Components } from "./components.ts";
import type { MediaContent, OpenApiResponse, Reference } from "./types.ts";

/** Headers by status, besides those of every answer. */
const HEADERS_OF: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
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
  const isValidation = codes.includes("validation_failed");
  const ordinary = isValidation
    ? components.name("ValidationError", components.write(validationErrorBody, "output"))
    : components.name("Error", components.write(errorBody, "output"));
  const examples = codes.map((code) => [code, { value: exampleOf(code) }] as const);
  return {
    "application/json": { schema: ordinary, examples: Object.fromEntries(examples) },
    "application/problem+json": {
      schema: components.name("Problem", components.write(problemBody, "output")),
      examples: Object.fromEntries(codes.map((code) => [code, { value: problemOf(code) }])),
    },
  };
}

const ISSUES = [{ loc: ["body", "content"], msg: "is required", type: "missing" }];

function exampleOf(code: ErrorCode): unknown {
  return { detail: code === "validation_failed" ? ISSUES : `${errorCodes[code].title}.`, code };
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
  };
}
