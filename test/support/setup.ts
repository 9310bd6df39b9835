import fc from "fast-check";
import { readTokenVocabulary } from "../../src/adapters/token-vocabulary.ts";
import { provideVocabulary } from "../../src/recall/pack/count-tokens.ts";
import { SEED } from "./random.ts";

// A seed that is given repeats what properties tried, too.
if (process.env.RECOLLECT_SEED !== undefined) fc.configureGlobal({ seed: SEED });

provideVocabulary(readTokenVocabulary);
