import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { callTool } from "../support/mcp.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

type Given = Record<string, unknown>;
type Headers = Record<string, string>;

/** The ways in of a new memory. Each answers the id of what it made, or its refusal. */
const WAYS: readonly [string, (client: Client, given: Given, headers?: Headers) => Promise<string>][] = [
  [
    "store",
    async (client, given, headers) => idOf(await client.post("/v1/memories", memory(given), headers)),
  ],
  [
    "remember",
    async (client, given, headers) => idOf(await client.post("/v1/remember", memory(given), headers)),
  ],
  [
    "an item of a batch",
    async (client, given, headers) => {
      const { body } = await client.post("/v1/memories/batch", { items: [memory(given)] }, headers);
      return body.results[0].id;
    },
  ],
  [
    "the tool remember",
    async (client, given) => {
      const { structuredContent } = await callTool(world, client.token, "remember", memory(given));
      return structuredContent.id;
    },
  ],
];

function idOf({ status, body }: { status: number; body: { id: string } }): string {
  expect(status).toBe(201);
  return body.id;
}

test.each(WAYS)("%s takes the project by project_id", async (_, write) => {
  const client = await someone();
  const id = await write(client, { project_id: "apollo" });
  const { body } = await client.get(`/v1/memories/${id}`);
  expect(body.provenance).toEqual({ project_id: "apollo" });
  expect(await listed(client, { project_id: "apollo" })).toHaveLength(1);
  expect(await listed(client, { project_id: "gemini" })).toEqual([]);
});

test.each(WAYS)("%s may name the project in all three places", async (_, write) => {
  const client = await someone();
  const given = { project_id: "apollo", provenance: { project_id: "apollo" } };
  const id = await write(client, given, { "x-project-id": "apollo" });
  expect((await client.get(`/v1/memories/${id}`)).body.provenance.project_id).toBe("apollo");
});

test("null names no project", async () => {
  const client = await someone();
  const given = { project_id: null, provenance: { project_id: null } };
  const { body } = await client.post("/v1/remember", memory(given), { "x-project-id": "apollo" });
  expect((await client.get(`/v1/memories/${body.id}`)).body.provenance).toEqual({ project_id: "apollo" });
});

const apollo = { "x-project-id": "apollo" };
const inProvenance = (project_id: unknown) => ({ provenance: { project_id } });

test.each<[string, Given, Headers, string]>([
  ["project_id and provenance", { project_id: "gemini", ...inProvenance("apollo") }, {}, "body.project_id"],
  ["project_id and header", { project_id: "gemini" }, apollo, "body.project_id"],
  ["provenance and header", inProvenance("gemini"), apollo, "body.provenance.project_id"],
  ["case alone", { project_id: "Apollo" }, apollo, "body.project_id"],
  [
    "project_id alone of three",
    { project_id: "gemini", ...inProvenance("apollo") },
    apollo,
    "body.project_id",
  ],
  [
    "provenance alone of three",
    { project_id: "apollo", ...inProvenance("gemini") },
    apollo,
    "body.project_id",
  ],
])("two projects that differ, by %s, are refused there", async (_, given, headers, place) => {
  const client = await someone();
  for (const path of ["/v1/memories", "/v1/remember"]) {
    const refused = await client.post(path, memory(given), headers);
    expect(faultyPlaces(refused)).toEqual([place]);
  }
  const batch = await client.post("/v1/memories/batch", { items: [memory(given), memory()] }, headers);
  expect(batch.body).toMatchObject({ stored: 1, failed: 1, results: [{ error: {} }, { status: "stored" }] });
  expect(await listed(client)).toHaveLength(1);
});

test.each([["a b"], [""], ["x".repeat(129)], [5], [["apollo"]], ["."], [".."]])(
  "the project %j is refused",
  async (project) => {
    const client = await someone();
    expect(faultyPlaces(await client.post("/v1/remember", memory({ project_id: project })))).toEqual([
      "body.project_id",
    ]);
    expect(await listed(client)).toEqual([]);
  },
);

test("a credential of several projects names one by project_id, and reaches no other", async () => {
  const owner = freshOwner();
  const part = await world.client({ owner, space: { projects: ["apollo", "gemini"] } });
  expect((await part.post("/v1/remember", memory({ project_id: "gemini" }))).status).toBe(201);
  expectRefusal(
    await part.post("/v1/remember", memory({ project_id: "mercury" })),
    403,
    "insufficient_scope",
  );
  expect(await listed(part)).toHaveLength(1);
});

describe.each([".", ".."])("the project id %j, which URLs take away", (project) => {
  test("is refused wherever a project is named", async () => {
    const client = await someone();
    const answers = [
      await client.post("/v1/memories", memory(inProvenance(project))),
      await client.post("/v1/memories", memory(), { "x-project-id": project }),
      await client.get(`/v1/memories?project_id=${project}`),
      await client.post("/v1/recall/context", { query: "x", project_id: project }),
    ];
    expect(answers.map(faultyPlaces)).toEqual([
      ["body.provenance.project_id"],
      ["header.x-project-id"],
      ["query.project_id"],
      ["body.project_id"],
    ]);
    for (const { body } of answers) expect(body.detail[0].msg).toContain("not . or ..");
    expect(await listed(client)).toEqual([]);
  });

  test("of a memory that was stored with it before hides nothing of it", async () => {
    const client = await someone();
    const id = await stored(client, { project_id: "old" });
    const { sql } = world.service;
    await sql`update memories set project_id = ${project}, provenance = ${sql.json({ project_id: project })}
      where memory_id = ${id}`;
    expect((await client.get(`/v1/memories/${id}`)).body.provenance).toEqual({ project_id: project });
    expect(await listed(client)).toHaveLength(1);
    expect((await client.patch(`/v1/memories/${id}`, { importance: 0.9 })).status).toBe(200);
    expect((await client.delete(`/v1/memories/${id}`)).status).toBe(200);
  });
});

test.each(["...", ".git", "a..b", "-", ":"])("the project id %j is like others", async (project) => {
  const client = await someone();
  await stored(client, { project_id: project });
  expect((await client.get(`/v1/projects/${project}/todos`)).status).toBe(200);
  expect(await listed(client, { project_id: project })).toHaveLength(1);
});
