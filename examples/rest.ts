/**
 * REST with nothing but fetch: remember, correct, search, and get a context pack for a model.
 *
 *   RECOLLECT_API_KEY=rcl_key_... npx tsx examples/rest.ts
 */
const server = process.env.RECOLLECT_URL ?? "http://127.0.0.1:8787";
const key = process.env.RECOLLECT_API_KEY ?? "";

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(new URL(path, server), {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}

const fact = { path: "notes/deploys", semantic_key: "apollo-deploy-day" };
await call("POST", "/v1/remember", { ...fact, content: "Apollo is deployed on Tuesdays." });
// The same semantic_key: this one takes the place of the first.
await call("POST", "/v1/remember", { ...fact, content: "Apollo is deployed on Thursdays." });

const query = "When is Apollo deployed?";
const { results } = await call<{ results: { content: string; score: number }[] }>(
  "GET",
  `/v1/recall?${new URLSearchParams({ query, path: "notes/deploys" })}`,
);
for (const { content, score } of results) console.log(`${score.toFixed(2)}  ${content}`);

// Text for a prompt that stays within its budget, however much is known.
const pack = await call<{ context_text: string; answer_status: string }>("POST", "/v1/recall/context", {
  query,
  max_items: 8,
  max_tokens: 500,
});
console.log(`\n${pack.context_text}\n\nanswer_status: ${pack.answer_status}`);
