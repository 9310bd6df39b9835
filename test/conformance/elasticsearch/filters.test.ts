import { afterAll } from "vitest";
import { describeOnElasticsearch } from "../../support/elasticsearch.ts";
import { fedIndex, type OwnIndex, ownIndex } from "../../support/elasticsearch-index.ts";
import { testFilters } from "../filters.suite.ts";

describeOnElasticsearch("with a node", () => {
  const made: OwnIndex[] = [];
  afterAll(async () => {
    for (const own of made) await own.remove();
  });

  for (const [shards, how] of [
    [1, ""],
    [3, " and every owner spread over three shards"],
  ] as const) {
    testFilters(
      `Elasticsearch with every other memory pending${how}`,
      async (feed) => {
        const own = await ownIndex(shards);
        made.push(own);
        return fedIndex(own, feed, (id) => Number.parseInt(id.slice(-1), 16) % 2 === 0);
      },
      20,
    );
  }
});
