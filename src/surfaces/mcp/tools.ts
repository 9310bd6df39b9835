import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { TokenKind } from "../../contract/credential.ts";
import { errorBody, validationErrorBody } from "../../contract/error.ts";
import type { Effect, Operation, RateCategory } from "../../contract/operation.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { Scope } from "../../contract/scope.ts";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import { presentationOf, type ToolPresentation } from "./tool-presentation.ts";

/** An operation as MCP shows it, made once; each request's server lists those its caller may call. */
export interface Tool {
  readonly name: string;
  readonly operation: OperationName;
  /** One of these is enough to call it. */
  readonly scopes: readonly Scope[];
  readonly kinds: readonly TokenKind[] | undefined;
  /** What its calls count in, besides the data plane. */
  readonly rate: RateCategory | null;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly textOf: ToolPresentation["textOf"];
  /** The operation's answer as the object that a tool's structured content is. */
  readonly contentOf: (answer: unknown) => unknown;
}

/** The tools among the operations, in their order. */
export function toolsOf(operations: readonly Operation[]): Tool[] {
  return operations.flatMap((operation) => {
    if (!operation.mcp) return [];
    const presentation = presentationOf(operation);
    const { answerAs } = operation.mcp;
    const output = answerAs === undefined ? operation.output : z.object({ [answerAs]: operation.output });
    return {
      name: operation.mcp.tool,
      operation: operation.name as OperationName,
      scopes: operation.scopes,
      kinds: operation.kinds,
      rate: operation.rate,
      title: operation.mcp.title,
      description: presentation.description,
      annotations: annotationsOf[operation.effect],
      inputSchema: presented(jsonSchemaOf(operation.input, "input"), presentation),
      outputSchema: orError(jsonSchemaOf(output, "output")),
      textOf: presentation.textOf,
      contentOf: (answer) => (answerAs === undefined ? answer : { [answerAs]: answer }),
    };
  });
}

/** openWorldHint false: nothing but the service's own record is touched. */
const annotationsOf: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  destroy: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** What no model can make up; it stays accepted, but is not offered. */
const NOT_OFFERED = ["embedding", "embedding_provider", "embedding_model", "embedding_dimension"];

/** Puts first what a model should think of first, and says more of it where the contract is brief. */
function presented(
  schema: JsonSchema,
  { firstArguments, argumentDescriptions }: ToolPresentation,
): JsonSchema {
  const given = schema.properties ?? {};
  const names = [...new Set([...firstArguments, ...(schema.required ?? []), ...Object.keys(given)])];
  const properties: Record<string, JsonSchema> = {};
  for (const name of names) {
    const property = given[name];
    if (!property || NOT_OFFERED.includes(name)) continue;
    const description = argumentDescriptions[name];
    properties[name] = description === undefined ? property : { ...property, description };
  }
  return { ...schema, properties };
}

/** What a failed call carries as structured content: the error body of REST. */
const errorSchema = jsonSchemaOf(
  z.object({
    // Not the enumeration: a code added later must not break a client that knows the older schema.
    code: z.string().meta({ description: "Where the call failed: why, for machines" }),
    detail: z.union([errorBody.shape.detail, validationErrorBody.shape.detail]),
  }),
  "output",
);

/**
 * The answer or an error. Clients of the SDK's first generation check the structured content of failed calls too, and
 * replace our error with their own where it does not fit the output schema.
 */
function orError({ required = [], ...schema }: JsonSchema): JsonSchema {
  if (schema.type !== "object")
    // Versions of an answer. The root is an object all the same: clients take no other.
    return { type: "object", anyOf: [...(schema.anyOf ?? [{ ...schema, required }]), errorSchema] };
  return {
    ...schema,
    properties: { ...schema.properties, ...errorSchema.properties },
    anyOf: [{ required }, { required: ["code", "detail"] }],
  };
}
