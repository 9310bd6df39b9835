/** Evaluation sets: who may put them together and read them, and what goes with a memory that is gone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { subjectOperations } from "../../src/contract/subject-operations.ts";
import { stored, unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function person() {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  const client = await world.client({ owner: owner.name });
  const cookie = await sessionOf(world, owner);
  const ask = async (name: string, input: object) => (await askTrpc(world, cookie, name, input)).body;
  const add = async (name: string, ...questions: object[]) => ask("addEvalQuestions", { name, questions });
  const sets = async () => (await ask("listEvalSets", {})).result.data.sets;
  return { owner, client, cookie, ask, add, sets };
}

const codeOf = (body: { error?: { data: { code: string } } }) => body.error?.data.code ?? null;

test("a set has its questions in order; one that asks the same is replaced; a key reads it by name", async () => {
  const ada = await person();
  const [staging, lunch] = [
    await stored(ada.client, { content: "Staging runs on birch" }),
    await stored(ada.client, { content: "Lunch is at noon" }),
  ];
  await ada.add("Staging questions", { query: "Where is staging?", relevant: [staging], path: "%" });
  await ada.add(
    "Staging questions",
    { query: "When is lunch?", relevant: [lunch], memory_type: "semantic" },
    { query: "Where is staging?", relevant: [staging], stale: [lunch] },
  );
  expect(await ada.sets()).toMatchObject([{ name: "Staging questions", questions: 2 }]);
  const { status, body } = await ada.client.get("/v1/eval-sets/Staging%20questions");
  expect(status).toBe(200);
  expect(body.questions).toMatchObject([
    { asked: { query: "Where is staging?" }, relevant: [staging], stale: [lunch] },
    { asked: { query: "When is lunch?", memory_type: "semantic" }, relevant: [lunch], stale: [] },
  ]);
  expect(body.questions[0].asked).toEqual({ query: "Where is staging?" });
  const removed = await ada.ask("removeEvalQuestions", {
    name: "Staging questions",
    ids: [body.questions[0].id],
  });
  expect(removed.result.data).toEqual({ removed: 1 });
  await ada.ask("removeEvalQuestions", { name: "Staging questions" });
  expect(await ada.sets()).toEqual([]);
  expect((await ada.client.get("/v1/eval-sets/Staging%20questions")).status).toBe(404);
});

test("nobody else reads a set, names another's memory in one, or is shown a question beyond its reach", async () => {
  const [ada, bob] = await Promise.all([person(), person()]);
  const open = await stored(ada.client, { content: "Staging runs on birch", path: "open/a" });
  const hidden = await stored(ada.client, { content: "Ada's blood type", path: "private/a" });
  await ada.add("mine", { query: "staging", relevant: [open] }, { query: "blood", relevant: [open, hidden] });
  expect((await bob.client.get("/v1/eval-sets/mine")).status).toBe(404);
  expect((await bob.client.get(`/v1/eval-sets/mine?team_id=${ada.owner.id}`)).status).toBe(404);
  expect(codeOf(await bob.add("mine", { query: "staging", relevant: [open] }))).toBe("not_found");
  expect(codeOf(await bob.ask("listEvalSets", { team_id: ada.owner.id }))).toBe("not_found");
  const narrow = await world.client({ owner: ada.owner.name, space: { pathPrefix: "open" } });
  const { body } = await narrow.get("/v1/eval-sets/mine");
  expect(body.questions.map(({ asked }: { asked: { query: string } }) => asked.query)).toEqual(["staging"]);
});

test("a question goes with its memory and its subject, and has no secrets", async () => {
  const ada = await person();
  const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const [gone, redacted, left] = [
    await stored(ada.client, { content: "Erased" }),
    await stored(ada.client, { content: "Redacted" }),
    await stored(ada.client, { content: "Left" }),
  ];
  await ada.add(
    "all",
    { query: "first", relevant: [left, gone] },
    { query: "second", relevant: [left], stale: [redacted] },
    { query: "Where does Grace Hopper live?", relevant: [left] },
    { query: `who has ${token}`, relevant: [left] },
  );
  await ada.client.delete(`/v1/memories/${gone}?mode=hard_delete`);
  await ada.client.delete(`/v1/memories/${redacted}?mode=redact`);
  const asked = async () => JSON.stringify((await ada.client.get("/v1/eval-sets/all")).body);
  expect(await asked()).not.toMatch(/first|second/);
  expect(await asked()).toContain("Grace Hopper");
  expect(await asked()).not.toContain(token);

  const terms = ["Grace Hopper"];
  const { output } = subjectOperations.eraseSubject;
  const plan = output.parse((await ada.ask("eraseSubject", { terms })).result.data);
  const erase = { terms, dry_run: false, plan_hash: (plan as { plan_hash?: string }).plan_hash };
  expect(codeOf(await ada.ask("eraseSubject", erase))).toBeNull();
  await expect.poll(asked, { timeout: 30_000 }).not.toContain("Grace Hopper");

  const rows = () => world.service.sql`select from eval_questions where owner_id = ${ada.owner.id}`;
  expect(await rows()).toHaveLength(1);
});

test("a set and a workspace have limits, and nothing is added beyond them", async () => {
  const ada = await person();
  const id = await stored(ada.client, { content: "Counted" });
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ query: `question ${from + n}`, relevant: [id] }));
  await ada.add("full", ...many(0, 199));
  expect(codeOf(await ada.add("full", ...many(199, 2)))).toBe("quota_exceeded");
  expect(await ada.sets()).toMatchObject([{ questions: 199 }]);
  expect(codeOf(await ada.add("x", { query: "q".repeat(2000), relevant: [id] }))).toBe("validation_failed");
  expect(codeOf(await ada.add("a/b", ...many(0, 1)))).toBe("validation_failed");
  for (let n = 1; n < 50; n += 1) await ada.add(`set ${n}`, ...many(0, 1));
  expect(codeOf(await ada.add("one more", ...many(0, 1)))).toBe("quota_exceeded");
});
