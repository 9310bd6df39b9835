import { expect } from "vitest";
import { unguessable } from "../support/acting.ts";
import type { Answer, Client } from "../support/world.ts";

/** Something that was acknowledged, and what has become of it. */
export interface Fact {
  readonly id: string;
  /** In its content and in nothing else. */
  readonly word: string;
  readonly seenBy: ReadonlySet<string>;
  readonly state: "live" | "gone" | "erased";
  readonly receipt: string | null;
}

/** What clients have written, told without a service, and what they must be shown of it. */
export class Truth {
  #facts: Fact[] = [];
  readonly #clients: Readonly<Record<string, Client>>;

  constructor(clients: Readonly<Record<string, Client>>) {
    this.#clients = clients;
  }

  async creates(by: string, seenBy: readonly string[], given: object): Promise<Fact> {
    const word = unguessable();
    const body = { content: textOf(word), ...given };
    const { body: answer } = await done(201, this.#client(by).post("/v1/memories", body));
    return this.#add({ id: answer.id, word, seenBy: new Set(seenBy), state: "live", receipt: null });
  }

  /** The fact has another word from then on, and the old one is nowhere. */
  async rewrites(by: string, fact: Fact): Promise<Fact> {
    const word = unguessable();
    await done(200, this.#client(by).patch(`/v1/memories/${fact.id}`, { content: textOf(word) }));
    this.#become(fact, { state: "gone" });
    return this.#add({ ...fact, word, state: "live" });
  }

  /** A change that keeps its content; it may change who sees it. */
  async changes(by: string, fact: Fact, change: object, seenBy: Iterable<string> = fact.seenBy) {
    await done(200, this.#client(by).patch(`/v1/memories/${fact.id}`, change));
    this.#become(fact, { seenBy: new Set(seenBy) });
  }

  async removes(by: string, fact: Fact, mode: "soft_delete" | "hard_delete" | "redact"): Promise<void> {
    const { body } = await done(200, this.#client(by).delete(`/v1/memories/${fact.id}?mode=${mode}`));
    const state = mode === "soft_delete" ? "gone" : "erased";
    this.#become(fact, { state, receipt: body.receipt?.id ?? null });
  }

  async restores(by: string, fact: Fact): Promise<void> {
    await done(200, this.#client(by).post(`/v1/memories/${fact.id}/restore`));
    this.#become(fact, { state: "live" });
  }

  /** Facts that this client sees, the oldest first. */
  live(by: string): Fact[] {
    return this.#facts.filter(({ state, seenBy }) => state === "live" && seenBy.has(by));
  }

  words(state: Fact["state"]): string[] {
    return this.#facts.filter((fact) => fact.state === state).map(({ word }) => word);
  }

  /** Every client finds each fact that it sees by the fact's word, and none finds anything else. */
  async check(): Promise<void> {
    for (const by of Object.keys(this.#clients)) {
      for (const fact of this.#facts) await this.#checkFound(by, fact);
    }
  }

  /** What a receipt calls confirmed is not in the index: `held` tells which of some words it holds. */
  async checkReceipts(held: (words: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const withReceipt = this.#facts.filter(({ receipt }) => receipt !== null);
    for (const { receipt, word, seenBy } of withReceipt) {
      const by = seenBy.has("alice") ? "alice" : ([...seenBy][0] as string);
      const { body } = await done(200, this.#client(by).get(`/v1/receipts/${receipt}`));
      if (body.state === "confirmed") expect([...(await held([word]))]).toEqual([]);
    }
  }

  /** True once every receipt says that all stores have let go. */
  async isConfirmed(): Promise<boolean> {
    for (const { receipt, seenBy } of this.#facts) {
      if (receipt === null) continue;
      const by = seenBy.has("alice") ? "alice" : ([...seenBy][0] as string);
      const { body } = await done(200, this.#client(by).get(`/v1/receipts/${receipt}`));
      if (body.state !== "confirmed") return false;
    }
    return true;
  }

  async #checkFound(by: string, { word, state, seenBy }: Fact): Promise<void> {
    const path = `/v1/memories/search?query=${word}&limit=10`;
    const { body } = await done(200, this.#client(by).get(path));
    const shown: string[] = body.results.map(({ content }: { content: string }) => content);
    const allowed = new Set(this.live(by).map((fact) => textOf(fact.word)));
    const wrong = shown.filter((content) => !allowed.has(content));
    expect(wrong, `what ${by} is shown for ${word} and should not be`).toEqual([]);
    if (state === "live" && seenBy.has(by))
      expect(shown, `what ${by} finds for ${word}: ${JSON.stringify(body)}`).toContain(textOf(word));
  }

  #client(by: string): Client {
    return this.#clients[by] as Client;
  }

  #add(fact: Fact): Fact {
    this.#facts.push(fact);
    return fact;
  }

  #become(fact: Fact, members: Partial<Fact>): void {
    this.#facts = this.#facts.map((each) => (each.word === fact.word ? { ...each, ...members } : each));
  }
}

const textOf = (word: string) => `The word of the day is ${word}, said the gardener.`;

async function done(status: number, answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  expect(given).toMatchObject({ status });
  return given;
}
