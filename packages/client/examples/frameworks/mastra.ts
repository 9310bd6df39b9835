/** A Mastra agent that remembers what its user says. A scripted model stands in for yours. */
import { Agent } from "@mastra/core/agent";
import { memoryProcessor, memoryTools } from "@recollect/client/mastra";
import { echoing } from "./scripted-model.ts";
import { clientFromEnvironment } from "./service.ts";

const client = clientFromEnvironment();
const memory = memoryProcessor(client, { capture: "user", path: "examples/mastra" });
const agent = new Agent({
  id: "helper",
  name: "Helper",
  instructions: "Be brief.",
  model: echoing() as never,
  tools: memoryTools(client),
  inputProcessors: [memory],
  outputProcessors: [memory],
});

await agent.generate("My neighbour Odran keeps bees.");
const { text } = await agent.generate("What does my neighbour Odran keep?");
console.log(text);
