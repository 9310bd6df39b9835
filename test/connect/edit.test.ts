import fc from "fast-check";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { type Client, clientNames, clients } from "../../src/cli/connect/clients.ts";
import { editJson } from "../../src/cli/connect/edit-json.ts";
import { editToml } from "../../src/cli/connect/edit-toml.ts";
import { runs } from "../support/random.ts";

const connection = { url: "http://127.0.0.1:8787/mcp", signsIn: false };
const edit = (client: Client, text: string, to: typeof connection | null = connection) =>
  (client.format === "json" ? editJson : editToml)(text, client, to);
/** A reference in the words of the client. */
const bearer = (name: string) => `Bearer \${${name}}`;
const read = (client: Client, text: string) =>
  (client.format === "json" ? parseJson(text) : parseToml(text)) as Record<string, Record<string, unknown>>;

describe("what each client documents", () => {
  test.each([
    [
      "claude-code",
      {
        mcpServers: {
          recollect: {
            type: "http",
            url: connection.url,
            headers: { Authorization: bearer("RECOLLECT_API_KEY") },
          },
        },
      },
    ],
    [
      "cursor",
      {
        mcpServers: {
          recollect: { url: connection.url, headers: { Authorization: bearer("env:RECOLLECT_API_KEY") } },
        },
      },
    ],
    [
      "vscode",
      {
        servers: {
          recollect: {
            type: "http",
            url: connection.url,
            headers: { Authorization: bearer("input:recollect-api-key") },
          },
        },
        inputs: [
          { type: "promptString", id: "recollect-api-key", description: "Recollect API key", password: true },
        ],
      },
    ],
    [
      "codex",
      { mcp_servers: { recollect: { url: connection.url, bearer_token_env_var: "RECOLLECT_API_KEY" } } },
    ],
    [
      "copilot-cli",
      {
        mcpServers: {
          recollect: {
            type: "http",
            url: connection.url,
            headers: { Authorization: bearer("RECOLLECT_API_KEY") },
            tools: ["*"],
          },
        },
      },
    ],
    [
      "gemini-cli",
      {
        mcpServers: {
          recollect: {
            type: "http",
            url: connection.url,
            headers: { Authorization: "Bearer $RECOLLECT_API_KEY" },
          },
        },
      },
    ],
    [
      "opencode",
      {
        mcp: {
          recollect: {
            type: "remote",
            url: connection.url,
            headers: { Authorization: "Bearer {env:RECOLLECT_API_KEY}" },
            oauth: false,
          },
        },
      },
    ],
  ] as const)("%s, in a file that was not there", (name, expected) => {
    const client: Client = clients[name];
    expect(read(client, edit(client, ""))).toEqual(expected);
    const { headers: _, ...signedIn } = { headers: null, ...client.entry({ ...connection, signsIn: true }) };
    expect(signedIn).not.toHaveProperty("bearer_token_env_var");
    expect(signedIn).toMatchObject({ url: connection.url });
  });
});

test("comments, order, indentation and a comma at the end of a list stay", () => {
  const before = `{
    // Mine.
    "mcpServers": {
        "other": { "command": "x", "args": ["a",], }, /* as it is */
    },
}
`;
  const after = edit(clients.cursor, before);
  for (const kept of ["// Mine.", "/* as it is */", '"command": "x"']) expect(after).toContain(kept);
  expect(read(clients.cursor, edit(clients.cursor, after, null))).toEqual(read(clients.cursor, before));
  const toml = `# Mine.\nmodel = "m" # as it is\n\n[mcp_servers.recollect]\nurl = "http://old"\n\n# About the other.\n[mcp_servers.other]\ncommand = "x"\n`;
  const changed = edit(clients.codex, toml);
  for (const kept of ["# Mine.", '"m" # as it is', "# About the other."]) expect(changed).toContain(kept);
  expect(changed).not.toContain("http://old");
  expect(edit(clients.codex, toml, null)).toBe(
    `# Mine.\nmodel = "m" # as it is\n\n# About the other.\n[mcp_servers.other]\ncommand = "x"\n`,
  );
});

const name = fc.stringMatching(/^[a-z]{1,6}$/);
const scalar = fc.oneof(fc.string({ maxLength: 12 }), fc.integer(), fc.boolean());
const others = fc.dictionary(name, fc.dictionary(name, scalar, { maxKeys: 3 }), { maxKeys: 3 });
const plain = (value: object) => JSON.parse(JSON.stringify(value));

test.each(clientNames)(
  "%s: whatever else is in the file stays; twice is once; and what was added can be removed",
  (which) => {
    const client: Client = clients[which];
    fc.assert(
      fc.property(others, others, (servers, rest) => {
        const { [client.servers]: _, inputs: __, ...around } = rest;
        const whole = { ...plain(around), [client.servers]: plain(servers) };
        const before = client.format === "json" ? JSON.stringify(whole, null, 2) : stringify(whole);
        const after = edit(client, before);
        const { recollect, ...kept } = read(client, after)[client.servers] as Record<string, unknown>;
        expect(plain(recollect as object)).toEqual(client.entry(connection));
        expect(plain(kept)).toEqual(plain(servers));
        expect(edit(client, after)).toBe(after);
        const { [client.servers]: held = {}, ...without } = read(client, edit(client, after, null));
        expect(plain({ ...without, [client.servers]: held })).toEqual(whole);
      }),
      { numRuns: runs(100) },
    );
  },
);

test.each([
  ["claude-code", "{"],
  ["claude-code", "[]"],
  ["vscode", '{"servers": []}'],
  ["codex", "a = "],
  ["codex", 'mcp_servers = { recollect = { url = "x" } }'],
  ["codex", '[mcp_servers]\nrecollect.url = "x"\n'],
] as const)("%s: what cannot be read or changed without harm is refused: %s", (which, text) => {
  expect(() => edit(clients[which], text)).toThrow();
});
