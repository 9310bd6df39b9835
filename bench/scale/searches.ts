import { Client, HttpConnection } from "@elastic/elasticsearch";
import type { Service } from "../chaos/service.ts";
import { closedLoop, quantile } from "../speed/closed-loop.ts";
import { type Question, search } from "./asker.ts";
import { replay } from "./raw.ts";
import type { Place, Recall } from "./recall.ts";
import type { Asked } from "./recorder.ts";

/** Both sides' code and the node's caches are warm after so many. */
const WARM_UP = 60;
/** Recall asks so often where a scope is too large to be read as a whole. */
const REQUESTS_OF_LARGE = 3;
const CLIENTS = 2;
const RESIDENT_EVERY = 500;

/** A question, and the searches of the engine that it led to. */
export interface AskedQuestion {
  readonly question: Question;
  readonly requests: Asked;
}

/** How long each way took, question by question. */
interface Timed {
  readonly requests: number;
  readonly rawMs: number;
  readonly recallMs: number;
  readonly serviceMs: number;
}

/** Asks the same of the raw client, of recall alone and of the service in turns, for so long. */
export async function compareWithRaw(
  { service, recall, place }: { service: Service; recall: Recall; place: Place },
  asked: readonly AskedQuestion[],
  seconds: number,
) {
  const client = new Client({
    node: place.node,
    auth: place.auth,
    Connection: HttpConnection,
    maxRetries: 0,
  });
  const all: Timed[] = [];
  let degraded = 0;
  const until = performance.now() + seconds * 1000;
  for (let n = 0; performance.now() < until; n += 1) {
    const { question, requests } = asked[n % asked.length] as AskedQuestion;
    const ways = {
      rawMs: () => replay(client, requests),
      recallMs: () => recall.ask(question),
      serviceMs: async () => {
        if (await search(service, question)) degraded += 1;
      },
    };
    const timed = { requests: requests.length, rawMs: 0, recallMs: 0, serviceMs: 0 };
    // In turns, since who comes later finds the engine's caches warm; and each question in another order the next time.
    const turn = n + Math.floor(n / asked.length);
    for (const way of rotated(Object.keys(ways) as (keyof typeof ways)[], turn))
      timed[way] = await took(ways[way]);
    if (n >= WARM_UP) all.push(timed);
  }
  await client.close();
  return {
    degraded,
    all: comparison(all),
    readWhole: comparison(all.filter(({ requests }) => requests < REQUESTS_OF_LARGE)),
    larger: comparison(all.filter(({ requests }) => requests >= REQUESTS_OF_LARGE)),
  };
}

/** Null where nothing was asked. */
function comparison(timed: readonly Timed[]) {
  if (timed.length === 0) return null;
  const [raw, recall, service] = (["rawMs", "recallMs", "serviceMs"] as const).map((way) =>
    figures(timed.map((one) => one[way])),
  ) as [Figures, Figures, Figures];
  return {
    searches: timed.length,
    rawMs: raw,
    recallMs: recall,
    serviceMs: service,
    recallRatio: ratios(recall, raw),
    serviceRatio: ratios(service, raw),
  };
}

/** The service's resident memory before and while it answers `count` searches of two clients. */
export async function memoryUnderLoad(service: Service, questions: readonly Question[], count: number) {
  const residentMb = [Math.round(service.residentMegabytes())];
  let [asked, degraded] = [0, 0];
  const { elapsedMs } = await closedLoop(CLIENTS, count, async () => {
    const n = asked++;
    if (await search(service, questions[n % questions.length] as Question)) degraded += 1;
    if ((n + 1) % RESIDENT_EVERY === 0) residentMb.push(Math.round(service.residentMegabytes()));
  });
  return { searches: count, degraded, perSecond: rounded((1000 * count) / elapsedMs), residentMb };
}

type Figures = ReturnType<typeof figures>;

function figures(latencies: readonly number[]) {
  return { p50: rounded(quantile(latencies, 0.5)), p99: rounded(quantile(latencies, 0.99)) };
}

function ratios(own: Figures, raw: Figures) {
  return { p50: rounded(own.p50 / raw.p50), p99: rounded(own.p99 / raw.p99) };
}

function rotated<T>(values: readonly T[], by: number): T[] {
  return values.map((_, at) => values[(at + by) % values.length] as T);
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
