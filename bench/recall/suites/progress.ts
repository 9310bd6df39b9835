import { say } from "../../chaos/say.ts";

const EVERY_MS = 20_000;

/** Passes them on one by one, and tells who waits for a long run where it is. */
export function* withProgress<T>(suite: string, what: string, values: readonly T[]): Iterable<[number, T]> {
  let toldAt = Date.now();
  for (const [at, value] of values.entries()) {
    if (Date.now() - toldAt > EVERY_MS) {
      toldAt = Date.now();
      say(`${suite}: ${at} of ${values.length} ${what}`);
    }
    yield [at, value];
  }
}
