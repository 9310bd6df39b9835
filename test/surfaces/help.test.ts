/** What a refusal leads to: the section of the errors page for its code, and a page of our own for who opens an address. */
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { openWorld, type World } from "../support/world.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async function opened(env: Record<string, string> = {}): Promise<World> {
  const world = await openWorld({ PUBLIC_URL: "https://memory.example", ...env });
  onTestFinished(() => world.close());
  return world;
}

const ask = (world: World, path: string, init: RequestInit = {}) =>
  world.handle(
    new Request(`http://memory.example${path}`, {
      ...init,
      headers: { host: "memory.example", ...(init.headers as Record<string, string>) },
    }),
  );

test("every door's refusal names the section of its code", async () => {
  const world = await opened({ CORS_ORIGINS: "https://app.example" });
  const help = (code: string) => `<https://memory.example/docs/errors#${code}>; rel="help"`;
  const problem = { accept: "application/problem+json" };
  const refusals = [
    ["/v1/memories", {}, "invalid_token"],
    ["/v1/memories", { headers: problem }, "invalid_token"],
    ["/v1/nowhere", {}, "not_found"],
    ["/nowhere", { headers: { accept: BROWSER } }, "not_found"],
    ["/v1/memories", { method: "PATCH" }, "method_not_allowed"],
    ["/mcp", { method: "POST" }, "invalid_token"],
    ["/trpc/recall", {}, "method_not_allowed"],
    [
      "/oauth2/register",
      { method: "POST", headers: { "content-type": "text/plain" } },
      "unsupported_media_type",
    ],
    ["/admin/assets/none.js", {}, "not_found"],
  ] as const;
  for (const [path, init, code] of refusals) {
    const answer = await ask(world, path, init as RequestInit);
    expect({ path, link: answer.headers.get("link") }).toEqual({ path, link: help(code) });
  }
  const document = await (await ask(world, "/v1/memories", { headers: problem })).json();
  expect(document.type).toBe("urn:recollect:problem:invalid_token");
  const fromPage = await ask(world, "/v1/memories", { headers: { origin: "https://app.example" } });
  expect(fromPage.headers.get("access-control-expose-headers")).toContain("Link");
});

test("the client has the address of the help", async () => {
  const world = await opened();
  const client = createClient({
    baseUrl: "https://memory.example",
    apiKey: "rcl_key_wrong",
    fetch: (input, init) => world.handle(new Request(String(input).replace("https:", "http:"), init)),
  });
  await expect(client.recallContext({ query: "anything" })).rejects.toMatchObject({
    code: "invalid_token",
    help: "https://memory.example/docs/errors#invalid_token",
  });
});

test.each([
  ["/nowhere", {}, 404, "There is nothing here"],
  ["/docs", { method: "DELETE" }, 405, "This address cannot be opened directly"],
  ["/admin", { method: "DELETE" }, 405, "This address cannot be opened directly"],
] as const)("a browser at %s is shown a page without a script", async (path, init, status, heading) => {
  const answer = await ask(await opened(), path, { ...init, headers: { accept: BROWSER } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
  const page = await answer.text();
  expect(page).toContain(`<h1>${heading}</h1>`);
  expect(page).not.toContain("<script");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  if (status === 405) expect(answer.headers.get("allow")).toContain("GET");
});

test("programs, and whatever asks for the API, are answered JSON", async () => {
  const world = await opened();
  for (const path of ["/v1/nowhere", "/.well-known/nowhere", "/mcp", "/trpc/nothing"]) {
    const answer = await ask(world, path, { headers: { accept: BROWSER } });
    expect({ path, type: answer.headers.get("content-type") }).toEqual({ path, type: "application/json" });
  }
  const forCurl = await ask(world, "/nowhere", { headers: { accept: "*/*" } });
  expect(await forCurl.json()).toMatchObject({ code: "not_found" });
});

test("/ shows people where to begin", async () => {
  const answer = await ask(await opened(), "/", { headers: { accept: BROWSER } });
  expect(answer.status).toBe(200);
  const page = await answer.text();
  for (const path of ["/admin", "/docs", "/SKILL.md"]) expect(page).toContain(`href="${path}"`);
});
