/** Remember, correct, search and recall, and what is refused. */
import { createClient, isRecollectError } from "@recollect/client";
import { apiKey, baseUrl } from "./environment.ts";

const client = createClient({ baseUrl, apiKey });

const fact = { path: "notes/deploys", semantic_key: "apollo-deploy-day" };
await client.remember({ ...fact, content: "Apollo is deployed on Tuesdays." });
// The same semantic_key: this one takes the place of the first.
const { id } = await client.remember({ ...fact, content: "Apollo is deployed on Thursdays." });

const { results } = await client.searchMemories({
  query: "When is Apollo deployed?",
  path: "notes/deploys",
});
for (const { content, score } of results) console.log(`${score.toFixed(2)}  ${content}`);

const { context_text } = await client.recallContext({ query: "When is Apollo deployed?", max_tokens: 500 });
console.log(context_text);

const { etag } = await client.getMemory({ memory_id: id });
await client.updateMemory({ memory_id: id, importance: 0.9, if_match: etag });
try {
  await client.updateMemory({ memory_id: id, importance: 0.1, if_match: etag });
} catch (error) {
  if (!isRecollectError(error, "precondition_failed")) throw error;
  console.log("Somebody else has changed it.");
}

let count = 0;
for await (const memory of client.each("listMemories", { path: "notes/%", limit: 10 })) {
  count += memory.content.includes("Apollo") ? 1 : 0;
}
console.log(`${count} memory of Apollo`);
