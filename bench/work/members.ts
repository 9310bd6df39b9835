import { z } from "zod";
import type { Operation } from "../../src/contract/operation.ts";

/** A member of an operation's input, wherever it lies. */
export interface Leaf {
  /** The names that lead to it. */
  readonly path: readonly string[];
  readonly schema: z.ZodType;
  readonly kind: "text" | "object" | "list" | "other";
  /** The longest text that its schema takes; null where it says nothing of that. */
  readonly longest: number | null;
  readonly isRequired: boolean;
  /** The members of each in its list, where it is one of such requests. */
  readonly of: readonly Leaf[];
}

/** All members of the operation's input, out of its schema, those of objects within it too. */
export function leavesOf({ input, each }: Operation): Leaf[] {
  return membersOf(input, []).map((leaf) =>
    each && leaf.path[0] === each.member ? { ...leaf, of: membersOf(each.item, []) } : leaf,
  );
}

function membersOf(object: z.ZodObject, path: readonly string[]): Leaf[] {
  return Object.entries(object.shape).flatMap(([name, schema]) => {
    const inner = bare(schema as z.ZodType);
    const here = [...path, name];
    if (inner instanceof z.ZodObject) return membersOf(inner, here);
    return [
      {
        path: here,
        schema: schema as z.ZodType,
        kind: kindOf(inner),
        longest: longestOf(inner),
        isRequired: !(schema as z.ZodType).safeParse(undefined).success,
        of: [],
      },
    ];
  });
}

/** Without what makes it optional, nullable, or another value afterwards. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return bare(schema.def.innerType as z.ZodType);
  return schema instanceof z.ZodPipe ? bare(schema.def.in as z.ZodType) : schema;
}

function kindOf(schema: z.ZodType): Leaf["kind"] {
  if (schema instanceof z.ZodArray) return "list";
  if (schema instanceof z.ZodString || schema instanceof z.ZodGUID || schema instanceof z.ZodISODateTime)
    return "text";
  return schema instanceof z.ZodCustom || schema instanceof z.ZodRecord ? "object" : "other";
}

function longestOf(schema: z.ZodType): number | null {
  const { maxLength } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return maxLength ?? null;
}

/** A value that the schema takes, and as little of it as there may be. */
export function plainValue(schema: z.ZodType): unknown {
  const inner = bare(schema);
  const [example] = (inner.meta()?.examples ?? schema.meta()?.examples ?? []) as unknown[];
  const tried = [example, "plain", false, 1, {}, [], "2030-01-31T09:00:00Z", ["plain"], { plain: "plain" }];
  if (inner instanceof z.ZodEnum) tried.unshift(inner.options[0]);
  if (inner instanceof z.ZodArray) tried.unshift([plainValue(inner.def.element as z.ZodType)]);
  const found = tried.find((value) => value !== undefined && schema.safeParse(value).success);
  if (found === undefined) throw new Error("No plain value is known for a member.");
  return found;
}
