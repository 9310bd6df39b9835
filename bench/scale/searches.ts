import { Client } from "@elastic/elasticsearch";
import type { Service } from "../chaos/service.ts";
import { closedLoop, quantile } from "../speed/closed-loop.ts";
import { type Question, search } from "./asker.ts";
import { replay } from "./raw.ts";
import type { Asked } from "./recorder.ts";

/** Both sides' code and the node's caches are warm after so many. */
const WARM_UP = 60;
const CLIENTS = 2;
const RESIDENT_EVERY = 500;

/** Where the engine is, and who may ask it. */
export interface Place {
  readonly node: string;
  readonly auth: { readonly username: string; readonly password: string };
}

/** Asks the service and the raw client the same in turns, for so long. */
export async function compareWithRaw(
  service: Service,
  { node, auth }: Place,
  asked: readonly { readonly question: Question; readonly requests: Asked }[],
  seconds: number,
) {
  const client = new Client({ node, auth, maxRetries: 0 });
  const [ofService, ofRaw]: [number[], number[]] = [[], []];
  let degraded = 0;
  const until = performance.now() + seconds * 1000;
  for (let n = 0; performance.now() < until; n += 1) {
    const { question, requests } = asked[n % asked.length] as (typeof asked)[number];
    const raw = () => timed(() => replay(client, requests));
    const own = () =>
      timed(async () => {
        if (await search(service, question)) degraded += 1;
      });
    // In turns, since who comes second finds the engine's caches warm.
    const isRawFirst = n % 2 === 0;
    const [first, second] = isRawFirst ? [await raw(), await own()] : [await own(), await raw()];
    if (n < WARM_UP) continue;
    ofRaw.push(isRawFirst ? first : second);
    ofService.push(isRawFirst ? second : first);
  }
  await client.close();
  const [raw, own] = [figures(ofRaw), figures(ofService)];
  return {
    searches: ofService.length,
    requestsPerSearch: asked.reduce((sum, { requests }) => sum + requests.length, 0) / asked.length,
    degraded,
    rawMs: raw,
    serviceMs: own,
    ratio: { p50: rounded(own.p50 / raw.p50), p99: rounded(own.p99 / raw.p99) },
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

function figures(latencies: readonly number[]) {
  return { p50: rounded(quantile(latencies, 0.5)), p99: rounded(quantile(latencies, 0.99)) };
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
