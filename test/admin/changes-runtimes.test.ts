/** The admin UI's stream of changes on whole servers, on each runtime: told as it happens, and over when the client or the session goes. */
import { describe, expect, test } from "vitest";
import { createVisitor } from "../browser/support/visitor.ts";
import { changesIn } from "../support/change-stream.ts";
import { eventually } from "../support/processes.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { home, startServer } from "../support/server.ts";

const account = { email: "ada@example.com", password: "correct horse battery staple" };

describe.each(runtimesUnderTest)("on %s", { timeout: 240_000 }, (runtime) => {
  test("a page is told of a change, and makes room for another when it is closed", async () => {
    const { server, url } = await startServer(await home({ fresh: true }), runtime, {
      BOOTSTRAP_API_KEY: "",
      EVENT_STREAMS_PER_CREDENTIAL: "1",
    });
    const code = await eventually(
      "the way to an account",
      async () => /\/setup\?code=(\S+)/.exec(server.stdout() + server.stderr())?.[1],
    );
    const visitor = createVisitor(url, fetch);
    await visitor.get(`/setup?code=${code}`);
    await visitor.submit("/setup", "/setup", { code, ...account });
    const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");
    const post = (path: string, body: object, signal?: AbortSignal) =>
      fetch(`${url}/trpc/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: url, cookie },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });

    const page = new AbortController();
    const stream = changesIn(await post("changes", {}, page.signal));
    const start = await stream.next();
    expect(start).toMatchObject({ id: expect.stringMatching(/^evt_/), event: null });
    const stored = await (await post("remember", { content: "One.", path: "notes" })).json();
    expect((await stream.told())?.event.data.id).toBe(stored.result.data.id);
    expect((await post("changes", {})).status).toBe(503);
    page.abort();

    let next = await post("changes", { after: start?.id });
    for (; next.status === 503; next = await post("changes", { after: start?.id }))
      await new Promise((resolve) => setTimeout(resolve, 100));
    const again = changesIn(next);
    expect((await again.told())?.event.data.id).toBe(stored.result.data.id);
    await visitor.submit("/account", "/sign-out", {});
    expect(await again.told()).toBeNull();
  });
});
