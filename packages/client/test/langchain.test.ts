import type { Document } from "@langchain/core/documents";
import { RunnableLambda } from "@langchain/core/runnables";
import { RecollectRetriever } from "@recollect/client/langchain";
import { expect, test } from "vitest";
import { lostClient, watchedClient } from "./clients.ts";

test("finds memories as documents, best first, with what is known of them, in a chain", async () => {
  const { client } = watchedClient();
  const { id } = await client.remember({
    content: "The kiln at Ravensworth is fired on Fridays.",
    path: "chain/pottery",
    metadata: { room: "north" },
  });
  await client.remember({ content: "The kiln at Ravensworth was built by Maud.", path: "chain/pottery" });
  await client.remember({
    content: "The kiln at Ravensworth is fired on Sundays.",
    path: "elsewhere/pottery",
  });
  const retriever = new RecollectRetriever(client, { search: { path: "chain/%", limit: 2 }, tags: ["kiln"] });
  const chain = retriever.pipe(RunnableLambda.from((documents: Document[]) => documents));
  const documents = await chain.invoke("When is the kiln at Ravensworth fired?");
  expect(documents[0]).toMatchObject({
    id,
    pageContent: "The kiln at Ravensworth is fired on Fridays.",
    metadata: { room: "north", path: "chain/pottery", memory_type: "semantic", score: expect.any(Number) },
  });
  expect(documents.every(({ metadata }) => metadata.path === "chain/pottery")).toBe(true);
  const scores = documents.map(({ metadata }) => metadata.score as number);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const only = new RecollectRetriever(client, { search: { path: "chain/%", metadata: { room: "north" } } });
  expect(await only.invoke("kiln")).toHaveLength(1);
});

test("a search that fails rejects, or is told of and finds nothing", async () => {
  await expect(new RecollectRetriever(lostClient()).invoke("kiln")).rejects.toMatchObject({
    code: "connection_failed",
  });
  const errors: unknown[] = [];
  const retriever = new RecollectRetriever(lostClient(), { onError: (error) => errors.push(error) });
  expect(await retriever.invoke("kiln")).toEqual([]);
  expect(errors).toMatchObject([{ code: "connection_failed" }]);
});
