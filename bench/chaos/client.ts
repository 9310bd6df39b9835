import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../test/support/random.ts";
import type { Service } from "./service.ts";

/** A memory as its only writer knows it. */
export interface Known {
  readonly id: string;
  /** In its content and nowhere else. */
  readonly word: string;
  readonly state: "live" | "soft_deleted" | "erased";
}

/** What a client has seen. */
export interface Tally {
  requests: Record<string, number>;
  /** Requests that failed and were not under way when the service was killed; and answers that were wrong. */
  failures: string[];
  underWay: number;
  /** How often a search said so of itself. */
  degraded: Record<string, number>;
  latenciesMs: Record<string, number[]>;
}

/** What a recall ran on, and what it had to leave out. */
export interface Plan {
  readonly engine: string;
  readonly degraded: readonly string[];
  readonly coverage: number;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
}

/** One owner, who does one thing after the other and remembers all of it. */
export class Client {
  readonly known: Known[] = [];
  readonly tally: Tally = { requests: {}, failures: [], underWay: 0, degraded: {}, latenciesMs: {} };
  readonly #service: Service;
  readonly #key: string;
  readonly #random: Random;

  constructor(service: Service, key: string, random: Random) {
    this.#service = service;
    this.#key = key;
    this.#random = random;
  }

  /** Goes on until `isOver`, as often as `pace` lets it; `foreign` names words that it must never be shown. */
  async run(
    isOver: () => boolean,
    pace: () => Promise<void>,
    foreign: () => string | undefined,
  ): Promise<void> {
    for (;;) {
      await pace();
      if (isOver()) return;
      const chance = this.#random.below(100);
      const live = this.known.filter(({ state }) => state === "live");
      const one = this.#random.pick(live);
      if (chance < 30 || one === undefined) await this.#create();
      else if (chance < 45) await this.#update(one);
      else if (chance < 53) await this.#remove(one, "soft_delete");
      else if (chance < 58) await this.#remove(one, "hard_delete");
      else if (chance < 62) await this.#remove(one, "redact");
      else if (chance < 90) await this.checkFound(this.#random.pick(this.known));
      else await this.#checkForeign(foreign());
    }
  }

  /** Whether a search for its word finds it if it lives, and nothing of it otherwise. */
  async checkFound({ id, word, state }: Known): Promise<void> {
    const { body } = await this.#ask("search", "GET", `/v1/memories/search?query=${word}&limit=10`);
    for (const why of body.degraded ?? []) this.tally.degraded[why] = (this.tally.degraded[why] ?? 0) + 1;
    const isFound = body.results.some((hit: Known & { content: string }) => hit.content.includes(word));
    if (isFound !== (state === "live"))
      this.tally.failures.push(
        `${word} (${id}, ${state}) was ${isFound ? "found" : "not found"}: ${JSON.stringify(body).slice(0, 300)}`,
      );
  }

  /** Whether its record is as it should be. */
  async checkRecord({ id, word, state }: Known): Promise<void> {
    const { status, body } = await this.#ask("get", "GET", `/v1/memories/${id}`, undefined, [200, 404]);
    const isThere = status === 200 && body.content.includes(word);
    if (isThere !== (state === "live"))
      this.tally.failures.push(`the record of ${word} (${id}, ${state}) answers ${status}`);
  }

  /** What its recall runs on now. */
  async plan(): Promise<Plan> {
    const { body } = await this.#ask("context", "POST", "/v1/recall/context", { query: "the garden" });
    const { engine, degraded } = body.retrieval_plan;
    return { engine, degraded, coverage: body.coverage };
  }

  async #create(): Promise<void> {
    const word = newWord();
    const { body } = await this.#ask(
      "create",
      "POST",
      "/v1/memories",
      { content: textOf(word), path: "chaos" },
      [201],
    );
    this.known.push({ id: body.id, word, state: "live" });
    if (this.#random.below(2) === 0) await this.checkFound(this.known.at(-1) as Known);
  }

  async #update(one: Known): Promise<void> {
    const word = newWord();
    await this.#ask("update", "PATCH", `/v1/memories/${one.id}`, { content: textOf(word) });
    this.#become(one, { ...one, word });
    if (this.#random.below(2) === 0) await this.checkFound({ ...one, word });
  }

  async #remove(one: Known, mode: "soft_delete" | "hard_delete" | "redact"): Promise<void> {
    // One that is sent again finds nothing to erase any more.
    const allowed = mode === "hard_delete" ? [200, 404] : [200];
    await this.#ask(mode, "DELETE", `/v1/memories/${one.id}?mode=${mode}`, undefined, allowed);
    const gone: Known = { ...one, state: mode === "soft_delete" ? "soft_deleted" : "erased" };
    this.#become(one, gone);
    if (this.#random.below(2) === 0) await this.checkFound(gone);
  }

  async #checkForeign(word: string | undefined): Promise<void> {
    if (word === undefined) return;
    const { body } = await this.#ask("search", "GET", `/v1/memories/search?query=${word}&limit=10`);
    if (JSON.stringify(body.results).includes(word))
      this.tally.failures.push(`${word} was shown to another owner`);
  }

  #become(one: Known, next: Known): void {
    this.known[this.known.indexOf(one)] = next;
  }

  /** Sends a request, and again where the service was killed meanwhile: under the same key it is done once. */
  async #ask(
    kind: string,
    method: string,
    path: string,
    body?: unknown,
    allowed: readonly number[] = [200],
  ): Promise<Answer> {
    const key = randomUUID();
    const { requests, latenciesMs } = this.tally;
    for (let tries = 0; ; tries += 1) {
      await this.#service.up();
      const { kills } = this.#service;
      const startedAt = performance.now();
      const answer = await this.#send(method, path, body, key).catch(String);
      requests[kind] = (requests[kind] ?? 0) + 1;
      if (typeof answer !== "string" && allowed.includes(answer.status)) {
        const latencies = latenciesMs[kind] ?? [];
        latencies.push(performance.now() - startedAt);
        latenciesMs[kind] = latencies;
        return answer;
      }
      const said =
        typeof answer === "string" ? answer : `${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`;
      // 409: the database still runs the transaction of the service that was killed.
      const isAgain = tries > 0 && typeof answer !== "string" && answer.status === 409;
      if (kills !== this.#service.kills || isAgain) this.tally.underWay += 1;
      else this.tally.failures.push(`${kind}: ${method} ${path.slice(0, 80)}: ${said}`);
      if (tries > 100) throw new Error(`${kind} failed again and again: ${said}`);
      await sleep(100);
    }
  }

  async #send(method: string, path: string, body: unknown, key: string): Promise<Answer> {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const once = method === "POST" ? { "idempotency-key": key } : {};
    const response = await fetch(this.#service.url + path, {
      method,
      headers: { "x-api-key": this.#key, ...json, ...once },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }
}

const newWord = () => `w${randomUUID().replaceAll("-", "")}`;

const textOf = (word: string) => `The gardener wrote ${word} into the book of the garden.`;
