import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import { NOT_ONLY_SLASHES } from "../../contract/primitives.ts";

/** A JSON Schema (2020-12) or a part of one. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
}

/**
 * Longest pattern to include in a list of tools. Patterns of ids are longer and would appear fifty times; models copy
 * ids from answers anyway.
 */
const PATTERN_MAX = 20;
/** In characters. Longer than most names, ids and paths. */
const LONG_TEXT = 128;

/**
 * Converts a contract schema to JSON Schema for a model: inline definitions, since not every host resolves `$ref`, and
 * nothing that only repeats the type. Kept as short as possible without losing meaning, because every connected model
 * pays for its tokens.
 */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    // Applies only to z.custom(), whose schema the contract gives in its metadata.
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // True is the default. Output objects are always open, so that members added later do not fail validation in
      // older clients.
      if (io === "output" || jsonSchema.additionalProperties === true) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // No model sends an empty text on purpose, or reaches the bound of a long one.
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if ((jsonSchema.maxLength ?? 0) >= LONG_TEXT) delete jsonSchema.maxLength;
      // A long pattern, or one that only forbids slashes, does not help a model. Validation still enforces it.
      const pattern = jsonSchema.pattern ?? "";
      if (jsonSchema.format !== undefined || pattern.length > PATTERN_MAX || pattern === NOT_ONLY_SLASHES)
        delete jsonSchema.pattern;
      if (jsonSchema.description !== undefined || jsonSchema.format !== undefined) delete jsonSchema.examples;
      if (jsonSchema.propertyNames !== undefined) bareRecord(jsonSchema);
      nullInType(jsonSchema);
    },
  });
  const whole = inlined(root, ($defs ?? {}) as Record<string, unknown>, []) as JsonSchema;
  return io === "input" ? offered(whole) : whole;
}

/** The only format that every host and model accepts. */
const FORMAT = "date-time";

/**
 * An input schema without features that hosts or their models fail on: `null` among types, alternatives, formats, and
 * rules on the names and number of members. Validation still accepts null and every alternative.
 */
function offered(schema: JsonSchema): JsonSchema {
  const { anyOf, propertyNames: _, minProperties: __, uniqueItems: ___, format, ...rest } = schema;
  const forms = anyOf?.filter(({ type }) => type !== "null").map(offered) ?? [];
  const only = forms.length === 1 ? forms[0] : {};
  const said = { ...only, ...rest, ...(format === FORMAT && { format }) };
  const {
    type,
    enum: values,
    properties,
    items,
    additionalProperties,
    ...others
  } = said as JsonSchema & {
    enum?: unknown[];
    items?: JsonSchema;
  };
  const types = [type].flat().filter((one) => one !== "null" && one !== undefined);
  return {
    ...(types.length === 1 && { type: types[0] }),
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, offered(one)])),
    }),
    ...(items && { items: offered(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isSchema(additionalProperties)
        ? offered(additionalProperties)
        : additionalProperties,
    }),
    ...others,
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

/** Leaves the names, number and value types of free-form members to the description. */
function bareRecord(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.propertyNames;
  delete schema.minProperties;
  delete schema.maxProperties;
  if (typeof schema.additionalProperties === "object" && Array.isArray(schema.additionalProperties.type))
    delete schema.additionalProperties;
}

/** Rewrites `anyOf: [{type: "string", …}, {type: "null"}]` as the equivalent `type: ["string", "null"]`. */
function nullInType(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, none, ...others] = schema.anyOf ?? [];
  if (!value || none?.type !== "null" || others.length > 0 || typeof value.type !== "string") return;
  delete schema.anyOf;
  const { type, enum: values, ...rest } = value;
  const orNull = { type: [type, "null"], ...(values === undefined ? {} : { enum: [...values, null] }) };
  Object.assign(schema, { ...rest, ...schema, ...orNull });
}

/** The member names of an answer. */
export interface Outline {
  /** For each kind of answer, the members that are always present. */
  readonly always: readonly (readonly string[])[];
  readonly sometimes: readonly string[];
}

/**
 * Returns the outline of an answer, without the schemas of its members: the answer itself shows them, and repeating
 * them in every tool would cost more than the rest of the list.
 */
export function outlineOf(schema: z.ZodType): Outline {
  const root = jsonSchemaOf(schema, "output");
  const kinds = root.anyOf ?? [root];
  const always = kinds.map(({ required = [] }) => required);
  const names = new Set(kinds.flatMap(({ properties = {} }) => Object.keys(properties)));
  return { always, sometimes: [...names].filter((name) => !always.flat().includes(name)) };
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
 * Wraps a JSON Schema for the SDK. It accepts every value: the application validates input, so that all surfaces refuse
 * alike, and output is trusted.
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
