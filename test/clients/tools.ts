import { join } from "node:path";
import { installed, installModules, toolsFolder } from "../protocol/install.ts";

/** Exact versions: how they are configured, and what they ask a model, changes with them. */
const CLAUDE_CODE = "2.1.197";
const CODEX = "0.169.0";
const GEMINI_CLI = "0.61.0";

/** The programs of the suites: paths to start them by. */
export interface Tools {
  readonly claude: string;
  readonly codex: string;
  readonly gemini: string;
}

/** The suites' programs, installed where they are missing. Rejects with what an installer wrote. */
export async function installTools(): Promise<Tools> {
  return {
    claude: await fromNpm("@anthropic-ai/claude-code", CLAUDE_CODE, "claude"),
    codex: await fromNpm("@openai/codex", CODEX, "codex"),
    gemini: await fromNpm("@google/gemini-cli", GEMINI_CLI, "gemini"),
  };
}

async function fromNpm(name: string, version: string, bin: string): Promise<string> {
  const program = join("node_modules/.bin", bin);
  const folder = await installed(join(toolsFolder(), `${bin}-${version}`), program, (into) =>
    // One of them puts its program in place by its install script.
    installModules(into, { dependencies: { [name]: version }, allowScripts: { [name]: true } }),
  );
  return join(folder, program);
}
