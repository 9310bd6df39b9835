import { expect, onTestFinished, test } from "vitest";
import { openWorld } from "../support/world.ts";

test("each end user may keep as much as the setting says, whatever the others and the application keep", async () => {
  const world = await openWorld({ END_USER_MEMORIES_MAX: "2", END_USER_BYTES_MAX: "2000" });
  onTestFinished(() => world.close());
  const app = await world.client({ owner: "shop", scopes: ["memory:read", "memory:write", "users:act"] });
  const remember = async (user_id: string | undefined, content: string) =>
    (await app.post("/v1/remember", { content, path: "p", user_id })).status;
  for (const user of ["ada", "bob"])
    expect([
      await remember(user, "The first"),
      await remember(user, "The second one"),
      await remember(user, "Third"),
    ]).toEqual([201, 201, 403]);
  expect(await remember("cleo", "x".repeat(3000))).toBe(403);
  for (const content of ["Aa", "Bb", "Cc"]) expect(await remember(undefined, content)).toBe(201);
});
