/** The limit of an answer is one rule for all tools: it holds whatever an operation answers within its contract. */
import { fromJsonSchema, type JsonSchemaType } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { operationList } from "../../../src/contract/operations.ts";
import { countTokens } from "../../../src/recall/pack/count-tokens.ts";
import { type JsonSchema, jsonSchemaOf } from "../../../src/surfaces/mcp/json-schema.ts";
import { toolsOf } from "../../../src/surfaces/mcp/tools.ts";
import { rotating, runs } from "../../support/random.ts";
import { textOf, world } from "./world.ts";

/** How large an answer is made. */
interface Size {
  readonly text: string;
  readonly length: number;
  readonly entries: number;
  readonly isEmpty: boolean;
}

const sizes = fc.record({
  text: fc.constantFrom("Sails at low tide. ", "潮が引くと船が出る。", "🦑⚓️", '"\\\n\u0001', "a", "ѮѯҨ𝔄 "),
  length: fc.constantFrom(0, 20, 500, 20_000),
  entries: fc.constantFrom(0, 1, 3, 40, 200),
  isEmpty: fc.boolean(),
});

/** Lists in lists are kept short: one of them alone is longer than any answer may be. */
const LISTS_ENTRIES_MAX = 40_000;

/** An answer of the contract with texts and lists of that size. */
function answerOf(schema: JsonSchema, size: Size, name = ""): unknown {
  const {
    anyOf,
    type,
    enum: values,
    const: constant,
  } = schema as JsonSchema & { enum?: unknown[]; const?: unknown };
  if (constant !== undefined) return constant;
  if (values !== undefined) return values[0];
  if (anyOf !== undefined) return answerOf(anyOf[0] as JsonSchema, size, name);
  const kinds = [type].flat();
  if (kinds.includes("null") && size.isEmpty) return null;
  if (kinds.includes("string")) return stringOf(schema, size, name);
  if (kinds.includes("array")) return listOf(schema, size, name);
  if (kinds.includes("object")) return objectOf(schema, size);
  if (kinds.includes("boolean")) return true;
  return (schema.minimum as number | undefined) ?? 1;
}

function stringOf({ format, maxLength }: JsonSchema, { text, length }: Size, name: string): string {
  if (format === "date-time" || /_at$|^at$/.test(name)) return "2026-01-31T09:00:00.000Z";
  if (format === "uuid") return "01890a5d-ac96-774b-bcce-b302099a8057";
  const isId = /(^|_)(id|etag|cursor|key|hash)s?$/.test(name);
  const most = isId ? 128 : ((maxLength as number | undefined) ?? 65_536);
  const unit = isId ? "x" : text;
  return unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, Math.min(length, most))
    .toWellFormed();
}

function listOf({ items }: JsonSchema, size: Size, name: string): unknown[] {
  const entries = Math.min(
    size.entries,
    Math.max(1, Math.floor(LISTS_ENTRIES_MAX / Math.max(1, size.length))),
  );
  const inner = { ...size, entries: Math.min(size.entries, 3) };
  return Array.from({ length: entries }, () => answerOf(items as JsonSchema, inner, name));
}

function objectOf({ properties }: JsonSchema, size: Size): object {
  if (properties === undefined)
    return Object.fromEntries(
      Array.from({ length: size.entries }, (_, at) => [
        `${size.text}${at}`.slice(0, 200),
        { in: [size.text, at] },
      ]),
    );
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, answerOf(property, size, name)]),
  );
}

// A third of the tools, since the limit is one rule for all of them.
test.each(rotating(toolsOf(operationList), 1 / 3))(
  "$name stays within its limit, in text and structure, and keeps to its output schema",
  async (tool) => {
    const schema = jsonSchemaOf(tool.operation.output, "output");
    const output = fromJsonSchema(tool.outputSchema as JsonSchemaType)["~standard"];
    const takesLimit = Object.hasOwn(tool.operation.input.shape, "max_tokens");
    const limits = takesLimit ? fc.constantFrom(8, 40, 100, 300, 1500, 8000) : fc.constant(8000);
    let answer: Record<string, unknown> = {};
    const client = await world(() => answer).connect("key-ada");
    await fc.assert(
      fc.asyncProperty(sizes, limits, async (size, max_tokens) => {
        answer = answerOf(schema, size) as Record<string, unknown>;
        // The text of a pack is within its limit already; what else it has is not.
        if (takesLimit)
          Object.assign(answer, {
            budget: { ...(answer.budget as object), max_tokens },
            context_text: max_tokens < 20 ? "" : "### Recollect Context\nNo stored memory matches.\n",
          });
        const result = await client.callTool({ name: tool.name, arguments: { query: "When does it sail?" } });
        // Not all tools have a query.
        const called = result.isError ? await client.callTool({ name: tool.name, arguments: {} }) : result;
        const content = called.structuredContent as object;
        expect(called.isError ?? false).toBe(false);
        expect(countTokens(textOf(called as never))).toBeLessThanOrEqual(max_tokens);
        expect(countTokens(JSON.stringify(content))).toBeLessThanOrEqual(max_tokens);
        expect(await output.validate(content)).not.toHaveProperty("issues");
      }),
      {
        numRuns: runs(30),
        examples: [
          [{ text: "🦑⚓️", length: 20_000, entries: 0, isEmpty: false }, takesLimit ? 100 : 8000],
          [{ text: "🦑⚓️", length: 20_000, entries: 200, isEmpty: false }, takesLimit ? 100 : 8000],
        ],
      },
    );
  },
  60_000,
);
