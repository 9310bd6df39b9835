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

test("no more of a body is held than twice what any endpoint takes", async () => {
  const world = await openWorld();
  try {
    const body = `{"redirect_uris":["https://app.example/"],"client_name":"${"x".repeat(256 * 1024)}"}`;
    const headers = { "content-type": "application/json" };
    const answer = await world.handle(
      new Request("http://localhost/oauth2/register", { method: "POST", headers, body }),
    );
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: "invalid_request" });
  } finally {
    await world.close();
  }
});

test("a method that has a body where none is made anew is refused like any other", async () => {
  const world = await openWorld();
  try {
    const request = new Request("http://localhost/oauth2/token", { method: "POST", body: "a=1" });
    // As Deno takes it from the wire; no program can make one.
    const traced = Object.defineProperty(request, "method", { value: "TRACE" });
    expect((await world.handle(traced)).status).toBe(405);
  } finally {
    await world.close();
  }
});
