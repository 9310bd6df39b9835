/** What goes wrong between the service and Elasticsearch must cost neither a write nor a memory, and must pass. */
import { expect, test } from "vitest";
import { describeOnElasticsearch } from "../support/elasticsearch.ts";
import { openStage, TEST_TIMEOUT_MS } from "./stage.ts";
import { WIRE_FAULTS } from "./wire.ts";

describeOnElasticsearch(
  "writes are accepted, recall finds what was acknowledged, and it heals, though",
  () => {
    test.each(WIRE_FAULTS)("$name", { timeout: TEST_TIMEOUT_MS }, async ({ fault, only, searches }) => {
      const stage = await openStage();
      await stage.proxy.inject(fault, only);
      await stage.busy();
      await stage.truth.check();
      await stage.truth.checkReceipts(stage.held);
      expect(stage.proxy.hits() > 0 || fault.kind === "refuse").toBe(true);
      if (!searches) expect((await stage.plan()).degraded).not.toEqual([]);
      await stage.proxy.heal();
      await stage.healed();
    });
  },
);
