import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { discoveryDocument } from "../../../src/contract/discovery.ts";
import { skillOperationNames } from "../../../src/contract/skill.ts";
import { openWorld, type World } from "../../support/world.ts";

const PATHS = ["/.well-known/agent-discovery.json", "/.well-known/recollect.json"];

let world: World;
beforeAll(async () => {
  world = await openWorld({ PUBLIC_URL: "https://memory.example" });
});
afterAll(() => world.close());

async function fetched(of: World, path: string, method = "GET") {
  const response = await of.handle(new Request(`http://localhost${path}`, { method }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("the discovery documents", () => {
  test.each(PATHS)("%s says what the contract promises, and what is so of this deployment", async (path) => {
    const { status, headers, text } = await fetched(world, path);
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    const document = JSON.parse(text);
    expect(discoveryDocument.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      base_url: "https://memory.example",
      standalone_skill: {
        runtime_model: "standalone_skill",
        mcp_required: false,
        npm_cli_required: false,
        operations_endpoint: "/v1/skill/operations",
        credential_type: "skill_token",
      },
      registration: { is_open: true },
    });
    expect((await fetched(world, path, "POST")).status).toBe(405);
  });

  test("name addresses that are there", async () => {
    const { text } = await fetched(world, PATHS[0] as string);
    const addresses = [...text.matchAll(/"https:\/\/memory\.example(\/[^"]*)"/g)].map(
      ([, path]) => path ?? "",
    );
    expect(addresses.length).toBeGreaterThan(12);
    for (const path of addresses.filter((path) => path !== "/v1")) {
      const { status } = await fetched(world, path, "GET");
      expect([path, status]).not.toEqual([path, 404]);
    }
  });

  test("say so where agents cannot register themselves, and the skill says what to do then", async () => {
    const closed = await openWorld({ AGENT_SELF_REGISTRATION: "off" });
    try {
      const { text } = await fetched(closed, PATHS[1] as string);
      expect(JSON.parse(text).registration.is_open).toBe(false);
      const skill = (await fetched(closed, "/SKILL.md")).text;
      expect(skill).not.toContain("/v1/agents/register");
      expect(skill).toContain("ask your user for one");
    } finally {
      await closed.close();
    }
  });

  test("are named where a machine that knows the host alone looks first", async () => {
    const { text } = await fetched(world, "/");
    expect(JSON.parse(text)).toMatchObject({ discovery: PATHS[0], skill: "/SKILL.md" });
  });
});

describe("/SKILL.md", () => {
  test("is a skill: a name and a description before the text", async () => {
    const { status, headers, text } = await fetched(world, "/SKILL.md");
    expect([status, headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(text).toMatch(/^---\nname: recollect\ndescription: [^\n]{50,1024}\n---\n\n# Recollect\n/);
    expect(text).toContain("export RECOLLECT_URL=https://memory.example\n");
    expect(text).not.toMatch(/undefined|\[object/);
  });

  test("has each operation with what it needs and its scope", async () => {
    const { text } = await fetched(world, "/SKILL.md");
    const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (.*?) \| (.*?) \| /gm)].map(([, ...row]) => row);
    expect(rows.slice(0, skillOperationNames.length)).toEqual([
      ["remember", "`content`", "`memory:write`"],
      ["recall", "`query`", "`memory:read`"],
      ["search", "`query`", "`memory:read`"],
      ["save-state", "`key`, `content`", "`memory:write`"],
      ["restore-state", "`key`", "`memory:read`"],
      ["todo-add", "`content`", "`memory:write`"],
      ["todo-list", "nothing", "`memory:read`"],
      ["todo-done", "`id`", "`memory:write`"],
      ["expense-add", "`item`, `amount`", "`ledger:write`"],
      ["doctor", "nothing", "none"],
    ]);
  });
});
