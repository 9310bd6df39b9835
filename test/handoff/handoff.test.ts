import { afterAll, beforeAll, test } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { handoffDoors } from "./doors.ts";
import { handsOverAndBack } from "./story.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test.each(handoffDoors)("over $name an agent hands over to another and back", (door) =>
  handsOverAndBack({ ...world, url: "http://localhost" }, door),
);
