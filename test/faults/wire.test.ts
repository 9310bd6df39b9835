/** What goes wrong between the service and Elasticsearch must cost neither a write nor a memory, and must pass. */
import { expect, test } from "vitest";
import { eventually } from "../support/acting.ts";
import { describeOnElasticsearch, indicesOf } from "../support/elasticsearch.ts";
import { rotating } from "../support/random.ts";
import type { Asked } from "./proxy.ts";
import { HEALS_WITHIN_MS, openStage, TEST_TIMEOUT_MS } from "./stage.ts";
import { WIRE_FAULTS } from "./wire.ts";

/** Share of the faults that one run tries: each takes seconds to heal. */
const FAULTS_SHARE = 1 / 3;

describeOnElasticsearch(
  "writes are accepted, recall finds what was acknowledged, and it heals, though",
  () => {
    const faults = rotating(WIRE_FAULTS, FAULTS_SHARE);
    test.each(faults)("$name", { timeout: TEST_TIMEOUT_MS }, async ({ fault, only, searches }) => {
      const stage = await openStage();
      await stage.proxy.inject(fault, only);
      await stage.busy();
      // What writes leave goes to the node in its own time: none of it may have been sent when they are answered.
      if (searches) await eventually(async () => stage.proxy.hits(), Boolean, HEALS_WITHIN_MS);
      await stage.truth.check();
      await stage.truth.checkReceipts(stage.held);
      expect(stage.proxy.hits() > 0 || fault.kind === "refuse").toBe(true);
      if (!searches) expect((await stage.plan()).degraded).not.toEqual([]);
      await stage.proxy.heal();
      await stage.healed();
    });
  },
);

describeOnElasticsearch("what is said of the indices", () => {
  test("in words that are not understood makes none of them pass for gone", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const stage = await openStage();
    const { node, proxy, indices } = stage;
    const before = await indicesOf(node, indices.prefix);
    const isLook = ({ method, path }: Asked) => method === "GET" && /mappings\._meta/.test(path);
    await proxy.inject({ kind: "change", to: () => ({ acknowledged: true }) }, isLook);
    await eventually(
      async () => proxy.hits(),
      (hits) => hits >= 2,
      HEALS_WITHIN_MS,
    );
    await stage.busy();
    await proxy.heal();
    await stage.healed();
    expect(await indicesOf(node, indices.prefix)).toEqual(before);
  });
});
