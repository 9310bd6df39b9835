/** A question about what all memories in scope share is answered, at any width; a question about something else is not. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { broadStores, FOREIGN_QUESTIONS } from "../../bench/recall/suites/broad/stores.ts";
import { found, freshOwner, query } from "../support/acting.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { IS_EXHAUSTIVE, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

async function storeAll(client: Client, contents: readonly string[], place: Record<string, string>) {
  const items = contents.map((content) => ({ content, path: "work", ...place }));
  const { body } = await client.post("/v1/memories/batch", { items });
  return body.results.map(({ id }: { id: string }) => id) as string[];
}

async function recalled(client: Client, body: Record<string, unknown>) {
  const { status, body: pack } = await client.post("/v1/recall/context", body);
  expect(status).toBe(200);
  return pack;
}

const stores = broadStores(SEED, [8, 40]);

test.each(stores.map((store) => [store.name, store] as const))(
  "%s: each broad question is answered by path, by project and from the whole store, and no other is",
  async (name, { contents, questions }) => {
    const client = await someone();
    await storeAll(client, contents, { path: `work/${name}`, project_id: name });
    const widths = [{}, { path: `work/${name}` }, { project_id: name }];
    // Each question at one width; with the next seed at another.
    for (const [at, question] of questions.entries())
      for (const width of IS_EXHAUSTIVE ? widths : [widths[(at + SEED) % widths.length]]) {
        const pack = await recalled(client, { query: question, ...width });
        expect({ question, width, shown: Math.min(3, pack.items.length) }).toEqual({
          question,
          width,
          shown: 3,
        });
        expect(pack.context_text).not.toContain("No stored memory matches");
        expect(pack.answer_status).not.toBe("no_memories");
      }
    const shown = await Promise.all(
      FOREIGN_QUESTIONS.map(async (question) => (await recalled(client, { query: question })).items.length),
    );
    // Some share a word by chance: "Why is the sky blue?" and "the blue binder".
    expect(shown.filter((count) => count > 0).length).toBeLessThanOrEqual(FOREIGN_QUESTIONS.length / 10);
  },
);

test("a project's context, its prompt and the MCP tool answer a broad question as well", async () => {
  const client = await someone();
  const { contents } = stores.find(({ name }) => name === "service-40") as (typeof stores)[number];
  await storeAll(client, contents, { project_id: "apollo" });
  const subject = /of the (\w+ \w+) /.exec(contents[0] as string)?.[1] as string;
  const asked = `Tell me about the ${subject}.`;
  const { body } = await client.post("/v1/projects/apollo/context", { durable_query: asked });
  expect(body.durable_context.length).toBeGreaterThanOrEqual(3);
  const mcp = await mcpClient(world, client);
  const { content } = await mcp.callTool({
    name: "recall_context",
    arguments: { query: asked, project_id: "apollo" },
  });
  expect(JSON.stringify(content)).toContain(subject);
  const prompt = await mcp.getPrompt({
    name: "start_task",
    arguments: { task: `Fix the retries of the ${subject}`, project_id: "apollo" },
  });
  expect(JSON.stringify(prompt.messages.slice(1))).toContain(`of the ${subject} `);
});

const WORDS =
  "kettle,harbour,violin,ledger,orchard,lantern,compass,meadow,anchor,pepper,saddle,marble,thimble,cradle".split(
    ",",
  );

test("what a wider scope shows and a narrower one holds, the narrower one shows too", async () => {
  const word = fc.constantFrom(...WORDS);
  const notes = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(word, notes, notes, async (subject, within, beside) => {
      const client = await someone();
      const ids = await storeAll(
        client,
        within.map(([one, other]) => `The ${subject} stands with the ${one} and the ${other}.`),
        { project_id: "narrow" },
      );
      await storeAll(
        client,
        beside.map(([one, other]) => `Ask for a ${one} or a ${other}.`),
        { project_id: "other" },
      );
      const asked = {
        query: `Summarise the ${subject} for a new colleague.`,
        max_items: 40,
        max_tokens: 8000,
      };
      const shown = (pack: { items: { id: string }[] }) => pack.items.map(({ id }) => id);
      const wide = shown(await recalled(client, asked)).filter((id) => ids.includes(id));
      const narrow = shown(await recalled(client, { ...asked, project_id: "narrow" }));
      expect(narrow).toEqual(expect.arrayContaining(wide));
      expect(wide.length).toBeGreaterThan(0);
    }),
    { seed: SEED, numRuns: runs(60) },
  );
});

test("the older and less important of equals stay behind, and the pack keeps to its limits", async () => {
  const client = await someone();
  const { contents } = stores.find(({ name }) => name === "user-40") as (typeof stores)[number];
  await storeAll(client, contents.slice(0, 30), { project_id: "plain" });
  const important = contents.slice(30).map((content) => ({ content, path: "work", importance: 1 }));
  const { body } = await client.post("/v1/memories/batch", { items: important });
  const first = body.results.map(({ id }: { id: string }) => id);
  const pack = await recalled(client, { query: "Tell me about the user.", max_items: 8 });
  expect(pack.items.length).toBe(8);
  expect(pack.items.filter(({ id }: { id: string }) => first.includes(id)).length).toBeGreaterThan(5);
  expect((await found(client, "Tell me about the user.")).length).toBe(40);
  expect((await client.get(`/v1/memories/search${query({ query: "dinosaurs" })}`)).status).toBe(200);
});
