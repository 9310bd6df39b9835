import { afterAll, beforeAll, expect, test } from "vitest";
import { faultyPlaces, found, freshOwner, listed, query, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

type Members = Record<string, string>;

/** What the list and the search answer under these filters: both must agree. */
async function matching(client: Client, members: Members): Promise<string[]> {
  const inList = (await listed(client, members)).sort();
  const answer = await client.get(`/v1/memories/search${query({ query: "word", limit: 100, ...members })}`);
  expect(answer.status).toBe(200);
  const inSearch = answer.body.results.map((item: { content: string }) => item.content).sort();
  expect(inSearch).toEqual(inList);
  return inList.map((content) => content.replace(/^word /, ""));
}

const paths = [
  "projects",
  "projects/a",
  "projects/a/b",
  "projects_a",
  "projectsXa",
  "other/projects/a",
  "100%",
  "back\\slash",
];

test.each<[string, string[]]>([
  ["%", paths.toSorted()],
  ["projects", ["projects"]],
  ["projects/%", ["projects/a", "projects/a/b"]],
  ["%/a", ["other/projects/a", "projects/a"]],
  ["%a%", ["back\\slash", "other/projects/a", "projects/a", "projects/a/b", "projectsXa", "projects_a"]],
  ["projects%a", ["projects/a", "projectsXa", "projects_a"]],
  ["projects_a", ["projects_a"]],
  ["projects_%", ["projects_a"]],
  ["%_%", ["projects_a"]],
  ["back\\slash", ["back\\slash"]],
  ["back\\%", ["back\\slash"]],
  ["%\\%", ["back\\slash"]],
  ["PROJECTS", []],
  ["%%", paths.toSorted()],
])("the path filter %s matches what it names: %% is any text, _ and \\ are plain", async (path, expected) => {
  const client = await someone();
  for (const each of paths) await stored(client, { content: `word ${each}`, path: each });
  expect(await matching(client, { path })).toEqual(expected);
});

test.each<[string, Members, string[]]>([
  ["bucket", { bucket: "wo%k" }, ["a"]],
  ["bucket with a plain underscore", { bucket: "wor_" }, []],
  ["memory_type", { memory_type: "epi%" }, ["a"]],
  ["memory_type by its whole name", { memory_type: "semantic" }, ["b", "c"]],
  ["project", { project_id: "apollo" }, ["b"]],
  ["metadata", { "metadata.kind": "x" }, ["b"]],
  ["metadata that is a number", { "metadata.n": "5" }, ["c"]],
  ["metadata of a name with a dot", { "metadata.a.b": "z" }, ["c"]],
  ["metadata twice", { "metadata.kind": "x", "metadata.n": "5" }, []],
  ["metadata that nothing has", { "metadata.toString": "x" }, []],
  ["scope", { scope: "private" }, ["a", "b", "c"]],
  ["scope of teams", { scope: "team" }, []],
  ["a foreign team", { team_id: "00000000-0000-4000-8000-000000000000" }, []],
  ["several filters", { bucket: "%", path: "p", memory_type: "semantic", project_id: "apollo" }, ["b"]],
])("a filter on %s narrows list and search alike", async (_, members, expected) => {
  const client = await someone();
  await stored(client, { content: "word a", bucket: "work", memory_type: "episodic" });
  await stored(client, {
    content: "word b",
    path: "p",
    metadata: { kind: "x" },
    provenance: { project_id: "apollo" },
  });
  await stored(client, { content: "word c", metadata: { n: 5, "a.b": "z" } });
  expect(await matching(client, members)).toEqual(expected);
});

test("the header X-Project-Id narrows like project_id", async () => {
  const client = await someone();
  await stored(client, { content: "in", provenance: { project_id: "apollo" } });
  await stored(client, { content: "out" });
  const { body } = await client.get("/v1/memories", { "x-project-id": "apollo" });
  expect(body.memories).toMatchObject([{ content: "in" }]);
});

test("patterns that are all wildcards are answered in time", async () => {
  const client = await someone();
  await stored(client, { path: "a".repeat(512) });
  const hostile = `${"%a".repeat(500)}%b`;
  expect(await listed(client, { path: hostile })).toEqual([]);
  expect(await found(client, "database", { path: hostile })).toEqual([]);
});

test.each(["%00", "%ED%A0%80", "%zz", "%"])(
  "a query string that is no text (%s) is refused",
  async (value) => {
    const client = await someone();
    for (const name of ["path", "bucket", "metadata.a", "metadata.%00"]) {
      const places = faultyPlaces(await client.get(`/v1/memories?${name}=${value}`));
      expect(places[0]).toMatch(/^query/);
    }
  },
);

test("SQL in a filter is text", async () => {
  const client = await someone();
  await stored(client);
  for (const text of ["' or 1=1 --", "%' or '1'='1", "\\", "\\'", "$1", "{}", "%\\"]) {
    expect(await matching(client, { bucket: text })).toEqual([]);
    expect(await matching(client, { "metadata.a": text })).toEqual([]);
    expect(await matching(client, { [`metadata.${text}`]: "x" })).toEqual([]);
  }
});

test("a filter on metadata finds more marks than any script has as they were stored, and no others", async () => {
  const client = await someone();
  const marks = "\u0315\u0300".repeat(200);
  await stored(client, { content: "word many", path: "p", metadata: { a: `e${marks}`, b: "x" } });
  await stored(client, { content: "word few", path: "p", metadata: { a: "e\u0315\u0300", b: "x" } });
  expect(await matching(client, { "metadata.a": `e${marks}` })).toEqual(["many"]);
  expect(await matching(client, { "metadata.a": `e${marks}`.normalize("NFC") })).toEqual([]);
  // As few are the same in whichever order they stand.
  expect(await matching(client, { "metadata.a": "e\u0300\u0315" })).toEqual(["few"]);
});

test("a status that there is not is refused, with the one that was meant", async () => {
  const client = await someone();
  await stored(client, { content: "word" });
  for (const path of ["/v1/memories?", "/v1/memories/search?query=word&", "/v1/recall?query=word&"]) {
    const refused = await client.get(`${path}status=actve`);
    expect(faultyPlaces(refused)).toEqual(["query.status"]);
    expect(refused.body.detail[0].msg).toContain("did you mean active?");
  }
  for (const status of ["active", "expired", "act%", "%"])
    expect(await listed(client, { status })).toBeTruthy();
});
