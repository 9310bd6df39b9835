import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** An agent that runs by itself. */
export interface AgentProcess {
  readonly bindUrl: string;
  readonly agentId: string;
  /** Types a line at its terminal and answers what it says to that. */
  tell(line: string): Promise<Record<string, unknown>>;
}

const script = fileURLToPath(new URL("../../fixtures/agent.ts", import.meta.url));

/** Starts an agent, which registers at once. It ends with the test. */
export async function startAgent(base: string, name: string): Promise<AgentProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", script, base, name], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The agent ended.");
    return JSON.parse(value) as Record<string, unknown>;
  };
  const { bind_url, agent_id } = await said();
  return {
    bindUrl: bind_url as string,
    agentId: agent_id as string,
    async tell(line) {
      child.stdin.write(`${line}\n`);
      return said();
    },
  };
}
