/**
 * An agent of the OpenAI Agents SDK with the tools of a memory. A scripted model stands in for yours: leave `model` out, and
 * the SDK asks OpenAI.
 */
import { Agent, type Model, run, setTracingDisabled, Usage } from "@openai/agents";
import { memoryTools } from "@recollect/client/openai-agents";
import { clientFromEnvironment } from "./service.ts";

setTracingDisabled(true);

/** Remembers what it is told, recalls, and says what the tools answered. */
const model: Model = {
  async getResponse({ input }) {
    const answered =
      typeof input === "string" ? [] : input.filter(({ type }) => type === "function_call_result");
    const call = (name: string, args: object) => ({
      type: "function_call" as const,
      callId: name,
      name,
      arguments: JSON.stringify(args),
    });
    if (answered.length === 0)
      return answer(call("remember", { content: "Tamsin waters the ferns on Mondays." }));
    if (answered.length === 1)
      return answer(call("recall_context", { query: "When are the ferns watered?" }));
    const text = JSON.stringify(
      answered.map((item) => "output" in item && item.output),
      null,
      2,
    );
    const content = [{ type: "output_text" as const, text }];
    return answer({ type: "message", role: "assistant", status: "completed", content });
  },
  getStreamedResponse: () => {
    throw new Error("This example does not stream.");
  },
};

function answer(item: Awaited<ReturnType<Model["getResponse"]>>["output"][number]) {
  return { usage: new Usage(), output: [item] };
}

const tools = memoryTools(clientFromEnvironment(), { path: "examples/openai-agents" });
const agent = new Agent({ name: "Helper", instructions: "Keep what matters.", model, tools });
console.log((await run(agent, "Tamsin waters the ferns on Mondays. Keep that.")).finalOutput);
