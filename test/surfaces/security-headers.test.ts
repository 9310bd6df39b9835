/** The headers that every answer of every door carries. */
import { describe, expect, test } from "vitest";
import { world as mcpWorld } from "./mcp/world.ts";
import { world as restWorld } from "./rest/world.ts";

const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const answers: readonly (readonly [string, (publicUrl: string) => Promise<Response>])[] = [
  ["an answer", (publicUrl) => restWorld({ deps: { publicUrl } }).send("GET", "/v1/memories")],
  ["a refusal", (publicUrl) => restWorld({ deps: { publicUrl } }).send("GET", "/v1/memories", { key: null })],
  ["a path that is nowhere", (publicUrl) => restWorld({ deps: { publicUrl } }).send("GET", "/nowhere")],
  ["a document", (publicUrl) => restWorld({ deps: { publicUrl } }).send("GET", "/openapi.json")],
  ["an answer of MCP", (publicUrl) => mcpWorld(undefined, { publicUrl }).post(LIST)],
  ["a refusal of MCP", (publicUrl) => mcpWorld(undefined, { publicUrl }).post(LIST, { Authorization: "" })],
  [
    "a refused host of MCP",
    (publicUrl) => mcpWorld(undefined, { publicUrl }).post(LIST, { Origin: "https://evil.example" }),
  ],
];

describe.each(answers)("%s", (_, answer) => {
  test("lets a browser guess, frame, load and tell nothing", async () => {
    const { headers } = await answer("http://localhost");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  test("keeps to HTTPS where that is how the service is reached", async () => {
    const { headers } = await answer("https://memory.example");
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  });
});

describe("the id of a request over MCP", () => {
  const idOf = async (sent: string) =>
    (await mcpWorld().post(LIST, { "X-Request-Id": sent })).headers.get("x-request-id");

  test("is the client's own where it is sane, as over REST", async () => {
    expect(await idOf("mine-1")).toBe("mine-1");
  });

  test.each(["a b", "x".repeat(65), "a;b"])("is a new one instead of %j", async (sent) => {
    expect(await idOf(sent)).toBe("request-1");
  });
});
