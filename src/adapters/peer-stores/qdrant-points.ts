import { DomainError } from "../../core/error.ts";
import { isObject } from "../../core/transfer/peers/peer-record.ts";

const PAGE = 256;
const WITHIN_MS = 30_000;

/**
 * The points of a Qdrant collection with their payloads: `http://127.0.0.1:6333/collections/mem0`. The operator names the
 * address, so that it may be a private one; redirects are not followed, and no key goes anywhere else.
 */
export async function* qdrantPoints(collection: string, apiKey: string | undefined): AsyncGenerator<unknown> {
  let offset: unknown = null;
  do {
    const response = await fetch(`${collection.replace(/\/$/, "")}/points/scroll`, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout(WITHIN_MS),
      headers: { "content-type": "application/json", ...(apiKey ? { "api-key": apiKey } : {}) },
      body: JSON.stringify({ limit: PAGE, offset, with_payload: true, with_vector: false }),
    }).catch((error: unknown) => {
      throw unusable(`does not answer (${error instanceof Error ? error.name : "unknown reason"})`);
    });
    if (!response.ok) throw unusable(`answers with status ${response.status}`);
    const answer: unknown = await response.json().catch(() => null);
    const result = isObject(answer) && isObject(answer.result) ? answer.result : null;
    if (!Array.isArray(result?.points)) throw unusable("answers no points");
    yield* result.points as unknown[];
    offset = result.next_page_offset ?? null;
  } while (offset !== null);
}

function unusable(what: string): DomainError {
  return new DomainError(
    "validation_failed",
    `Qdrant ${what}. Give the address of mem0's collection, such as http://127.0.0.1:6333/collections/mem0, and its key in QDRANT_API_KEY.`,
  );
}
