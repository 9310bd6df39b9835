import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How the server behaves; may be changed while it runs. */
export interface Behaviour {
  /** What it thinks of a text: the share of the query's words that the text has, unless given. */
  judge: (query: string, text: string) => number;
  /** Answers by this instead, whatever it is asked. */
  instead: ((response: ServerResponse) => void) | null;
  /** Waits so long before it answers. */
  delayMs: number;
}

/** A request as it came. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
  readonly query: string;
  readonly texts: readonly string[];
}

export interface RerankServer {
  /** Of text-embeddings-inference. */
  readonly url: string;
  readonly behaviour: Behaviour;
  readonly asked: Asked[];
  /** The most that it was asked at once. */
  atOnce(): number;
}

/**
 * A small server that speaks both protocols: text-embeddings-inference's at `/rerank`, and Cohere's at `/v1/rerank`. It answers
 * best first, as such servers do.
 */
export async function openRerankServer(given: Partial<Behaviour> = {}): Promise<RerankServer> {
  const behaviour: Behaviour = { judge: shareOfWords, instead: null, delayMs: 0, ...given };
  const asked: Asked[] = [];
  let [running, atOnce] = [0, 0];
  const server = createServer(async (request, response) => {
    running++;
    atOnce = Math.max(atOnce, running);
    response.once("close", () => running--);
    let text = "";
    for await (const part of request) text += part;
    const body = JSON.parse(text);
    const path = request.url ?? "";
    const isTei = path === "/rerank";
    const { query } = body;
    const texts: string[] = isTei ? body.texts : body.documents;
    asked.push({ path, authorization: request.headers.authorization, body, query, texts });
    if (behaviour.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
    if (behaviour.instead) return behaviour.instead(response);
    const judged = texts
      .map((one, index) => ({ index, score: behaviour.judge(query, one) }))
      .sort((a, b) => b.score - a.score);
    const results = judged.map(({ index, score }) => ({
      index,
      relevance_score: score,
      document: { text: texts[index] },
    }));
    sendJson(response, isTei ? judged : { id: "1", results });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, behaviour, asked, atOnce: () => atOnce };
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export const KEY = "a-key-of-the-reranker";

/** The settings that name it. */
export function settingsOf({ url }: Pick<RerankServer, "url">) {
  return { RERANK_PROVIDER: "tei", RERANK_BASE_URL: url, RERANK_API_KEY: KEY };
}

function shareOfWords(query: string, text: string): number {
  const wordsOf = (of: string) => of.toLowerCase().match(/\p{L}+/gu) ?? [];
  const words = new Set(wordsOf(query));
  const has = new Set(wordsOf(text));
  return [...words].filter((word) => has.has(word)).length / Math.max(1, words.size);
}
