import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Effect, Operation } from "../../contract/operation.ts";
import { operationList } from "../../contract/operations.ts";
import { nextCursorOf } from "../../core/limits/answer-bytes.ts";
import { lazy } from "../http/lazy.ts";
import { DETAILS } from "./answer-forms.ts";
import { type JsonSchema, jsonSchemaOf, outlineOf } from "./json-schema.ts";
import { COMMON_ARGUMENTS, presentationOf, type ToolPresentation } from "./tool-presentation.ts";

/** An operation as MCP shows it, made once; each request's server lists those its caller may call. */
export interface Tool {
  readonly name: string;
  readonly operation: Operation;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: JsonSchema;
  /** The same with the arguments that the small set of tools lists. */
  readonly coreInputSchema: JsonSchema;
  /** Every argument that it takes: those of `inputSchema`, and a few that no model can make up. */
  readonly argumentNames: readonly string[];
  readonly outputSchema: JsonSchema;
  readonly presentation: Pick<ToolPresentation, "textOf" | "formsOf" | "rest" | "page">;
  /** The operation's answer as the object that a tool's structured content is. */
  readonly contentOf: (answer: unknown) => unknown;
}

/** The tools among the contract's operations. Their schemas are made once a process: that takes 100 ms. */
export const contractTools = lazy(() => toolsOf(operationList));

/** The tools among the operations, in their order. */
export function toolsOf(operations: readonly Operation[]): Tool[] {
  const outputs = new Outputs();
  return operations.flatMap((operation) => {
    if (!operation.mcp) return [];
    const presentation = presentationOf(operation);
    const { answerAs } = operation.mcp;
    const output =
      answerAs === undefined
        ? operation.output
        : z.object({
            [answerAs]: operation.output,
            ...("cursor" in operation.input.shape && { next_cursor: z.string().optional() }),
          });
    const inputSchema = presented(jsonSchemaOf(operation.input, "input"), presentation);
    return {
      name: operation.mcp.tool,
      operation,
      title: operation.mcp.title,
      description: presentation.description,
      annotations: annotationsOf[operation.effect],
      inputSchema,
      coreInputSchema: onlyArguments(inputSchema, presentation.coreArguments),
      argumentNames: Object.keys(operation.input.shape),
      outputSchema: outputs.schemaOf(operation.mcp.tool, output, presentation.least),
      presentation,
      contentOf: (answer) => (answerAs === undefined ? answer : listAs(answerAs, answer)),
    };
  });
}

/** A list as an object, with where it goes on if it does: over HTTP a header says that. */
function listAs(name: string, list: unknown): object {
  const next_cursor = nextCursorOf(list);
  return { [name]: list, ...(next_cursor !== null && { next_cursor }) };
}

/** openWorldHint false: nothing but the service's own record is touched. */
const annotationsOf: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  destroy: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** Members that no model can make up or use. They are accepted, but not listed. */
const NOT_OFFERED = [
  "embedding",
  "embedding_provider",
  "embedding_model",
  "embedding_dimension",
  "include_other_sessions",
  "retrievers",
  "candidate_count",
  "logic_path",
  // Structured content has excerpts in any case.
  "full",
  "proposed_by_agent_id",
  "version",
  // A page goes on by its cursor, whatever was written meanwhile.
  "offset",
];

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
    const description = argumentDescriptions[name] ?? COMMON_ARGUMENTS[name];
    properties[name] = description === undefined ? property : { ...property, description };
  }
  return { ...schema, properties, additionalProperties: false };
}

function onlyArguments(schema: JsonSchema, names: readonly string[] | undefined): JsonSchema {
  if (names === undefined) return schema;
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => names.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

/**
 * Output schemas: the answer's outline, or an error's. Clients of the SDK's first generation check the structured content
 * of failed calls too, and replace our error with their own where it does not fit the output schema.
 */
class Outputs {
  readonly #described = new Map<string, string>();

  /** Descriptions of an earlier tool are not repeated: many steps answer the same todo or decision. */
  schemaOf(tool: string, output: z.ZodType, least: ToolPresentation["least"]): JsonSchema {
    const outline = outlineOf(output);
    const always = least === undefined ? outline.always.map(withoutDetails) : [least];
    const named = [...outline.always.flat(), ...outline.sometimes];
    const sometimes = [...new Set(named)].filter(
      (name) => !always.flat().includes(name) && !DETAILS.includes(name),
    );
    const whole = eitherOf([...always, ERROR], sometimes);
    const described = JSON.stringify(whole);
    const like = this.#described.get(described);
    if (like === undefined) {
      this.#described.set(described, tool);
      return whole;
    }
    const common = always.reduce((left, right) => left.filter((name) => right.includes(name)));
    const short = { description: `As ${like} answers`, ...eitherOf([common, ERROR], []) };
    return JSON.stringify(short).length < described.length ? short : whole;
  }
}

/** Member names without those of details, for answers that would be too long. */
function withoutDetails(names: readonly string[]): readonly string[] {
  return names.filter((name) => !DETAILS.includes(name));
}

const ERROR = ["code", "detail"] as const;

function eitherOf(kinds: readonly (readonly string[])[], more: readonly string[]): JsonSchema {
  return {
    type: "object",
    ...(more.length > 0 ? { properties: Object.fromEntries(more.map((name) => [name, {}])) } : {}),
    anyOf: kinds.map((required) => ({ required: [...required] })),
  };
}
