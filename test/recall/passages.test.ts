/** A long memory is found, told and shown by its best passage. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { passagesOf } from "../../src/recall/language/passages.ts";
import { freshOwner, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const FILLER = "The weekly report lists the open points of the workshop and who looks after them. ";
const FACT = "The night train's walnut tea is kept in locker nine, behind the boiler.";
const QUESTION = "Where is the walnut tea of the night train kept?";
/** As long as a memory may be, with a fact at three quarters of it. */
const LONG = `${FILLER.repeat(590)}${FACT} ${FILLER.repeat(195)}`;

interface Item {
  readonly content: string;
  readonly passage: { readonly start: number; readonly end: number } | null;
}

const passageOf = ({ content, passage }: Item) => content.slice(passage?.start ?? 0, passage?.end ?? 0);

const search = async (client: Client, body: object): Promise<Item[]> =>
  (await client.post("/v1/memories/search", { query: QUESTION, ...body })).body.results;

const context = async (client: Client, body: object) =>
  (await client.post("/v1/recall/context", { query: QUESTION, ...body })).body;

test("a search says where in a long memory the answer is, and nothing of a short one", async () => {
  const client = await someone();
  await stored(client, { content: LONG });
  await stored(client, { content: "The night train leaves at nine." });
  const results = await search(client, {});
  expect(results).toHaveLength(2);
  expect(results[0]?.content === LONG).toBe(true);
  expect(passageOf(results[0] as Item)).toContain(FACT);
  expect(passageOf(results[0] as Item).length).toBeLessThanOrEqual(2000);
  expect(results[1]?.passage).toBeNull();
});

test.each([150, 400, 1500, 6000])(
  "a pack of %i tokens shows a long memory by the passage that answers",
  async (max_tokens) => {
    const client = await someone();
    // Words of the question are common, in the beginning of it too; together they are where the answer is.
    await stored(client, {
      content: `${"Every train is kept on time. ".repeat(20)}${LONG}`.slice(0, 65_536),
      importance: 1,
    });
    for (let at = 1; at <= 12; at++)
      await stored(client, { content: `Train ${at} is kept in hall ${at}, at night too.` });
    const isLong = ({ truncated }: { truncated: boolean }) => truncated;
    const { context_text, items, budget } = await context(client, { max_tokens });
    expect(context_text.replaceAll("\n> ", "\n")).toContain(FACT);
    expect(items.find(isLong).content).toContain(FACT);
    const whole = (await context(client, { max_tokens, full: true })).items.find(isLong);
    expect(passageOf(whole)).toContain(FACT);
    expect(items.find(isLong).passage).toEqual(whole.passage);
    expect(budget.used_tokens).toBeLessThanOrEqual(max_tokens);
  },
);

describe("what a query names in a long memory", () => {
  /** Of several passages, without an end of a sentence in them. */
  const words = (count: number) => "river stone lamp garden window paper ".repeat(count);

  test("counts together, in whichever passages it is", async () => {
    const client = await someone();
    const both = await stored(client, {
      content: `${words(60)}INC-77120 ${words(400)}INC-88314 ${words(60)}`,
    });
    for (const one of ["INC-77120", "INC-88314"])
      for (const so of ["is shut.", "was seen again.", "has a new owner."])
        await stored(client, { content: `${one} ${so}` });
    const [first] = (await client.post("/v1/memories/search", { query: "INC-77120 INC-88314" })).body.results;
    expect(first.id).toBe(both);
    const passage = passageOf(first);
    expect(passage.includes("INC-77120") || passage.includes("INC-88314")).toBe(true);
    const pack = await context(client, { query: "INC-77120 INC-88314" });
    expect(pack.items[0].id).toBe(both);
  });

  test("is found where one passage ends and the next begins", async () => {
    const client = await someone();
    const text = words(120);
    const content = Array.from({ length: 400 }, (_, at) => {
      const place = text.indexOf(" ", at + (passagesOf(text)[0]?.end ?? 0) - 200);
      return `${text.slice(0, place)} velvet anchor ${text.slice(place)}`;
    }).find((one) => passagesOf(one).some(({ end }) => one.slice(end - 7, end + 6) === "velvet anchor"));
    const quoted = await stored(client, { content });
    for (const one of ["The anchor is of velvet.", "Velvet for the anchor, anchor for the velvet."])
      await stored(client, { content: one });
    const [first] = await search(client, { query: '"velvet anchor"', explain: true });
    expect(first).toMatchObject({ id: quoted, explanation: { signals: { exact: 16 } } });
    expect(passageOf(first as Item).trimEnd()).toMatch(/velvet$/);
  });

  test("is where it stands as it is named, not where its words are apart", async () => {
    const client = await someone();
    const apart =
      "It is said of the boat that its anchor is covered with velvet. The boat has an anchor, and velvet. ";
    await stored(client, { content: `${FILLER.repeat(30)}${apart}${FILLER.repeat(60)}` });
    const content = `${FILLER.repeat(30)}${apart}${FILLER.repeat(60)}Sold: the velvet anchor. ${FILLER.repeat(30)}`;
    const quoted = await stored(client, { content });
    const query = 'What is said of the "velvet anchor" of the boat?';
    const [first] = await search(client, { query });
    expect(first).toMatchObject({ id: quoted });
    expect(passageOf(first as Item)).toContain("the velvet anchor");
    const { context_text } = await context(client, { query, max_tokens: 300 });
    expect(context_text).toContain("the velvet anchor");
  });
});

test("of a past text the place is not told", async () => {
  const client = await someone();
  await stored(client, { content: LONG });
  const [item] = await search(client, { as_of: new Date(Date.now() + 1000).toISOString() });
  expect(item?.passage).toBeNull();
});

test("a memory that is replaced, deleted or redacted is found by none of its former passages", async () => {
  const client = await someone();
  const [changed, deleted, redacted] = [
    await stored(client, { content: LONG }),
    await stored(client, { content: `${LONG.slice(0, 65_000)} Second.` }),
    await stored(client, { content: `${LONG.slice(0, 65_000)} Third.` }),
  ];
  expect(await search(client, {})).toHaveLength(3);
  await client.patch(`/v1/memories/${changed}`, { content: "It was moved to the kitchen." });
  await client.delete(`/v1/memories/${deleted}?mode=hard_delete`);
  await client.delete(`/v1/memories/${redacted}?mode=redact`);
  const contents = (await search(client, { status: "%" })).map(({ content }) => content);
  expect(contents.filter((content) => content.includes("walnut"))).toEqual([]);
  const { sql } = world.service;
  expect(
    await sql`select 1 from embeddings where memory in (select id from memories where owner_id = ${client.ownerId}) and passages > 1`,
  ).toEqual([]);
});
