import { afterAll } from "vitest";
import { describeOnElasticsearch } from "../../support/elasticsearch.ts";
import { fedIndex, type OwnIndex, ownIndex } from "../../support/elasticsearch-index.ts";
import { testRecallIndex } from "../recall-index.suite.ts";

describeOnElasticsearch("with a node", () => {
  const made: OwnIndex[] = [];
  afterAll(async () => {
    for (const own of made) await own.remove();
  });
  async function own(shards = 1): Promise<OwnIndex> {
    const index = await ownIndex(shards);
    made.push(index);
    return index;
  }

  testRecallIndex("Elasticsearch", async (feed) => fedIndex(await own(), feed, () => false));

  testRecallIndex("Elasticsearch with every owner spread over three shards", async (feed) =>
    fedIndex(await own(3), feed, () => false),
  );

  testRecallIndex("Elasticsearch with everything still pending", async (feed) =>
    fedIndex(await own(), feed, () => true),
  );

  testRecallIndex("Elasticsearch with every other memory pending", async (feed) =>
    fedIndex(await own(), feed, (id) => Number(id.at(-1)) % 2 === 0),
  );
});
