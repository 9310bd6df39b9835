import { nameOf } from "../../../src/surfaces/rest/openapi/components.ts";
import type { JsonSchema } from "../../../src/surfaces/rest/openapi/open-api.ts";

/** Notes that a component is referred to. */
export type Refer = (name: string) => void;

/** The TypeScript of a JSON Schema. What it refers to is noted, so that nothing unused is written. */
export function typeOf(schema: JsonSchema, refer: Refer): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    refer(name);
    return name;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return union(schema.anyOf.map((inner) => typeOf(inner, refer)));
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeOf({ ...schema, type }, refer)));
  }
  return plainType(schema, refer);
}

function plainType(schema: JsonSchema, refer: Refer): string {
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `Array<${typeOf(schema.items ?? {}, refer)}>`;
    case "object":
      return objectType(schema, refer);
    default:
      return "unknown";
  }
}

function objectType(schema: JsonSchema, refer: Refer): string {
  const { properties, additionalProperties } = schema;
  if (properties) return `{${membersOf(schema, refer)}}`;
  const value = typeof additionalProperties === "object" ? typeOf(additionalProperties, refer) : "unknown";
  return `{ [key: string]: ${value} }`;
}

/** The members of an object, as the body of an interface has them. */
export function membersOf({ properties = {}, required = [] }: JsonSchema, refer: Refer): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const type = typeOf(schema, refer) + (isRequired ? "" : " | undefined");
      return `${doc([sentenceOf(schema)])}${keyOf(name)}${isRequired ? "" : "?"}: ${type};\n`;
    })
    .join("");
}

/** A comment of these paragraphs; nothing where there are none. */
export function doc(paragraphs: readonly string[]): string {
  const lines = paragraphs
    .filter((text) => text !== "")
    .flatMap((text, index) => [...(index > 0 ? [""] : []), ...wrapped(text.replaceAll("*/", "*\\/"))]);
  if (lines.length === 0) return "";
  if (lines.length === 1) return `\n/** ${lines[0]} */\n`;
  return `\n/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

const WIDTH = 100;

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** What a schema says of a member in words, and its bounds. */
function sentenceOf(schema: JsonSchema): string {
  const bounds = [schema, ...(schema.anyOf ?? [])].map(boundsOf).find((found) => found !== "") ?? "";
  const ended = schema.description?.replace(/([^.!?])$/, "$1.") ?? "";
  return [ended, bounds].filter((part) => part !== "").join(" ");
}

function boundsOf({ minimum, maximum, minLength, maxLength, maxItems }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters.`;
  return maxItems === undefined ? "" : `At most ${maxItems}.`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}
