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

/** Longest pattern in a list of tools. Those of ids are longer and would appear fifty times; models take ids from answers. */
const PATTERN_MAX = 20;
/** In characters. Few names, ids and paths come near it. */
const LONG_TEXT = 128;

/**
 * The JSON Schema of a contract schema as a model should read it: definitions in place instead of `$ref`s, which not
 * every host resolves, and without what only repeats the type. It is as short as it can be without saying less: every
 * connected model pays for it before it has asked anything.
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
      // Objects are open unless they say that they are not; answers always, so that a member added later does not make
      // one invalid for a client that knows less.
      if (io === "output" || jsonSchema.additionalProperties === true) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Nobody means an empty text, and no model comes near what a long one may have.
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if ((jsonSchema.maxLength ?? 0) >= LONG_TEXT) delete jsonSchema.maxLength;
      // A long pattern, or one that forbids only slashes, tells a model nothing; what does not match is refused all the same.
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

/** The one format that every host and model takes. */
const FORMAT = "date-time";

/**
 * The schema of an input without what hosts and the models behind them choke on: `null` among types, forms to choose from,
 * formats, and rules on members' names and counts. null is taken all the same, and so is every form.
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

/** Names and numbers of free members, and which plain values they may have, are left to the description. */
function bareRecord(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.propertyNames;
  delete schema.minProperties;
  delete schema.maxProperties;
  if (typeof schema.additionalProperties === "object" && Array.isArray(schema.additionalProperties.type))
    delete schema.additionalProperties;
}

/** `anyOf: [{type: "string", …}, {type: "null"}]` as `type: ["string", "null"]`, which says the same. */
function nullInType(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, none, ...others] = schema.anyOf ?? [];
  if (!value || none?.type !== "null" || others.length > 0 || typeof value.type !== "string") return;
  delete schema.anyOf;
  const { type, enum: values, ...rest } = value;
  const orNull = { type: [type, "null"], ...(values === undefined ? {} : { enum: [...values, null] }) };
  Object.assign(schema, { ...rest, ...schema, ...orNull });
}

/** The names of an answer's members. */
export interface Outline {
  /** By kind of answer, those that are always there. */
  readonly always: readonly (readonly string[])[];
  readonly sometimes: readonly string[];
}

/**
 * The outline of an answer. What is in its members is seen in the answer itself; saying it beforehand, in every tool
 * again, would cost more than all the rest of the list.
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
 * A JSON Schema in the form the SDK takes. It accepts every value: the application checks the input, so that all surfaces
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
