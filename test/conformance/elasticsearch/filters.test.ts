import { afterAll } from "vitest";
import { describeOnElasticsearch } from "../../support/elasticsearch.ts";
import { fedIndex, type OwnIndex, ownIndex } from "../../support/elasticsearch-index.ts";
import { testFilters } from "../filters.suite.ts";

describeOnElasticsearch("with a node", () => {
  const made: OwnIndex[] = [];
  afterAll(async () => {
    for (const own of made) await own.remove();
  });

  testFilters(
    "Elasticsearch with every other memory pending",
    async (feed) => {
      const own = await ownIndex();
      made.push(own);
      return fedIndex(own, feed, (id) => Number.parseInt(id.slice(-1), 16) % 2 === 0);
    },
    { stores: 5 },
  );
});
