import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

type Given = Record<string, unknown>;
const ask = "What is the wifi password of the Berlin office?";

test.each<[string, string, Given[]]>([
  ["no_memories", "nothing is stored", []],
  [
    "confirmed_answer",
    "one memory settles the question",
    [{ content: "The wifi password of the Berlin office is tangerine-42." }],
  ],
  [
    "no_confirmed_answer",
    "something is found and nothing settles it",
    [{ content: "The Berlin office has a green door." }],
  ],
  [
    "conflicting_answers",
    "two memories say nearly the same with other values",
    [
      { content: "The wifi password of the Berlin office is 4711." },
      { content: "The wifi password of the Berlin office is 1234." },
    ],
  ],
  [
    "confirmed_answer",
    "the other value has been replaced",
    [
      { content: "The wifi password of the Berlin office is 4711.", semantic_key: "wifi" },
      { content: "The wifi password of the Berlin office is 1234.", semantic_key: "wifi" },
    ],
  ],
])("the status is %s where %s", async (status, _, memories) => {
  const client = await someone();
  for (const given of memories) await stored(client, given);
  const { body } = await client.post("/v1/recall/context", { query: ask });
  expect(body.answer_status).toBe(status);
});

test.each<[string, Given]>([
  ["is an inference", { metadata: { authority: "inference" } }],
  ["is doubted", { confidence: 0.1 }],
])("an answer that %s is not confirmed", async (_, given) => {
  const client = await someone();
  await stored(client, { content: "The wifi password of the Berlin office is tangerine-42.", ...given });
  const { body } = await client.post("/v1/recall/context", { query: ask });
  expect(["partial_answer", "no_confirmed_answer"]).toContain(body.answer_status);
});

test("a memory that is not asked for does not make a conflict", async () => {
  const client = await someone();
  await stored(client, { content: "The wifi password of the Berlin office is tangerine-42." });
  await stored(client, { content: "The rent of the garage is 50." });
  await stored(client, { content: "The rent of the garage is 60." });
  expect((await client.post("/v1/recall/context", { query: ask })).body.answer_status).toBe(
    "confirmed_answer",
  );
});

test.each([
  "Does Ada live in Braga?",
  "Does Ada play golf?",
  "Has Ada got a car?",
  "Does the cellar have a window?",
])("two values of another fact are no conflict on %s", async (query) => {
  const client = await someone();
  const semantic_key = "deploy-day";
  await stored(client, { content: "Ada lives in Faro." });
  await stored(client, { content: "We deploy on Tuesday.", semantic_key, project_id: "apollo" });
  await stored(client, { content: "We deploy on Friday.", semantic_key, project_id: "gemini" });
  const { body } = await client.post("/v1/recall/context", { query });
  expect(body.conflicts).toEqual([]);
  expect(body.answer_status).not.toBe("conflicting_answers");
});

test.each<[string, string, string, string]>([
  [
    "Korean",
    "남대문시장에서 기타를",
    "어제 김선생님이 남대문시장에서 기타를 샀습니다",
    "어제 철수가 남대문시장에서 가죽지갑을 샀습니다",
  ],
  ["Hindi", "बगीचे में मीठा आम", "अध्यापक बगीचे में मीठा आम ढूँढ रहा है", "अध्यापक बगीचे में लाल सेब ढूँढ रहा है"],
  [
    "Vietnamese",
    "xoài chín ở công viên",
    "Sáng nay thầy Hùng tìm xoài chín ở công viên",
    "Sáng nay thầy Hùng tìm đàn ghi ta ở công viên",
  ],
])("a short word of %s tells what is asked for", async (_, query, content, other) => {
  const client = await someone();
  const id = await stored(client, { content });
  await stored(client, { content: other });
  const { body } = await client.post("/v1/recall/context", { query });
  expect(body).toMatchObject({ answer_status: "confirmed_answer", conflicts: [] });
  expect(body.items[0].id).toBe(id);
});

test.each([
  ["Tell me about the payment service.", false],
  ["Which part of the payment service needs two approvals?", true],
])("two things of which the same is said: %s", async (question, isConflict) => {
  const client = await world.client({ owner: freshOwner() });
  for (const part of ["refund flow", "card vault"])
    await stored(client, { content: `The ${part} of the payment service needs two approvals.` });
  const { body } = await client.post("/v1/recall/context", { query: question });
  expect(body.items).toHaveLength(2);
  expect(body.conflicts).toHaveLength(isConflict ? 1 : 0);
  expect(body.answer_status === "conflicting_answers").toBe(isConflict);
});
