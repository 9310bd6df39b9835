import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How the provider behaves; may be changed while it runs. */
export interface Behaviour {
  dimensions: number;
  /** Answers this instead, as often as `times` says (always, unless given). */
  refusal: { status: number; headers?: Record<string, string>; body?: string; times?: number } | null;
  /** Waits so long before it answers. */
  delayMs: number;
  /** Refuses with 400 a request that holds a text longer than this. */
  charactersMax: number;
  /** Takes a `dimensions` member. */
  canShorten: boolean;
}

export interface Provider {
  readonly url: string;
  readonly behaviour: Behaviour;
  /** The texts of each request that was answered with vectors. */
  readonly answered: string[][];
  /** How many requests came, whatever became of them. */
  requests(): number;
  /** Nobody answers at its address until it is back. */
  away(): Promise<void>;
  back(): Promise<void>;
}

/** A small server that speaks the embeddings API. A text's vector is the sum of its words'. */
export async function openProvider(given: Partial<Behaviour> = {}): Promise<Provider> {
  const behaviour: Behaviour = {
    dimensions: 64,
    refusal: null,
    delayMs: 0,
    charactersMax: Number.POSITIVE_INFINITY,
    canShorten: false,
    ...given,
  };
  const answered: string[][] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests++;
    let text = "";
    for await (const part of request) text += part;
    if (behaviour.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
    const { refusal } = behaviour;
    if (refusal) {
      if (refusal.times !== undefined && --refusal.times <= 0) behaviour.refusal = null;
      response.writeHead(refusal.status, refusal.headers).end(refusal.body ?? "{}");
      return;
    }
    const asked = JSON.parse(text) as { input: string[]; dimensions?: number };
    if (asked.input.some((input) => input.length > behaviour.charactersMax)) {
      response.writeHead(400).end('{"error": {"message": "too long"}}');
      return;
    }
    const dimensions = behaviour.canShorten
      ? (asked.dimensions ?? behaviour.dimensions)
      : behaviour.dimensions;
    const data = asked.input.map((input, index) => ({ index, embedding: vectorOf(input, dimensions) }));
    answered.push(asked.input);
    // Clients go by `index`.
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data: data.reverse() }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(() => close());
  return {
    url: `http://127.0.0.1:${port}/v1`,
    behaviour,
    answered,
    requests: () => requests,
    away: close,
    back: () => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve)),
  };
}

/** The settings that name it. */
export function settingsOf(
  provider: Provider,
  dimensions = provider.behaviour.dimensions,
  model = "words-64",
) {
  return {
    EMBEDDING_PROVIDER: "openai",
    EMBEDDING_BASE_URL: provider.url,
    EMBEDDING_MODEL: model,
    EMBEDDING_API_KEY: "a-key-of-the-provider",
    EMBEDDING_DIMENSIONS: String(dimensions),
  };
}

function vectorOf(text: string, dimensions: number): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const hash = createHash("sha256")
      .update(MEANINGS[word] ?? word)
      .digest();
    for (let at = 0; at < dimensions; at++)
      sum[at] = (sum[at] as number) + ((hash[at % 32] as number) - 127.5);
  }
  return sum.some((value) => value !== 0) ? sum : sum.fill(1);
}

/** Words that share a meaning and no letter. */
const MEANINGS: Readonly<Record<string, string>> = { zorp: "blim", quxy: "dard" };
