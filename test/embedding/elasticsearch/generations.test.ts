/** A change of the embedding model while the search engine answers. */
import { afterEach, expect, test } from "vitest";
import { describeOnElasticsearch, ownIndices } from "../../support/elasticsearch.ts";
import { clientOf } from "../../support/http-client.ts";
import { eventually } from "../../support/processes.ts";
import { type Client, openWorld, type World } from "../../support/world.ts";
import { openProvider, settingsOf } from "../provider.ts";

const leftovers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of leftovers.splice(0).reverse()) await remove();
});

async function worldOnEngine(env: Record<string, string>): Promise<World> {
  const indices = ownIndices();
  leftovers.push(() => indices.remove());
  const world = await openWorld({ ...indices.settings, ...env });
  leftovers.push(() => world.close());
  return world;
}

/** Who answers, and what it finds by meaning alone. */
async function asked(client: Pick<Client, "get" | "post">, query: string) {
  const context = await client.post("/v1/recall/context", { query });
  const dense = await client.get(`/v1/memories/search?query=${query}&retrievers=dense`);
  return {
    engine: context.body.retrieval_plan.engine as string,
    coverage: dense.body.coverage as number,
    contents: dense.body.results.map((result: { content: string }) => result.content) as string[],
  };
}

const until = (
  what: string,
  client: Pick<Client, "get" | "post">,
  isSo: (now: Awaited<ReturnType<typeof asked>>) => boolean,
) =>
  eventually(what, async () => (isSo(await asked(client, "blim")) ? true : undefined), { withinMs: 60_000 });

async function replaced({ keepsPrevious }: { keepsPrevious: boolean }) {
  const old = await openProvider();
  const next = await openProvider({ refusal: { status: 503 } });
  const world = await worldOnEngine(settingsOf(old));
  const client = await world.client();
  for (const content of ["zorp", "unrelated"]) await client.post("/v1/remember", { content, path: "notes" });
  await until(
    "the engine to answer by meaning",
    client,
    ({ engine, coverage }) => engine === "elasticsearch" && coverage === 1,
  );
  const previous = {
    EMBEDDING_PREVIOUS_PROVIDER: "openai",
    EMBEDDING_PREVIOUS_BASE_URL: old.url,
    EMBEDDING_PREVIOUS_MODEL: "words-64",
    EMBEDDING_PREVIOUS_DIMENSIONS: "64",
  };
  const handle = await world.replica({
    ...settingsOf(next, 64, "other-64"),
    ...(keepsPrevious ? previous : {}),
  });
  return { old, next, upgraded: clientOf("http://localhost", client.token, handle) };
}

describeOnElasticsearch("on Elasticsearch", () => {
  test("the index of the model before answers, with its vectors, until that of the new one is built", async () => {
    const { old, next, upgraded } = await replaced({ keepsPrevious: true });
    await until("the engine to answer", upgraded, ({ engine }) => engine === "elasticsearch");
    expect(await asked(upgraded, "blim")).toMatchObject({ coverage: 1, contents: ["zorp", "unrelated"] });
    next.behaviour.refusal = null;
    await eventually(
      "the new index to answer",
      async () => {
        const before = old.requests();
        const now = await asked(upgraded, "blim");
        return now.engine === "elasticsearch" && old.requests() === before ? true : undefined;
      },
      { withinMs: 60_000 },
    );
    expect(await asked(upgraded, "blim")).toMatchObject({ coverage: 1, contents: ["zorp", "unrelated"] });
  });

  test("without the model before, words answer meanwhile, and no vectors of two models are compared", async () => {
    const { next, upgraded } = await replaced({ keepsPrevious: false });
    await until("the engine to answer", upgraded, ({ engine }) => engine === "elasticsearch");
    expect(await asked(upgraded, "blim")).toMatchObject({ coverage: 0, contents: [] });
    const byWords = await upgraded.get("/v1/memories/search?query=zorp");
    expect(byWords.body.results[0].content).toBe("zorp");
    next.behaviour.refusal = null;
    await until(
      "the new index to answer by meaning",
      upgraded,
      ({ engine, coverage, contents }) =>
        engine === "elasticsearch" && coverage === 1 && contents[0] === "zorp",
    );
  });
});
