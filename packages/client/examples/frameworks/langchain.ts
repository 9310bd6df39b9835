/** A LangChain retriever over what is remembered, in a chain. */

import type { Document } from "@langchain/core/documents";
import { RunnableLambda } from "@langchain/core/runnables";
import { RecollectRetriever } from "@recollect/client/langchain";
import { clientFromEnvironment } from "./service.ts";

const client = clientFromEnvironment();
await client.remember({ content: "The kiln is fired on Fridays.", path: "examples/langchain" });

const retriever = new RecollectRetriever(client, { search: { path: "examples/langchain%", limit: 4 } });
const chain = retriever.pipe(
  RunnableLambda.from((documents: Document[]) => documents.map(({ pageContent }) => pageContent).join("\n")),
);
console.log(await chain.invoke("When is the kiln fired?"));
