import type { Service } from "../chaos/service.ts";
import type { Corpus } from "../speed/corpus.ts";
import { wordsOf } from "../speed/sqlite.ts";
import type { Share } from "./fill.ts";

/** An owner that searches its memories. */
export interface Asker {
  readonly share: Share;
  readonly key: string;
  readonly ownerId: string;
}

export interface Question {
  readonly asker: Asker;
  readonly query: string;
}

/** Owners that ask: of every size, the largest and the smallest among them. */
const ASKERS = 12;
const QUESTIONS_OF_EACH = 40;

export function askersOf(service: Service, shares: readonly Share[]): Asker[] {
  return Array.from({ length: Math.min(ASKERS, shares.length) }, (_, n) => {
    return askerOf(service, shares[Math.floor((n * (shares.length - 1)) / (ASKERS - 1))] as Share);
  });
}

export function askerOf(service: Service, share: Share): Asker {
  const made = service.command("keys", "create", "--owner", share.name);
  const { token, owner_id } = made as { token: string; owner_id: string };
  return { share, key: token, ownerId: owner_id };
}

/** One of each asker in turns. */
export function questionsOf(corpus: Corpus, askers: readonly Asker[]): Question[] {
  return Array.from({ length: askers.length * QUESTIONS_OF_EACH }, (_, n) => {
    const asker = askers[n % askers.length] as Asker;
    return { asker, query: queryOf(corpus, asker.share, n) };
  });
}

/** Some words of one of the owner's memories, in their order. */
export function queryOf(corpus: Corpus, { first, count }: Share, number: number): string {
  const { content } = corpus.memory(first + ((number * 7919) % count));
  const words = wordsOf(content.toLowerCase());
  const from = number % Math.max(1, words.length - 8);
  return words.slice(from, from + 4 + (number % 5)).join(" ");
}

/** Searches by the public API. Answers whether something did not take part that should have. */
export async function search(service: Service, { asker, query }: Question): Promise<boolean> {
  const path = `/v1/memories/search?query=${encodeURIComponent(query)}`;
  const response = await fetch(service.url + path, { headers: { "x-api-key": asker.key } });
  if (response.status !== 200)
    throw new Error(`A search answered ${response.status}: ${await response.text()}`);
  return "degraded" in ((await response.json()) as object);
}
