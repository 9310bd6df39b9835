import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, memory } from "../support/acting.ts";
import { callTool } from "../support/mcp.ts";
import { askSkill } from "../support/skill.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

/** The bytes of a text in UTF-8 as HTTP carries them: each as one character. */
const bytesOf = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");

const HEADERS = {
  agent_id: "x-agent-id",
  agent_name: "x-agent-name",
  session_id: "x-session-id",
  task_id: "x-task-id",
} as const;

const NOTHING = /^(?:null|none|undefined|nil|n\/a)?$/i;
const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.normalize("NFC").trim())
  .filter((text) => !NOTHING.test(text) && !/\p{Cc}/u.test(text));

test("a name in a header is kept as a body keeps it, whatever its script", async () => {
  const client = await someone();
  const write = async (given: Record<string, unknown>, headers?: Record<string, string>) => {
    const { status, body } = await client.post("/v1/memories", memory(given), headers);
    expect(status).toBe(201);
    return (await client.get(`/v1/memories/${body.id}`)).body.provenance;
  };
  await fc.assert(
    fc.asyncProperty(
      fc.record({ agent_id: name, agent_name: name, session_id: name, task_id: name }),
      async (who) => {
        const headers = Object.entries(HEADERS).map(([member, header]) => [
          header,
          bytesOf(who[member as keyof typeof HEADERS]),
        ]);
        expect(await write({}, Object.fromEntries(headers))).toEqual(await write({ provenance: who }));
      },
    ),
    { numRuns: 25, examples: [[{ agent_id: "Zoë", agent_name: "東京 à", session_id: "😀", task_id: "Ж" }]] },
  );
});

test("an agent that a header names in UTF-8 is the one that bodies name", async () => {
  const client = await someone();
  const headers = { "x-agent-id": bytesOf("Zoë") };
  const { body } = await client.post("/v1/memories", memory({ provenance: { agent_id: "Zoë" } }));
  const read = await client.get(`/v1/memories/${body.id}`, headers);
  expect(read.body.boundary).toMatchObject({ current_agent_id: "Zoë", memory_agent_id: "Zoë" });
  expect(read.body.boundary.relation).not.toBe("other_agent");
  const todo = await client.post("/v1/projects/p/todos", { content: "x", assignee_agent_id: "Zoë" });
  const accepted = await client.post(`/v1/projects/p/todos/${todo.body.todo_id}/accept`, undefined, headers);
  expect(accepted.body).toMatchObject({ status: "accepted", accepted_by_agent_id: "Zoë" });
});

test.each(Object.values(HEADERS))("%s that is no UTF-8 is refused", async (header) => {
  const answer = await (await someone()).post("/v1/memories", memory(), { [header]: "Zo\u00eb" });
  expectRefusal(answer, 422, "validation_failed");
  expect(answer.body.detail).toEqual([
    { loc: ["header", header], msg: "must be UTF-8", type: "value_error" },
  ]);
});

type Write = (
  client: Client,
  given: Record<string, unknown>,
  headers: Record<string, string>,
) => Promise<unknown>;

/** The ways in of a new memory; each answers the places that were refused, or none. */
const WAYS: readonly [string, Write][] = [
  [
    "store",
    async (client, given, headers) => placesOf(await client.post("/v1/memories", memory(given), headers)),
  ],
  [
    "remember",
    async (client, given, headers) => placesOf(await client.post("/v1/remember", memory(given), headers)),
  ],
  [
    "an item of a batch",
    async (client, given, headers) => {
      const { body } = await client.post("/v1/memories/batch", { items: [memory(given)] }, headers);
      const { error } = body.results[0];
      return error?.detail.map(({ loc }: { loc: unknown[] }) => loc) ?? [];
    },
  ],
  [
    "the skill runtime",
    async (client, given, headers) => placesOf(await askSkill(client, "remember", memory(given), headers)),
  ],
  [
    "the tool remember",
    async (client, given, headers) => {
      const { structuredContent } = await callTool(world, client.token, "remember", memory(given), headers);
      return structuredContent.detail?.map(({ loc }: { loc: unknown[] }) => loc) ?? [];
    },
  ],
];

function placesOf(answer: { status: number; body: { detail?: unknown } }): unknown {
  return answer.status === 422 ? faultyPlaces(answer as never) : [];
}

describe.each(WAYS)("%s", (way, write) => {
  test.each([
    ["agent_id", "x-agent-id", "ann", "bob"],
    ["agent_name", "x-agent-name", "Ann", "Bob"],
    ["session_id", "x-session-id", "s-1", "s-2"],
    ["task_id", "x-task-id", "t-1", "t-2"],
  ])("takes one %s from body and header, and not two", async (member, header, one, other) => {
    const client = await someone();
    expect(await write(client, { provenance: { [member]: one } }, { [header]: one })).toEqual([]);
    expect(await write(client, { provenance: { [member]: null } }, { [header]: one })).toEqual([]);
    const refused = JSON.stringify(
      await write(client, { provenance: { [member]: other } }, { [header]: one }),
    );
    expect(refused, way).toContain(member);
  });
});
