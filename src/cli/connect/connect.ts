import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { Argument, type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { printable, printableLines } from "../../compose/printable.ts";
import { path } from "../../compose/setting-kinds.ts";
import { TOOLS_PARAMETER, type ToolSet, toolSets } from "../../contract/tool-set.ts";
import { CommandFailure } from "../failure.ts";
import { callersFolder, ownPlaces, settings } from "../open.ts";
import { checked, jsonOption, value } from "../options.ts";
import { print, printJson, say } from "../terminal.ts";
import { type Client, type Connection, clientNames, clients, KEY_VARIABLE } from "./clients.ts";
import { editJson } from "./edit-json.ts";
import { editToml } from "./edit-toml.ts";

const CORE: ToolSet = "core";
const MCP_PATH = "/mcp";

export function addConnect(program: Command): void {
  program
    .command("connect")
    .description("Connect a coding agent: show the change to its configuration, then write it")
    .addArgument(new Argument("<CLIENT>", "The coding agent").choices(clientNames))
    .option("--url <URL>", "The address of the MCP server (default: /mcp at PUBLIC_URL)", value(mcpUrl))
    .addOption(
      new Option("--tools <SET>", "The tools that the agent is shown: core, the ten used most, or full")
        .choices(toolSets)
        .default(CORE),
    )
    .option("--folder <FOLDER>", "The folder of your project (default: this one)", value(folderNamed))
    .option("--sign-in", "Use no key: the client signs in with OAuth")
    .option("--remove", "Remove the entry again")
    .option("--dry-run", "Show the change without writing it")
    .option("--yes", "Write it without asking")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
In your project's folder, claude-code writes .mcp.json, cursor .cursor/mcp.json,
gemini-cli .gemini/settings.json, opencode opencode.json and vscode
.vscode/mcp.json. For all projects, codex writes config.toml in CODEX_HOME or
~/.codex, and copilot-cli mcp-config.json in COPILOT_HOME or ~/.copilot. The
folder is the one that the command is run from, also by npm --prefix CLONE run
-s recollect, unless --folder names another. The entry is called recollect. Everything else in the file stays, comments included, and
the previous file is kept as FILE.before-recollect. No key is written: the entry
names the variable ${KEY_VARIABLE}, or has VS Code ask for it.

The agent is shown ten tools, which cost its model 3,700 tokens instead of 9,000.
With --tools full the address lists every tool.

With --json it prints {client, file, backup, change}; change is added, changed,
removed or unchanged.

Examples:
  recollect connect claude-code
  recollect connect claude-code --folder ../my-app
  recollect connect cursor --url https://memory.example/mcp --yes
  recollect connect codex --remove`,
    )
    .action(async (name, options) => {
      const client: Client = clients[name];
      const connection = options.remove
        ? null
        : { url: withTools(options.url ?? ownUrl(), options.tools), signsIn: options.signIn === true };
      const plan = planOf(client, connection, options.folder ?? callersFolder());
      if (options.json !== true) show(plan);
      const isWritten = plan.before !== plan.after && options.dryRun !== true;
      if (isWritten && options.yes !== true) await requireYes(plan);
      const backup = isWritten ? write(plan) : null;
      if (options.json === true) printJson({ client: name, file: plan.file, backup, change: changeOf(plan) });
      else if (isWritten) tell(plan, backup);
      else if (options.dryRun === true) say("Nothing was written, because of --dry-run.");
    });
}

/** The address of an MCP server. An address without a path names the service, whose MCP server is at /mcp. */
function mcpUrl(text: string): string {
  if (!URL.canParse(text) || !["http:", "https:"].includes(new URL(text).protocol))
    throw new InvalidArgumentError("It must be an http or https URL.");
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = MCP_PATH;
  return url.href;
}

/** The address with this set of tools. An address that already names a set is unchanged. */
function withTools(address: string, tools: ToolSet): string {
  const url = new URL(address);
  if (tools === CORE && !url.searchParams.has(TOOLS_PARAMETER)) url.searchParams.set(TOOLS_PARAMETER, tools);
  return url.href;
}

/** Reads the name of an existing folder. A missing folder is not created, since its name may be misspelt. */
function folderNamed(text: string): string {
  const folder = resolve(callersFolder(), checked(path)(text));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new InvalidArgumentError("There is no such folder.");
}

function ownUrl(): string {
  return new URL(MCP_PATH, settings().publicUrl).href;
}

/** The planned change of a file. */
interface Plan {
  readonly client: Client;
  readonly connection: Connection | null;
  readonly file: string;
  /** null if the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

function planOf(client: Client, connection: Connection | null, folder: string): Plan {
  const named = client.file({ folder, places: ownPlaces() });
  // Configuration files are often symbolic links, so the link's target is edited.
  const file = existsSync(named) ? realpathSync(named) : named;
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  if (before === null && connection === null) return { client, connection, file, before, after: null };
  const edit = client.format === "json" ? editJson : editToml;
  try {
    return { client, connection, file, before, after: edit(before ?? "", client, connection) };
  } catch (error) {
    if (error instanceof CommandFailure)
      throw new CommandFailure(`${printable(file)} was not changed. ${error.message}`);
    throw error;
  }
}

function changeOf({ before, after, connection }: Plan): "added" | "changed" | "removed" | "unchanged" {
  if (before === after) return "unchanged";
  if (connection === null) return "removed";
  return before?.includes("recollect") ? "changed" : "added";
}

/** Prints the differing lines as a patch with two lines of context. */
function show({ client, file, before, after }: Plan): void {
  if (before === after) {
    print(`${client.name}: nothing to change in ${printable(file)}.`);
    return;
  }
  const [old, next] = [(before ?? "").split("\n"), (after ?? "").split("\n")];
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const lines = [
    ...old.slice(Math.max(0, head - 2), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...next.slice(head, next.length - tail).map((line) => `+ ${line}`),
    ...next.slice(next.length - tail, next.length - tail + 2).map((line) => `  ${line}`),
  ];
  const shown = lines.filter((line, at) => at < lines.length - 1 || line.trim() !== "");
  print(printableLines(`${client.name}: ${file}${before === null ? " (new)" : ""}\n${shown.join("\n")}`));
}

async function requireYes({ file }: Plan): Promise<void> {
  if (process.stdin.isTTY !== true)
    throw new CommandFailure(
      "Nothing was written, because nobody can be asked here. Add --yes to write without asking.",
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Write ${printable(file)}? [y/N] `).finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure("Nothing was written.");
}

/** Replaces the file atomically. Returns the path of the backup, or null if there was no file. */
function write({ file, before, after }: Plan): string | null {
  const backup = before === null ? null : `${file}.before-recollect`;
  if (backup !== null) copyFileSync(file, backup);
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, after as string);
  if (before !== null) chmodSync(next, statSync(file).mode);
  renameSync(next, file);
  return backup;
}

function tell({ client, connection, file }: Plan, backup: string | null): void {
  say(`Wrote ${printable(file)}.${backup === null ? "" : ` The previous one is ${printable(backup)}.`}`);
  if (connection !== null) say(client.next(connection));
}
