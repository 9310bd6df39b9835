import { STAGES, type Stage } from "../../src/core/watch/watch.ts";
import type { Corpus } from "./corpus.ts";
import type { HttpClient } from "./http-client.ts";
import { type Running, withClients } from "./processes.ts";
import { READS, type Read } from "./requests.ts";
import { milliseconds, type Table } from "./table.ts";

/** Requests before the first that counts. */
const WARM_UP = 60;

/** Mean milliseconds of a request, and of each stage in it. */
interface Means {
  readonly request: number;
  readonly stages: Readonly<Record<Stage, number>>;
}

/** What each stage of a read takes, by the server's own metrics, for one client. */
export async function measureStages(
  server: Running,
  corpus: Corpus,
  { size, seconds }: { size: number; seconds: number },
): Promise<Table> {
  const kinds = Object.keys(READS) as Read[];
  const measured = await withClients(server, 1, async ([client]) => {
    const means: Means[] = [];
    for (const kind of kinds)
      means.push(await meansOf(client as HttpClient, corpus, kind, (1000 * seconds) / kinds.length));
    return means;
  });
  const row = (name: string, of: (means: Means) => number) => [
    name,
    ...measured.map((means) => milliseconds(of(means))),
  ];
  return {
    title: `Stages of a read at ${size} memories of one owner, one client, mean`,
    columns: ["", ...kinds],
    rows: [
      ...STAGES.filter((stage) => measured.some(({ stages }) => stages[stage] > 0)).map((stage) =>
        row(stage, ({ stages }) => stages[stage]),
      ),
      row("the request", ({ request }) => request),
    ],
    remark:
      "With the time that a stage waits. Stages that wait for the database run beside others, so they may add up to more " +
      "than the request. rank: with the features. pack: with excerpts and the counting of tokens. The rest of the " +
      "request is reading the query, JSON and HTTP. SPEED_PROFILE=FOLDER says where the processor is.",
  };
}

async function meansOf(client: HttpClient, corpus: Corpus, kind: Read, forMs: number): Promise<Means> {
  const asked = { next: 0 };
  while (asked.next < WARM_UP) await READS[kind](client, corpus, asked);
  const before = await stageMs(client);
  const startedAt = performance.now();
  while (performance.now() - startedAt < forMs) await READS[kind](client, corpus, asked);
  const elapsedMs = performance.now() - startedAt;
  const after = await stageMs(client);
  const count = asked.next - WARM_UP;
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, (after[stage] - before[stage]) / count]));
  return { request: elapsedMs / count, stages: stages as Record<Stage, number> };
}

/** Milliseconds that the server has spent in each stage since its start. */
async function stageMs(client: HttpClient): Promise<Record<Stage, number>> {
  const page = (await client.get("/metrics")).body.toString();
  const sum = (stage: Stage) =>
    Number(
      new RegExp(`^recollect_stage_duration_seconds_sum\\{stage="${stage}"\\} (\\S+)$`, "m").exec(
        page,
      )?.[1] ?? 0,
    );
  return Object.fromEntries(STAGES.map((stage) => [stage, 1000 * sum(stage)])) as Record<Stage, number>;
}
