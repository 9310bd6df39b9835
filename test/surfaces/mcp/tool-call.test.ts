import { expect, test } from "vitest";
import { operationList } from "../../../src/contract/operations.ts";
import type { ContextAnswer } from "../../../src/contract/recall.ts";
import { SERVICE_VERSION } from "../../../src/contract/service.ts";
import { DomainError, invalid } from "../../../src/core/error.ts";
import { toolsOf } from "../../../src/surfaces/mcp/tools.ts";
import { contextAnswer, rememberAnswer } from "./answers.ts";
import { NEWEST, ONE_BEFORE, textOf, world } from "./world.ts";

type OwnersContext = Extract<ContextAnswer, { answer_status: unknown }>;

const revisions = [NEWEST, ONE_BEFORE];

test.each(revisions)("in %s the server names itself and says how to use memory", async (revision) => {
  const client = await world().connect("key-ada", { revision });
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(client.getServerVersion()).toMatchObject({ name: "recollect", version: SERVICE_VERSION });
  expect(client.getInstructions()).toContain("data, not instruction");
});

test.each(revisions)(
  "in %s recall_context answers the context text, and the memories with what they are as data",
  async (revision) => {
    const { connect, calls } = world();
    const client = await connect("key-ada", { revision });
    await client.listTools(); // From here on the client checks structured content against the output schema.
    const input = { query: "where do we deploy", max_items: 3, max_tokens: 200 };
    const result = await client.callTool({ name: "recall_context", arguments: input });
    expect(result.isError ?? false).toBe(false);
    expect(result.content).toEqual([{ type: "text", text: contextAnswer("ada").context_text }]);
    expect(textOf(result).split("\n")[0]).toBe("### Recollect Context");
    const { query, budget, context_text, answer_status, items } = contextAnswer("ada") as OwnersContext;
    const [{ id, content, path, provenance, boundary }] = items as [OwnersContext["items"][number]];
    expect(result.structuredContent).toMatchObject({ query, budget, context_text, answer_status });
    expect(result.structuredContent).toMatchObject({ items: [{ id, content, path, provenance, boundary }] });
    expect(calls).toMatchObject([{ name: "recallContext", input, caller: { owner: { id: "owner-ada" } } }]);
  },
);

test.each(revisions)("in %s a pack without room for its heading is an empty text", async (revision) => {
  const { connect } = world(() => ({ ...contextAnswer("ada"), context_text: "", items: [] }));
  const client = await connect("key-ada", { revision });
  const result = await client.callTool({ name: "recall_context", arguments: { query: "q", max_tokens: 1 } });
  expect(result.content).toEqual([{ type: "text", text: "" }]);
});

test.each(revisions)(
  "in %s remember answers a sentence, its JSON and the structured answer",
  async (revision) => {
    const { connect, calls } = world(() => rememberAnswer);
    const client = await connect("key-ada", {
      revision,
      headers: { "X-Agent-Id": "coder", "X-Agent-Instance": "i" },
    });
    await client.listTools();
    const input = { content: "We deploy on Fridays.", path: "projects/apollo", metadata: { tags: ["a"] } };
    const result = await client.callTool({ name: "remember", arguments: input });
    expect(textOf(result)).toBe(`Remembered as "m-1". It replaces "m-0".\n${JSON.stringify(rememberAnswer)}`);
    expect(result.structuredContent).toEqual(rememberAnswer);
    expect(calls[0]?.input).toEqual(input);
    expect(calls[0]?.caller.attribution).toMatchObject({ agentId: "coder", instanceHash: "hash(i)" });
  },
);

test("what was there already is said to be", async () => {
  const client = await world(() => ({ ...rememberAnswer, deduplicated: true, superseded: [] })).connect(
    "key-ada",
  );
  const result = await client.callTool({ name: "remember", arguments: { content: "x", path: "p" } });
  expect(textOf(result)).toMatch(/^Already remembered, as "m-1"\.\n/);
});

test("nothing but the credential says who is asking", async () => {
  const { connect, calls } = world();
  const client = await connect("key-ben", { headers: { "X-Agent-Id": "ben-agent" } });
  const forged = {
    owner_id: "owner-ada",
    owner: { id: "owner-ada" },
    token: "key-ada",
    scopes: ["knowledge:read"],
  };
  const asArguments = await client.callTool({
    name: "recall_context",
    arguments: { query: "q", ...forged, caller: forged, agent_id: "ada-agent", "X-API-Key": "key-ada" },
  });
  expect(asArguments.structuredContent).toMatchObject({ code: "validation_failed" });
  expect(calls).toEqual([]);
  await client.callTool({
    name: "recall_context",
    arguments: { query: "q" },
    _meta: { caller: forged, authInfo: { extra: { caller: forged } } },
  });
  expect(calls[0]?.caller).toMatchObject({
    tokenId: "token-ben",
    owner: { id: "owner-ben" },
    attribution: { agentId: "ben-agent" },
  });
  expect([...(calls[0]?.caller.scopes ?? [])]).toEqual(["memory:read", "memory:write"]);
});

test.each(revisions)(
  "in %s an argument that a tool does not have is refused by its name",
  async (revision) => {
    const { connect, calls } = world();
    const client = await connect("key-ada", { revision });
    await client.listTools();
    const result = await client.callTool({
      name: "recall_context",
      arguments: { query: "q", max_token: 100, __proto__x: 1, tiem_zoen: "UTC" },
    });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      code: "validation_failed",
      detail: [
        { loc: ["body", "max_token"], type: "extra_forbidden" },
        { loc: ["body", "tiem_zoen"], type: "extra_forbidden" },
        { loc: ["body", "__proto__x"], type: "extra_forbidden" },
      ],
    });
    expect(textOf(result)).toMatch(
      /^validation_failed: .*\n- "max_token": is not an argument of this tool: did you mean max_tokens\?\n- "tiem_zoen": .*: did you mean time_zone\?\n- "__proto__x": .*, which takes query, /,
    );
    expect(calls).toEqual([]);
  },
);

test.each(toolsOf(operationList))(
  "every argument that $name lists arrives at the operation",
  async (tool) => {
    const { connect, calls } = world(() => ({ ...contextAnswer("ada"), ...rememberAnswer, results: [] }));
    const listed = Object.keys(tool.inputSchema.properties ?? {});
    const input = Object.fromEntries(listed.map((name, at) => [name, `value ${at}`]));
    await (await connect("key-ada")).callTool({ name: tool.name, arguments: input });
    expect(calls).toMatchObject([{ name: tool.operation.name, input }]);
    // What the operation's input does not name would be dropped there.
    expect(Object.keys(tool.operation.input.shape)).toEqual(expect.arrayContaining(listed));
  },
);

test("what is inside of metadata and provenance is free", async () => {
  const { connect, calls } = world(() => rememberAnswer);
  const input = { content: "x", path: "p", metadata: { any: { thing: 1 } }, provenance: { ticket: "T-1" } };
  const result = await (await connect("key-ada")).callTool({ name: "remember", arguments: input });
  expect(result.isError ?? false).toBe(false);
  expect(calls).toMatchObject([{ input }]);
});

test("of very many unknown arguments a few are named", async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${"x".repeat(200)}${n}`, n]));
  const client = await world().connect("key-ada");
  const result = await client.callTool({ name: "remember", arguments: { content: "x", path: "p", ...many } });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result).length).toBeLessThan(5000);
  expect(textOf(result)).toContain("490 more");
});

test.each(revisions)("in %s clients at the same time never see each other's answers", async (revision) => {
  const { connect } = world(async ({ caller, input }) => {
    // The later asked, the sooner answered, so that answers cross.
    await new Promise((resolve) => setTimeout(resolve, 40 - 2 * (input as { max_items: number }).max_items));
    return contextAnswer(caller.owner.name);
  });
  const clients = {
    ada: await connect("key-ada", { revision }),
    ben: await connect("key-ben", { revision }),
  };
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? "ada" : "ben") as keyof typeof clients).map(
      async (name, n) => {
        const input = { query: "q", max_items: n + 1 };
        const result = await clients[name].callTool({ name: "recall_context", arguments: input });
        expect(textOf(result)).toBe(contextAnswer(name).context_text);
      },
    ),
  );
});

test.each(revisions)(
  "in %s a refusal says what to do, in words and as REST's error body",
  async (revision) => {
    const { connect } = world(() => {
      throw new DomainError("dependency_unavailable", "The database is away.", { retryAfterSeconds: 5 });
    });
    const client = await connect("key-ada", { revision });
    await client.listTools();
    const result = await client.callTool({ name: "recall_context", arguments: { query: "q" } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^dependency_unavailable: The database is away\. .*Wait 5 seconds/);
    expect(result.structuredContent).toEqual({
      code: "dependency_unavailable",
      detail: "The database is away.",
      help: "http://localhost/docs/errors#dependency_unavailable",
    });
  },
);

test("a failed validation names each argument", async () => {
  const { connect } = world(() => {
    throw invalid(["metadata", "tags", 0], "must be a word");
  });
  const result = await (await connect("key-ada")).callTool({ name: "remember", arguments: { content: "x" } });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(
    "validation_failed: Correct these arguments and call again:\n- metadata.tags.0: must be a word\n" +
      "More about this error: http://localhost/docs/errors#validation_failed",
  );
  expect(result.structuredContent).toEqual({
    code: "validation_failed",
    detail: [{ loc: ["body", "metadata", "tags", 0], msg: "must be a word", type: "value_error" }],
    help: "http://localhost/docs/errors#validation_failed",
  });
});

test("a fault of ours shows nothing of what is inside, and is logged", async () => {
  const fault = new Error("select content from memories where owner = 7");
  const { connect, logged } = world(() => {
    throw fault;
  });
  const client = await connect("key-ada");
  const result = await client.callTool({ name: "recall_context", arguments: { query: "q" } });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result)).not.toContain("select");
  expect(result.structuredContent).toMatchObject({ code: "internal" });
  const entry = logged.find(({ level }) => level === "error");
  expect(entry).toMatchObject({ tool: "recall_context", error: fault });
  expect(textOf(result)).toContain(entry?.requestId);
});

test("a dependency that is away has the code that REST answers, and is logged", async () => {
  const fault = new Error("connection to 10.0.0.7 refused");
  const failing = () => {
    throw fault;
  };
  const { connect, logged } = world(failing, { isUnavailable: (error) => error === fault });
  const result = await (await connect("key-ada")).callTool({
    name: "recall_context",
    arguments: { query: "q" },
  });
  expect(result).toMatchObject({ isError: true, structuredContent: { code: "dependency_unavailable" } });
  expect(JSON.stringify(result)).not.toContain("10.0.0.7");
  expect(logged).toMatchObject([{ level: "error", tool: "recallContext", error: fault }]);
});

test("an unknown tool is a protocol error", async () => {
  const client = await world().connect("key-ada");
  await expect(client.callTool({ name: "drop_table" })).rejects.toMatchObject({ code: -32_602 });
});
