import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

/** A JSON Schema (2020-12) or a part of one. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
}

/**
 * The JSON Schema of a contract schema as a model should read it: definitions in place instead of `$ref`s, which not
 * every host resolves, and without what only repeats the type. Objects stay open, so that a member added later does
 * not make an answer invalid for a client that knows the older schema.
 */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    // Only z.custom() is met, and the contract describes those by their metadata.
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return inlined(root, ($defs ?? {}) as Record<string, unknown>, []) as JsonSchema;
}

const REFERENCE = "#/$defs/";

function inlined(value: unknown, definitions: Record<string, unknown>, within: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => inlined(element, definitions, within));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: unknown };
  const siblings = Object.fromEntries(
    Object.entries(rest).map(([key, member]) => [key, inlined(member, definitions, within)]),
  );
  if (typeof $ref !== "string" || !$ref.startsWith(REFERENCE)) return siblings;
  const name = $ref.slice(REFERENCE.length);
  if (within.includes(name))
    throw new Error(`The schema ${name} contains itself, which a tool's schema cannot.`);
  return { ...(inlined(definitions[name], definitions, [...within, name]) as object), ...siblings };
}

/**
 * A JSON Schema in the form the SDK takes. It accepts every value: the application checks the input, so that all doors
 * refuse alike, and the output is its own.
 */
export function describedSchema(schema: JsonSchema): StandardSchemaWithJSON<unknown> {
  return {
    "~standard": {
      version: 1,
      vendor: "recollect",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
