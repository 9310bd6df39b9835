import { expect, test } from "vitest";
import { allGone, freshDataDir, startOpener } from "./world.ts";

test.each(["tsx", "bun", "deno"] as const)("on %s it starts, survives kill -9 and stops", async (runtime) => {
  const dataDir = freshDataDir();
  const first = startOpener(dataDir, { runtime });
  expect((await first.outcome()).message).toBeUndefined();
  first.say("write");
  await first.hears(({ committed }) => committed === 50);
  const family = first.descendants();
  first.killGroup();
  await allGone(family);
  const acknowledged = first.told.filter(({ committed }) => committed !== undefined).length;

  const second = startOpener(dataDir, { runtime });
  expect((await second.outcome()).message).toBeUndefined();
  second.say("count");
  const { count } = await second.hears((told) => told.count !== undefined);
  expect(count).toBeGreaterThanOrEqual(acknowledged);
  const survivors = second.descendants();
  second.say("stop");
  await second.hears(({ stopped }) => stopped === true);
  await allGone(survivors);
});
