// Remembers, recalls, corrects and registers by a client that was generated from /openapi.json, with the generator's own defaults:
// `node walk-readme.js URL KEY`. Compiled beside that client, in ../generated-clients.ts.
import createClient from "openapi-fetch";
import type { paths } from "./schema.ts";

const [baseUrl = "", key = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { "X-API-Key": key } });

/** The answer of a call; ends the program with the refusal where there is none. */
function answerOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`It was refused: ${JSON.stringify(error)}`);
  return data;
}

function require(condition: boolean, what: string): void {
  if (!condition) throw new Error(`It is not so: ${what}`);
}

const remembered = answerOf(
  await client.POST("/v1/remember", {
    body: { content: "Deploys go out on Tuesdays", path: "team/deploys", semantic_key: "deploy-day" },
  }),
);
const found = answerOf(await client.GET("/v1/recall", { params: { query: { query: "when do we deploy" } } }));
require(found.results.some(({ id }) => id === remembered.id), "the search finds what was remembered");

const pack = answerOf(
  await client.POST("/v1/recall/context", {
    body: { query: "when do we deploy?", max_items: 8, max_tokens: 1500 },
  }),
);
require(pack.context_text.includes("Tuesdays"), "the pack says what was remembered");

const changed = answerOf(
  await client.PATCH("/v1/memories/{memory_id}", {
    params: { path: { memory_id: remembered.id } },
    body: { importance: 0.9 },
  }),
);
require("importance" in changed && changed.importance === 0.9, "the change is answered with the memory");

const registered = answerOf(
  await client.POST("/v1/agents/register", {
    body: { entry_type: "cli", client_name: "My agent", installation_fingerprint: "laptop-7f3a" },
  }),
);
require(registered.status === "pending", "the agent waits for its user");

const refused = await client.POST("/v1/remember", { body: { content: "", path: "team/deploys" } });
require(refused.error?.code === "validation_failed", "a refusal has its code");
