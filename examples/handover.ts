/**
 * Two agents hand work over: the planner leaves a decision and a todo, the coder reads what matters in the project,
 * takes the todo on and completes it.
 *
 *   RECOLLECT_API_KEY=rcl_key_... npx tsx examples/handover.ts
 */
const server = process.env.RECOLLECT_URL ?? "http://127.0.0.1:8787";
const key = process.env.RECOLLECT_API_KEY ?? "";
const PROJECT = "/v1/projects/cassini";

/** Requests in the name of one agent. */
const agent =
  (id: string) =>
  async <T>(path: string, body: object = {}): Promise<T> => {
    const response = await fetch(new URL(PROJECT + path, server), {
      method: "POST",
      headers: { "x-api-key": key, "x-agent-id": id, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
    return answer as T;
  };

const planner = agent("planner");
const { decision_id } = await planner<{ decision_id: string }>("/decisions", {
  context: "Which queue do we build on?",
  impact_level: "high",
});
await planner(`/decisions/${decision_id}/resolve`, {
  resolution: "Postgres: it is there already, and the load is small.",
});
const { todo_id } = await planner<{ todo_id: string }>("/todos", {
  content: "Write the queue's migration.",
  priority: "high",
  assignee_agent_id: "coder",
});

const coder = agent("coder");
const { context_text } = await coder<{ context_text: string }>("/context", { max_tokens: 1500 });
console.log(`${context_text}\n`);

// Of several agents that try at once, one gets it.
await coder(`/todos/${todo_id}/accept`);
const { status } = await coder<{ status: string }>(`/todos/${todo_id}/complete`);
console.log(`The todo is ${status}.`);
