/** The race on an index that lags behind: what is written reaches it late, and at a different pace each time. */
import { expect, test } from "vitest";
import { OPERATIONS, RACE_TIMEOUT_MS, race } from "../race/run.ts";
import { describeOnElasticsearch } from "../support/elasticsearch.ts";
import { createRandom, SEED } from "../support/random.ts";
import type { Asked } from "./proxy.ts";
import { openStage } from "./stage.ts";

const LAG_MAX_MS = 1500;

const isSlow = ({ path }: Asked) => /\/_(bulk|refresh)\b/.test(path);

describeOnElasticsearch("on an index that lags behind", () => {
  test(`what is written while others search is shown to nobody else, and to its writer at once (seed ${SEED})`, {
    timeout: RACE_TIMEOUT_MS,
  }, async () => {
    const { world, proxy } = await openStage({ ELASTICSEARCH_TIMEOUT_MS: "5000", LOG_LEVEL: "error" });
    const random = createRandom(SEED);
    await proxy.inject({ kind: "delay", ms: () => random.below(LAG_MAX_MS) }, isSlow);
    expect(await race(world, SEED, OPERATIONS)).toEqual([]);
    expect(proxy.hits()).toBeGreaterThan(0);
  });
});
