import { shapes } from "./hostile-text.ts";
import type { Target } from "./target.ts";

const BATCH_ITEMS = 200;
/** What one search looks at is many memories, and each is as awkward as it may be. */
export const PATH_CHARACTERS = 500;
const METADATA_CHARACTERS = 500;
const CONTENT_CHARACTERS = 120;
const SHAPES = 50;

/** Stores so many memories for the owner of a credential, all different, of many compositions. */
export async function fill(target: Target, secret: string, count: number, seed: number): Promise<void> {
  const compositions = shapes(SHAPES, seed);
  const text = (n: number, length: number) => compositions[n % SHAPES]?.make(length) ?? "";
  for (let from = 0; from < count; from += BATCH_ITEMS) {
    const items = Array.from({ length: Math.min(BATCH_ITEMS, count - from) }, (_, at) => {
      const n = from + at;
      return {
        content: `${n} ${text(n, CONTENT_CHARACTERS)}`,
        path: `${"a".repeat(PATH_CHARACTERS)}${n}`,
        source: `Name${n}`,
        bucket: `${"a".repeat(100)}${n % 100}`,
        metadata: { a: text(n + 1, METADATA_CHARACTERS), b: String(n) },
      };
    });
    const body = JSON.stringify({ items });
    const answer = await target.send({ method: "POST", path: "/v1/memories/batch", body }, secret);
    const { stored } = answer.body as { stored?: number };
    if (stored !== items.length)
      throw new Error(
        `A batch of ${items.length} stored ${stored}: ${JSON.stringify(answer.body).slice(0, 300)}`,
      );
  }
}
