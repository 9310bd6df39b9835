/** The index only proposes: whatever it proposes, nobody is shown what is not theirs or is no more. */
import { expect, test } from "vitest";
import { describeOnElasticsearch } from "../support/elasticsearch.ts";
import type { Asked, Wanted } from "./proxy.ts";
import { openStage, TEST_TIMEOUT_MS } from "./stage.ts";

const isSearch = ({ path }: Asked) => /\/_m?search\b/.test(path);
const isWrite = ({ path }: Asked) => /\/_bulk\b/.test(path);

describeOnElasticsearch("nothing foreign and nothing stale is shown, though the index", () => {
  test("forgets every filter and searches every owner", { timeout: TEST_TIMEOUT_MS }, async () => {
    const stage = await openStage();
    await stage.proxy.inject({ kind: "ask", instead: unfiltered }, isSearch);
    await stage.busy();
    await stage.truth.check();
    expect(stage.proxy.hits()).toBeGreaterThan(0);
    // It answered, and was believed no further.
    expect(await stage.plan()).toMatchObject({ engine: "elasticsearch", degraded: [] });
  });

  test("has heard of nothing for a while", { timeout: TEST_TIMEOUT_MS }, async () => {
    const stage = await openStage();
    await stage.proxy.inject({ kind: "stall", at: "answer" }, isWrite);
    await stage.busy();
    await stage.busy();
    await stage.truth.check();
    // What it has not heard of does not make it less useful for the rest.
    expect((await stage.plan()).engine).toBe("elasticsearch");
    await stage.proxy.heal();
    await stage.healed();
  });
});

/** The same searches without what they leave out. */
function unfiltered({ path, body }: Wanted): Omit<Wanted, "method"> {
  const lines = body
    .split("\n")
    .map((line) => (line === "" ? "" : JSON.stringify(without(JSON.parse(line)))));
  return { path: path.replace(/routing=[^&]*&?/, ""), body: lines.join("\n") };
}

function without(value: unknown, of = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each));
  if (typeof value !== "object" || value === null) return value;
  const isQuery = of === "bool" || of === "knn";
  const left = Object.entries(value).filter(
    ([name]) => name !== "routing" && !(isQuery && (name === "filter" || name === "must_not")),
  );
  return Object.fromEntries(left.map(([name, each]) => [name, without(each, name)]));
}
