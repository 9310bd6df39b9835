/** What a LangGraph store keeps is there for the next thread, and is found by meaning. */
import { RecollectStore } from "@recollect/client/langgraph";
import { clientFromEnvironment } from "./service.ts";

// For a graph: builder.compile({ store }). In a node: config.store.
const store = new RecollectStore(clientFromEnvironment(), { path: "examples/langgraph" });

await store.put(["users", "ada"], "food", { text: "Ada does not eat nuts.", since: 2024 });
await store.put(["users", "ada"], "work", { text: "Ada repairs harpsichords." });

console.log((await store.get(["users", "ada"], "food"))?.value);
const [best] = await store.search(["users"], { query: "Which instruments does she mend?" });
console.log(best?.key, best?.value);
console.log(await store.listNamespaces({ prefix: ["users"] }));
