import { afterAll, beforeAll, expect, test } from "vitest";
import { filters } from "../../src/contract/filter.ts";
import { operationList } from "../../src/contract/operations.ts";
import { sessionOperations } from "../../src/contract/session-operations.ts";
import { skillOperations } from "../../src/contract/skill.ts";
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

test.each([
  ["people/grace", ["people/grace", "people/grace/x", "people/grace/x/y"]],
  ["/people//grace/", ["people/grace", "people/grace/x", "people/grace/x/y"]],
  ["people/grace%", ["people/grace%"]],
  ["people/g", []],
])("path_under %s is that path and what is below it", async (path_under, expected) => {
  const client = await someone();
  const all = [
    "people/grace",
    "people/grace/x",
    "people/grace/x/y",
    "people/gracelyn",
    "people/grace%",
    "people",
  ];
  for (const path of all) await stored(client, { content: `word ${path}`, path });
  expect(await matching(client, { path_under })).toEqual(expected);
  expect(await matching(client, { path_under, path: "%x" })).toEqual(
    expected.filter((one) => one.endsWith("x")),
  );
});

test.each(["path_under=.", "path_under=a/../b", "path_under=%25%2F..", "path_under=//", "agent_id=%00"])(
  "%s is refused",
  async (asked) => {
    const [name = ""] = asked.split("=");
    expect(faultyPlaces(await (await someone()).get(`/v1/memories?${asked}`))).toEqual([`query.${name}`]);
  },
);

test("agent_id and source narrow to what an agent produced", async () => {
  const client = await someone();
  await stored(client, { content: "word a", provenance: { agent_id: "alpha" }, source: "Ju\u0308rgen" });
  await stored(client, { content: "word b", provenance: { agent_id: "beta" }, source: "alpha" });
  await stored(client, { content: "word c" });
  expect(await matching(client, { agent_id: "alpha" })).toEqual(["a"]);
  expect(await matching(client, { source: "alpha" })).toEqual(["b"]);
  expect(await matching(client, { source: "Jürgen" })).toEqual(["a"]);
  expect(await matching(client, { agent_id: "alph%" })).toEqual([]);
  expect(await matching(client, { agent_id: "beta", source: "alpha" })).toEqual(["b"]);
});

const TAGGED = {
  ...{ tags: ["sea", "ice", 7], owner: { name: "Kim", pets: [{ name: "Rex" }] } },
  ...{ done: false, size: 12, when: null, "a.b": "own", a: { b: "nested" }, word: "12" },
};
test.each<[string, string | number | boolean | null, boolean]>([
  ["tags", "sea", true],
  ["tags", "sear", false],
  ["tags", 7, true],
  ["tags", "7", true],
  ["owner.name", "Kim", true],
  ["owner.pets.name", "Rex", true],
  ["owner", "Kim", false],
  ["done", false, true],
  ["done", "false", true],
  ["done", true, false],
  ["done", 0, false],
  ["size", 12, true],
  ["size", "12", true],
  ["size", "12.0", true],
  ["size", 13, false],
  ["word", 12, false],
  ["word", "12", true],
  ["word", "12.0", false],
  ["when", null, true],
  ["when", "null", true],
  ["nothing", null, false],
  ["size", null, false],
  ["a.b", "own", true],
  ["a.b", "nested", false],
])("metadata.%s = %j matches: %s", async (name, value, isMatch) => {
  const client = await someone();
  await stored(client, { content: "word tagged", metadata: TAGGED });
  await stored(client, { content: "word bare" });
  const metadata = { [name]: value };
  const found = await client.post("/v1/memories/search", { query: "word", metadata });
  const pack = await client.post("/v1/recall/context", { query: "word tagged", metadata });
  const removal = await client.post("/v1/memories/delete", { filter: { metadata } });
  const expected = isMatch ? ["word tagged"] : [];
  const contents = (items: { content: string }[]) => items.map(({ content }) => content);
  expect(contents(found.body.results)).toEqual(expected);
  expect(contents(pack.body.items)).toEqual(expected);
  expect(removal.body.matched).toBe(expected.length);
  if (typeof value === "string")
    expect(await matching(client, { [`metadata.${name}`]: value })).toEqual(isMatch ? ["tagged"] : []);
});

test.each([
  [{}],
  [{ a: ["x"] }],
  [{ a: { b: 1 } }],
  [Object.fromEntries(Array.from({ length: 65 }, (_, at) => [at, 1]))],
])("a filter on metadata that compares with no single values is refused (%#)", async (metadata) => {
  const answer = await (await someone()).post("/v1/memories/search", { query: "word", metadata });
  expect(faultyPlaces(answer)).toEqual(["body.metadata"]);
});

test("the filters narrow a context, and a removal takes what they name and nothing else", async () => {
  const client = await someone();
  const grace = { provenance: { agent_id: "alpha" }, source: "notes" };
  await stored(client, { content: "Grace likes walnuts.", path: "people/grace/food", ...grace });
  await stored(client, { content: "Gracelyn likes walnuts.", path: "people/gracelyn" });
  for (const filter of [{ path_under: "people/grace" }, { agent_id: "alpha" }, { source: "notes" }]) {
    const pack = await client.post("/v1/recall/context", { query: "Who likes walnuts?", ...filter });
    expect(pack.body.items).toMatchObject([{ path: "people/grace/food" }]);
    const why = { query: "walnuts", memory_id: await idAt(client, "people/gracelyn"), ...filter };
    const { body } = await client.post("/v1/recall/why", why);
    expect(body.filters).toMatchObject([{ filter: Object.keys(filter)[0] }]);
  }
  const filter = { path_under: "people/grace" };
  const { body: plan } = await client.post("/v1/memories/delete", { filter });
  await client.post("/v1/memories/delete", { filter, dry_run: false, plan_hash: plan.plan_hash });
  expect(await listed(client)).toEqual(["Gracelyn likes walnuts."]);
});

test("whatever filters memories by a path takes all the filters of a list, at every surface", () => {
  const inputs = [
    ...operationList.map(({ name, input }) => [name, input] as const),
    ...Object.entries(skillOperations).map(([name, { input }]) => [`skill ${name}`, input] as const),
    ...operationList.flatMap(({ name, session }) =>
      session ? [[`session ${name}`, session.input] as const] : [],
    ),
    ...Object.entries(sessionOperations).map(([name, { input }]) => [`session ${name}`, input] as const),
  ].flatMap(([name, { shape }]) => {
    const { filter } = shape as { filter?: { shape: object } };
    return [[name, filter?.shape ?? shape] as const];
  });
  const filtering = inputs.filter(
    ([, shape]) => "path" in shape && "memory_type" in shape && !("importance" in shape),
  );
  expect(filtering.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      ...[
        "listMemories",
        "searchMemories",
        "searchMemoriesByBody",
        "recallContext",
        "recallWhy",
        "deleteMatching",
      ],
      ...["skill recall", "skill search", "session listMemories", "session deleteMatching"],
    ]),
  );
  for (const [name, shape] of filtering)
    expect({ name, takes: Object.keys(shape) }).toEqual({
      name,
      takes: expect.arrayContaining(Object.keys(filters)),
    });
});

async function idAt(client: Client, path: string): Promise<string> {
  return (await client.get(`/v1/memories?path=${path}`)).body.memories[0].id;
}

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

test("a wildcard stands for anything in a pattern only, and for itself in an exact filter, however it is asked", async () => {
  const client = await someone();
  await stored(client, { content: "Herons fish at dawn.", path: "birds" });
  await stored(client, {
    content: "Herons fish at dusk.",
    path: "%/birds",
    source: "%",
    metadata: { kind: "%" },
    provenance: { agent_id: "%" },
  });
  for (const name of ["path_under", "agent_id", "source", "metadata.kind"])
    expect(await listed(client, { [name]: "%" }), name).toEqual(["Herons fish at dusk."]);
  expect(await listed(client, { path: "%" })).toHaveLength(2);
});

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
