import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Effect, Operation } from "../../contract/operation.ts";
import { operationList } from "../../contract/operations.ts";
import type { ToolSet } from "../../contract/tool-set.ts";
import type { Caller } from "../../core/caller.ts";
import { nextCursorOf } from "../../core/limits/answer-bytes.ts";
import { lazy } from "../http/lazy.ts";
import { DETAILS } from "./answer-forms.ts";
import { type JsonSchema, jsonSchemaOf, outlineOf } from "./json-schema.ts";
import { COMMON_ARGUMENTS, presentationOf, type ToolPresentation } from "./tool-presentation.ts";

/** An operation as an MCP tool. Created once; each request's server registers those that its caller may call. */
export interface Tool {
  readonly name: string;
  readonly operation: Operation;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: JsonSchema;
  /** The input schema with only the arguments listed in the set `core`. */
  readonly coreInputSchema: JsonSchema;
  /** Arguments listed only for credentials that act for end users, or are confined to one. */
  readonly endUserArguments: Readonly<Record<string, JsonSchema>>;
  /** Every accepted argument: those of `inputSchema`, and a few that no model can provide. */
  readonly argumentNames: readonly string[];
  readonly outputSchema: JsonSchema;
  readonly presentation: Pick<ToolPresentation, "textOf" | "formsOf" | "rest" | "page" | "meta">;
  /** Converts the operation's answer to an object, as structured content requires. */
  readonly contentOf: (answer: unknown) => unknown;
}

/** The contract's tools. Their schemas are made once per process, which takes 100 ms. */
export const contractTools = lazy(() => toolsOf(operationList));

/** Returns the operations that are tools, in the same order. */
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
      endUserArguments: Object.fromEntries(
        Object.entries(END_USER_ARGUMENTS).filter(([name]) => Object.hasOwn(operation.input.shape, name)),
      ),
      argumentNames: Object.keys(operation.input.shape),
      outputSchema: outputs.schemaOf(operation.mcp.tool, output, presentation.least),
      presentation,
      contentOf: (answer) => (answerAs === undefined ? answer : listAs(answerAs, answer)),
    };
  });
}

/** Wraps a list in an object, with the next cursor if there is one. Over HTTP the cursor is a header. */
function listAs(name: string, list: unknown): object {
  const next_cursor = nextCursorOf(list);
  return { [name]: list, ...(next_cursor !== null && { next_cursor }) };
}

/** openWorldHint is false because tools act only on the service's own data. */
const annotationsOf: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  destroy: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** Members that no model can provide or use. They are accepted, but not listed. */
const NOT_OFFERED = [
  "embedding",
  "embedding_provider",
  "embedding_model",
  "embedding_dimension",
  "include_other_sessions",
  "retrievers",
  "candidate_count",
  "logic_path",
  // Structured content has excerpts anyway.
  "full",
  "proposed_by_agent_id",
  "version",
  // Pages continue by cursor, which stays correct when memories are added.
  "offset",
  // Listed for those who can use them: see `listedSchema`.
  "user_id",
  "include_shared",
];

/** Brief, since every tool repeats them. */
const END_USER_ARGUMENTS: Readonly<Record<string, JsonSchema>> = {
  user_id: { type: "string", description: "The end user. Default: the application itself" },
  include_shared: { type: "boolean", description: "Also what the application shares" },
};

/** The input schema as it is listed for a caller. */
export function listedSchema(
  { inputSchema, coreInputSchema, endUserArguments }: Tool,
  { owner, scopes }: Pick<Caller, "owner" | "scopes">,
  toolSet: ToolSet,
): JsonSchema {
  const schema = toolSet === "core" ? coreInputSchema : inputSchema;
  const isConfined = owner.kind === "end_user";
  if (!isConfined && !scopes.has("users:act")) return schema;
  const { user_id, ...others } = endUserArguments;
  const more = isConfined || user_id === undefined ? others : { user_id, ...others };
  return { ...schema, properties: { ...schema.properties, ...more } };
}

/** Reorders the arguments by importance for a model, and extends brief descriptions. */
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
 * Output schemas: the outline of the answer or of an error. Errors are included because clients built on SDK v1 also
 * validate the structured content of failed calls, and replace our error with their own if it does not match.
 */
class Outputs {
  readonly #described = new Map<string, string>();

  /** Descriptions given in an earlier tool are not repeated, since many tools return the same todo or decision. */
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

/** Removes the names of detail members, for answers that would be too long. */
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
