import type { JsonSchema } from "./json-schema.ts";

const TEXTS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:00:00Z",
  uuid: "01890a5d-ac96-774b-bcce-b302099a8057",
};

/** The smallest value worth showing: what is required, or the first member that has something to show. */
export function exampleOf(schema: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): unknown {
  const { examples, type, properties, required = [], ...rest } = resolve(schema);
  if (examples && examples.length > 0) return examples[0];
  if (rest.const !== undefined) return rest.const;
  if (rest.default !== undefined) return rest.default;
  if (rest.enum) return rest.enum[0];
  if (rest.anyOf?.[0]) return exampleOf(rest.anyOf[0], resolve);
  if (properties) {
    const showing = Object.keys(properties).find((name) => hasShown(properties[name] ?? {}, resolve));
    const names = required.length > 0 ? required : showing === undefined ? [] : [showing];
    return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, resolve)]));
  }
  if (type === "array") return [exampleOf(rest.items ?? {}, resolve)];
  if (type === "object") return {};
  if (type === "integer" || type === "number") return rest.minimum ?? 1;
  if (type === "boolean") return true;
  return TEXTS[rest.format ?? ""] ?? "mem-1";
}

function hasShown(schema: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): boolean {
  const { examples, default: fallback } = resolve(schema);
  return examples !== undefined || fallback !== undefined;
}
