import { oneOrAll } from "./random.ts";
import { type Runtime, runtimes } from "./server.ts";

/** Runtimes that tests of whole servers run on. */
export const runtimesUnderTest: readonly Runtime[] = oneOrAll(runtimes);
