import fc from "fast-check";
import { SEED } from "./random.ts";

// A seed that is given repeats what properties tried, too.
if (process.env.RECOLLECT_SEED !== undefined) fc.configureGlobal({ seed: SEED });
