/** Who may say that a memory was verified, and what becomes of it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, register, user } from "../agents/agents.ts";
import { maintained } from "../project/maintenance.ts";
import { packOf } from "../project/pack.ts";
import { freshProject, ok, workspaceOf } from "../project/workspace.ts";
import { freshOwner, stored, unguessable } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const AT = "2026-01-02T00:00:00Z";
const BEFORE = "2026-01-01T00:00:00Z";

type Acting = Pick<Client, "get" | "post" | "patch">;

/** What a context text and a pack say of the memory's verification. */
async function toldOf(client: Acting, id: string, word: string) {
  const { body } = await client.post("/v1/recall/context", { query: word });
  const line = body.context_text.split("\n").find((one: string) => one.includes(id));
  return /verified \d{4}-\d\d-\d\d|said to be checked \d{4}-\d\d-\d\d/.exec(line)?.[0] ?? null;
}

/** Everybody who writes: a person's key, and the tokens of programs. */
async function everybody(): Promise<Record<string, Acting>> {
  const owner = freshOwner();
  const person = await world.client({ owner });
  const agent = await register(world);
  const bound = await bind(world, await register(world), await user(world, owner));
  return { person, temporary: agent.client, formal: bound };
}

test("only a person's credential verifies: of anybody else it is a claim, however it is written", async () => {
  for (const [who, client] of Object.entries(await everybody())) {
    const told = who === "person" ? "verified 2026-01-02" : "said to be checked 2026-01-02";
    const forged = { last_verified_at: AT, last_verified_by: "person" };
    const word = () => unguessable("lute");
    const ways: Record<string, (word: string) => Promise<string>> = {
      store: (text) => stored(client, { content: text, metadata: forged }),
      remember: async (text) =>
        (await client.post("/v1/remember", { content: text, path: "p", metadata: forged })).body.id,
      batch: async (text) =>
        (await client.post("/v1/memories/batch", { items: [{ content: text, path: "p", metadata: forged }] }))
          .body.results[0].id,
      patch: async (text) => {
        const id = await stored(client, { content: text });
        await ok(client.patch(`/v1/memories/${id}`, { metadata: forged }));
        return id;
      },
      replace: async (text) => {
        const id = await stored(client, { content: text });
        await ok(client.patch(`/v1/memories/${id}`, { metadata: forged, merge_metadata: false }));
        return id;
      },
    };
    for (const [way, write] of Object.entries(ways)) {
      const text = word();
      const id = await write(text);
      expect([who, way, await toldOf(client, id, text)]).toEqual([who, way, told]);
    }
  }
});

test("an agent's claim is reported to it, and leaves a due review due", async () => {
  const { formal, person } = (await everybody()) as Record<string, Client>;
  const project = freshProject();
  const metadata = { review_after: BEFORE, last_verified_at: AT };
  const body = { content: "The oboe is tuned.", path: "p", provenance: { project_id: project }, metadata };
  const claimed = await (formal as Client).post("/v1/remember", body);
  expect(claimed.body.reason).toContain("kept as a claim");
  const [memory] = (await packOf(person as Client, project)).recent_memories;
  expect(memory).toMatchObject({
    last_verified_at: null,
    claimed_checked_at: "2026-01-02T00:00:00.000Z",
    review_due: true,
  });
  // Only who can verify it is asked to.
  const asked = async (client: Acting) =>
    (await packOf(client, project)).suggested_next_actions.map(
      ({ operation }: { operation: string }) => operation,
    );
  expect(await asked(formal as Client)).not.toContain("updateMemory");
  expect(await asked(person as Client)).toContain("updateMemory");
  await ok(
    (person as Client).patch(`/v1/memories/${claimed.body.id}`, { metadata: { last_verified_at: AT } }),
  );
  const [verified] = (await packOf(person as Client, project)).recent_memories;
  expect(verified).toMatchObject({ last_verified_at: "2026-01-02T00:00:00.000Z", review_due: false });
});

test("a verification ends with the words that were verified, and a date that lies ahead is none", async () => {
  const { formal, person } = (await everybody()) as Record<string, Client>;
  const word = unguessable("fife");
  const id = await stored(person as Client, {
    content: `${word} is blue`,
    metadata: { last_verified_at: AT },
  });
  expect(await toldOf(person as Client, id, word)).toBe("verified 2026-01-02");
  await ok((formal as Client).patch(`/v1/memories/${id}`, { importance: 0.9 }));
  expect(await toldOf(person as Client, id, word)).toBe("verified 2026-01-02");
  await ok((formal as Client).patch(`/v1/memories/${id}`, { content: `${word} is red` }));
  expect(await toldOf(person as Client, id, word)).toBe("said to be checked 2026-01-02");
  // Only who may verify says with a change of the words that the new ones were verified.
  const echoed = { content: `${word} is green`, metadata: { last_verified_at: AT } };
  await ok((person as Client).patch(`/v1/memories/${id}`, echoed));
  expect(await toldOf(person as Client, id, word)).toBe("verified 2026-01-02");
  await ok((formal as Client).patch(`/v1/memories/${id}`, { ...echoed, content: `${word} is grey` }));
  expect(await toldOf(person as Client, id, word)).toBe("said to be checked 2026-01-02");
  const ahead = unguessable("tuba");
  const metadata = { last_verified_at: "2999-01-02T00:00:00Z" };
  const late = await stored(person as Client, { content: ahead, metadata });
  expect(await toldOf(person as Client, late, ahead)).toBe("said to be checked 2999-01-02");
});

test("an authority that speaks for a person ends with the words that it was given to", async () => {
  const { formal, person } = (await everybody()) as Record<string, Client>;
  for (const authority of ["verified", "directive"]) {
    const id = await stored(person as Client, { metadata: { note: "kept" } });
    // As an import brings it: no request can say so.
    await world.service.sql`
      update memories set metadata = metadata || ${{ authority } as never}::jsonb where memory_id = ${id}`;
    await ok((formal as Client).patch(`/v1/memories/${id}`, { importance: 0.9 }));
    const read = async () => (await ok((person as Client).get(`/v1/memories/${id}`))).metadata;
    expect(await read()).toEqual({ note: "kept", authority });
    const { reason } = await ok((formal as Client).patch(`/v1/memories/${id}`, { content: "Other words." }));
    expect(reason).toContain(`only a signed-in user can vouch as ${authority}`);
    expect(await read()).toEqual({ note: "kept", authority: "observation" });
  }
});

test("the verification of a todo or a decision ends with its words, too", async () => {
  const { formal, person } = (await everybody()) as Record<string, Client>;
  const project = freshProject();
  const metadata = { last_verified_at: AT };
  const ours = workspaceOf(person as Client, project);
  const { todo_id } = await ok(ours.todo({ content: "Tune the harp.", metadata }));
  const { decision_id } = await ok(ours.decision({ context: "Which harp?", metadata }));
  const verified = async () => {
    const { action_items, decisions } = await packOf(person as Client, project);
    return [...action_items, ...decisions].map(({ last_verified_at }) => last_verified_at !== null);
  };
  expect(await verified()).toEqual([true, true]);
  const its = workspaceOf(formal as Client, project);
  await ok(its.item("todo").correct(todo_id, { priority: "high" }));
  expect(await verified()).toEqual([true, true]);
  await ok(its.item("todo").correct(todo_id, { content: "Sell the harp.", metadata }));
  await ok(its.item("decision").correct(decision_id, { context: "Which buyer?" }));
  expect(await verified()).toEqual([false, false]);
});

test("what was stored before anybody noted who verified it counts as a claim", async () => {
  const client = await world.client({ owner: freshOwner() });
  const word = unguessable("horn");
  const id = await stored(client, { content: word, metadata: { last_verified_at: AT } });
  await world.service
    .sql`update memories set metadata = metadata - 'last_verified_by' where memory_id = ${id}`;
  expect(await toldOf(client, id, word)).toBe("said to be checked 2026-01-02");
});

test("a claim of verification decides no merge and keeps nothing from being archived", async () => {
  const owner = freshOwner();
  const client = await world.client({ owner });
  const formal = await bind(world, await register(world), await user(world, owner));
  const ours = maintained(client, world);
  const provenance = { project_id: ours.project };
  const text = "The quiet heron stands in the shallow water of the lake";
  const kept = await ours.stored({ content: text, importance: 0.9 });
  const claimed = await stored(formal, {
    content: `${text}.`,
    importance: 0.1,
    provenance,
    metadata: { last_verified_at: AT },
  });
  const report = await ok(ours.report());
  const merges = report.actions.find((one: { action: string }) => one.action === "merge_duplicates");
  expect(merges.items.map(({ id, into }: { id: string; into: string }) => [id, into])).toEqual([
    [claimed, kept],
  ]);
  const old = await stored(formal, {
    content: "An old note.",
    provenance,
    metadata: { last_verified_at: new Date().toISOString() },
  });
  await ours.age(old, 4000);
  expect(await ours.due("archive_stale")).toContain(old);
});

test("the same create again is known, whoever sends it", async () => {
  const { formal, person } = (await everybody()) as Record<string, Client>;
  const body = { content: "x", path: "p", memory_id: "same", metadata: { last_verified_at: AT } };
  expect(await (person as Client).post("/v1/memories", body)).toMatchObject({ status: 201 });
  expect(await (formal as Client).post("/v1/memories", body)).toMatchObject({ status: 201 });
});
