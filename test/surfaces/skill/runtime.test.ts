import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillOperationNames } from "../../../src/contract/skill.ts";
import { expectRefusal, faultyPlaces, freshOwner, listed, unguessable } from "../../support/acting.ts";
import { askSkill, runSkill, SKILLS } from "../../support/skill.ts";
import { type Client, openWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

/** The operations and their scopes, as the contract has them. */
const SCOPES: Readonly<Record<(typeof skillOperationNames)[number], string | null>> = {
  remember: "memory:write",
  recall: "memory:read",
  search: "memory:read",
  "save-state": "memory:write",
  "restore-state": "memory:read",
  "todo-add": "memory:write",
  "todo-list": "memory:read",
  "todo-done": "memory:write",
  "expense-add": "ledger:write",
  doctor: null,
};

interface Entry {
  readonly operation: keyof typeof SCOPES;
  readonly scopes: readonly string[];
  readonly may_call: boolean;
  readonly why_not: string | null;
  readonly input_schema: { type: string; properties: Record<string, unknown>; required?: string[] };
  readonly example: object;
}

const catalogueOf = async (client: Pick<Client, "get">): Promise<Entry[]> =>
  (await client.get(SKILLS)).body.operations;

describe("the catalogue", () => {
  test("has the ten operations, each with its scope, its schema and a body that can be sent as it is", async () => {
    const client = await someone();
    const entries = await catalogueOf(client);
    const told = Object.fromEntries(
      entries.map(({ operation, scopes }) => [operation, scopes[0] ?? null] as const),
    );
    expect(told).toEqual(SCOPES);
    await runSkill(client, "save-state", { key: "release-7", content: "Left: publish." });
    for (const { operation, input_schema, example } of entries) {
      expect(input_schema).toMatchObject({ type: "object", properties: expect.any(Object) });
      expect(JSON.stringify(input_schema)).not.toMatch(/~standard|[$](?:ref|defs|schema)/);
      const answer = await client.post(SKILLS, example);
      // No todo has the id of the example.
      expect([operation, answer.status]).toEqual([operation, operation === "todo-done" ? 404 : 200]);
    }
  });

  test("says what is required, and nothing that the runtime fills in", async () => {
    const required = Object.fromEntries(
      (await catalogueOf(await someone())).map((entry) => [
        entry.operation,
        entry.input_schema.required ?? [],
      ]),
    );
    expect(required).toEqual({
      remember: ["content"],
      recall: ["query"],
      search: ["query"],
      "save-state": ["key", "content"],
      "restore-state": ["key"],
      "todo-add": ["content"],
      "todo-list": [],
      "todo-done": ["id"],
      "expense-add": ["item", "amount"],
      doctor: [],
    });
  });

  test.each(["memory:read", "memory:write", "ledger:write"] as const)(
    "says what a token with %s may call, and the runtime does as it says",
    async (scope) => {
      const client = await world.client({ owner: freshOwner(), scopes: [scope] });
      for (const { operation, may_call, why_not, example } of await catalogueOf(client)) {
        expect([operation, may_call]).toEqual([
          operation,
          ([scope, null] as unknown[]).includes(SCOPES[operation]),
        ]);
        expect(why_not === null).toBe(may_call);
        const { code } = (await client.post(SKILLS, example)).body;
        expect([operation, code === "insufficient_scope"]).toEqual([operation, !may_call]);
      }
    },
  );

  test("is for whoever has a credential, by GET and HEAD", async () => {
    const client = await someone();
    const head = await world.handle(
      new Request(`http://localhost${SKILLS}`, { method: "HEAD", headers: { "x-api-key": client.token } }),
    );
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expectRefusal(await world.withToken("rcl_skill_nobody").get(SKILLS), 401, "invalid_token");
  });
});

describe("each operation", () => {
  test("remember and recall, search: as on their own routes", async () => {
    const client = await someone();
    const fact = { content: "Deploys go out on Tuesdays.", semantic_key: "deploy-day" };
    const remembered = await runSkill(client, "remember", fact);
    expect(remembered).toMatchObject({ status: "remembered", deduplicated: false });
    expect((await client.get(`/v1/memories/${remembered.id}`)).body).toMatchObject({
      content: fact.content,
      path: "notes",
      bucket: "public",
    });
    const pack = await runSkill(client, "recall", { query: "when do deploys go out?" });
    expect(pack.context_text).toMatch(/^### Recollect Context/);
    expect(pack.items.map(({ id }: { id: string }) => id)).toEqual([remembered.id]);
    const found = await runSkill(client, "search", { query: "deploys" });
    const same = await client.get("/v1/memories/search?query=deploys");
    expect(found).toEqual(same.body);
  });

  test("save-state and restore-state: the last one under the key, the earlier ones as versions", async () => {
    const client = await someone();
    expectRefusal(await askSkill(client, "restore-state", { key: "release" }), 404, "not_found");
    const first = await runSkill(client, "save-state", { key: "release", content: "ok" });
    expect(first).toMatchObject({ key: "release", status: "saved", version: 1 });
    const metadata = { step: 2 };
    const second = await runSkill(client, "save-state", { key: "release", content: "Built.", metadata });
    expect(second).toMatchObject({ version: 2, superseded: [first.id] });
    await runSkill(client, "save-state", { key: "release.2", content: "Another." });
    expect(await runSkill(client, "restore-state", { key: "release" })).toMatchObject({
      key: "release",
      id: second.id,
      content: "Built.",
      metadata: { step: 2, state_key: "release" },
      path: "states/release",
      boundary: { boundary_authority: "attribution_only" },
    });
    expect((await client.get(`/v1/memories/${first.id}/versions`)).body.chain).toHaveLength(2);
    await client.delete(`/v1/memories/${second.id}`);
    expectRefusal(await askSkill(client, "restore-state", { key: "release" }), 404, "not_found");
  });

  test("todo-add, todo-list and todo-done: in the project that is named, or the general one", async () => {
    const client = await someone();
    const added = await runSkill(client, "todo-add", { content: "Rotate the password.", priority: "high" });
    expect(added).toMatchObject({ project_id: "general", status: "open", priority: "high" });
    const headers = { "x-project-id": "apollo" };
    const other = await runSkill(client, "todo-add", { content: "Publish." }, headers);
    expect(other.project_id).toBe("apollo");
    const open = await runSkill(client, "todo-list", { status: "open" });
    expect(open).toMatchObject({ project_id: "general", todos: [{ todo_id: added.todo_id }] });
    expect((await runSkill(client, "todo-list", { project_id: "apollo" })).todos).toHaveLength(1);
    const done = await runSkill(client, "todo-done", { id: added.todo_id, note: "Done." });
    expect(done).toMatchObject({ status: "completed", completion_note: "Done." });
    expect((await runSkill(client, "todo-list", { status: "open" })).todos).toEqual([]);
    expectRefusal(await askSkill(client, "todo-done", { id: other.todo_id }), 404, "not_found");
  });

  test("expense-add: exact", async () => {
    const client = await someone();
    const spent = await runSkill(client, "expense-add", { item: "Coffee", amount: 2.5 });
    expect(spent).toMatchObject({ status: "recorded", amount: "2.50", currency: "USD" });
  });
});

/** Two members of a team, with a key each and one that is confined to the team. */
async function teammates() {
  const { teams } = world.service;
  const names = [freshOwner(), freshOwner()];
  const [ada, bob] = await Promise.all(names.map((owner) => world.client({ owner })));
  if (!ada || !bob) throw new Error("There are two.");
  const { team } = await teams.create(freshOwner(), { id: ada.ownerId, kind: "user", name: names[0] ?? "" });
  await world.service.sql`
    insert into team_members (team_id, user_id, role) values (${team.id}, ${bob.ownerId}, 'member')`;
  const confined = await world.client({ owner: names[0] ?? "", space: { teamId: team.id } });
  const ofTeam = await world.client({ team: team.name });
  return { ada, bob, confined, ofTeam, teamId: team.id };
}

describe("states, todos and expenses of a user are not mixed with those of its teams", () => {
  test("a state that a teammate saved for the team is read only if the team is named", async () => {
    const { ada, bob, confined, ofTeam, teamId } = await teammates();
    const own = { key: "plan", content: "Mine: review the budget." };
    await runSkill(bob, "save-state", { key: "plan", content: "Of the team.", team_id: teamId });
    expectRefusal(await askSkill(ada, "restore-state", { key: "plan" }), 404, "not_found");
    await runSkill(ada, "save-state", own);
    await runSkill(bob, "save-state", { key: "plan", content: "Of the team, newer.", team_id: teamId });
    expect(await runSkill(ada, "restore-state", { key: "plan" })).toMatchObject(own);
    const named = [{ team_id: teamId }, { team_id: teamId, scope: "team" }];
    for (const place of named)
      expect(await runSkill(ada, "restore-state", { key: "plan", ...place })).toMatchObject({
        content: "Of the team, newer.",
      });
    for (const client of [confined, ofTeam])
      expect(await runSkill(client, "restore-state", { key: "plan" })).toMatchObject({
        content: "Of the team, newer.",
      });
  });

  test("whatever is saved where, a state is read where the same place would be written", async () => {
    const { ada, bob, confined, teamId } = await teammates();
    const people = { ada, bob, confined } as const;
    const places = [{}, { scope: "private" }, { team_id: teamId }, { team_id: teamId, scope: "team" }];
    const save = fc.record({
      who: fc.constantFrom("ada", "bob", "confined"),
      place: fc.constantFrom(...places),
      key: fc.constantFrom("a", "b"),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(save, { minLength: 1, maxLength: 8 }), async (saves) => {
        round += 1;
        const keyed = ({ key }: { key: string }) => `${key}-${round}`;
        for (const [n, { who, place, ...rest }] of saves.entries())
          await askSkill(people[who], "save-state", { ...place, key: keyed(rest), content: `State ${n}.` });
        for (const client of Object.values(people))
          for (const place of places)
            for (const key of ["a", "b"]) {
              const restored = await askSkill(client, "restore-state", { ...place, key: keyed({ key }) });
              const replaced = await askSkill(client, "save-state", {
                ...place,
                key: keyed({ key }),
                content: `Probe ${unguessable()}.`,
              });
              if (replaced.status === 200) {
                const { superseded = [], id } = replaced.body.result;
                expect(restored.status === 200 ? [restored.body.result.id] : []).toEqual(superseded ?? []);
                expect(id).not.toBe(restored.body.result?.id);
              } else expect(restored).toMatchObject({ status: replaced.status });
            }
      }),
      { numRuns: 5 },
    );
  });

  test("a team's todos are listed and completed, and its expenses are written, only where it is named", async () => {
    const { ada, bob, teamId } = await teammates();
    const { todo_id } = await runSkill(bob, "todo-add", { content: "Of the team.", team_id: teamId });
    expect((await runSkill(ada, "todo-list")).todos).toEqual([]);
    expect((await runSkill(ada, "todo-list", { team_id: teamId })).todos).toMatchObject([{ todo_id }]);
    const { id } = await runSkill(ada, "expense-add", { item: "Coffee", amount: 2.5 });
    expectRefusal(await bob.get(`/v1/memories/${id}`), 404, "not_found");
  });
});

describe("what a token is confined to is where its memories go, unasked", () => {
  test.each([
    ["a path", { pathPrefix: "agents/coder" }, { path: "agents/coder/notes" }],
    ["a bucket", { buckets: ["coding"] }, { bucket: "coding" }],
    [
      "a project",
      { projects: ["apollo"] },
      { provenance: expect.objectContaining({ project_id: "apollo" }) },
    ],
  ])("%s", async (_, space, expected) => {
    const client = await world.client({ owner: freshOwner(), space });
    const { id } = await runSkill(client, "remember", { content: "Here." });
    expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject(expected);
    await runSkill(client, "save-state", { key: "k", content: "State." });
    expect(await runSkill(client, "restore-state", { key: "k" })).toMatchObject({ content: "State." });
    await runSkill(client, "todo-add", { content: "Do." });
    expect((await runSkill(client, "todo-list")).todos).toHaveLength(1);
  });

  test("one of several projects must be named", async () => {
    const client = await world.client({ owner: freshOwner(), space: { projects: ["a", "b"] } });
    const answer = await askSkill(client, "remember", { content: "Where?" });
    expect(faultyPlaces(answer)).toEqual(["body.input.project_id"]);
    expectRefusal(await askSkill(client, "todo-list"), 403, "insufficient_scope");
    await runSkill(client, "remember", { content: "There." }, { "x-project-id": "b" });
  });
});

describe("a request", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE"])("by %s is carried out", async (method) => {
    const client = await someone();
    const response = await world.handle(
      new Request(`http://localhost${SKILLS}`, {
        method,
        headers: {
          authorization: `Bearer ${client.token}`,
          "content-type": "application/json",
          "x-request-id": "r-1",
        },
        body: JSON.stringify({ operation: "remember", input: { content: `By ${method}.` } }),
      }),
    );
    expect([response.status, await response.json()]).toEqual([
      200,
      { operation: "remember", request_id: "r-1", ok: true, result: expect.anything() },
    ]);
    expect(await listed(client)).toEqual([`By ${method}.`]);
  });

  test("is answered with its own request_id", async () => {
    const body = { operation: "doctor", request_id: "mine 1" };
    expect((await (await someone()).post(SKILLS, body)).body.request_id).toBe("mine 1");
  });

  test.each([
    [{}, ["body.operation"]],
    [{ operation: "forget" }, ["body.operation"]],
    [{ operaton: "doctor" }, ["body.operaton", "body.operation"]],
    [{ operation: "doctor", input: [] }, ["body.input"]],
    [{ operation: "doctor", request_id: "" }, ["body.request_id"]],
    [{ operation: "remember" }, ["body.input.content"]],
    [
      { operation: "remember", input: { content: "", path: "a/../b" } },
      ["body.input.content", "body.input.path"],
    ],
    [{ operation: "remember", input: { content: "c", metadta: {} } }, ["body.input.metadta"]],
    [{ operation: "save-state", input: { key: "a/b", content: "c" } }, ["body.input.key"]],
    [{ operation: "save-state", input: { key: "..", content: "c" } }, ["body.input.key"]],
    [{ operation: "search", input: { query: "q", limit: 101 } }, ["body.input.limit"]],
    [{ operation: "expense-add", input: { item: "i", amount: "1.234" } }, ["body.input.amount"]],
    [{ operation: "todo-done", input: { id: "a b" } }, ["body.input.id"]],
    [{ operation: "doctor", input: { client_time: "now" } }, ["body.input.client_time"]],
  ])("that is not valid is told where: %j", async (body, places) => {
    const client = await someone();
    expect(faultyPlaces(await client.post(SKILLS, body))).toEqual(places);
    expect(await listed(client)).toEqual([]);
  });

  test("is told what of it was ignored", async () => {
    const body = { operation: "remember", mood: 1, input: { content: "c", colour: "red" } };
    const { status, headers } = await (await someone()).post(SKILLS, body);
    expect([status, headers.get("x-recollect-ignored")]).toEqual([200, "mood, input.colour"]);
  });

  test("that is refused has the ordinary error, as a problem document where that is asked for", async () => {
    const client = await world.client({ owner: freshOwner(), scopes: ["memory:read"] });
    const headers = { accept: "application/problem+json" };
    const answer = await askSkill(client, "remember", { content: 5 }, headers);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toMatchObject({ code: "insufficient_scope", status: 403 });
    for (const operation of skillOperationNames)
      expectRefusal(await askSkill(world.withToken("nobody"), operation), 401, "invalid_token");
  });

  test("with an Idempotency-Key is carried out once, on whichever of the two routes", async () => {
    const client = await someone();
    const headers = { "idempotency-key": unguessable() };
    const content = unguessable();
    const first = await runSkill(client, "remember", { content }, headers);
    expect(await runSkill(client, "remember", { content }, headers)).toEqual(first);
    const body = { content, path: "notes" };
    expect((await client.post("/v1/remember", body, headers)).body).toEqual(first);
    expectRefusal(await askSkill(client, "remember", { content: "other" }, headers), 409, "conflict");
    const odd = { "idempotency-key": "not a key" };
    expect(faultyPlaces(await askSkill(client, "remember", { content }, odd))).toEqual([
      "header.idempotency-key",
    ]);
  });
});

test("what a request counts in is what its operation counts in, and the answer says how much is left", async () => {
  const limited = await openWorld({
    RATE_LIMIT_ENABLED: "true",
    RATE_LIMIT_WRITES: "2",
    RATE_LIMIT_READS: "3",
  });
  try {
    const client = await limited.client();
    const limits: (string | null)[] = [];
    for (const operation of ["remember", "recall", "doctor"] as const)
      limits.push(
        (
          await askSkill(client, operation, operation === "doctor" ? {} : { content: "c", query: "q" })
        ).headers.get("x-ratelimit-policy"),
      );
    expect(limits).toEqual(["write;w=60;q=2", "read;w=60;q=3", "data;w=60;q=600"]);
    const more = await Promise.all(
      [1, 2].map((turn) => askSkill(client, "remember", { content: `turn ${turn}` })),
    );
    // Unless the minute ended in between.
    expect(more.map(({ status }) => status)).toContain(200);
    const rest = await Promise.all([1, 2, 3].map(() => askSkill(client, "remember", { content: "x" })));
    expect(rest.map(({ body }) => body.code)).toContain("rate_limited");
  } finally {
    await limited.close();
  }
});
