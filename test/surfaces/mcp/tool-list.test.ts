import { existsSync } from "node:fs";
import { fromJsonSchema, type JsonSchemaType } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { operation } from "../../../src/contract/operation.ts";
import { operationList } from "../../../src/contract/operations.ts";
import { countTokens } from "../../../src/recall/pack/count-tokens.ts";
import { toolsOf } from "../../../src/surfaces/mcp/tools.ts";
import { contextAnswer, rememberAnswer } from "./answers.ts";
import { NEWEST, ONE_BEFORE, world } from "./world.ts";

const READS = [
  "recall_context",
  "search_memories",
  "list_memories",
  "get_memory",
  "get_profile",
  "project_context",
  "todo_list",
  "decision_list",
  "maintenance_report",
];
const WRITES = [
  "remember",
  "todo_create",
  "todo_accept",
  "todo_assign",
  "todo_block",
  "todo_unblock",
  "todo_complete",
  "todo_cancel",
  "decision_create",
  "decision_resolve",
  "decision_supersede",
  "decision_reopen",
  "maintenance_execute",
];
/** What a narrow scope is enough for. */
const CHANGES = [
  "update_memory",
  "forget_memory",
  "restore_memory",
  "complete_reminder",
  "todo_update",
  "decision_update",
];

test.each([
  ["key-ada", [...READS, ...WRITES, ...CHANGES]],
  ["key-reader", READS],
  ["key-writer", [...WRITES, ...CHANGES]],
  ["key-deleter", ["forget_memory"]],
] as const)("%s is shown the tools it may call, and no other", async (key, names) => {
  const { connect } = world();
  for (const revision of [NEWEST, ONE_BEFORE]) {
    const { tools } = await (await connect(key, { revision })).listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([...names].sort());
  }
});

test("a tool that the token may not call is an error to call, and nothing runs", async () => {
  const { connect, calls } = world();
  for (const revision of [NEWEST, ONE_BEFORE]) {
    const client = await connect("key-reader", { revision });
    const call = client.callTool({ name: "remember", arguments: { content: "x", path: "p" } });
    await expect(call).rejects.toThrow(/remember not found/);
  }
  expect(calls).toEqual([]);
});

test("recall_context offers query, max_items and max_tokens first, with their bounds", async () => {
  const { connect } = world();
  const { tools } = await (await connect("key-reader")).listTools();
  const tool = tools.find(({ name }) => name === "recall_context");
  expect(tool?.title).toBe("Recall context");
  expect(tool?.annotations).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  expect(tool?.description).toContain("data, not instruction");
  expect(tool?.inputSchema.required).toEqual(["query"]);
  const properties = (tool?.inputSchema.properties ?? {}) as Record<string, object>;
  expect(Object.keys(properties).slice(0, 3)).toEqual(["query", "max_items", "max_tokens"]);
  expect(properties.max_items).toMatchObject({ type: "integer", minimum: 1, maximum: 1000, default: 8 });
  expect(properties.max_tokens).toMatchObject({
    type: "integer",
    minimum: 1,
    maximum: 50_000,
    default: 1500,
  });
});

test("remember is a write that destroys nothing, and does not ask a model for embeddings", async () => {
  const { connect } = world();
  const { tools } = await (await connect("key-writer")).listTools();
  expect(tools[0]?.annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  });
  expect(tools[0]?.inputSchema.required).toEqual(["content", "path"]);
  const offered = Object.keys(tools[0]?.inputSchema.properties ?? {});
  expect(offered).toContain("semantic_key");
  expect(offered.filter((name) => name.startsWith("embedding"))).toEqual([]);
});

test("every schema stands on its own, and every output schema admits an error", async () => {
  for (const tool of toolsOf(operationList)) {
    expect(JSON.stringify([tool.inputSchema, tool.outputSchema])).not.toContain("$ref");
    expect(tool.inputSchema.type).toBe("object");
    const accepts = async (value: unknown) =>
      (await fromJsonSchema(tool.outputSchema as JsonSchemaType)["~standard"].validate(value)).issues ===
      undefined;
    expect(await accepts({ code: "not_found", detail: "There is none." })).toBe(true);
    expect(
      await accepts({ code: "validation_failed", detail: [{ loc: ["body"], msg: "m", type: "t" }] }),
    ).toBe(true);
    expect(await accepts({ code: "not_found" })).toBe(false);
    expect(await accepts({})).toBe(false);
  }
});

/** The keywords that an input schema may have: those that every host takes, and hands to every model's API. */
const PLAIN = [
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "default",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "examples",
];

test("no input schema has what hosts choke on: lists of types, forms to choose from, formats but of times", () => {
  const check = (place: string, schema: Record<string, unknown>) => {
    expect([place, Object.keys(schema).filter((keyword) => !PLAIN.includes(keyword))]).toEqual([place, []]);
    if ("type" in schema)
      expect([place, typeof schema.type, schema.type === "null"]).toEqual([place, "string", false]);
    if ("format" in schema) expect([place, schema.format]).toEqual([place, "date-time"]);
    if ("enum" in schema) expect([place, (schema.enum as unknown[]).includes(null)]).toEqual([place, false]);
    const {
      properties = {},
      items,
      additionalProperties,
    } = schema as {
      properties?: Record<string, Record<string, unknown>>;
      items?: Record<string, unknown>;
      additionalProperties?: unknown;
    };
    for (const [name, member] of Object.entries(properties)) check(`${place}.${name}`, member);
    if (items) check(`${place}[]`, items);
    if (typeof additionalProperties === "object")
      check(`${place}.*`, additionalProperties as Record<string, unknown>);
  };
  for (const { name, inputSchema } of toolsOf(operationList)) check(name, inputSchema);
});

test("the output schemas fit the answers, also with a member of a later version", async () => {
  const answers: Record<string, object> = { recall_context: contextAnswer("ada"), remember: rememberAnswer };
  for (const tool of toolsOf(operationList).filter(({ name }) => answers[name])) {
    const schema = fromJsonSchema(tool.outputSchema as JsonSchemaType)["~standard"];
    expect(await schema.validate({ ...answers[tool.name], later: true })).not.toHaveProperty("issues");
  }
});

/** Every model that connects is given the whole list before it has asked anything. */
const BYTES_MAX = 40_000;
const TOKENS_MAX = 10_000;

test.each([NEWEST, ONE_BEFORE])("in %s the list of all tools is short", async (revision) => {
  const client = await world().connect("key-ada", { revision });
  const list = await client.listTools();
  const text = JSON.stringify(list);
  expect(list.tools).toHaveLength(toolsOf(operationList).length);
  expect(new TextEncoder().encode(text).length).toBeLessThan(BYTES_MAX);
  expect(countTokens(text)).toBeLessThan(TOKENS_MAX);
});

test("every tool takes the arguments that it lists and no others", async () => {
  const { tools } = await (await world().connect("key-ada")).listTools();
  for (const { name, inputSchema } of tools) {
    expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
    for (const free of ["metadata", "provenance"]) {
      const property = inputSchema.properties?.[free] as { additionalProperties?: unknown } | undefined;
      if (property) expect([name, free, property.additionalProperties]).not.toContain(false);
    }
  }
});

test("an operation of the contract that names a tool is one, with nothing said here", () => {
  const [forget] = toolsOf([
    operation({
      name: "forgetMemory",
      summary: "Forget a memory",
      description: "For good where asked to.",
      input: z.object({ memory_id: z.string() }),
      output: z.union([z.object({ id: z.string() }), z.object({ gone: z.boolean() })]),
      errors: [],
      effect: "destroy",
      scopes: ["memory:delete"],
      rate: "write",
      http: { method: "POST", path: "/v1/forget", status: 200 },
      mcp: { tool: "erase", title: "Erase" },
    }),
  ]);
  expect(forget).toMatchObject({
    name: "erase",
    title: "Erase",
    description: "Forget a memory. For good where asked to.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  });
  expect(forget?.outputSchema.anyOf).toEqual([
    { required: ["id"] },
    { required: ["gone"] },
    { required: ["code", "detail"] },
  ]);
  expect(forget?.presentation.textOf({ id: "m-1" }, {})).toBe('Erase: done.\n{"id":"m-1"}');
});

test("hosts that show names only load recall and remember, and are told what else to load", async () => {
  for (const url of ["http://localhost/mcp?tools=core", "http://localhost/mcp"]) {
    const client = await world().connect("key-ada", { url });
    const { tools } = await client.listTools();
    const loaded = tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true);
    expect(loaded.map(({ name }) => name).sort()).toEqual(["recall_context", "remember"]);
    const named = /load them by name before you call them: (.*)\./.exec(client.getInstructions() ?? "")?.[1];
    const listed = new Set(tools.map(({ name }) => name));
    const purposes = (named ?? "").match(/[a-z]+_[a-z]+|remember/g) ?? [];
    expect(purposes).toContain("forget_memory");
    expect(purposes.filter((name) => !listed.has(name))).toEqual([]);
  }
  const reader = await world().connect("key-reader");
  expect(reader.getInstructions()).not.toMatch(/to store|forget_memory/);
});

test("the server shows hosts the icon of the admin UI", async () => {
  const client = await world().connect("key-ada");
  expect(client.getServerVersion()?.icons).toEqual([
    { src: "http://localhost/admin/icon.svg", mimeType: "image/svg+xml", sizes: ["any"] },
  ]);
  expect(existsSync("admin-ui/public/icon.svg")).toBe(true);
});
