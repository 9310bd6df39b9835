/**
 * A model of the Vercel AI SDK that remembers what its user says. A scripted model stands in for yours:
 * put `anthropic("…")` or any other in its place.
 */
import { memoryMiddleware, memoryTools } from "@recollect/client/ai-sdk";
import { generateText, stepCountIs, wrapLanguageModel } from "ai";
import { echoing } from "./scripted-model.ts";
import { clientFromEnvironment } from "./service.ts";

const client = clientFromEnvironment();
const model = wrapLanguageModel({
  model: echoing(),
  middleware: memoryMiddleware(client, { capture: "user", path: "examples/ai-sdk" }),
});
const ask = (prompt: string) =>
  generateText({ model, tools: memoryTools(client), stopWhen: stepCountIs(5), prompt });

await ask("My cat Biscuit is allergic to chicken.");
const { text } = await ask("What must my cat Biscuit not eat?");
console.log(text);
