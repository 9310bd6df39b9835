// The configuration of each client as its page in docs/integrations says it, against the format that the client documents.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { documented } from "../clients/documented.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const json = (path: string): unknown => JSON.parse(readFileSync(join(repository, path), "utf8"));

const address = z.literal("http://127.0.0.1:8787/mcp?tools=core");
const headersWith = (authorization: RegExp) =>
  z.strictObject({
    Authorization: z.string().regex(authorization),
    "X-Agent-Id": z.string().regex(/^[a-z][a-z0-9-]*$/),
  });
const one = (server: z.ZodType) => z.strictObject({ recollect: server });

/** What each client documents for a server at an address, with its own way to name a variable. */
const formats: readonly [page: string, file: string, format: z.ZodType][] = [
  [
    "claude-code",
    ".mcp.json",
    z.strictObject({
      mcpServers: one(
        z.strictObject({
          type: z.literal("http"),
          url: address,
          headers: headersWith(/^Bearer \$\{RECOLLECT_API_KEY\}$/),
        }),
      ),
    }),
  ],
  [
    "gemini-cli",
    "~/.gemini/settings.json",
    z.strictObject({
      mcpServers: one(
        z.strictObject({
          type: z.literal("http"),
          url: address,
          headers: headersWith(/^Bearer \$RECOLLECT_API_KEY$/),
        }),
      ),
    }),
  ],
  [
    "editors",
    ".cursor/mcp.json",
    z.strictObject({
      mcpServers: one(
        z.strictObject({ url: address, headers: headersWith(/^Bearer \$\{env:RECOLLECT_API_KEY\}$/) }),
      ),
    }),
  ],
  [
    "editors",
    ".vscode/mcp.json",
    z
      .strictObject({
        inputs: z.array(
          z.strictObject({
            type: z.literal("promptString"),
            id: z.string(),
            description: z.string(),
            password: z.literal(true),
          }),
        ),
        servers: one(
          z.strictObject({
            type: z.literal("http"),
            url: address,
            headers: headersWith(/^Bearer \$\{input:[a-z-]+\}$/),
          }),
        ),
      })
      .refine(
        ({ inputs, servers }) => JSON.stringify(servers).includes(`\${input:${inputs[0]?.id}}`),
        "the header names the input",
      ),
  ],
  [
    "editors",
    "~/.copilot/mcp-config.json",
    z.strictObject({
      mcpServers: one(
        z.strictObject({
          type: z.literal("http"),
          url: address,
          headers: headersWith(/^Bearer \$\{RECOLLECT_API_KEY\}$/),
          tools: z.tuple([z.literal("*")]),
        }),
      ),
    }),
  ],
  [
    "editors",
    "~/.codeium/windsurf/mcp_config.json",
    z.strictObject({
      mcpServers: one(
        z.strictObject({ serverUrl: address, headers: headersWith(/^Bearer \$\{env:RECOLLECT_API_KEY\}$/) }),
      ),
    }),
  ],
  [
    "editors",
    "~/.config/zed/settings.json",
    z.strictObject({
      context_servers: one(z.strictObject({ url: address, headers: headersWith(/^Bearer rcl_key_\.\.\.$/) })),
    }),
  ],
];

test.each(formats)("docs/integrations/%s.md: %s has the client's format", (page, file, format) => {
  expect(format.safeParse(JSON.parse(documented(page, file))).error?.issues).toBeUndefined();
});

test("the plugin for Claude Code asks the server that its page names, and its hooks are files beside it", () => {
  const { mcpServers } = JSON.parse(documented("claude-code", ".mcp.json"));
  expect(json("packages/claude-code/.mcp.json")).toEqual({
    mcpServers: {
      recollect: {
        ...mcpServers.recollect,
        url: mcpServers.recollect.url.replace(
          /^http:.*:\d+/,
          (server: string) => `\${RECOLLECT_URL:-${server}}`,
        ),
      },
    },
  });
  const { hooks } = json("packages/claude-code/hooks/hooks.json") as { hooks: Record<string, Hook[]> };
  const files = readdirSync(join(repository, "packages/claude-code/hooks"));
  const page = readFileSync(join(repository, "docs/integrations/claude-code.md"), "utf8");
  for (const [event, [hook]] of Object.entries(hooks)) {
    const [, file] =
      /^node "\$\{CLAUDE_PLUGIN_ROOT\}\/hooks\/(\S+)"$/.exec(hook?.hooks[0]?.command ?? "") ?? [];
    expect(files).toContain(file);
    expect(page).toContain(`| \`${event}\` |`);
  }
});

interface Hook {
  readonly hooks: readonly { readonly command: string; readonly timeout: number }[];
}

test("the marketplace names the plugin, in its version of the service", () => {
  const { plugins } = json(".claude-plugin/marketplace.json") as {
    plugins: { name: string; source: string }[];
  };
  const [plugin] = plugins;
  const { name, version } = json(join(plugin?.source ?? "", ".claude-plugin/plugin.json")) as Named;
  expect({ name, version }).toEqual({ name: plugin?.name, version: (json("package.json") as Named).version });
});

interface Named {
  readonly name: string;
  readonly version: string;
}
