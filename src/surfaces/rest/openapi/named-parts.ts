import type { Operation } from "../../../contract/operation.ts";
import type { JsonSchema } from "./json-schema.ts";
import { vocabularyOf } from "./vocabularies.ts";

/** Makes a schema a component of its own and answers the reference to it. */
type Name = (name: string, schema: JsonSchema) => JsonSchema;

/**
 * The schema with a name for each enumeration and each object within it: what has none, a generator numbers (`Status25`)
 * or cannot import. A name is the way to its place, `ProjectActionItemKind`, or that of the vocabulary it is.
 */
export function withNamedParts(name: string, schema: JsonSchema, makeComponent: Name): JsonSchema {
  const part = (inner: JsonSchema, at: string) => namedPart(at, inner, makeComponent);
  const { properties, items, anyOf, additionalProperties } = schema;
  const versions = anyOf?.filter(({ type }) => type !== "null") ?? [];
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, inner]) => [member, part(inner, name + pascal(member))]),
      ),
    }),
    ...(items && { items: part(items, name) }),
    ...(anyOf && {
      anyOf: anyOf.map((inner) =>
        part(inner, versions.length > 1 ? `${name}Version${versions.indexOf(inner) + 1}` : name),
      ),
    }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: part(additionalProperties, `${name}Value`),
    }),
  };
}

/** The schema with names as above, itself included where it is an enumeration or an object. */
export function namedPart(name: string, schema: JsonSchema, makeComponent: Name): JsonSchema {
  const inner = withNamedParts(name, schema, makeComponent);
  const isEnumeration = (inner.enum ?? []).length > 1;
  if (!isEnumeration && !inner.properties) return inner;
  // What is said of the member is not what is said of everything of its kind.
  const { description, default: fallback, examples, ...shape } = inner;
  return {
    ...makeComponent((inner.enum && vocabularyOf(inner.enum)) ?? name, shape),
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** What a request is called, and what the names of its parts begin with. */
export function requestName({ name, input }: Operation): string {
  return input.meta()?.id ?? `${pascal(name)}Request`;
}

/** What the part of a request is called that a member is. */
export function memberName(operation: Operation, member: string): string {
  return requestName(operation) + pascal(member);
}

function pascal(member: string): string {
  return member.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
