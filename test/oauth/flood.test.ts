import { expect, test } from "vitest";
import { openWorld } from "../support/world.ts";

test.each([
  ["POST", "/oauth2/token"],
  ["POST", "/oauth2/revoke"],
  ["GET", "/oauth2/authorize"],
  ["POST", "/oauth2/register"],
])("%s %s counts as a request of its network, and is refused in the words of OAuth", async (method, path) => {
  const world = await openWorld({ RATE_LIMIT_ENABLED: "true", RATE_LIMIT_DATA_PLANE: "1" });
  try {
    const ask = () => world.handle(new Request(`http://localhost${path}`, { method }));
    const answers = [await ask(), await ask(), await ask()];
    // A window may end between two of them, but not between all three.
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused?.json()).toMatchObject({ error: "temporarily_unavailable" });
  } finally {
    await world.close();
  }
});
