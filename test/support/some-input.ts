import fc from "fast-check";
import { z } from "zod";
import type { Operation } from "../../src/contract/operation.ts";

type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

const UUID = "0190b7a5-6f3c-7a31-9d35-2f1c33a5e0b1";
const TEXTS = ["word", "3", "true", "active", "UTC", '"a"', "*", "2026-01-31T09:00:00Z", UUID];

/** Values that a member may have, as its JSON Schema says. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.filter(({ type }) => type !== "null").map(valuesOf));
  const type = [schema.type].flat().find((one) => one !== "null");
  const { minimum: min = 0, maximum: max = 1000, minItems = 0, maxItems = 3 } = schema;
  switch (type) {
    case "integer":
      return fc.integer({ min: Math.max(min, 0), max: Math.min(max, 100_000) });
    case "number":
      return fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valuesOf(schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.min(maxItems, 3),
      });
    case "object":
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.stringMatching(/^[a-z]{1,5}$/), {
        minKeys: 1,
      });
    default:
      return fc.constantFrom(...TEXTS);
  }
}

/** An input of the operation: what is required, and some of the rest, each as its schema takes it. */
export function someInput({
  input,
}: Pick<Operation, "input">): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any", reused: "inline" }) as {
    properties?: Record<string, JsonSchema>;
    $ref?: string;
    $defs?: Record<string, { properties: Record<string, JsonSchema> }>;
  };
  const properties =
    schema.properties ?? schema.$defs?.[String(schema.$ref).slice("#/$defs/".length)]?.properties;
  const members = Object.entries(properties ?? {}).map(([name, one]) => {
    const member = input.shape[name] as z.ZodType;
    // Few kinds of value are made, and not every member takes one of them.
    const taken = fc.sample(valuesOf(one), 30).filter((value) => member.safeParse(value).success);
    if (taken.length === 0) return [name, fc.constant(undefined)] as const;
    const some = fc.constantFrom(...taken);
    return [name, isRequired(member) ? some : fc.option(some, { nil: undefined })] as const;
  });
  return fc
    .record(Object.fromEntries(members))
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
}

export function isRequired(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}
