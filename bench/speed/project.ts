import { merged, quantileMs, type Timing } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import type { HttpClient } from "./http-client.ts";
import { type Contestant, interleave } from "./interleave.ts";
import { type Home, type Running, withClients } from "./processes.ts";
import { inFloor, repeating } from "./requests.ts";
import { milliseconds, ratio, type Table } from "./table.ts";

const SIZES = [100, 1000, 10_000];
const CLIENTS_FILLING = 4;
const TELL_EVERY = 1000;
const DAY_MS = 86_400_000;

/**
 * The context packs of projects of several sizes, of one owner and in turns, so that they differ in nothing but the
 * project's size; with one indexed select and a route that answers the same bytes beside them.
 */
export async function measureProjects(home: Home, corpus: Corpus, seconds: number): Promise<Table> {
  const server = await home.server();
  for (const size of SIZES) await fillProject(server, corpus, size);
  const floor = await home.floor();
  const turns = await withClients(server, 1, (ours) =>
    withClients(floor, 1, async (bare) => {
      const contestants: Record<string, Contestant> = {
        select: inFloor(bare[0], "/selects", (count) => ({ clients: 1, count })),
      };
      for (const size of SIZES) {
        contestants[`context, ${size} items`] = repeating(ours, (client) => context(client, size));
      }
      const [largest] = SIZES.slice(-1) as [number];
      contestants[`without recall, ${largest} items`] = repeating(ours, (client) =>
        context(client, largest, { include_durable_context: false }),
      );
      const sample = await context(ours[0], largest);
      await bare[0]?.post("/answers/project", JSON.parse(sample?.body.toString() ?? "null"));
      contestants["bare route, same bytes"] = repeating(bare, (client) => client?.get("/answers/project"));
      return interleave(contestants, seconds);
    }),
  );
  return tableOf(turns);
}

function context(client: HttpClient | undefined, size: number, body: object = {}) {
  return client?.post(`/v1/projects/size-${size}/context`, body);
}

/** 60 % todos, 15 % decisions, 25 % memories, as a project has them: some due, some done, some of other agents. */
async function fillProject(server: Running, corpus: Corpus, size: number): Promise<void> {
  console.error(`filling a project with ${size} items`);
  let next = 0;
  await withClients(server, CLIENTS_FILLING, (clients) =>
    Promise.all(
      clients.map(async (client) => {
        while (next < size) {
          const number = next++;
          await addItem(client, corpus, `size-${size}`, number);
          if ((number + 1) % TELL_EVERY === 0) console.error(`  ${number + 1}`);
        }
      }),
    ),
  );
}

async function addItem(client: HttpClient, corpus: Corpus, project: string, number: number): Promise<void> {
  const { content, path, source } = corpus.memory(number);
  const base = `/v1/projects/${project}`;
  const kind = number % 20;
  if (kind < 12) {
    const due = new Date(Date.now() + ((number % 100) - 30) * DAY_MS).toISOString();
    const { todo_id } = await answered(
      client.post(`${base}/todos`, {
        content,
        priority: ["low", "normal", "normal", "high", "urgent"][number % 5],
        ...(number % 4 === 0 ? { due_at: due } : {}),
        ...(number % 6 === 0 ? { assignee_agent_id: `agent-${number % 7}` } : {}),
      }),
    );
    if (number % 3 === 0) await client.post(`${base}/todos/${todo_id}/complete`, {});
  } else if (kind < 15) {
    const { decision_id } = await answered(client.post(`${base}/decisions`, { context: content }));
    if (number % 2 === 0)
      await client.post(`${base}/decisions/${decision_id}/resolve`, { resolution: "Yes." });
  } else {
    const provenance = { project_id: project, agent_id: `agent-${number % 7}` };
    await client.post("/v1/memories", { content, path, source, provenance });
  }
}

async function answered(request: Promise<{ readonly body: Buffer }>): Promise<Record<string, string>> {
  return JSON.parse((await request).body.toString());
}

function tableOf(turns: Readonly<Record<string, Timing[]>>): Table {
  const timings = new Map(Object.entries(turns).map(([name, some]) => [name, merged(some)]));
  const p50 = (name: string) => quantileMs(timings.get(name) as Timing, 0.5);
  const [smallest] = SIZES;
  const rows = [...timings].map(([name, timing]) => {
    return [
      name,
      milliseconds(p50(name)),
      milliseconds(quantileMs(timing, 0.95)),
      name === "select" ? "" : ratio(p50(name) / p50("select")),
      name.startsWith("context") ? ratio(p50(name) / p50(`context, ${smallest} items`)) : "",
    ];
  });
  return {
    title: "Context packs of projects of one owner, one client",
    columns: ["", "p50", "p95", "of one select", `of ${smallest} items`],
    rows,
    remark: "select: one row by primary key, same driver and pool. Defaults: 100 entries, 8,000 tokens.",
  };
}
