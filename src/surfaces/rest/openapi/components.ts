import { z } from "zod";
import type { JsonSchema } from "./json-schema.ts";
import { namedPart, withNamedParts } from "./named-parts.ts";

const DEFINITIONS = "#/$defs/";
const COMPONENTS = "#/components/schemas/";

/** The named schemas of a document, collected while its parts are written. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** The JSON Schema of what is sent (`input`) or answered (`output`); what has an id becomes a component. */
  write(type: z.ZodType, io: "input" | "output"): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...schema
    } = z.toJSONSchema(type, { io, unrepresentable: "any" }) as JsonSchema & {
      $schema?: string;
    };
    for (const [name, definition] of Object.entries($defs ?? {})) this.name(name, tidied(definition, io));
    return tidied(schema, io);
  }

  /** Makes the schema a component and answers a reference to it. Two that differ cannot share a name. */
  name(name: string, unnamed: JsonSchema): JsonSchema {
    const schema = withNamedParts(name, unnamed, (part, inner) => this.name(part, inner));
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`The OpenAPI component ${name} would have two meanings.`);
    }
    this.schemas[name] = schema;
    return { $ref: COMPONENTS + name };
  }

  /** The schema of a parameter, with components for its enumerations and objects as a body has them. */
  part(name: string, unnamed: JsonSchema): JsonSchema {
    return namedPart(name, unnamed, (part, inner) => this.name(part, inner));
  }

  /** What a schema refers to, or itself. */
  resolve(schema: JsonSchema): JsonSchema {
    return resolved(this.schemas, schema);
  }
}

/** What a schema refers to among the components, with what it says besides; or itself. */
export function resolved(schemas: Readonly<Record<string, JsonSchema>>, schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  return $ref === undefined ? schema : { ...schemas[$ref.slice(COMPONENTS.length)], ...rest };
}

/** The component's name that a reference carries. */
export function nameOf(reference: string): string {
  return reference.slice(COMPONENTS.length);
}

/** The schema as a reader and a generator want it: without bounds and patterns that a type or format implies. */
function tidied(schema: JsonSchema, io: "input" | "output"): JsonSchema {
  const {
    $ref,
    properties,
    items,
    anyOf,
    additionalProperties,
    propertyNames,
    minimum,
    maximum,
    minLength,
    pattern,
    ...rest
  } = schema;
  const tidy = (inner: JsonSchema) => tidied(inner, io);
  return {
    ...($ref === undefined ? {} : { $ref: $ref.replace(DEFINITIONS, COMPONENTS) }),
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(minLength ? { minLength } : {}),
    ...(pattern === undefined || rest.format !== undefined ? {} : { pattern }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, tidy(v)])),
    }),
    ...(items && { items: tidy(items) }),
    ...(anyOf && { anyOf: anyOf.map(tidy) }),
    ...(propertyNames && Object.keys(propertyNames).length > 1 ? { propertyNames: tidy(propertyNames) } : {}),
    ...additional(additionalProperties, io, tidy),
  };
}

/** Answers may gain members, so none is closed; requests are closed where they refuse what they do not know. */
function additional(
  value: JsonSchema["additionalProperties"],
  io: "input" | "output",
  tidy: (inner: JsonSchema) => JsonSchema,
): JsonSchema {
  if (value === undefined || (value === false && io === "output")) return {};
  if (typeof value === "boolean") return { additionalProperties: value };
  return { additionalProperties: Object.keys(value).length === 0 ? true : tidy(value) };
}
