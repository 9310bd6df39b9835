import type { Corpus } from "./corpus.ts";
import type { HttpClient } from "./http-client.ts";
import { type Running, withClients } from "./processes.ts";

const CLIENTS = 4;
const TELL_EVERY = 1000;
const DAY_MS = 86_400_000;

/** A project that is being filled. */
interface Filling {
  readonly name: string;
  /** A todo that others may wait for: the last that will not be completed. */
  awaited: string | null;
}

/**
 * 60 % todos, 15 % decisions, 25 % memories, as a project has them: some due, some done, some of other agents, some that
 * wait for others.
 */
export async function fillProject(
  server: Running,
  corpus: Corpus,
  name: string,
  size: number,
): Promise<void> {
  console.error(`filling a project with ${size} items`);
  const project: Filling = { name, awaited: null };
  let next = 0;
  await withClients(server, CLIENTS, (clients) =>
    Promise.all(
      clients.map(async (client) => {
        while (next < size) {
          const number = next++;
          await addItem(client, corpus, project, number);
          if ((number + 1) % TELL_EVERY === 0) console.error(`  ${number + 1}`);
        }
      }),
    ),
  );
}

async function addItem(client: HttpClient, corpus: Corpus, project: Filling, number: number): Promise<void> {
  const { content, path, source } = corpus.memory(number);
  const base = `/v1/projects/${project.name}`;
  const kind = number % 20;
  if (kind < 12) {
    await addTodo(client, base, project, content, number);
  } else if (kind < 15) {
    const { decision_id } = await answered(client.post(`${base}/decisions`, { context: content }));
    if (number % 2 === 0)
      await client.post(`${base}/decisions/${decision_id}/resolve`, { resolution: "Yes." });
  } else {
    const provenance = { project_id: project.name, agent_id: `agent-${number % 7}` };
    await client.post("/v1/memories", { content, path, source, provenance });
  }
}

async function addTodo(
  client: HttpClient,
  base: string,
  project: Filling,
  content: string,
  number: number,
): Promise<void> {
  const due = new Date(Date.now() + ((number % 100) - 30) * DAY_MS).toISOString();
  const isDone = number % 3 === 0;
  const waits = !isDone && number % 5 === 0 && project.awaited !== null;
  const { todo_id } = await answered(
    client.post(`${base}/todos`, {
      content,
      priority: ["low", "normal", "normal", "high", "urgent"][number % 5],
      ...(number % 4 === 0 ? { due_at: due } : {}),
      ...(number % 6 === 0 ? { assignee_agent_id: `agent-${number % 7}` } : {}),
      ...(waits ? { depends_on: [project.awaited] } : {}),
    }),
  );
  if (isDone) await client.post(`${base}/todos/${todo_id}/complete`, {});
  else project.awaited = todo_id as string;
}

async function answered(request: Promise<{ readonly body: Buffer }>): Promise<Record<string, string>> {
  return JSON.parse((await request).body.toString());
}
