import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { testFilters } from "../../conformance/filters.suite.ts";
import { lexicon } from "../../support/recall-fixtures.ts";

testFilters(
  "The embedded index",
  async (feed) => createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 }),
  50,
);
