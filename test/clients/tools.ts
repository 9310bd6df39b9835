import { createHash } from "node:crypto";
import { join } from "node:path";
import { installed, installModules, installPython, sideBySide, toolsFolder } from "../protocol/install.ts";

/** Exact versions: how they are configured, and what they ask a model, changes with them. */
const CLAUDE_CODE = "2.1.332";
const CODEX = "0.171.0";
const GEMINI_CLI = "0.61.0";
const OPENCODE = "1.18.33";
const MCPB = "2.1.2";
const HERMES = "hermes-agent==0.19.0";
const SKILLSAW = "skillsaw==0.22.0";

/** What makes and tests the Python client; what the client itself needs comes with the generator and is pinned here. */
const PYTHON = [
  "openapi-python-client==0.29.1",
  "agent-framework-core==1.23.0",
  "anthropic==2.14.0",
  "attrs==25.4.0",
  "build==1.3.0",
  "google-adk==2.13.0",
  "hatchling==1.27.0",
  "httpx==0.28.1",
  "langchain==1.5.2",
  "langgraph==1.2.24",
  "llama-index-core==0.14.25",
  "mypy==1.18.2",
  "openai-agents==0.24.0",
  "opentelemetry-sdk==1.44.0",
  "pydantic-ai-slim==2.68.0",
  "pytest==8.4.2",
  "python-dateutil==2.9.0.post0",
  "strands-agents==1.62.0",
  "twine==6.2.0",
  "types-python-dateutil==2.9.0.20251008",
];

/** The programs of the suites: paths to start them by. */
export interface Tools {
  readonly claude: string;
  readonly codex: string;
  readonly gemini: string;
  readonly opencode: string;
  readonly hermes: string;
  /** Validators of the packages for hosts. */
  readonly mcpb: string;
  readonly skillsaw: string;
  /** Of a virtual environment with the generator of clients, and what builds, checks and tests packages. */
  readonly python: string;
}

/** The suites' programs, installed where they are missing. Rejects with what an installer wrote. */
export async function installTools(): Promise<Tools> {
  return sideBySide({
    claude: fromNpm("@anthropic-ai/claude-code", CLAUDE_CODE, "claude"),
    codex: fromNpm("@openai/codex", CODEX, "codex"),
    gemini: fromNpm("@google/gemini-cli", GEMINI_CLI, "gemini"),
    opencode: fromNpm("opencode-ai", OPENCODE, "opencode"),
    hermes: fromPyPI(HERMES, "hermes"),
    mcpb: fromNpm("@anthropic-ai/mcpb", MCPB, "mcpb"),
    skillsaw: fromPyPI(SKILLSAW, "skillsaw"),
    python: python(),
  });
}

async function fromNpm(name: string, version: string, bin: string): Promise<string> {
  const program = join("node_modules/.bin", bin);
  const folder = await installed(join(toolsFolder(), `${bin}-${version}`), program, (into) =>
    // One of them puts its program in place by its install script.
    installModules(into, { dependencies: { [name]: version }, allowScripts: { [name]: true } }),
  );
  return join(folder, program);
}

async function fromPyPI(requirement: string, bin: string): Promise<string> {
  const program = join("bin", bin);
  const folder = await installed(join(toolsFolder(), requirement.replace("==", "-")), program, (into) =>
    installPython(into, requirement),
  );
  return join(folder, program);
}

async function python(): Promise<string> {
  const name = `python-${createHash("sha256").update(PYTHON.join()).digest("hex").slice(0, 12)}`;
  const folder = await installed(join(toolsFolder(), name), "bin/twine", (into) =>
    installPython(into, ...PYTHON),
  );
  return join(folder, "bin/python");
}
