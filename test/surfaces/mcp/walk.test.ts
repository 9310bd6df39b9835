import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondTransport,
} from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Listener, listen } from "../../../src/adapters/runtime/listen.ts";
import { freshOwner } from "../../support/acting.ts";
import { freePort } from "../../support/free-port.ts";
import { openWorld, type World } from "../../support/world.ts";

let world: World;
let server: Listener;
let address: URL;
beforeAll(async () => {
  world = await openWorld();
  const port = await freePort();
  server = await listen({ fetch: world.handle, host: "127.0.0.1", port });
  address = new URL(`http://127.0.0.1:${port}/mcp`);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

interface Called {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
  readonly structuredContent?: any;
}

type Call = (name: string, input: Record<string, unknown>) => Promise<Called>;

const me = { name: "walk", version: "1" };
const requestInit = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** Clients of both generations of the SDK. Each checks what it is answered against the output schema that it was listed. */
const clients: Readonly<Record<string, (token: string) => Promise<Call>>> = {
  async second(token) {
    const client = new SecondClient(me);
    await client.connect(new SecondTransport(address, { requestInit: requestInit(token) }));
    onTestFinished(() => client.close());
    await client.listTools();
    return async (name, input) => (await client.callTool({ name, arguments: input })) as Called;
  },
  async first(token) {
    const client = new FirstClient(me);
    await client.connect(new FirstTransport(address, { requestInit: requestInit(token) }) as never);
    onTestFinished(() => client.close());
    await client.listTools();
    return async (name, input) => (await client.callTool({ name, arguments: input })) as unknown as Called;
  },
};

const textOf = ({ content }: Called) => content.map(({ text = "" }) => text).join("\n");

test.each(Object.keys(clients))(
  "a client of the %s generation remembers, recalls, corrects what it has found by its id, and works off a todo",
  async (generation) => {
    const { token } = await world.client({ owner: freshOwner() });
    const call = (await clients[generation]?.(token)) as Call;
    await call("remember", { content: "Releases go out on Tuesdays.", path: "projects/apollo" });
    const found = await call("recall_context", { query: "When do releases go out?" });
    expect(textOf(found)).toMatch(/^### Recollect Context\n/);
    // A model has the text alone to take the id from.
    const memory_id = /^#### 1\. .*\bid ([A-Za-z0-9._:-]+)$/m.exec(textOf(found))?.[1] as string;
    expect(memory_id).toBe(found.structuredContent.items[0].id);
    await call("update_memory", { memory_id, content: "Releases go out on Thursdays." });
    const corrected = await call("recall_context", { query: "When do releases go out?" });
    expect(textOf(corrected)).toContain("> Releases go out on Thursdays.");
    expect(textOf(corrected)).not.toContain("Tuesdays");
    expect((await call("get_memory", { memory_id })).structuredContent).toMatchObject({
      content: "Releases go out on Thursdays.",
    });
    expect((await call("search_memories", { query: "releases" })).structuredContent.results[0].id).toBe(
      memory_id,
    );
    await call("forget_memory", { memory_id });
    expect(textOf(await call("recall_context", { query: "When do releases go out?" }))).toContain(
      "No stored memory",
    );
    expect((await call("restore_memory", { memory_id })).structuredContent).toMatchObject({
      status: "active",
    });

    const project_id = "apollo";
    await call("todo_create", { project_id, content: "Write the release notes." });
    const pack = await call("project_context", { project_id });
    const todo_id = /\btodo, open, .*\bid ([A-Za-z0-9._:-]+)$/m.exec(textOf(pack))?.[1] as string;
    await call("todo_accept", { project_id, todo_id });
    await call("todo_complete", { project_id, todo_id, note: "Sent." });
    const { todos } = (await call("todo_list", { project_id })).structuredContent;
    expect(todos).toMatchObject([{ todo_id, status: "completed", completion_note: "Sent." }]);
  },
);

test.each(Object.keys(clients))(
  "a client of the %s generation is told what it did wrong",
  async (generation) => {
    const { token } = await world.client({ owner: freshOwner() });
    const call = (await clients[generation]?.(token)) as Call;
    const misspelt = await call("recall_context", { query: "q", max_token: 5 });
    expect(misspelt).toMatchObject({ isError: true, structuredContent: { code: "validation_failed" } });
    expect(textOf(misspelt)).toMatch(/^validation_failed: .*\n- "max_token": /);
    const unknown = await call("get_memory", { memory_id: "no-such-memory" });
    expect(unknown).toMatchObject({ isError: true, structuredContent: { code: "not_found" } });
    expect(textOf(unknown)).toMatch(/^not_found: /);
  },
);
