import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { Operation } from "../../../src/contract/operation.ts";
import { operationList } from "../../../src/contract/operations.ts";
import { isStatement } from "../../../src/contract/primitives.ts";
import { readArguments } from "../../../src/surfaces/mcp/read-arguments.ts";
import { toolsOf } from "../../../src/surfaces/mcp/tools.ts";
import { runs } from "../../support/random.ts";
import { isRequired, someInput } from "../../support/some-input.ts";

const inputs = (operation: Operation) =>
  someInput(operation).filter((input) => operation.input.safeParse(input).success);

/** Every tool with valid arguments for it, some of the optional ones among them. */
const calls = fc
  .constantFrom(...toolsOf(operationList))
  .chain(({ name, operation }) =>
    inputs(operation).map((valid) => ({ name, schema: operation.input, valid })),
  );

const isTaken = (schema: z.ZodObject, member: string, value: unknown) =>
  (schema.shape[member] as z.ZodType).safeParse(value).success;

test("what a tool's schema takes is read as it stands", () => {
  fc.assert(
    fc.property(calls, ({ schema, valid }) => {
      expect(readArguments(schema, valid)).toBe(valid);
    }),
    { numRuns: runs(150) },
  );
});

test("whatever is no text and comes as text is read as what it was, in every tool", () => {
  fc.assert(
    fc.property(calls, ({ schema, valid }) => {
      const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
      const sent = Object.fromEntries(
        Object.entries(valid).map(([member, value]) => [member, asText(value)]),
      );
      expect(schema.parse(readArguments(schema, sent))).toEqual(schema.parse(valid));
    }),
    { numRuns: runs(150) },
  );
});

test("what stands for an argument that is not given is read as not given, in every tool", () => {
  const unset = fc.constantFrom(null, "", " ", {}, "{}", "null", "None", "undefined", "N/A", "nil");
  fc.assert(
    fc.property(calls, fc.infiniteStream(unset), ({ name, schema, valid }, unsets) => {
      const sent: Record<string, unknown> = { ...valid };
      for (const member of Object.keys(schema.shape)) {
        const value = unsets.next().value;
        const member_ = schema.shape[member] as z.ZodType;
        // What the schema takes means what it says, and an empty content is no way to leave it out.
        if (member in valid || isRequired(member_) || isTaken(schema, member, value) || isStatement(member_))
          continue;
        // An empty object is what these take.
        if (value === "{}" && isTaken(schema, member, {})) continue;
        sent[member] = value;
      }
      expect([name, schema.parse(readArguments(schema, sent))]).toEqual([name, schema.parse(valid)]);
    }),
    { numRuns: runs(150) },
  );
});

const toolNamed = (name: string) => {
  const tool = toolsOf(operationList).find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool.operation.input;
};
const read = (name: string, given: object) => {
  const { data, error } = toolNamed(name).safeParse(readArguments(toolNamed(name), given));
  return data ?? error?.issues.map(({ path }) => path.join("."));
};
const MEMORY = { content: "c", path: "p" };

describe("one meaning", () => {
  test.each<[string, object, object]>([
    ["search_memories", { query: "q", limit: "3" }, { limit: 3 }],
    ["search_memories", { query: "q", limit: " 3.0 ", explain: "True" }, { limit: 3, explain: true }],
    ["search_memories", { query: "3", limit: null }, { query: "3", limit: 5 }],
    [
      "search_memories",
      { query: "q", path: "", bucket: "", status: "" },
      { path: "%", bucket: "%", status: "active" },
    ],
    ["remember", { ...MEMORY, metadata: '{"category":"debug"}' }, { metadata: { category: "debug" } }],
    ["remember", { content: '{"a":1}', path: "3" }, { content: '{"a":1}', path: "3" }],
    ["remember", { content: "null", path: "p" }, { content: "null" }],
    ["todo_create", { project_id: "p", content: "c", depends_on: '["x"]' }, { depends_on: ["x"] }],
    [
      "todo_create",
      { project_id: "p", content: "c", due_at: "2026-12-01 10:00:00+00" },
      { due_at: "2026-12-01T10:00:00+00:00" },
    ],
    [
      "todo_create",
      { project_id: "p", content: "c", due_at: "2026-12-01t10:00z" },
      { due_at: "2026-12-01T10:00:00Z" },
    ],
    ["update_memory", { memory_id: "m", semantic_key: null }, { semantic_key: null }],
    ...["null", "None", "undefined", "N/A", "nil", ""].map((word): [string, object, object] => [
      "remember",
      { ...MEMORY, provenance: { agent_id: word, project_id: word, session_id: word, mine: word } },
      { provenance: { mine: word } },
    ]),
    ["remember", { ...MEMORY, provenance: '{"agent_id":"null"}' }, { provenance: {} }],
  ])("%s %j", (name, given, expected) => {
    expect(read(name, given)).toMatchObject(expected);
    const { provenance } = expected as { provenance?: object };
    // What is left of a provenance is all there is.
    if (provenance !== undefined) expect(read(name, given)).toHaveProperty("provenance", provenance);
  });

  test.each([
    ["remember", { ...MEMORY, semantic_key: "None" }, "semantic_key"],
    ["remember", { ...MEMORY, project_id: "null", team_id: "undefined", memory_id: "N/A" }, "memory_id"],
    ["search_memories", { query: "q", metadata: {} }, "metadata"],
    ["update_memory", { memory_id: "m", semantic_key: "" }, "semantic_key"],
  ])("%s %j leaves it out", (name, given, member) => {
    expect(Object.keys(read(name, given))).not.toContain(member);
  });
});

describe("no meaning, or more than one", () => {
  test.each([
    ["remember", { content: "", path: "p" }, "content"],
    ["update_memory", { memory_id: "m", content: "" }, "content"],
    ["get_memory", { memory_id: "null" }, "memory_id"],
    ["search_memories", { query: "q", limit: "three" }, "limit"],
    ["search_memories", { query: "q", limit: "9007199254740993" }, "limit"],
    ["decision_create", { project_id: "p", context: "c", options: "rabbit, nats" }, "options"],
    ["todo_create", { project_id: "p", content: "c", due_at: "2026-12-01" }, "due_at"],
    ["todo_create", { project_id: "p", content: "c", due_at: "2026-12-01T10:00:00" }, "due_at"],
    ["todo_create", { project_id: "p", content: "c", depends_on: ["null"] }, "depends_on.0"],
  ])("%s %j stays refused", (name, given, place) => {
    expect(read(name, given)).toEqual(expect.arrayContaining([place]));
  });
});
