/**
 * The clients that `recollect connect` configures: where their configuration is, and the entry for a server over HTTP.
 */
import { homedir } from "node:os";
import { join } from "node:path";

/** The environment variable with the key. The key itself is never written to a file that may be committed. */
export const KEY_VARIABLE = "RECOLLECT_API_KEY";

export const ENTRY = "recollect";

export interface Connection {
  readonly url: string;
  /** True: the client signs in. False: it uses a key from the environment. */
  readonly signsIn: boolean;
}

/** Environment variables that name folders of clients. */
export const PLACES = ["HOME", "CODEX_HOME", "COPILOT_HOME"] as const;
export type Places = Readonly<Record<(typeof PLACES)[number], string | undefined>>;

interface Place {
  /** The project's folder. */
  readonly folder: string;
  readonly places: Places;
}

/** An element of an array, identified by its `id`. */
interface ListedValue {
  readonly list: string;
  readonly value: { readonly id: string } & Readonly<Record<string, unknown>>;
}

export interface Client {
  readonly name: string;
  readonly format: "json" | "toml";
  file(place: Place): string;
  /** The member that contains the servers. */
  readonly servers: string;
  entry(connection: Connection): Readonly<Record<string, unknown>>;
  /** A further element that the entry needs, if any. */
  readonly besides?: (connection: Connection) => ListedValue | null;
  /** The next step, in a sentence. */
  next(connection: Connection): string;
}

const bearer = (reference: string) => ({ headers: { Authorization: `Bearer ${reference}` } });
const exported = `Set ${KEY_VARIABLE} in the environment that it is started from`;
const INPUT = "recollect-api-key";

function inHome({ HOME }: Places, folder: string): string {
  return join(HOME || homedir(), folder);
}

/** The clients by their names as arguments. The formats are those that the clients document. */
export const clients = {
  "claude-code": {
    name: "Claude Code",
    format: "json",
    file: ({ folder }) => join(folder, ".mcp.json"),
    servers: "mcpServers",
    entry: ({ url, signsIn }) => ({ type: "http", url, ...(signsIn ? {} : bearer(`\${${KEY_VARIABLE}}`)) }),
    next: ({ signsIn }) =>
      signsIn
        ? "Start claude in that folder, approve the server and sign in with /mcp."
        : `${exported}, then start claude in that folder and approve the server.`,
  },
  cursor: {
    name: "Cursor",
    format: "json",
    file: ({ folder }) => join(folder, ".cursor", "mcp.json"),
    servers: "mcpServers",
    entry: ({ url, signsIn }) => ({ url, ...(signsIn ? {} : bearer(`\${env:${KEY_VARIABLE}}`)) }),
    next: ({ signsIn }) =>
      signsIn
        ? "Open that folder in Cursor, and sign in from its MCP settings."
        : `${exported}, then open that folder in Cursor.`,
  },
  vscode: {
    name: "VS Code",
    format: "json",
    file: ({ folder }) => join(folder, ".vscode", "mcp.json"),
    servers: "servers",
    entry: ({ url, signsIn }) => ({ type: "http", url, ...(signsIn ? {} : bearer(`\${input:${INPUT}}`)) }),
    besides: ({ signsIn }) =>
      signsIn
        ? null
        : {
            list: "inputs",
            value: { type: "promptString", id: INPUT, description: "Recollect API key", password: true },
          },
    next: ({ signsIn }) =>
      signsIn
        ? "Open that folder in VS Code and start the server: it asks you to sign in."
        : "Open that folder in VS Code and start the server: it asks for the key once, and keeps it.",
  },
  codex: {
    name: "Codex",
    format: "toml",
    file: ({ places }) => join(places.CODEX_HOME || inHome(places, ".codex"), "config.toml"),
    servers: "mcp_servers",
    entry: ({ url, signsIn }) => ({ url, ...(signsIn ? {} : { bearer_token_env_var: KEY_VARIABLE }) }),
    next: ({ signsIn }) => (signsIn ? `Sign in with: codex mcp login ${ENTRY}` : `${exported}.`),
  },
  "copilot-cli": {
    name: "Copilot CLI",
    format: "json",
    file: ({ places }) => join(places.COPILOT_HOME || inHome(places, ".copilot"), "mcp-config.json"),
    servers: "mcpServers",
    entry: ({ url, signsIn }) => ({
      type: "http",
      url,
      ...(signsIn ? {} : bearer(`\${${KEY_VARIABLE}}`)),
      tools: ["*"],
    }),
    next: ({ signsIn }) => (signsIn ? "Start copilot and sign in with /mcp." : `${exported}.`),
  },
  "gemini-cli": {
    name: "Gemini CLI",
    format: "json",
    file: ({ folder }) => join(folder, ".gemini", "settings.json"),
    servers: "mcpServers",
    entry: ({ url, signsIn }) => ({ type: "http", url, ...(signsIn ? {} : bearer(`$${KEY_VARIABLE}`)) }),
    next: ({ signsIn }) =>
      signsIn
        ? `Start gemini in that folder, trust the folder and sign in with /mcp auth ${ENTRY}.`
        : `${exported}, then start gemini in that folder and trust the folder.`,
  },
  opencode: {
    name: "OpenCode",
    format: "json",
    file: ({ folder }) => join(folder, "opencode.json"),
    servers: "mcp",
    // With a key, OpenCode would still try to sign in when the server answers 401.
    entry: ({ url, signsIn }) => ({
      type: "remote",
      url,
      ...(signsIn ? {} : { ...bearer(`{env:${KEY_VARIABLE}}`), oauth: false }),
    }),
    next: ({ signsIn }) => (signsIn ? `Sign in with: opencode mcp auth ${ENTRY}` : `${exported}.`),
  },
} as const satisfies Readonly<Record<string, Client>>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];
