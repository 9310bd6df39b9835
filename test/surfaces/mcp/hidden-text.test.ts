/** No answer of a tool has characters that hide text from the person who reads along, in text or in structured content. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, stored } from "../../support/acting.ts";
import { mcpClient } from "../../support/mcp-client.ts";
import { type Client, openWorld, type World } from "../../support/world.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: freshOwner() });
});
afterAll(() => world.close());

/** Tags, a variation selector and its supplement, zero width, direction, an invisible operator, fillers, a soft hyphen. */
const HIDDEN = "\u{e0041}\ufe01\u{e0101}\u200b\u2060\u202e\u200e\u2062\u3164\u00ad";
const MEANT = "👨‍👩‍👧 ❤️ می‌خواهم";
const PROJECT = "zoo";

const hiddenIn = (value: unknown) =>
  [...JSON.stringify(value)].filter((character) => HIDDEN.includes(character));

test("every tool that reads leaves out what hides text, and keeps what an emoji or a script needs", async () => {
  const content = `The okapi${HIDDEN} sleeps in the barn. ${MEANT}`;
  const id = await stored(client, {
    content,
    project_id: PROJECT,
    source: `keeper${HIDDEN}`,
    metadata: { [`note${HIDDEN}`]: { in: [`deep${HIDDEN}`] } },
    provenance: { agent_name: `zoo${HIDDEN}` },
  });
  await client.post(`/v1/projects/${PROJECT}/todos`, { content: `Feed the okapi${HIDDEN}.` });
  await client.post(`/v1/projects/${PROJECT}/decisions`, { context: `Which okapi${HIDDEN}?` });
  const mcp = await mcpClient(world, client);
  const asked: readonly (readonly [string, Record<string, unknown>])[] = [
    ["recall_context", { query: "Where does the okapi sleep?" }],
    ["search_memories", { query: "okapi" }],
    ["list_memories", { project_id: PROJECT }],
    ["get_memory", { memory_id: id }],
    ["update_memory", { memory_id: id, importance: 0.7 }],
    ["get_profile", {}],
    ["project_context", { project_id: PROJECT }],
    ["todo_list", { project_id: PROJECT }],
    ["decision_list", { project_id: PROJECT }],
  ];
  for (const [name, input] of asked) {
    const { content: text, structuredContent, isError } = await mcp.callTool({ name, arguments: input });
    expect({ name, isError: isError ?? false }).toEqual({ name, isError: false });
    expect(JSON.stringify(structuredContent), name).toContain("okapi");
    expect({ name, hidden: [...hiddenIn(text), ...hiddenIn(structuredContent)] }).toEqual({
      name,
      hidden: [],
    });
  }
  const { structuredContent } = await mcp.callTool({ name: "get_memory", arguments: { memory_id: id } });
  expect((structuredContent as { content: string }).content).toBe(`The okapi sleeps in the barn. ${MEANT}`);
  expect(hiddenIn(await mcp.readResource({ uri: `recollect://memories/${id}` }))).toEqual([]);
  expect((await client.get(`/v1/memories/${id}`)).body.content).toBe(content);
});
