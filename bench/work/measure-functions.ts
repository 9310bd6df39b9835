import { double, type Growth, type Judging, sizesUpTo } from "./doubling.ts";
import type { Reader } from "./functions.ts";
import { type Shape, shapes } from "./hostile-text.ts";

/** A time this short is made of many calls, so that the clock's steps do not count. */
const ROUND_MS = 2;
const CALLS_MAX = 200;
const SIZES = 5;

/** What one reader makes of one shape. */
export interface Found {
  readonly shape: Shape;
  readonly found: Growth;
}

/** Every shape doubled for a reader. */
export async function measureReader(
  reader: Reader,
  how: { readonly shapes: number; readonly seed: number; readonly judging: Judging },
): Promise<Found[]> {
  const all: Found[] = [];
  for (const shape of shapes(how.shapes, how.seed ^ hashOf(reader.name))) {
    const found = await double(
      {
        name: reader.name,
        sizes: sizesUpTo(reader.longest, SIZES),
        measure: async (size) => ({ ms: await timeOf(reader, shape.make(size)) }),
      },
      how.judging,
    );
    all.push({ shape, found });
  }
  return all;
}

/** Processor time of one call, in milliseconds. */
async function timeOf({ read }: Reader, text: string): Promise<number> {
  const before = process.cpuUsage();
  for (let calls = 1; ; calls += 1) {
    try {
      await read(text);
    } catch {
      // A text that is not for this reader: refusing it costs as well.
    }
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= ROUND_MS || calls === CALLS_MAX) return ms / calls;
  }
}

/** So that each reader meets other shapes, and the same ones again with the same seed. */
function hashOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash;
}
